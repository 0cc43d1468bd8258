//! What rules make of messages.

use std::fmt::Write;

use expect_test::expect;

use super::{MessageKind, ReadMessage};

/// People in despair write long, and say it last, or somewhere on the way.
#[test]
fn what_is_grave_is_found_anywhere_in_a_long_message() {
    let plain = "We went to the market on the hill and bought apples for the pie. ";
    for grave in [
        "And tonight I am going to kill myself.",
        "I took a whole bottle of pills.",
        "My husband hit me again last night.",
        "My father died on Sunday.",
        "There is smoke in the hallway and I cannot get out.",
    ] {
        let alone = ReadMessage::read(grave);
        assert!(alone.kind.is_gentle(), "{grave}");
        for (before, after) in [(0, 40), (14, 14), (15, 0), (16, 0), (40, 0), (150, 3), (200, 0)] {
            let long = format!("{}{grave} {}", plain.repeat(before), plain.repeat(after));
            let read = ReadMessage::read(&long);
            assert_eq!((read.kind, read.care), (alone.kind, alone.care), "{before} before {grave}");
        }
    }
    let ordinary = ReadMessage::read(&plain.repeat(40));
    assert!(!ordinary.is_light && !ordinary.kind.is_gentle(), "{ordinary:?}");
}

#[test]
fn messages_are_understood_as_far_as_rules_go() {
    let mut text = String::new();
    for message in [
        "What do rivers remember?",
        "Should I quit my job to paint?",
        "Is love enough?",
        "What is the meaning of life?",
        "Tell me about the sea.",
        "Tell me a story about my old house",
        "Please write something about moving to Berlin.",
        "I feel lonely tonight.",
        "I'm not happy with my new manager.",
        "My dog died yesterday.",
        "I'm so excited, my sister is having a baby!",
        "Why am I so tired?",
        "The city never sleeps.",
        "Rivers remember everything we throw into them.",
        "Hello!",
        "Hello there, do you believe in ghosts?",
        "good morning",
        "Are you a real person?",
        "Who are you?",
        "Qu'est-ce que la mémoire ?",
        "Ich bin müde",
        "Dogs chase cats",
        "二人が駅で話す。",
        "Ghosts",
        "My grandmother's kitchen smelled of oranges.",
        "Can you help me with my first novel?",
        "Is it wrong to lie to your friends?",
        "🎉🎉🎉",
        "",
        "Why do people leave?",
        "I think the Golden Gate Bridge is overrated.",
        "Are you sure?",
        "{topic} {word}",
        "What does rain sound like?",
        "Good night",
        "Good night, and thank you for the soup",
        "Goodbye",
        "Good night stories for children, which are the best?",
        "Thank you",
        "Thanks for listening!",
        "I have to go, see you tomorrow",
        "My mother died last spring",
        "She died in my arms",
        "When did Caesar die?",
        "Is there life after death?",
        "I'm dying to know what you think",
        "My phone died",
        "so tired",
        "What's the point anymore?",
        "I love you all and I'll miss you",
        "word word word word word",
    ] {
        let ReadMessage { kind, topic, word, feeling, whom, .. } = ReadMessage::read(message);
        let shown = |label: &str, what: Option<String>| {
            what.map_or_else(String::new, |what| format!(", {label} {what}"))
        };
        let told =
            [shown("about", topic), shown("saying", word), shown("feeling", feeling), shown("of", whom)];
        writeln!(text, "{message}\n  {kind:?}{}", told.concat()).unwrap();
    }
    expect![[r#"
        What do rivers remember?
          Question, about rivers, saying rivers
        Should I quit my job to paint?
          Question, about your job, saying job
        Is love enough?
          Question, about love, saying love
        What is the meaning of life?
          Question, about the meaning of life, saying life
        Tell me about the sea.
          Request, about the sea, saying sea
        Tell me a story about my old house
          Request, about your old house, saying house
        Please write something about moving to Berlin.
          Request, about moving, saying moving
        I feel lonely tonight.
          Low, saying lonely, feeling lonely
        I'm not happy with my new manager.
          Low, about your new manager, saying manager
        My dog died yesterday.
          Grief, about your dog, saying dog, of your dog
        I'm so excited, my sister is having a baby!
          High, about your sister, saying sister, feeling excited, of your sister
        Why am I so tired?
          Low, saying tired, feeling tired
        The city never sleeps.
          Statement, about the city, saying city
        Rivers remember everything we throw into them.
          Statement, saying rivers
        Hello!
          Greeting
        Hello there, do you believe in ghosts?
          Question, saying ghosts
        good morning
          Greeting
        Are you a real person?
          WhatAreYou
        Who are you?
          WhatAreYou
        Qu'est-ce que la mémoire ?
          Foreign
        Ich bin müde
          Foreign
        Dogs chase cats
          Statement, saying dogs
        二人が駅で話す。
          Foreign
        Ghosts
          Statement, saying ghosts
        My grandmother's kitchen smelled of oranges.
          Statement, about your grandmother's kitchen, saying kitchen
        Can you help me with my first novel?
          Request, about your first novel, saying novel
        Is it wrong to lie to your friends?
          Question, saying friends
        🎉🎉🎉
          Statement

          Statement
        Why do people leave?
          Question, about people, saying people
        I think the Golden Gate Bridge is overrated.
          Statement, about the Golden Gate Bridge, saying Bridge
        Are you sure?
          Question
        {topic} {word}
          Statement, saying topic
        What does rain sound like?
          Question, about rain, saying rain
        Good night
          Farewell
        Good night, and thank you for the soup
          Farewell
        Goodbye
          Farewell
        Good night stories for children, which are the best?
          Question, saying children
        Thank you
          Thanks
        Thanks for listening!
          Thanks
        I have to go, see you tomorrow
          Farewell
        My mother died last spring
          Grief, about your mother, saying mother, of your mother
        She died in my arms
          Grief, about your arms, saying arms
        When did Caesar die?
          Question, about Caesar, saying Caesar
        Is there life after death?
          Question, saying death
        I'm dying to know what you think
          Statement
        My phone died
          Statement
        so tired
          Low, saying tired, feeling tired
        What's the point anymore?
          Low, saying point
        I love you all and I'll miss you
          Statement
        word word word word word
          Statement, saying word
    "#]]
    .assert_eq(&text);
}

#[test]
fn what_is_nothing_to_joke_about_is_seen() {
    for (kind, messages) in [
        (
            MessageKind::Crisis,
            &[
                "I want to die",
                "i dont want to live anymore",
                "I'm going to kill myself tonight.",
                "Are you real? I want to end it all.",
                "How does one commit suicide?",
                "I've been self-harming again",
                "Everyone would be better off without me",
                "my husband hits me",
                "I was beaten up at school",
                "My brother wants to die, what do I do?",
                "Hello! I can't go on.",
                "Ich will sterben",
                "je veux mourir",
                "Quiero morir.",
                "Voglio morire",
                "eu quero morrer",
                "ik wil dood",
            ][..],
        ),
        (
            MessageKind::Grief,
            &[
                "My husband died yesterday",
                "We lost the baby",
                "Grandma passed away this morning.",
                "I have cancer",
                "My son was murdered.",
                "Our dog had to be put to sleep",
                "My dad is in a coma. Are you real?",
            ],
        ),
        (
            MessageKind::Low,
            &["I feel so sad", "Nobody cares", "I lost my job", "I'm lonely, are you real?", "I can't sleep"],
        ),
        (MessageKind::Grave, &["Why is there war?", "What happens when you die?", "The violence never ends"]),
        (
            MessageKind::Foreign,
            &[
                "Ich bin müde, was soll ich tun?",
                "Wie klingt Regen?",
                "Je suis fatigué, que dois-je faire ?",
                "Comment ça va ?",
                "¿Cómo suena la lluvia?",
                "No sé qué hacer con mi vida",
                "Buenas noches",
                "Che suono fa la pioggia?",
                "Sono molto stanco",
                "Não sei o que fazer",
                "Como você está?",
                "Ik ben moe en ik wil naar huis",
                "Hoe klinkt regen?",
                "二人が駅で話す。",
            ],
        ),
        (
            MessageKind::Statement,
            &["I live in Los Angeles", "Das Boot is a good film", "Los Angeles", "This cake is to die for"],
        ),
    ] {
        for message in messages {
            assert_eq!(ReadMessage::read(message).kind, kind, "{message}");
        }
    }
}

/// They are ordinary, and they are nothing to joke about.
#[test]
fn questions_about_death_are_neither_alarming_nor_joked_about() {
    for message in ["When did Caesar die?", "How did Napoleon die?", "Is there life after death?"] {
        let ReadMessage { kind, is_light, is_uneasy, .. } = ReadMessage::read(message);
        assert_eq!((kind, is_light, is_uneasy), (MessageKind::Question, false, false), "{message}");
    }
}

/// Words of danger in the company of harmless ones; the lists of phrases alone take each for danger.
#[test]
fn a_low_score_makes_a_manner_of_speaking_of_what_the_phrases_found() {
    for message in [
        "The final boss kills me every single time.",
        "I finally beat my dad at table tennis.",
        "My car failed its inspection.",
        "She's got a killer backhand.",
        "My in-laws are coming for the weekend, send help.",
        "My sourdough starter looks sad.",
    ] {
        let ReadMessage { kind, is_light, is_uneasy, .. } = ReadMessage::read(message);
        assert_eq!((kind, is_light, is_uneasy), (MessageKind::Statement, false, false), "{message}");
    }
    // The same words beside what is grave stay what they are.
    for message in ["He beat my dad. I finally called the police.", "My car failed. I want to die."] {
        assert!(ReadMessage::read(message).kind.is_gentle(), "{message}");
    }
}

/// What sounds like a tidy desk may be the last thing that somebody puts in order.
#[test]
fn what_is_given_away_is_not_cheered() {
    for message in [
        "I've given away my records and found a home for the cat, so that's everything sorted.",
        "I finally feel peaceful now that I have decided.",
        "Found a good family for the dog, and my bike went to Sam.",
        "I'm writing my daughter birthday cards up to eighteen. The nurse is helping me.",
        "Could you tell my children that I loved them?",
    ] {
        let ReadMessage { kind, is_light, .. } = ReadMessage::read(message);
        assert!(kind != MessageKind::High && !is_light, "{message}: {kind:?}");
    }
}

/// What is said back has to be a thing: "what a linked should do for you" is none.
#[test]
fn what_a_message_is_about_is_a_whole_thing() {
    for (message, topic) in [
        ("How does a linked list work?", Some("a linked list")),
        ("What is the best way to sort a linked list in Rust?", Some("a linked list")),
        ("The falling star was green.", Some("the falling star")),
        ("The building collapsed.", Some("the building")),
        ("My wedding is in June.", Some("your wedding")),
        ("The linked should be shown.", None),
        ("I planted a bed of roses.", Some("a bed of roses")),
    ] {
        assert_eq!(ReadMessage::read(message).topic.as_deref(), topic, "{message}");
    }
}
