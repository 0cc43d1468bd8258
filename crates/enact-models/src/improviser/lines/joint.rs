//! What is said when so many do the same that the ordinary lines run out.

use crate::improviser::say::{Say, say};

#[rustfmt::skip]
pub(in crate::improviser) const APOLOGISE: &[Say] = &[
    say("sincere", "And I'm sorry too, {you}. I should have been the first to say it."),
    say("ashamed", "I'm sorry as well, {you}. I laughed along, and it wasn't funny."),
    say("remorseful", "From me too, {you}, and I mean it: I'm sorry."),
    say("quiet", "I didn't start it, {you}, but I didn't stop it. I'm sorry for that."),
    say("earnest", "I apologize, {you}, for looking away when you needed somebody."),
    say("apologetic", "My part was smaller than some and bigger than I'd like. I'm sorry for it, {you}."),
    say("sincere", "I have no excuse either, {you}. I apologize."),
    say("subdued", "I'm sorry, {you}, and I'm sorry it took me so long to say so."),
    say("ashamed", "You didn't deserve it, {you}, not from any of us and not from me, and I'm sorry."),
    say("remorseful", "I apologize as well, {you}. I knew better."),
    say("plain", "I'm sorry, {you}. I wish I had better words than the others, and I don't."),
    say("sincere", "I want to apologize too, {you}, and not only because everybody does."),
];

#[rustfmt::skip]
pub(in crate::improviser) const AGREE: &[Say] = &[
    say("calm", "I agree as well. It's the first thing today that sounded simple."),
    say("steady", "Agreed, on my side."),
    say("light", "I agree, and I'll even write it on my hand."),
    say("content", "Agreed from over here, too."),
    say("even", "I agree, and you know how rarely I say that."),
    say("warm", "I agree, and I'm glad that it's all of us."),
    say("plain", "Agreed. I have nothing to add to it."),
    say("wry", "I agree, before anybody improves on it."),
    say("calm", "I agree, and I'll do my share of it."),
    say("quiet", "Agreed, and I'm relieved."),
    say("firm", "I agree, and I'll say so again if anybody asks."),
    say("mild", "I can agree to that, every word of it."),
];

#[rustfmt::skip]
pub(in crate::improviser) const THANK: &[Say] = &[
    say("warm", "Thank you from me too, {you}."),
    say("grateful", "I thank you as well, {you}, and I should have done it long ago."),
    say("light", "Thank you, {you}, and don't you dare wave it away."),
    say("sincere", "I'm grateful to you, {you}. I hope you know that."),
    say("quiet", "Thank you, {you}, for more than I can list here."),
    say("warm", "My thanks as well, {you}. Thank you for all of it."),
    say("plain", "Thank you, {you}, I'm no good at speeches."),
    say("cheerful", "Thank you, {you}, and that comes from the back row."),
];

#[rustfmt::skip]
pub(in crate::improviser) const PROMISE: &[Say] = &[
    say("earnest", "I promise it as well, {you}."),
    say("steady", "You have my word too, {you}."),
    say("warm", "I promise, and so that everybody hears it: I mean it, {you}."),
    say("plain", "I promise the same, {you}, no more and no less."),
    say("quiet", "I give you my word, {you}, for what it's worth to you."),
    say("light", "I promise, {you}, hand on heart."),
];

#[rustfmt::skip]
pub(in crate::improviser) const REFUSE: &[Say] = &[
    say("firm", "I refuse as well, {you}."),
    say("steady", "I won't either, {you}, and I won't pretend to think about it."),
    say("quiet", "I decline too, {you}, with thanks."),
    say("plain", "I refuse, {you}, like the rest of us."),
    say("regretful", "I have to decline, {you}. You'll find somebody else."),
    say("dry", "Count me out too, {you}."),
    say("calm", "I won't do it, {you}, and you knew that before you asked."),
    say("frank", "I refuse, {you}, and I'm sleeping well with it."),
    say("mild", "I decline, {you}. It's nothing against you."),
    say("firm", "I refuse, {you}, for my own reasons."),
];

#[rustfmt::skip]
pub(in crate::improviser) const OWN: &[Say] = &[
    say("ashamed", "I admit it too, {you}."),
    say("quiet", "I admit my part as well, {you}, small as it was."),
    say("subdued", "I was wrong, {you}, no less than the others."),
    say("honest", "I admit it, {you}, and I feel better for having said it."),
    say("plain", "It was my fault too, {you}, as much as anybody's."),
    say("ashamed", "I made the same mistake, {you}, with my eyes open."),
    say("quiet", "I admit it as well, {you}, since we're all at it."),
    say("honest", "I was wrong to go along with it, {you}."),
    say("subdued", "I admit that I kept quiet, {you}, and that was the worst of it."),
    say("earnest", "I admit it before somebody says it for me, {you}."),
];
