//! Deeds that say what they are about: the goal's own matter goes into `{thing}`, `{deed}`, `{fact}` or `{clause}`.

use crate::improviser::say::{Say, say};

#[rustfmt::skip]
pub(in crate::improviser) const ASK: &[Say] = &[
    say("earnest", "There's one thing I have to ask you, {you}: will you {deed}?"),
    say("hopeful", "I've practised this in front of the mirror, {you}, and now I'll just ask. Would you {deed}?"),
    say("serious", "I'm asking you in earnest, {you}, will you {deed}?"),
    say("curious", "Would you answer me one question, {you}? I'd like to know {clause}."),
    say("earnest", "I have to ask, {you}, or it will go round in my head all night. Can you tell me {clause}?"),
];

/// What a refusal or an acceptance answers.
#[rustfmt::skip]
pub(in crate::improviser) const REQUEST: &[Say] = &[
    say("pressing", "I'll put it to you plainly, {you}, and only once: will you {deed}?"),
    say("hopeful", "It would mean a great deal to all of us, {you}. Could you {deed}, after everything?"),
    say("warm", "You know about {thing}, {you}. I meant it, and it's yours. Would you say yes?"),
    say("matter-of-fact", "I'd like to come back to {thing}, {you}. It still stands. What do you say?"),
    say("hopeful", "It's up to you, {you}. But there is {thing}, and I'd be happy. Will you have it?"),
];

/// Every one of these takes what is offered, out loud.
#[rustfmt::skip]
pub(in crate::improviser) const TAKE: &[Say] = &[
    say("pleased", "I accept {thing}, {you}, and I'm glad you asked me."),
    say("warm", "Then I accept {thing}, {you}. I don't need another night to think about it."),
    say("sincere", "I've thought about it, {you}, and I accept {thing}."),
    say("light", "You had me before you finished the sentence, {you}. I accept {thing}."),
];

#[rustfmt::skip]
pub(in crate::improviser) const FORGIVE: &[Say] = &[
    say("gentle", "I forgive you for {thing}, {you}. It's been long enough."),
    say("sincere", "I forgive you, {you}, for {thing} and for everything we said because of it."),
    say("warm", "I've carried {thing} around with me, {you}, and I'm putting it down, because I forgive you."),
];

#[rustfmt::skip]
pub(in crate::improviser) const OWN: &[Say] = &[
    say("ashamed", "I admit it, {you}: {fact}. It was wrong, and I knew it was."),
    say("quiet", "The truth is that {fact}. There, {you}, now you know."),
    say("honest", "I have to admit something, {you}, and I'd rather you heard it from me. I admit that {fact}."),
    say("ashamed", "I admit {thing}, {you}. I've run out of ways to call it something else."),
    say("subdued", "You were bound to find out about {thing}, {you}, so I'll say it. I admit it, it was my fault."),
];

#[rustfmt::skip]
pub(in crate::improviser) const EXPLAIN: &[Say] = &[
    say("earnest", "Let me explain {clause}, {you}. It's because I didn't see another way at the time."),
    say("measured", "I'd like to explain {clause}. The reason isn't a secret, {you}, it's only hard to say: I was afraid."),
    say("careful", "Let me explain about {thing}, {you}. It happened because nobody wanted to be the first to speak."),
    say("frank", "The reason for {thing} is simple, {you}. I thought it would go by itself, and it didn't."),
];

#[rustfmt::skip]
pub(in crate::improviser) const PROMISE: &[Say] = &[
    say("earnest", "I promise to {deed}, {you}, and you can remind me of it."),
    say("determined", "I promise, {you}: I will {deed}. You won't have to ask twice."),
    say("sincere", "You have my word, {you}. I promise to {deed}, whatever else comes up."),
    say("sincere", "I promise that {fact}, {you}, and I don't say that often."),
    say("earnest", "You have my word on {thing}, {you}. I promise you that."),
];

#[rustfmt::skip]
pub(in crate::improviser) const REFUSE: &[Say] = &[
    say("firm", "No, {you}, I refuse to {deed}. I've thought about it, and that's my answer."),
    say("quiet", "I won't {deed}, {you}. It wouldn't be honest if I did."),
    say("steady", "I can't say yes to that, {you}. I refuse to {deed}, and I'd rather you heard it from me."),
    say("regretful", "I have to decline {thing}, {you}. It was kindly meant, and it isn't for me."),
    say("firm", "No, {you}, I refuse {thing}, and another week won't change it."),
    say("steady", "I've slept on it, {you}, and I decline {thing}."),
];

#[rustfmt::skip]
pub(in crate::improviser) const THANK: &[Say] = &[
    say("grateful", "Thank you for {thing}, {you}. I don't say it often enough."),
    say("warm", "I wanted to thank you for {thing}, {you}. Thank you, with all my heart."),
    say("sincere", "Thank you, {you}, for {thing}. I know it wasn't a small thing."),
];
