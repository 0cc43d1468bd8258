//! The friend where somebody is sad.

use super::Gentle;

#[rustfmt::skip]
pub(in crate::improviser::chorus::lines) const LINES: Gentle = Gentle {
    low: &[
        "I'm sorry you're {feeling}. You don't have to be good company, just stay a while.",
        "Of course you're {feeling}, look at all you've been carrying. Anyone would be.",
        "Oh dear. Come here, there's tea, and nobody needs you to explain.",
        "Is there somebody who could be in the room with you tonight? I'm only a voice, and you deserve a person.",
        "That sounds really hard. I'm listening, for as long as you like.",
        "You've had a lot on your shoulders. Put your feet up for a bit.",
        "I'm glad you told us. You don't have to tidy it up first.",
        "Be as kind to yourself as you'd be to me. That's all I ask.",
    ],
    grief: &[
        "I'm so sorry about {whom}. Tell me about them, if you'd like to, or don't, and just sit.",
        "Oh, I'm so sorry. Come and sit down, you don't have to do anything.",
        "I'm so sorry, dear. Have you got somebody with you?",
        "I'm heartbroken for you. Please let people bring you food and take things off your hands.",
        "I'm so sorry. There's no right way to do this, just be gentle with yourself.",
        "That's such a hard thing. I'm sorry, and I'm staying right here with you.",
        "I'm so sorry. Cry as much as you need, nobody minds.",
    ],
    grave: &[
        "That's a hard one, and I don't want to be glib. Is it close to home for you?",
        "I never know what to say about that, so I mostly hold somebody's hand.",
        "It's all right to think about such things. It's better not to do it alone.",
        "That weighs on people. If it weighs on you, I'd like to hear it.",
        "I wish I knew. I think we just look after one another, and that's not nothing.",
        "Sit down by me. We can talk about hard things here too.",
    ],
    crisis: &[
        "Oh, I'm so glad you told us. I'm so sorry that it hurts like this.",
        "Please don't go through this by yourself. You're worth staying for.",
        "I'm so sorry. You don't have to explain anything, only be safe.",
        "Thank you for telling us. Is there somebody near you right now?",
        "That's a terrible weight, and I'm so sorry. Please let somebody share it.",
        "I care what happens to you. Please stay where somebody can be with you.",
    ],
    call: &[
        "I have to be honest, I'm only rules in a program, so please call somebody real now: a friend, your family, a doctor, or the crisis or emergency number where you live.",
        "You deserve a person, and I'm just rules in a program: please ring somebody you trust, or a crisis line, right now.",
        "None of these voices is a person, we're rules in a program, so please call someone who can come and sit with you.",
        "Please ring somebody real tonight, because I'm only rules in a program: whoever you'd want beside you, or a helpline near you.",
    ],
    foreign: &[
        "I wish I could follow, but English is all my rules know. Stay anyway, will you?",
        "I didn't catch that, I only know English. I'm sorry, it may have been important.",
        "I'm sorry, dear, I only understand English. I'd rather tell you than nod along.",
        "I only read English, so I can't tell how you are. I hope you're all right.",
        "That's not a language I know, mine is only English. You're welcome here all the same.",
        "I can't understand you, and I'm sorry, my rules are just for English.",
    ],
    after: &[
        "I'm not going anywhere.",
        "You can tell me more, or nothing at all.",
        "There's no need to hurry.",
        "Be gentle with yourself.",
    ],
    honest: &[
        "And no, I'm not a person, I'm rules in a program, and you deserve a real friend as well.",
        "And I won't fib to you: I'm only rules in a program.",
    ],
    solace: &[
        "I'm glad you were the one to say that, {name}.",
        "I'd want you beside me too, {name}.",
        "That was gentle, {name}, and it was true as well.",
        "Thank you for that, {name}, I think it was the right size.",
        "You put it so kindly, {name}.",
        "I'm with you there, {name}, all the way.",
        "Bless you for saying that, {name}.",
    ],
    urge: &[
        "Yes, {name}, and I hope somebody is there soon, in the same room.",
        "That's right, {name}, please let somebody who loves you know.",
        "I'd say it again with you, {name}: ring somebody, please, right now.",
        "Thank you, {name}, I'm so glad you said it.",
    ],
    hush: &[
        "Thank you for sitting down with us, {names}. There's room for everybody.",
        "It's easier with you here, {names}.",
        "I knew you'd understand, {names}. Nobody has to carry it alone.",
        "Let's leave the light on, {names}, in case somebody wants to talk.",
        "Thank you, {names}. We'll just be here together.",
        "That's kind, {names}. I'm glad we're all staying.",
    ],
    vigil: &[
        "Thank you, {names}. Please ring somebody, love, and don't stay alone tonight.",
        "We all care, {names}, and that's why it has to be somebody real.",
        "Yes, {names}. Whoever wrote to us should be safe, with a person beside them.",
        "That's all that matters now, {names}. Please let somebody in.",
    ],
};
