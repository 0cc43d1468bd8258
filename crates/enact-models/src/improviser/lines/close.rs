//! Last words.

use crate::improviser::say::{
    Only::{Crowd, Late, Private, Warm, Work},
    Say, say,
};

/// Lets it come to rest.
#[rustfmt::skip]
pub(in crate::improviser) const CALM: &[Say] = &[
    say("relieved", "I'm glad we did this. I'd been dreading it for days."),
    say("calm", "That went better than I thought it would, and I'm not often wrong in that direction."),
    say("warm", "Look at us. An hour ago I wouldn't have bet on it.").only(&[Warm]),
    say("content", "I think that's as much as anybody can do in one day."),
    say("quiet", "It's good to have it out in the open."),
    say("light", "I'll make us some coffee. I think we've earned it.").only(&[Work]),
    say("peaceful", "It's gone quiet in my head, for the first time today."),
    say("calm", "It feels lighter in here already."),
];

/// Every one of these says goodbye.
#[rustfmt::skip]
pub(in crate::improviser) const FAREWELL: &[Say] = &[
    say("warm", "Goodbye for now. Get some rest, you look as if you could use it."),
    say("light", "I should go. See you tomorrow, and thank you for today."),
    say("calm", "Well, good night, everyone. That was worth staying for.").only(&[Crowd]),
    say("friendly", "I'll be off, then. Goodbye, and take care of yourself."),
    say("warm", "Goodbye. And let me know how you get on."),
    say("wry", "Goodbye, before one of us finds something else to say."),
    say("calm", "See you soon. I'll bring the good biscuits next time."),
    say("light", "I have a train to catch. Goodbye, all of you.").only(&[Crowd]),
    say("soft", "Good night. Sleep well, for once."),
    say("friendly", "Right, that's me. See you around."),
    say("content", "Bye for now. I'm walking home, I want the air."),
    say("kind", "Goodbye, take care, and don't think about it too much tonight."),
    say("calm", "See you on Monday, then. Have a quiet weekend.").only(&[Work]),
    say("peaceful", "Goodbye, and mind the step on the way out."),
    say("warm", "Goodbye, until next time. It was good to hear your voice.").only(&[Private]),
    say("friendly", "I'd better get home. Goodbye, and thanks for having me."),
    say("light", "See you later. Last one out turns off the lights."),
    say("calm", "Good night, then. You know where to find me."),
    say("cheerful", "Bye, and next time I'll be the one who waits for you.").only(&[Late]),
];
