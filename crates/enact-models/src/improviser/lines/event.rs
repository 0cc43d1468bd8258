//! What is said when something happens.

use crate::improviser::say::{Say, say};

/// Words in an event, and what one says to it before going on.
#[rustfmt::skip]
pub(in crate::improviser) const REMARKS: &[(&[&str], &[Say])] = &[
    (&["phone", "rings", "ringing"], &[
        say("distracted", "Let it ring."),
        say("firm", "Leave the phone, whoever that is can wait."),
    ]),
    (&["light", "lights", "flicker", "flickers", "power", "dark"], &[
        say("startled", "Great, now the lights too."),
        say("distracted", "Just the wiring, go on."),
    ]),
    (&["door", "knock", "knocks", "footsteps", "enters"], &[
        say("distracted", "Whoever that was, they can come back later."),
        say("startled", "For a second I thought we had company."),
    ]),
    (&["thunder", "storm", "rain", "wind", "gust", "lightning"], &[
        say("distracted", "Even the weather has an opinion."),
        say("wry", "Well, that's fitting."),
    ]),
    (&["glass", "breaks", "crash", "falls", "shatters", "broken"], &[
        say("startled", "Leave it, we'll sweep it up later."),
        say("startled", "Careful, don't step in that."),
    ]),
    (&["dog", "barking", "barks", "siren", "laughs", "laughter", "argument", "music"], &[
        say("distracted", "Don't mind the noise out there."),
        say("wry", "At least somebody out there is having a day of their own."),
    ]),
    (&["clock", "strikes", "bell", "chimes"], &[
        say("distracted", "It's later than I thought."),
        say("quiet", "So the hour's gone."),
    ]),
    (&["quiet", "silence", "silent", "still"], &[
        say("quiet", "That's the first quiet minute we've had."),
        say("uneasy", "Funny how loud it is when nobody talks."),
    ]),
];

/// What one says to anything else.
#[rustfmt::skip]
pub(in crate::improviser) const ANYTHING: &[Say] = &[
    say("distracted", "Whatever that was, never mind."),
    say("startled", "Did you, no, it doesn't matter."),
    say("wry", "As if we needed that as well."),
    say("distracted", "That can wait."),
    say("uneasy", "That gave me a start."),
];

/// What one does when something happens and it is not one's turn.
pub(in crate::improviser) const STARTS: &[&str] = &[
    "looks round",
    "starts",
    "freezes for a moment",
    "half rises, then sits back",
    "turns towards the sound",
    "flinches",
    "frowns",
    "listens for a second",
    "catches someone's eye",
    "shrugs it off",
    "blinks",
    "puts a hand on the table",
];
