//! The quarrel.

use crate::improviser::say::{
    Cause::{Overload, Underrated, Waiting},
    Only::{Because, Blunt, Boss, Crowd, Deadline, Late, Mentor, Nervous, Pressed, Private, Work},
    Say, say,
};

/// Gives nothing away yet.
#[rustfmt::skip]
pub(in crate::improviser) const DEFLECT: &[Say] = &[
    say("defensive", "Hang on. You make it sound as if I had been sitting there with my feet up."),
    say("defensive", "With respect, {you}, I wasn't the only one in the room when this went wrong.").only(&[Work]),
    say("guarded", "I know how it looks. It isn't how it was."),
    say("defensive", "I did what I could with what I had. Nobody asked what that was.").only(&[Work]),
    say("stiff", "If you already know whose fault it is, {you}, I'm not sure what you need me for."),
    say("nervous", "I mean, it wasn't, look, there were a lot of things going on at once, and you're only seeing the last of them.").only(&[Nervous]),
    say("defensive", "Everything was moving at the same time. You try keeping ten plates in the air.").only(&[Work, Because(Overload)]),
    say("defensive", "I can only work with what people send me, and people sent me nothing.").only(&[Work, Because(Waiting)]),
    say("defensive", "On paper it was two weeks of work. Everybody thought so, not just me.").only(&[Work, Because(Underrated)]),
    say("irritated", "One slip, and suddenly that's all I am?"),
    say("defensive", "You weren't there, {you}. It's easy to be right afterwards."),
    say("wounded", "That's not fair, and I think you know it isn't.").only(&[Private]),
    say("guarded", "There were reasons. You might want to hear them before you make up your mind about me."),
];

/// Does not let it go.
#[rustfmt::skip]
pub(in crate::improviser) const PRESS: &[Say] = &[
    say("frustrated", "I asked you twice, {you}. Twice. Both times you looked at me and said it was under control.").only(&[Work]),
    say("sharp", "I'm not asking about anybody else, {you}. I'm asking about you."),
    say("stern", "People stayed until midnight to catch what fell off your desk, {you}. They have families too.").only(&[Work]),
    say("angry", "Do you know what it's like to find out last? I stood there with nothing to say."),
    say("controlled", "We lost {loss}, {you}. That isn't a slip, that's eight people's work gone.").only(&[Work]),
    say("sharp", "{Loss} left, {you}. Walked. I was the one who had to take the call, and I had nothing to tell them.").only(&[Work, Pressed]),
    say("clipped", "A date is a date. Nobody moved it, nobody hid it, and it still went by without a word from you.").only(&[Deadline]),
    say("stern", "I put my name under yours. So tell me what I'm supposed to say when they ask me why.").only(&[Boss, Mentor]),
    say("blunt", "That's a nice sentence, {you}, and it tells me nothing. What went wrong?").only(&[Blunt]),
    say("hurt", "I'm not keeping score, {you}. I just want one straight answer."),
    say("angry", "You keep walking around it. I would like you to stop and look at it, for once.").only(&[Private]),
    say("frustrated", "It's not that it happened. It's that I had to hear it from somebody else."),
    say("cutting", "Forty minutes I sat there, looking at the door. What was I supposed to think?").only(&[Late]),
    say("firm", "I didn't come here for a general picture, {you}. I came for what you did and what you didn't do."),
];

/// Explains, at length. Every one of these is long enough to be cut off in the middle.
#[rustfmt::skip]
pub(in crate::improviser) const EXCUSE: &[Say] = &[
    say("defensive", "Look, there was the migration, and the two audits, and then half the team was out sick, and I honestly thought that if I just kept my head down and worked through the weekend, it would somehow come together in the end.").only(&[Work, Because(Overload)]),
    say("defensive", "You have to see it from my side. I had three other things on my desk, all of them urgent, and every time I wanted to say something there was another fire, so I told myself that I could still make it without worrying anybody.").only(&[Work, Because(Overload)]),
    say("pleading", "I said yes to everything because everything was important, and by the time I noticed that it was too much, it was already too late to hand any of it over, so what was I supposed to do except keep going?").only(&[Work, Because(Overload)]),
    say("defensive", "The numbers from the other side were promised for Monday, then for Wednesday, and when they finally came, half of them were wrong, so I had to start over, and really, if they had just done their part on time, we would not be standing here.").only(&[Work, Because(Waiting)]),
    say("frustrated", "I was waiting for the sign-off. I wrote to them, I called them, I was told it would be any day now, and I thought that as soon as it came I could simply push it through and nobody would ever have to know.").only(&[Work, Because(Waiting)]),
    say("defensive", "It was never only in my hands. The vendor kept moving their date, and I kept moving mine to match, and I figured that if I just gave them a little more time, we would all come out fine on the other end.").only(&[Work, Because(Waiting)]),
    say("defensive", "It looked like a small job, it did, everyone said so, and then we opened it up and there was one thing behind another, and I was sure that with a couple of late nights I could get it back to where it was supposed to be.").only(&[Work, Because(Underrated)]),
    say("earnest", "I had done the same thing twice before, and both times it went through without a hitch, so I assumed that this time would be no different, and when it turned out that it was, I thought I could still turn it around before anyone noticed.").only(&[Work, Because(Underrated)]),
    say("defensive", "The plan made sense when I wrote it. Nobody could have known that the old data was such a mess, and I really believed that if I just cleaned it up quietly, then we could still hit the date and I would not have to bother anyone.").only(&[Work, Because(Underrated)]),
    say("defensive", "You don't know what that week was like for me. Everything came at once, and I kept thinking that I would sort it out tomorrow, and then tomorrow came and there was always something else that had to come first.").only(&[Private]),
    say("pleading", "It wasn't meant that way. I had every intention of telling you, I really did, but there was never a good moment, and the longer I waited the harder it was to find one that would not make everything worse.").only(&[Private]),
    say("defensive", "I thought you knew. I thought it was obvious, and that if it bothered you, you would say something, and since you never said a word I went on as if everything between us was just as it had always been.").only(&[Private]),
    say("agitated", "Everybody acts as though there had been some better way that I just refused to see, but if you go through it, one thing after the other, you will find that there was never a moment when I could have done much else."),
];

/// Accuses, at length.
#[rustfmt::skip]
pub(in crate::improviser) const TIRADE: &[Say] = &[
    say("angry", "It's always the same with you. I bring something up, you look at me as if I had made it up, and then a week later we are standing here again and I am the one who has to explain why it still matters to me."),
    say("heated", "I have carried this around for weeks, and every time I wanted to bring it up you had somewhere to be, or somebody to call, and I started to think that you would rather do anything at all than sit down and talk to me."),
    say("furious", "You want to know what really gets to me? It's not even the thing itself, it's that you walk in here as if nothing had happened, and you expect the rest of us to just go along with it because that is easier for you."),
    say("heated", "I kept my side of it. I did everything we said I would do, every single time, and I never asked for a medal, but when it was your turn you were suddenly too busy, and somehow that was supposed to be my problem as well."),
    say("angry", "Let me tell you how this looks from where I stand, because I don't think you have any idea. You decide, you go ahead, and then I find out from other people and have to pretend that I was part of it from the start."),
];

/// Cuts an excuse short.
#[rustfmt::skip]
pub(in crate::improviser) const CUT_EXCUSE: &[Say] = &[
    say("angry", "No, stop there. I didn't ask you for a weather report, {you}."),
    say("angry", "Stop, please. Every one of those is a reason, and not one of them has you in it."),
    say("furious", "I don't want excuses! I want to know why I heard nothing until it was over."),
    say("bitter", "And at no point in all of that did you pick up the phone."),
    say("angry", "Enough, {you}! We lost {loss}, and you're still telling me how busy you were.").only(&[Work, Because(Overload)]),
    say("angry", "Don't put this on them. They weren't the ones who told me it was handled.").only(&[Work, Because(Waiting)]),
    say("frustrated", "No, {you}. It being harder than you thought is the first thing you tell me, not the last.").only(&[Work, Because(Underrated)]),
    say("exasperated", "Listen to yourself, {you}. It's a very good story, and you're hardly in it.").only(&[Blunt]),
    say("indignant", "I can't listen to this. You're explaining it to me as if I were a stranger.").only(&[Private]),
    say("angry", "There it is again! Everything happened to you, and you did nothing."),
    say("angry", "Let me save you the rest. It was complicated. It's always complicated."),
];

/// Cuts an accusation short.
#[rustfmt::skip]
pub(in crate::improviser) const CUT_TIRADE: &[Say] = &[
    say("angry", "Oh, come on! You make me sound like a monster."),
    say("indignant", "No, no, hold it. That is not what happened, and you know it, {you}."),
    say("angry", "Stop right there. I'm not going to stand here and be read a list."),
    say("furious", "That's enough! You've had your say, now let me have mine."),
    say("indignant", "Don't. Don't you dare tell me what I was thinking."),
    say("exasperated", "You don't even hear what you're saying, do you, {you}?").only(&[Blunt]),
];

/// Has been cut off, and minds.
#[rustfmt::skip]
pub(in crate::improviser) const BRISTLE: &[Say] = &[
    say("indignant", "Not one whole sentence, {you}. I didn't even get one whole sentence."),
    say("frustrated", "I wasn't finished. You asked me, {you}, so let me answer."),
    say("bitter", "So I'm here to listen, not to talk. Good to know."),
    say("frustrated", "If I get three words out at a time, this is going to be a long day."),
    say("resentful", "I had more to say. I suppose it doesn't matter now."),
    say("flustered and angry", "I was, that's, I was trying to tell you something.").only(&[Nervous]),
    say("indignant", "Every time I open my mouth, {you}. Every time."),
    say("frustrated", "You cut me off just where I was getting to my own part in it."),
    say("bitter", "Nobody lets me finish. Nobody, all day.").only(&[Crowd]),
];
