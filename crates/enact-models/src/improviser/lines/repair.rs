//! Mending.

use crate::improviser::say::{
    Cause::{Overload, Underrated, Waiting},
    Only::{Because, Blunt, Boss, Crowd, Deadline, Late, Mentor, Private, Warm, Work},
    Say, say,
};

/// Every one of these is an apology out loud, without an if or a but.
#[rustfmt::skip]
pub(in crate::improviser) const APOLOGISE: &[Say] = &[
    say("remorseful", "I'm sorry, {you}, I really am. You trusted me with it, and I let you find out the hard way."),
    say("sincere", "I'm sorry, to you first, {you}, and to everyone who stayed late because of me.").only(&[Work]),
    say("remorseful", "I'm truly sorry about {topic}. You deserved the truth while there was still time to do something with it."),
    say("apologetic", "I apologize, {you}. No reasons this time. I let you down, and I'm sorry."),
    say("sincere", "We lost {loss} because I kept quiet, and I'm sorry for that. I really am.").only(&[Work]),
    say("remorseful", "I should have said that I couldn't carry it all. I didn't, and I am sorry.").only(&[Work, Because(Overload)]),
    say("remorseful", "I should have raised the alarm on the first day. I'm so sorry that I didn't.").only(&[Work, Because(Waiting)]),
    say("remorseful", "I called it easy, and others paid for that. I'm genuinely sorry, {you}.").only(&[Work, Because(Underrated)]),
    say("ashamed", "I don't expect it to fix anything, but I'm sorry. I've wanted to say that since you walked in."),
    say("sincere", "I'm sorry that I did it, {you}. Not that it came out."),
    say("earnest", "You took me under your wing, {you}, and this is what you got for it. I'm sorry.").only(&[Mentor]),
    say("remorseful", "I hurt you, and I made you chase me for the truth. I am so sorry.").only(&[Private]),
    say("apologetic", "I'm sorry, to both of you. You shouldn't have had to drag it out of me.").only(&[Crowd]),
];

/// Takes it in, and wants to know what will be different.
#[rustfmt::skip]
pub(in crate::improviser) const WEIGH: &[Say] = &[
    say("softening", "I can hear that you mean it, {you}. What I don't know yet is what happens the next time it gets tight.").only(&[Work]),
    say("measured", "That can't have been easy to say. Now tell me what will be different on Monday.").only(&[Work]),
    say("quieter", "I've been waiting to hear that, {you}. It helps more than you think. What do we do so that we never stand here again?"),
    say("thoughtful", "It matters that you said it, {you}. But I've heard good words before. What changes?"),
    say("softening", "That's the first thing today that sounded like you. Where do we go from here?").only(&[Mentor]),
    say("level", "I hear it. Give me something I can hold on to, {you}, something I can see from the outside.").only(&[Blunt]),
    say("measured", "I have to go back upstairs with more than a feeling. What can I tell them you'll do?").only(&[Boss]),
    say("careful", "I want to believe that, {you}. Help me. What would you do another time?").only(&[Private]),
    say("quiet", "Hm. You don't say that lightly, I know that much. And next time?"),
];

/// Every one of these accepts, out loud.
#[rustfmt::skip]
pub(in crate::improviser) const ACCEPT: &[Say] = &[
    say("sincere", "I accept your apology, {you}. I mean that."),
    say("softening", "Thank you for saying it plainly, and I accept your apology."),
    say("warm", "I accept your apology, {you}, and I was never going to give up on you, you know.").only(&[Mentor]),
    say("calm", "Then I accept your apology, {you}, and we leave it in this room.").only(&[Work]),
    say("relieved", "That's all I wanted to hear, {you}, and I accept your apology."),
    say("gentle", "I accept your apology. It took courage to say that in front of {third}.").only(&[Crowd]),
    say("wry", "You've made it hard to stay angry, so I accept your apology, {you}.").only(&[Private]),
    say("calm", "I accept your apology, {you}, and the evening isn't over yet.").only(&[Late]),
    say("calm", "I accept your apology, {you}, all of it. A date can be missed once. The trust is what I'd like to keep.").only(&[Deadline]),
    say("steady", "I accept your apology, and I'd like us both to sleep tonight."),
    say("softening", "I accept your apology, {you}, and I won't hold it over you, not tomorrow and not in a year.").only(&[Boss]),
];

#[rustfmt::skip]
pub(in crate::improviser) const ACCEPT_ALL: &[Say] = &[
    say("moved", "I accept your apology, every one of you. I didn't think I'd hear it once today."),
    say("sincere", "I accept your apologies, all of you, and I won't keep a list."),
    say("relieved", "Thank you, each of you. I accept your apologies, and I'd like to leave it here."),
    say("warm", "I accept, all of it and from all of you. Now come and sit down."),
];

/// Takes what is offered, where nobody has to apologise.
#[rustfmt::skip]
pub(in crate::improviser) const TAKE: &[Say] = &[
    say("pleased", "I accept, {you}, and gladly."),
    say("warm", "I thought you'd never ask, {you}. I accept."),
    say("calm", "I accept, {you}. Don't look so surprised."),
    say("light", "I've been sitting here waiting for that, {you}, so yes, I accept."),
];

#[rustfmt::skip]
pub(in crate::improviser) const FORGIVE: &[Say] = &[
    say("gentle", "I forgive you, {you}. I think I did a while ago and forgot to tell you."),
    say("warm", "Come here. I forgive you.").only(&[Private]),
    say("sincere", "I forgive you, {you}, because I'd be a fool to lose you over {topic}."),
    say("quiet", "It will take me a few days to feel it, but I forgive you."),
    say("calm", "I forgive you, {you}, and I won't bring it up again."),
    say("relieved", "I don't want to carry this any longer, and I forgive you, {you}."),
];

/// Lets go of a grievance for which there was no apology.
#[rustfmt::skip]
pub(in crate::improviser) const RELENT: &[Say] = &[
    say("softer", "That's more than I thought I'd get today, {you}. I can work with that."),
    say("calm", "I came in too hot. I wanted you to feel it the way I did, and that helped nobody."),
    say("thoughtful", "It was never the thing itself that kept me awake, {you}. It was the silence."),
    say("tired", "I don't want to fight about it any longer. I want it to get better."),
    say("warm", "There you are. That's who I wanted to talk to.").only(&[Warm]),
    say("level", "It still bothers me, and it will for a while. But I'm not angry any more."),
    say("measured", "Let's leave it there and look at what we do with it.").only(&[Work]),
    say("frank", "You could have said that an hour ago, but I'll take it.").only(&[Blunt]),
];
