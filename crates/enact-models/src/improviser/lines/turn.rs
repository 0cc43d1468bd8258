//! Where a quarrel turns.

use crate::improviser::say::{
    Cause::{Overload, Underrated, Waiting},
    Only::{Because, Blunt, Boss, Deadline, Heated, Late, Mentor, Nervous, Private, Warm, Work},
    Say, say,
};

/// Steps back and asks in earnest: still angry, as the tone says, until there is an answer.
#[rustfmt::skip]
pub(in crate::improviser) const COOL: &[Say] = &[
    say("angry but quieter", "I was getting loud, I know. So, quietly: what really happened, {you}?").only(&[Heated]),
    say("frustrated but listening", "All I want is the truth, {you}, without the packaging. Can you give me that?"),
    say("angry but listening", "I'm not trying to hang you, {you}. I'm trying to understand. When did you know?"),
    say("frustrated but quieter", "All right, I'll keep still, and you tell me, from the beginning. What went on?").only(&[Heated]),
    say("frustrated and tired", "Let me try that again. What would you have needed from me, {you}, and why didn't you ask for it?").only(&[Boss, Heated]),
    say("exasperated but listening", "I've known you long enough to know that wasn't the real answer, {you}. What is?").only(&[Mentor]),
    say("angry but quieter", "No more shouting from me. What's the part you've been leaving out, {you}?").only(&[Heated]),
    say("frustrated but gentle", "Forget who's to blame for a second. What happened to you, {you}?").only(&[Warm]),
    say("frustrated and hurt", "I don't need it to sound good, {you}. I need it to be true. Can we try that?").only(&[Private]),
    say("angry but listening", "One question, then, and I'll be quiet until you've answered it. Why didn't you say anything?").only(&[Blunt]),
    say("frustrated but listening", "There's something under all of it, {you}, and I'd rather hear it from you. What is it?"),
];

/// Owns up. No word of apology yet: that has to come on its own.
#[rustfmt::skip]
pub(in crate::improviser) const OWN: &[Say] = &[
    say("subdued", "It was my fault. I had too much on my plate, I knew it weeks ago, and I was too proud to say so.").only(&[Work, Because(Overload)]),
    say("ashamed", "I made a mistake. I kept saying yes because I was afraid of what you'd think of me if I said no.").only(&[Work, Because(Overload)]),
    say("subdued", "It was my responsibility. I hid behind other people's delays because it was easier than picking up the phone and telling you.").only(&[Work, Because(Waiting)]),
    say("honest", "I was wrong to wait. They were slow, yes, but I could have told you on the first day, and I didn't.").only(&[Work, Because(Waiting)]),
    say("ashamed", "I was wrong. I thought it was small, I told everyone it was small, and then I was too embarrassed to take it back.").only(&[Work, Because(Underrated)]),
    say("subdued", "I got it wrong. I underestimated it from the start, and when I saw that, I should have asked for help.").only(&[Work, Because(Underrated)]),
    say("quiet", "I knew two weeks before the date that I wouldn't make it, and I said nothing. That was my fault.").only(&[Deadline]),
    say("ashamed", "I admit it, I wasn't watching the clock. I told myself you'd wait, and that was a rotten thing to count on. It's my fault.").only(&[Late]),
    say("subdued", "There's no good reason. I left too late, the way I always leave too late. I was wrong to treat your time like that.").only(&[Late]),
    say("honest", "The truth is that I saw it coming and looked the other way. It was my fault and nobody else's."),
    say("quiet", "You're right. I was wrong, and I've been hiding behind reasons ever since."),
    say("shaky", "I, I was scared, all right? I made a mistake, and then I was scared of you finding out.").only(&[Nervous]),
    say("subdued", "I messed up. I've been trying to find a version of it where I didn't, and there isn't one."),
    say("honest", "I admit it. I thought about myself first, and about you much later.").only(&[Private]),
];

/// Says how it felt.
#[rustfmt::skip]
pub(in crate::improviser) const HURT: &[Say] = &[
    say("hurt", "I sat there looking at the door like an idiot, {you}. I'd already decided you weren't coming.").only(&[Late]),
    say("cool", "You might have called, {you}. It takes a minute, and I'd have thought of you instead of about you.").only(&[Late]),
    say("tired", "It isn't the minutes. It's the feeling that mine are worth less than yours.").only(&[Late]),
    say("disappointed", "I counted on you, {you}. I had told everybody it was as good as done.").only(&[Work]),
    say("firm", "You left me standing there without an answer, {you}. That was the worst of it.").only(&[Work]),
    say("disappointed", "If you'd come to me a week before, we would have found a way. What kept you?").only(&[Deadline]),
    say("hurt", "It wasn't nothing, {you}. It stung."),
    say("guarded", "I've heard the words. I'm still looking for the person behind them, {you}."),
    say("quiet", "I was angry at first. Now I'm mostly tired of it, and a bit sad."),
    say("frank", "It did hurt, since we're being honest. What were you thinking?").only(&[Blunt]),
];

/// Gives ground, and calls it that.
#[rustfmt::skip]
pub(in crate::improviser) const YIELD: &[Say] = &[
    say("subdued", "There's something in what you say, {you}. I don't like it, but there is."),
    say("honest", "I dug in because I felt cornered. If I leave that aside, you have a point."),
    say("quiet", "I could have handled it better. I've known that since before we started shouting."),
    say("wry", "I had a whole speech ready, and none of it would have helped."),
    say("thoughtful", "I never looked at it from where you stand. I'm looking now."),
    say("subdued", "I underestimated what it would do to everyone else. That part is mine.").only(&[Work]),
    say("softer", "You matter more to me than being right about {topic}.").only(&[Private]),
    say("honest", "I should have come to you before it grew this big."),
];
