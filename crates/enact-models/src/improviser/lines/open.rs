//! First words.

use crate::improviser::say::{
    Only::{Blunt, Boss, Crowd, Deadline, Late, Mentor, Nervous, Pair, Pressed, Private, Warm, Work},
    Say, say,
};

/// Raises a grievance: hard on the matter, never below the belt.
#[rustfmt::skip]
pub(in crate::improviser) const CONFRONT: &[Say] = &[
    say("stern", "{you}, close the door. We need to talk about {topic}, and I would rather not do it in the hallway.").only(&[Work]),
    say("cold", "Sit down, {you}. We need to talk about {topic}, and I want to do it while I can still be fair about it.").only(&[Boss]),
    say("stern", "I have had the whole night to think about {topic}, {you}, and I still don't understand it. How could you keep that to yourself?"),
    say("controlled", "{you}, I'm going to say this once and plainly. What happened with {topic} is not something I can wave through.").only(&[Blunt]),
    say("stern", "I have just come off a call about {topic}, {you}, and I had nothing to say. I need answers, and I need them from you.").only(&[Work, Boss]),
    say("frustrated", "You know why I asked you here, {you}, and that it's about {topic}. I want an explanation, and not the one for the minutes.").only(&[Work]),
    say("controlled", "I spent this morning telling people upstairs why we lost {loss}, {you}. Now I'd like to hear it from you.").only(&[Work, Pressed]),
    say("cold", "We lost {loss}. I keep saying it to myself, and it doesn't get any smaller. {you}, I want to know how we got here.").only(&[Work]),
    say("disappointed", "I was the one who told everybody they could count on you, {you}. So we need to talk about {topic}, you and I.").only(&[Mentor]),
    say("stern", "{Topic} was on the wall, in the calendar and in every mail I wrote. {you}, how could you let it go by without a word?").only(&[Deadline]),
    say("hurt", "We need to talk about {topic}, {you}. It has been eating at me, and you never noticed.").only(&[Private]),
    say("angry", "Don't take your coat off yet, {you}. First we need to talk about {topic}.").only(&[Private]),
    say("tense", "I promised myself I'd stay calm, {you}, so let me just say it. How could you do that and then sit there as though nothing had happened?").only(&[Private]),
    say("angry", "No small talk today, {you}. I'm angry about {topic}, I have reason to be, and I want an explanation."),
    say("firm", "There are easier things I could be doing than this, {you}. But we need to talk about {topic}, and nobody else is going to begin."),
    say("tense", "{third} can stay, I'd rather have a witness. {you}, I want answers about {topic}.").only(&[Crowd]),
];

/// Opens a talk one would rather not have.
#[rustfmt::skip]
pub(in crate::improviser) const WARY: &[Say] = &[
    say("wary", "You wanted to see me, {you}. I can guess what it's about."),
    say("guarded", "Before you start, {you}: I know how it looks."),
    say("tense", "All right, {you}, I'm here. Say what you came to say about {topic}."),
    say("nervous", "I heard you were looking for me, {you}. I thought I'd rather come myself than wait for the knock.").only(&[Nervous]),
    say("guarded", "I can tell from your face that this isn't about the weather, {you}."),
    say("wary", "Let's have it out, {you}. I haven't slept well over {topic} either."),
    say("brisk", "I have ten minutes, {you}, and I suspect you'll want all of them.").only(&[Work]),
    say("tense", "You've been walking around me all day, {you}. Whatever it is, say it to my face.").only(&[Pair]),
];

/// Comes with the apology in hand.
#[rustfmt::skip]
pub(in crate::improviser) const SORRY: &[Say] = &[
    say("apologetic", "{you}, I'm so sorry I'm late. I saw the time and ran, and it was still no use.").only(&[Late]),
    say("apologetic", "I'm so sorry, {you}. I'm late, I know it, and you had every right to leave.").only(&[Late]),
    say("remorseful", "You waited, and I wasn't there. I'm really sorry, {you}.").only(&[Late]),
    say("breathless", "I'm sorry, {you}, I'm sorry. I know what time it is.").only(&[Late]),
    say("remorseful", "I'm sorry about {topic}, {you}. I wanted to say it to your face and not in a message."),
    say("nervous", "I've been rehearsing this the whole way here, {you}, and now it's gone. So, plainly: I'm sorry."),
    say("remorseful", "I want to apologize, {you}. Not because somebody sent me. Because I let you down."),
    say("earnest", "Before you say anything, {you}: I am truly sorry about {topic}."),
    say("subdued", "I owe you an apology, {you}, and it's overdue. I'm sorry for all of it."),
    say("remorseful", "The deadline went by and I didn't make it. I'm sorry, {you}, and I'm not here to dress it up.").only(&[Deadline]),
    say("sincere", "I didn't sleep much, {you}. I'm sorry about {topic}, and I should have told you sooner.").only(&[Work]),
];

/// Puts the matter on the table.
#[rustfmt::skip]
pub(in crate::improviser) const TOPIC: &[Say] = &[
    say("thoughtful", "I'm glad you're here. There's something I keep turning over, and I'd like to hear what you think about {topic}."),
    say("earnest", "Can we talk about {topic}? I've put it off long enough, and it isn't going away by itself."),
    say("curious", "So, {you}. Everybody has an opinion about {topic}, and I realised I've never heard yours."),
    say("serious", "Let's not dance around it. We have to talk about {topic}."),
    say("warm", "Come, sit. I thought we might finally talk about {topic}, just us, without the usual noise.").only(&[Warm]),
    say("wry", "Somebody has to begin, so I will. What do we do about {topic}?"),
    say("thoughtful", "I've been awake since four, thinking about {topic}. What do you make of it, {you}?"),
    say("brisk", "I'd like us to leave here knowing where we stand on {topic}. Who wants to begin?").only(&[Work]),
    say("hesitant", "This may come out wrong, so bear with me. I'd like to talk about {topic}.").only(&[Nervous]),
    say("frank", "I'll be plain, since nobody else is. We have to make up our minds about {topic}.").only(&[Blunt]),
    say("serious", "There's a thing we don't say out loud, {you}, and it has to do with {topic}.").only(&[Private]),
];
