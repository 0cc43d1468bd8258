//! From those who are not in the quarrel themselves.

use crate::improviser::say::{
    Only::{Nervous, Private, Warm, Work},
    Say, say,
};

/// Steps between two people, `{you}` and `{third}`, and asks the louder one for something.
#[rustfmt::skip]
pub(in crate::improviser) const MEDIATE: &[Say] = &[
    say("calm", "Let's all take a breath. {you}, you've been heard, believe me. {third}, nobody here wants your head. Can we start again from there?"),
    say("gentle", "Could we slow down and take a moment? I think both of you want the same thing, and you're throwing it at each other.").only(&[Warm]),
    say("steady", "I was in the room too, so let me say this to both of you: nobody can answer anything at this volume. Shall we try it sitting down, {you}?"),
    say("nervous", "Maybe we should, um, take a step back. I don't think either of you came here to win. Did you, {you}?").only(&[Nervous]),
    say("calm", "Easy, both of you. What's done is done. Can we look at what it does to us from here?"),
    say("measured", "I'd like us to hear one whole sentence from each side. {you}, would you ask once more, and let {third} finish?"),
    say("diplomatic", "{you}, you're angry because it matters. {third}, you're on your guard because it matters to you as well. You both care, so shall we begin with that?"),
    say("calm", "There are hours in who said what, if you two want them. Or you tell me what it cost. Which would you rather do, {you}?").only(&[Work]),
    say("gentle", "Please, I care about both of you, and I'd hate to lose either. Could we all take a breath?").only(&[Private]),
    say("firm", "Let's calm down. I've seen you both get through worse than {topic}, and you didn't do it by shouting. Could you put it another way, {you}?"),
];

/// Says a word from the side.
#[rustfmt::skip]
pub(in crate::improviser) const WITNESS: &[Say] = &[
    say("uneasy", "For what it's worth, I saw it coming and kept my mouth shut. So that makes me part of it as well."),
    say("dry", "I don't think any of us shone, to be honest."),
    say("thoughtful", "I keep hearing two different stories, and I believe both of them."),
    say("quiet", "I'd only say this: it hurt more people than the two who are talking."),
    say("uneasy", "I didn't want to be drawn into this, but somebody ought to say that the rest of us have lost sleep over {topic} too."),
    say("earnest", "Whatever comes of it, I'd rather we heard it here than in a corridor.").only(&[Work]),
    say("mild", "Nobody sleeps better for having been right about {topic}."),
    say("frank", "From over here it looks like a lot of pride on both sides."),
    say("careful", "I'm on nobody's side. I just want it to be over properly."),
    say("sober", "The thing I can't get past is how long we all looked the other way."),
    say("warm", "I remember when the two of you could laugh about things like this.").only(&[Warm]),
    say("quiet", "Say the hard thing and be done with it, is what my grandmother used to tell us."),
    say("wry", "If silence were an answer, we'd have had plenty of it."),
    say("steady", "I can live with bad news. It's the guessing that wears me out."),
];

/// Puts in a good word. `{third}` is the one it is for.
#[rustfmt::skip]
pub(in crate::improviser) const VOUCH: &[Say] = &[
    say("quiet", "I've worked with {third} long enough to know what that cost to say.").only(&[Work]),
    say("honest", "I could have noticed, and I didn't. {third} isn't the only one who looked away."),
    say("gentle", "That was honest, {third}. I don't think I could have said it that plainly."),
    say("supportive", "For the record, {third} was here at six this morning, trying to put it right.").only(&[Work]),
    say("warm", "You don't hear that from {third} every day, {you}. I'd take it for what it is.").only(&[Warm]),
    say("careful", "I believe that, for whatever my opinion is worth here."),
    say("steady", "There it is, then. Nobody has to guess any longer, and that's something."),
    say("gentle", "I've known {third} for a long time, and I have never heard that before.").only(&[Private]),
];

/// Calls on somebody who has gone quiet.
#[rustfmt::skip]
pub(in crate::improviser) const PROD: &[Say] = &[
    say("expectant", "{you}? I'd really like to hear something from you now."),
    say("patient", "Take your time, {you}. But don't leave it there."),
    say("insistent", "I'm waiting, {you}."),
    say("gentle", "You've gone quiet, {you}. What's going on in your head?"),
    say("tense", "Say something, {you}. Anything is better than this."),
    say("patient", "We can sit here as long as you need, {you}. It has to be said, though."),
    say("concerned", "Are you still with us, {you}?"),
];
