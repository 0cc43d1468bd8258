//! The doubter where somebody is sad: doubts nothing of what is felt.

use super::Gentle;

#[rustfmt::skip]
pub(in crate::improviser::chorus::lines) const LINES: Gentle = Gentle {
    low: &[
        "I doubt a great many things, but not that you're {feeling}. There I simply take your word.",
        "When one is {feeling}, the future looks worse than it is. Believe it about tonight, and not about next year.",
        "I won't tell you it's nothing. You know best how heavy it is.",
        "Whoever told you that you should be over it by now was guessing.",
        "You don't have to justify it. I believe you.",
        "I have no argument with any of that. I'm only sorry.",
        "It isn't your fault that it's hard. I'm fairly certain of that, and I'm seldom certain.",
        "You needn't prove that it hurts. It's enough that you say so.",
    ],
    grief: &[
        "I'm deeply sorry about {whom}. There is no right way to bear it, so please don't let anyone tell you there is.",
        "I'm deeply sorry. Nobody has the answer to this, and I won't act as if I had.",
        "I have no questions now. I'm sorry, and I believe every bit of how hard it is.",
        "I'm sorry. Whatever you feel about it is allowed, all of it.",
        "People will say that it gets better soon. You needn't believe them today, I'm just sorry.",
        "I'm truly sorry. It's not a thing to be reasoned about.",
        "There is nothing to weigh here. It's a loss, and I'm sorry for it.",
    ],
    grave: &[
        "I don't know, and I distrust anybody who says they do. It deserves care.",
        "There I have no opinion worth hearing, only respect for those it touches.",
        "I'd rather leave that open than answer it badly.",
        "Honest people have wondered about that for a very long time. I'd wonder with you, quietly.",
        "I have doubts about nearly everything, but not that this is serious.",
        "I'd be slow to judge there, and slower to speak. It's good that you think about it.",
    ],
    crisis: &[
        "I believe you. Please believe me in one thing as well: this can change, and you need not see how yet.",
        "The dark sounds very certain, and it has been wrong so often. Please decide nothing alone tonight.",
        "I don't doubt that it hurts as much as you say. I'm glad you said it.",
        "I take you at your word, and I'm very sorry. You should not be alone with this.",
        "Whatever it is telling you about yourself, it isn't a fair witness. You're worth helping.",
        "Thank you for being honest. Please don't do anything about it alone, not while it's this dark.",
    ],
    call: &[
        "And don't rely on me, I'm rules in a program: call somebody real, a friend, a doctor, or the crisis or emergency number where you live.",
        "I'm only rules in a program, and that's certain, so please call a person who can be with you, or a crisis line, now.",
        "You should have better than us, since we are rules in a program: please call someone you trust or the emergency services.",
        "Nothing here is a person, only rules in a program, so please let a real one know, by phone, tonight.",
    ],
    foreign: &[
        "I can't judge that, I only read English. So I'd better have no opinion.",
        "I understood none of it, my rules are in English. I'm sorry, it may well have mattered.",
        "I could pretend, but I only know English. Would you say it so?",
        "That isn't English, and English is all my rules cover. I won't guess.",
        "I don't know what you said, since I read only English. I'd rather admit it.",
        "No answer of mine would be honest there, I only know English.",
    ],
    after: &[
        "I'm quite sure of that.",
        "You don't need to answer.",
        "I take your word for all of it.",
        "Let nobody hurry you.",
    ],
    honest: &[
        "And to be honest with you: I'm rules in a program, not somebody.",
        "And you're right to ask: these are rules in a program, not people.",
    ],
    solace: &[
        "I have no objection, {name}, and I'm glad of it.",
        "I won't argue with a kindness, {name}, and that was one.",
        "That one I believe without a source, {name}.",
        "You were right to put it so simply, {name}.",
        "I'd say nothing different, {name}.",
        "That was fair and it was kind, {name}.",
        "I trust that, {name}, just as you said it.",
    ],
    urge: &[
        "I have no doubt about that, {name}: somebody real should be called.",
        "{name} is right, and I hope it is done at once.",
        "There is no second opinion on this, {name}, please let a person come.",
        "I believe it as you do, {name}: there is help, and it should be asked for.",
    ],
    hush: &[
        "I leave out what was clever, {names}, and keep what was meant.",
        "I have no second opinion, {names}.",
        "You said it more kindly than I did, {names}. I'd go with yours.",
        "I'd rather be quiet than right just now, {names}.",
        "Agreed, {names}, and without conditions.",
        "Thank you, {names}. Let's leave it at that, and stay.",
    ],
    vigil: &[
        "We agree, {names}, and we seldom do. Please call somebody.",
        "No argument, {names}. A real person, and today.",
        "Thank you, {names}. Let's be certain of this one thing: nobody should be alone with it.",
        "You're right, {names}. What we say matters little now, and who is called matters much.",
    ],
};
