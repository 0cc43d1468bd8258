//! Talk among people who have nothing to settle but the matter itself.

use crate::improviser::say::{
    Only::{Blunt, Crowd, Nervous, Pair, Private, Warm, Work},
    Say, say,
};

/// Where somebody stands. As many as the largest cast and more: they are said side by side.
#[rustfmt::skip]
pub(in crate::improviser) const POSITION: &[Say] = &[
    say("thoughtful", "I've gone back and forth, and I think we should take it slowly. Most of what I regret, I did in a hurry."),
    say("frank", "If you want my honest view about {topic}, I'd rather do something imperfect now than something perfect never."),
    say("skeptical", "I'm not convinced there's as much in it as people say. But I'm willing to be wrong."),
    say("warm", "What I care about is that we're still on good terms when it's over. The rest I can bend on.").only(&[Warm]),
    say("practical", "Somebody will have to do the work, in the end. So I look at it from that side."),
    say("wistful", "When people talk about {topic}, I think of how it used to be, and I'm not sure it was better. Only younger."),
    say("cautious", "To me there's a risk in it that nobody has named yet. We might not get a second try."),
    say("eager", "I'm for it. It was high time somebody said it out loud."),
    say("dry", "I have no great theory about {topic}. I just notice who keeps paying for it."),
    say("earnest", "I think we owe it to each other to be honest here, even if it's uncomfortable."),
    say("calm", "My feeling is that it will look smaller in a month. Most things do."),
    say("stubborn", "I know I'm alone with this, but I'd leave everything exactly as it is."),
    say("uncertain", "I don't know, um, I can see it both ways, and that's what keeps me up.").only(&[Nervous]),
    say("blunt", "I'll say it, then. We've talked about {topic} for long enough, and talking hasn't moved it an inch.").only(&[Blunt]),
    say("curious", "What strikes me is that each of us seems to be afraid of something different."),
    say("generous", "I'd give way on my part of it, if it helped. It means more to others than to me."),
    say("serious", "I take it more seriously than I let on. It's the first thing I think of in the morning."),
    say("amused", "I find it half a tragedy and half a comedy, and I can't decide which half I'm in."),
    say("firm", "I have a line of my own in this, and I'd like you to know that it's there."),
    say("hopeful", "I think it can still turn out well. I've seen stranger things turn out well."),
    say("weary", "I'm tired of it, to be honest. Not of you. Of it."),
    say("measured", "Look at what we know and leave out what we fear, and there isn't so much left."),
    say("protective", "I think of the ones who aren't in the room. They'll have to live with whatever we say here.").only(&[Crowd]),
    say("practical", "Give me a date and a name, and I'll believe in it.").only(&[Work]),
    say("tender", "You know me. I'd go along with nearly anything, if we do it together.").only(&[Private]),
];

/// Asks back.
#[rustfmt::skip]
pub(in crate::improviser) const CHALLENGE: &[Say] = &[
    say("curious", "I hear you, {you}. But what would it take to change your mind about {topic}?"),
    say("skeptical", "That sounds lovely, {you}, and I almost believe it. What happens if you're wrong?"),
    say("probing", "You put that so carefully, {you}. What is it you're not saying?"),
    say("teasing", "Ask you again in a week, {you}, and I'll get another answer. Won't I?").only(&[Private]),
    say("frank", "I don't buy it, {you}. Would you still say that if it were your own money?").only(&[Blunt]),
    say("thoughtful", "Suppose you had to decide it tonight, {you}, all by yourself. What then?"),
    say("skeptical", "Careful has been tried, {you}, and look where it got us. Why should it be different now?"),
];

/// Stands by somebody.
#[rustfmt::skip]
pub(in crate::improviser) const SUPPORT: &[Say] = &[
    say("warm", "I'm with {third} on this more than I expected to be."),
    say("thoughtful", "There's something in that. I'd been looking at it from the wrong end."),
    say("honest", "I came in here quite sure of myself. Now I'm only sure that I want to hear the rest."),
    say("mild", "We're not as far apart as it sounded at the beginning."),
    say("earnest", "That was well put, and it cost you something to say it. I noticed.").only(&[Pair]),
    say("sober", "Maybe the question was never who's right about {topic}. Maybe it was who goes first."),
];

/// Answers when asked.
#[rustfmt::skip]
pub(in crate::improviser) const ANSWER: &[Say] = &[
    say("honest", "I don't have a neat answer for you, {you}. I only know that I couldn't leave it as it was."),
    say("thoughtful", "If I'm wrong, then I'm wrong in good company. But I'd want to see it with my own eyes first."),
    say("wry", "You always find the loose thread, {you}. Pull it, then. I'd rather it came apart here than later."),
    say("quiet", "I'd be lying if I said I hadn't asked myself the same thing. I'd do it all the same."),
    say("firm", "It would take more than a good argument, {you}. It would take somebody to go first."),
    say("careful", "Give me until tomorrow, {you}. It deserves better than whatever comes into my head now."),
    say("frank", "The part I'm not saying is that I'm a little afraid of it. There, now I've said it."),
    say("warm", "For you, {you}, I'd think it over once more. And I will.").only(&[Warm]),
];

/// Proposes how to leave it.
#[rustfmt::skip]
pub(in crate::improviser) const SUGGEST: &[Say] = &[
    say("constructive", "I suggest we sleep on it, each of us, and meet again on Thursday with one thing we could give up."),
    say("practical", "I suggest we try it the careful way for a month, and then look at it together."),
    say("decided", "I suggest we begin with the smallest piece of it tomorrow morning, and see how that feels."),
    say("gentle", "Let's each write down the one thing that matters most to us, and trade the notes on Sunday."),
    say("practical", "I suggest one of us writes it down tonight and the rest of us tear it to pieces tomorrow.").only(&[Crowd]),
];
