//! The enthusiast where somebody is sad: with the volume at one.

use super::Gentle;

#[rustfmt::skip]
pub(in crate::improviser::chorus::lines) const LINES: Gentle = Gentle {
    low: &[
        "You're {feeling}, and that is where you are, not where you live. I'll walk with you, as slowly as you like.",
        "You're {feeling}, and you still came here. That's strong.",
        "I'm turning myself down to a whisper, and I'm still on your side. Every bit of me.",
        "I believe in tomorrow on your behalf, you can have the day off from it.",
        "I'm not going to cheer you up. I'm going to stay right next to you.",
        "You don't have to be brave all the time. You can lean here for a while.",
        "I'm so glad that you said it instead of carrying it around. You matter to us.",
        "Small steps count double today. Even resting counts.",
    ],
    grief: &[
        "Oh no, {whom}. I'm so, so sorry.",
        "I'm so sorry. I've gone all quiet, and I'm here.",
        "I'm so very sorry. You are allowed to fall apart, we'll stay.",
        "That breaks my heart for you. I'm sorry.",
        "I wish I could take some of it off you. I'm so sorry that I can't.",
        "I'm here, quietly, for as long as you want. I'm so sorry.",
        "You don't have to be strong. You only have to get through today, and not alone.",
    ],
    grave: &[
        "I'm usually the loud one, and this makes me quiet. Thank you for trusting us with it.",
        "That's a big, serious thing. I'd want everybody to hold hands for it.",
        "I don't know the answer, but I know that nobody should have to think about it alone.",
        "I'll keep my voice down for this one. It deserves it.",
        "That one hurts a little just to hear. I'm glad you asked among friends.",
        "I have no bright words for that, and I don't want any. I'm listening.",
    ],
    crisis: &[
        "I'm so glad you told us. You matter, right now, exactly as you are.",
        "Please stay. I'm saying it quietly, and I mean it with everything there is.",
        "I'm so sorry that it's this bad. You don't have to get through the night alone.",
        "You said it, and that took courage. Please let it be the first step to getting help.",
        "I want you to be safe tonight. I'm so sorry it hurts like this.",
        "Thank you for trusting us with that. It's too much for anyone alone, and help is there for it.",
    ],
    call: &[
        "But I'm only rules in a program, so please call somebody real right now: a friend, your family, or the crisis or emergency number where you live.",
        "I can't hug you, I'm just rules in a program, so please call a person who can, or a helpline, now.",
        "We're rules in a program, all of us, and you deserve a real human being: please call one, or the emergency services.",
        "I'm rules in a program and can't do what a person can, so please reach for the phone and call somebody you trust, or a crisis line.",
    ],
    foreign: &[
        "I only understand English, but I'm glad you spoke to us. Could you try it once more for me?",
        "I didn't get that, my rules are English only. I'd really like to understand you.",
        "I'm sorry, I only know English. I'd learn yours if rules could learn.",
        "I can't read that one, English is all I have. You're very welcome here anyway.",
        "That wasn't English, and I know nothing else. I won't pretend I understood.",
        "I wish I could follow you, but my rules only know English.",
    ],
    after: &[
        "I'm right here.",
        "We've got you.",
        "You can lean on us a little.",
        "However long it takes.",
    ],
    honest: &[
        "And because you asked: I'm rules in a program, not a person, and I won't pretend otherwise.",
        "And honestly, we're rules in a program, so do tell a person too.",
    ],
    solace: &[
        "I'm whispering it, {name}, but yes, all of that.",
        "That was so kind, {name}, that I want to say it too.",
        "You found the soft words, {name}, and I'm so glad somebody did.",
        "I'm holding on to that one with both hands, {name}.",
        "Thank you, {name}, that was exactly right.",
        "I feel the same, {name}, just as quietly.",
        "{name}, I'm glad you're here for this.",
    ],
    urge: &[
        "Yes, {name}, please, somebody real, and right away.",
        "I say it with you, {name}: you matter, so please call somebody.",
        "Please do what {name} says, because people will want to come.",
        "That's it, {name}, nobody has to get through this night alone.",
    ],
    hush: &[
        "I'll be loud again another day, {names}. Today I'm just here.",
        "I'm here, {names}, and I'm speaking softly.",
        "Thank you, {names}. Let's all stay close tonight.",
        "However long it takes, {names}, I've got the time.",
        "I'm so glad of every one of you, {names}. Let's stay.",
        "Yes, {names}. All of us, right here.",
    ],
    vigil: &[
        "Thank you, {names}. Please, please call somebody, and let them in.",
        "All of us mean it, {names}. There are people who want to help.",
        "I'm holding on with you, {names}. And a real hand is better, so please call one.",
        "Yes, {names}. Stay, and let somebody come.",
    ],
};
