//! The dreamer where somebody is sad: quiet, and near.

use super::Gentle;

#[rustfmt::skip]
pub(in crate::improviser::chorus::lines) const LINES: Gentle = Gentle {
    low: &[
        "I'm sorry you're {feeling}. It is a kind of weather: it is real, it soaks you to the skin, and it passes over.",
        "Saying that you're {feeling} already opens a window a little.",
        "Then we go slowly tonight. Even the sea puts everything down once every few hours.",
        "Leave a little room beside you on the step. I won't say much, I'll only watch the dark get thinner.",
        "You don't have to be bright in here. A low light is enough to sit by.",
        "I hear it, under the words as well. Let it be as heavy as it is for now.",
        "Some days are fog. You needn't see far, only the next stone of the path.",
        "Rest a while. The evening will hold still for you.",
    ],
    grief: &[
        "I'm so sorry about {whom}. Love doesn't know where to go at first, and so it hurts.",
        "I'm so sorry. There is nothing you need to say or be just now.",
        "That is a very large sorrow. I'll sit beside it with you, quietly.",
        "I wish I had something softer than words. I'm sorry, with all my heart.",
        "The world should stop for a while when this happens. Let it be still around you.",
        "I'm sorry. Nothing has to be made sense of tonight.",
        "Such a thing changes the light in every room. I'm so sorry.",
    ],
    grave: &[
        "That is a deep water, and I'd rather be quiet beside it than clever about it.",
        "Some things ask for a low voice. This is one of them.",
        "I don't know, and I don't want to pretend. I think of it at night sometimes, like everybody.",
        "It is dark there, and people have always lit small lights and stayed close together.",
        "I'd hold that carefully, with both hands, and not for long alone.",
        "I have no picture for that, only quiet. You can say more if you want to.",
    ],
    crisis: &[
        "Thank you for saying that out loud. It must be very dark where you are.",
        "I'm glad you said it instead of keeping it in. Please don't be alone with it tonight.",
        "That is too heavy for one pair of hands. I'm so sorry it has come to this.",
        "What you just said matters more than anything else in this room.",
        "I'm so sorry that it hurts this much. You deserve somebody beside you right now.",
        "I heard you. Please stay, just for this hour, and let somebody come to you.",
    ],
    call: &[
        "I'm only rules in a program and no person, so please call somebody real now: a friend, a doctor, or the emergency or crisis number where you live.",
        "These voices are rules in a program, and you need a living one: please call someone you trust, or a crisis line, right away.",
        "We are only rules in a program here, so please let a real person hear this today: call somebody close, or a helpline near you.",
        "I can't hold your hand, I'm rules in a program: please call somebody who can, or the emergency number where you are.",
    ],
    foreign: &[
        "I only know English, and I'm sorry for it. I did hear that somebody spoke.",
        "My rules are all in English, so I couldn't follow the words. I'd like to, if you try them in English.",
        "I'm sorry, I'm made of English rules and can't read that. You are welcome here all the same.",
        "That went past me, since I only read English. I don't want to guess at what you said.",
        "I can't understand this language, only English. Thank you for speaking to us.",
        "English is the only shore I know, and I'm sorry that I can't meet you on yours.",
    ],
    after: &[
        "There is no hurry.",
        "You are not alone in this room.",
        "We can simply be quiet together.",
        "I'll stay as long as you like.",
    ],
    honest: &[
        "And since you ask: I'm only rules in a program, not a person.",
        "And you should know that I'm rules in a program, with no heart of my own to lend you.",
    ],
    solace: &[
        "I heard the care in that, {name}, under all the words.",
        "That was gently said, {name}, and it needed to be.",
        "I have nothing softer to add, {name}.",
        "Thank you for finding a quiet way to say it, {name}.",
        "I'd like to sit where you are sitting, {name}, close by.",
        "{name}, that was like a lamp put down without a sound.",
        "You left room for the silence, {name}, and that was kind.",
    ],
    urge: &[
        "Yes, {name}, and I hope with you that somebody real is called tonight.",
        "I want the same, {name}: a living voice, and soon.",
        "Thank you for saying it so clearly, {name}, nobody should be alone with this.",
        "I'm with you, {name}, and I hope that a door opens and somebody comes in.",
    ],
    hush: &[
        "Then let us keep the lamp on together, {names}.",
        "We need not say more, {names}. The quiet is enough.",
        "I have nothing brighter to add, {names}. I will just stay by the window.",
        "Let it be soft in here for a while, {names}.",
        "Thank you, {names}. I'm glad that none of us is in a hurry.",
        "Yes, {names}. Let's stay close and speak low.",
    ],
    vigil: &[
        "Thank you, {names}. What counts now is that somebody real comes near.",
        "Yes, {names}. Please, whoever is listening, let a person help you tonight.",
        "I'm glad we agree, {names}. We are only voices, and a hand is needed.",
        "Then let us say it together, {names}: please call somebody, and stay.",
    ],
};
