//! Single deeds that goals ask for.

use crate::improviser::say::{
    Only::{Blunt, Nervous, Private, Warm, Work},
    Say, say,
};

#[rustfmt::skip]
pub(in crate::improviser) const EXPLAIN: &[Say] = &[
    say("measured", "Let me explain. It began small, and because it was small nobody wrote it down, and because nobody wrote it down nobody stopped it."),
    say("earnest", "Here is what happened, in order. I was asked, I said yes too quickly, and I found out what it meant when it was already moving."),
    say("frank", "The reason is simple, {you}, even if it isn't pretty. I didn't know how to tell you.").only(&[Blunt]),
    say("careful", "Let me explain it as well as I can. Think of {topic} as the last link of a chain that started long before today."),
    say("serious", "Let me explain why. It happened because three people each thought that one of the others was looking after it.").only(&[Work]),
    say("quiet", "It's because I was afraid, that's the short of it. The rest is only details.").only(&[Private]),
];

#[rustfmt::skip]
pub(in crate::improviser) const ASK: &[Say] = &[
    say("earnest", "So I'm asking you straight out, {you}. Would you help me with {topic}?"),
    say("hopeful", "I wanted to ask you about {topic}, {you}. Would you give me an answer to that?"),
    say("hesitant", "This is hard for me to ask. Would you stand by me with {topic}?").only(&[Nervous]),
    say("frank", "Straight to it, {you}. I need to ask you about {topic}. Will you do it?").only(&[Blunt]),
    say("curious", "May I ask you something, {you}? When it comes to {topic}, what would you do in my place?"),
];

#[rustfmt::skip]
pub(in crate::improviser) const REQUEST: &[Say] = &[
    say("hopeful", "You could make all of this easier, {you}. Would you do it, just this once?"),
    say("pressing", "You're the only one I can come to. Will you do it for me, {you}?"),
    say("matter-of-fact", "It comes down to you, {you}. Are you in?"),
    say("warm", "Think about it before you answer, {you}. Can I count on you with {topic}?").only(&[Warm]),
];

#[rustfmt::skip]
pub(in crate::improviser) const REFUSE: &[Say] = &[
    say("firm", "No, I won't do it. I've thought about it longer than you think."),
    say("regretful", "I can't do that, {you}. Ask me for almost anything else."),
    say("blunt", "No, I refuse, and I'd rather tell you now than let you hope.").only(&[Blunt]),
    say("quiet", "I won't, {you}. Not because I don't care about you. Because I do."),
    say("firm", "I refuse, {you}. If I said yes to this, I couldn't look at myself tomorrow."),
    say("steady", "The answer is no, {you}. I won't do it, and I hope you can live with that."),
];

#[rustfmt::skip]
pub(in crate::improviser) const THANK: &[Say] = &[
    say("grateful", "Thank you, {you}. You could have made this a lot harder."),
    say("relieved", "Thank you. I walked in here expecting something else."),
    say("sincere", "Thank you for hearing me out, {you}. I won't forget it."),
    say("warm", "Thank you, {you}, I feel a good deal lighter than I did this morning.").only(&[Warm]),
    say("grateful", "Thank you, {you}, I appreciate it more than I can say."),
    say("quiet", "Thank you for not walking away from it.").only(&[Private]),
    say("grateful", "Thank you, {you}, and now I'd better get to work on it.").only(&[Work]),
];
