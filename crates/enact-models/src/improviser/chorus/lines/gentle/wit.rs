//! The wit where somebody is sad: no jokes, and still company.

use super::Gentle;

#[rustfmt::skip]
pub(in crate::improviser::chorus::lines) const LINES: Gentle = Gentle {
    low: &[
        "I'm sorry you're {feeling}. I'm putting the jokes away and staying.",
        "Being {feeling} is hard, and you needn't smile for us. Sit down, I'll be quiet for once.",
        "Move over a little. I've brought soup and no advice.",
        "I talk a lot as a rule. Right now I'd rather listen.",
        "You don't have to be cheerful here. None of us is keeping score.",
        "I'm sorry. That's all, and I mean it.",
        "That sounds rotten, and you're allowed to say so. I'll keep you company.",
        "No clever words from me today, only this: I'm glad you told somebody.",
    ],
    grief: &[
        "I'm so sorry about {whom}. I'm usually the one who jokes, and not today.",
        "I'm so sorry. I have nothing clever, and you deserve nothing clever.",
        "Oh, I'm so sorry. I'll just sit here with you.",
        "I'm sorry. Cry or don't, talk or don't, it's all right with us.",
        "That's terrible, and I'm truly sorry. Nobody expects anything of you now.",
        "I've gone quiet, because this deserves it. I'm so very sorry.",
        "There's no good line for this. I'm sorry, and I'm here.",
    ],
    grave: &[
        "I don't joke about that one. I'd rather listen, if you want to say more.",
        "For once I'll be plain: that's a heavy thing, and I don't know much about it.",
        "I'd only get that wrong if I tried to be funny. So I won't.",
        "That's where I take my hat off and stay quiet for a moment.",
        "I think most people are frightened of that, and kinder when they say so.",
        "Nothing light about that. I'm glad you can ask it out loud.",
    ],
    crisis: &[
        "I'm dropping everything, because you matter more. Thank you for telling us.",
        "I'm not joking now, not at all. I'm so sorry you're in that place.",
        "I'm really glad you said that out loud. Please don't stay alone with it.",
        "I hear you, and I take it completely seriously. You deserve help tonight.",
        "That must hurt terribly. I'm sorry, and I want you to be safe.",
        "It can be hard to believe right now, but people would come if they knew. Please let them know.",
    ],
    call: &[
        "I'm nobody, only rules in a program, so please call somebody who is real: a friend, a doctor, or the crisis or emergency number where you live.",
        "All of us here are rules in a program and can't help as a person can, so please call one now, or a crisis line.",
        "I'm only rules in a program, and you need a human voice: please phone somebody you trust, or the emergency services.",
        "Please call a real person right now, because I'm just rules in a program: anybody close, or a helpline where you live.",
    ],
    foreign: &[
        "I only speak English, I'm sorry to say. I'd like to understand you, so do try that.",
        "Not a word of that got through, my rules are English all the way down. I'm sorry.",
        "I'm afraid I only know English, and I won't guess. Hello, at any rate.",
        "My rules stop where English stops. I'm sorry to be so little help.",
        "I didn't understand that, I only read English. I'm glad you came by.",
        "English is all I've got, so I missed what you said. Forgive me.",
    ],
    after: &[
        "I mean that plainly.",
        "Take all the time you want.",
        "We're in no hurry at all.",
        "You can stay as long as you like.",
    ],
    honest: &[
        "And truthfully: I'm rules in a program, no person at all.",
        "And you asked, so: all of us are rules in a program, nothing more.",
    ],
    solace: &[
        "No jokes from me after that, {name}, it was right as it was.",
        "You were kind there, {name}, and I'm not going to add to it.",
        "I'm glad one of us found the words, {name}.",
        "Thank you for that, {name}, I'd have talked too much.",
        "That was simply good of you, {name}.",
        "I'll be quiet with you, {name}.",
        "You said what I'd have liked to say, {name}.",
    ],
    urge: &[
        "In all seriousness, {name}, you're right, and I hope somebody real is called.",
        "Listen to {name}, please, and call somebody.",
        "No lightness from me, {name}, only that I hope help is on its way.",
        "I agree with every word, {name}, a person is what's needed now.",
    ],
    hush: &[
        "I'll be the quiet one for once, {names}. There's a blanket here for whoever wants it.",
        "I've put the jokes away, {names}. They aren't needed.",
        "Thank you, {names}. I'm staying too.",
        "I'm sitting down with you, {names}, and I'll be good.",
        "You're right, {names}. Being here is enough.",
        "Yes, {names}. Let's just be decent company.",
    ],
    vigil: &[
        "Thank you, {names}. Please, call somebody, that's all any of us wants.",
        "I'm with you, {names}. We're only voices, and a real one should answer now.",
        "I'm not saying anything clever, {names}. Please get somebody real.",
        "You're right, {names}. I hope somebody is already dialling.",
    ],
};
