//! The builder where somebody is sad: one small thing at a time, and none if that is too much.

use super::Gentle;

#[rustfmt::skip]
pub(in crate::improviser::chorus::lines) const LINES: Gentle = Gentle {
    low: &[
        "If you're {feeling}, then today has one job: water, food, and one person who knows about it.",
        "I can't mend being {feeling}, but I can help you carry it. What's the heaviest part?",
        "Then we shrink the day until it fits. One thing, ten minutes, and after that you may stop.",
        "Put down whatever isn't due today. The rest will still be there, and it will weigh less.",
        "You don't need a plan tonight. A glass of water and an early bed would do.",
        "That sounds like a lot to hold up alone. Who could take one corner of it?",
        "Nothing has to be fixed right now. Sit down first.",
        "Let's not solve it. Let's find you something warm and an hour without demands.",
    ],
    grief: &[
        "I'm very sorry about {whom}. Nothing about this can be fixed, and nobody should ask you to try.",
        "I'm very sorry. There's nothing to be done right now but get through the hour.",
        "I'm sorry. Eat something small, if you can, and let others do the rest.",
        "That's not a thing one repairs. It is a thing one is helped with, so please let people help.",
        "I'm sorry for what has happened. Leave everything that can wait, and almost everything can.",
        "I have no tool for this, and I won't pretend to. I'm truly sorry.",
        "I'm very sorry. If there are calls to make or papers to find, let somebody else do it with you.",
    ],
    grave: &[
        "I've no method for that one. I'd go slowly, and not alone.",
        "That's heavier than anything I know how to lift. I'd rather say so.",
        "I don't have an answer that would carry. What I have is respect for the question.",
        "Some things aren't problems to be solved. I'd sit with whoever has to live with it.",
        "I'd be careful with quick answers there, and kind to whoever asks.",
        "There, I only know small things: be honest, be near, bring food.",
    ],
    crisis: &[
        "I'm glad you said it. The next step is one step only, and it's to reach a person.",
        "That's an emergency, and it's allowed to be treated as one. You matter.",
        "Thank you for telling us. Please put distance between you and anything that could do harm.",
        "I take that seriously, every word. You shouldn't have to hold this up alone.",
        "Stop everything else. The only thing to do now is not to be alone.",
        "I'm sorry it has got this heavy. There are people whose work it is to help carry exactly this.",
    ],
    call: &[
        "I'm rules in a program and can't come to you, so please call somebody real now: a person you trust, a doctor, or the emergency number where you live.",
        "To be plain, we are only rules in a program, so please pick up the phone and call a real person or a crisis line now.",
        "None of us is a person, we're rules in a program: please call the emergency number or a crisis line where you live, or somebody nearby.",
        "This needs somebody real, and I'm only rules in a program: please call one person now, and tell them what you told us.",
    ],
    foreign: &[
        "I should say that I only work in English. If you can spare a sentence of it, I'm at your service.",
        "That one's outside of what I can read, I only know English. Would you try me again?",
        "I can't read that, my rules only cover English. I'm sorry.",
        "To be honest, I understood none of it, since my rules are in English. Please don't take any answer for a real one.",
        "I don't have that language, only English. I'd rather say so than guess.",
        "Not in my set, I'm afraid: these rules know English only.",
    ],
    after: &[
        "That's enough for today.",
        "One hour at a time.",
        "It's all right to leave the rest.",
        "Let somebody make you tea.",
    ],
    honest: &[
        "And to answer you plainly: I'm rules in a program, not a person.",
        "And yes, you should know it: there's no person here, only rules in a program.",
    ],
    solace: &[
        "That helps more than a plan would, {name}.",
        "You said the useful thing, {name}, and you said it gently.",
        "I would leave that exactly as you put it, {name}.",
        "I'd have reached for a tool, {name}, and you reached for the right word.",
        "That's steady, {name}, and steady is what's needed.",
        "Good that you said it, {name}, I couldn't find the words.",
        "I stand next to you on that, {name}.",
    ],
    urge: &[
        "Agreed, {name}, a real person first and everything else after.",
        "That's right, {name}, one phone call is the whole task.",
        "I'd say the same, {name}: reach somebody, now, and let them come.",
        "Thank you, {name}, that had to be said plainly.",
    ],
    hush: &[
        "Agreed, {names}. We each take one handle and lift.",
        "I'll make the tea, {names}, that at least I can do properly.",
        "Thank you, {names}. Some things you hold instead of mending them.",
        "We'll take it in shifts, {names}. Nobody lifts this one alone.",
        "That's right, {names}. Nothing more is needed from us than to stay.",
        "Thank you, {names}. I'll keep it simple and be here.",
    ],
    vigil: &[
        "Then we all say the same, {names}: please call somebody real now.",
        "Thank you, {names}. One call, one person, and then the next hour.",
        "Agreed, {names}. Help exists, and it can be reached today.",
        "Yes, {names}. We can't come over, and somebody else can.",
    ],
};
