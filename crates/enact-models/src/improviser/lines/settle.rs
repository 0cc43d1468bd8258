//! What will be done, and that it will.

use crate::improviser::say::{
    Cause::{Overload, Underrated, Waiting},
    Only::{Because, Blunt, Boss, Bystander, Crowd, Deadline, Late, Nervous, Pressed, Private, Warm, Work},
    Say, say,
};

/// What a next step is called when others come back to it. Each stands in a line of [`PROPOSE`].
pub(in crate::improviser) const STEPS: &[&str] = &[
    "weekly check-ins",
    "a shared timeline",
    "a short status note",
    "a red flag on the board",
    "a second pair of eyes",
    "a walk on Sundays",
    "an honest word once a week",
    "a call every time",
];

/// Names something that can be done and seen.
#[rustfmt::skip]
pub(in crate::improviser) const PROPOSE: &[Say] = &[
    say("earnest", "I'll set up weekly check-ins with you, every Monday at nine, and I'll bring the bad news first.").only(&[Work]),
    say("determined", "Let's do weekly check-ins. Fifteen minutes, every Friday, and if something slips you hear it there and not from the client.").only(&[Work]),
    say("earnest", "I'll keep a shared timeline from today on, and I'll set up weekly check-ins so that you never have to ask where things stand.").only(&[Work]),
    say("determined", "I'll write a short status note every Friday: what's done, what's late, and what I need. And I'll set up weekly check-ins for the next three months.").only(&[Work, Because(Overload)]),
    say("practical", "I'll set up weekly check-ins with everyone we depend on, and I'll put a red flag on the board the day somebody is late. The first day, not the last.").only(&[Work, Because(Waiting)]),
    say("practical", "I'll get a second pair of eyes on every estimate before I commit to it, and we'll go over them in weekly check-ins.").only(&[Work, Because(Underrated)]),
    say("earnest", "I'll leave half an hour earlier than I think I need, and you'll get a call every time, the minute I'm out of the door.").only(&[Late, Private]),
    say("gentle", "Let's take a walk on Sundays, just us, phones at home. I'll come by at ten and we say whatever has piled up.").only(&[Private]),
    say("earnest", "I'll give you an honest word once a week, even when there's nothing. Every Sunday evening, I'll call.").only(&[Private]),
    say("practical", "I'll write down what we said today and send it to you tonight, and we'll meet every week until it's done."),
];

/// Every one of these agrees, out loud.
#[rustfmt::skip]
pub(in crate::improviser) const AGREE: &[Say] = &[
    say("calm", "Agreed: {step}, starting this week."),
    say("relieved", "Agreed, and I'll have the invitations out before lunch tomorrow.").only(&[Work]),
    say("supportive", "That sounds good to me. I'll sit in on the first few, if it helps.").only(&[Work, Bystander]),
    say("calm", "Let's do that. I'd rather hear a small worry every week than a big one at the end."),
    say("warm", "Yes, let's do it that way. I'll be there.").only(&[Warm]),
    say("satisfied", "That works for me. I'll put it in my calendar as something that doesn't move.").only(&[Work]),
    say("steady", "Agreed, and if I forget to ask, you remind me."),
    say("firm", "I agree to that. Small, clear, and we can both check it.").only(&[Blunt]),
    say("supportive", "Count me in, that's a good plan. I can get a framework together by tomorrow.").only(&[Work, Bystander]),
    say("calm", "That's a plan. I agree, and I'll hold my own end of it."),
    say("light", "I agree. {Step}. I might even look forward to it.").only(&[Private]),
    say("calm", "It's agreed, then, and I can tell them upstairs that we have a plan with a date on it.").only(&[Boss, Pressed]),
    say("content", "Sounds good to me, all of it."),
    say("even", "I'm on board with that. Let's try it for a month and then look again."),
    say("mild", "Yes. I agree, and I'm glad somebody finally said something we can do."),
    say("quiet", "That's fair. I agree with that."),
];

/// Seals it.
#[rustfmt::skip]
pub(in crate::improviser) const AFFIRM: &[Say] = &[
    say("grateful", "Agreed, then. You'll see it in how I work, not in what I say.").only(&[Work]),
    say("relieved", "It's a deal. First one this week, and I'll be early."),
    say("earnest", "Agreed, and I'll write it up tonight so that nobody has to remember it for me."),
    say("calm", "Then we agree. No more surprises."),
    say("grateful", "Agreed, and thank you, both of you.").only(&[Crowd]),
    say("quiet", "It's a deal, {you}. I won't make you ask."),
    say("earnest", "Agreed, and if I start drifting, {third} has my permission to kick me.").only(&[Crowd]),
    say("steady", "Agreed, I'd rather be a nuisance every week than a disaster once."),
];

/// Gives a word one can be held to.
#[rustfmt::skip]
pub(in crate::improviser) const PROMISE: &[Say] = &[
    say("earnest", "I promise you'll hear it from me first, {you}, good or bad."),
    say("earnest", "I promise I'll call the moment I know I'm running behind. Before you start looking at the clock.").only(&[Late]),
    say("determined", "I give you my word, {you}. The next time something slips, you know it the same day.").only(&[Work]),
    say("sincere", "I promise I'll ask for help while it's still help and not a rescue.").only(&[Deadline]),
    say("sincere", "I can't undo it. But I promise I won't leave you guessing again."),
    say("quiet", "I promise, {you}. You can hold me to it, and I hope you will."),
    say("nervous", "I promise. I know that's just a word right now, so watch me.").only(&[Nervous]),
    say("warm", "I promise it won't be like that again, not with you.").only(&[Private]),
];
