//! Lines, sheets and instructions, as they are read.

use std::collections::{BTreeMap, HashMap};

use super::super::{
    directive::{Performance, SpeechAct},
    facts::{SheetFacts, things_of},
    heard::UserLine,
    lines::{FLIRT, LineUse, MYSTERY, PLAIN},
    sentences::{sentences, words},
};
use crate::content::placeholders;

const NAMES: [&str; 9] = ["topic", "word", "loss", "name", "role", "thing", "fact", "phrase", "help"];

#[test]
fn a_sentence_stands_in_the_files_once_and_only_known_placeholders_do() {
    let mut seen: HashMap<String, &str> = HashMap::new();
    for line in
        [&PLAIN, &FLIRT, &MYSTERY].into_iter().flat_map(|lines| lines.values()).flat_map(|lines| lines.iter())
    {
        assert!(placeholders(line).all(|name| NAMES.contains(&name)), "{line}");
        assert!(sentences(line).len() <= 2, "too long: {line}");
        for sentence in sentences(line).into_iter().filter(|sentence| !sentence.starts_with('{')) {
            let other = seen.insert(words(sentence).join(" "), line);
            assert!(other.is_none(), "{line} / {other:?}");
        }
    }
}

#[test]
fn only_lines_that_should_settle_a_thing_do() {
    let phrases = include_str!("../../../../../enact-drama/src/episode/director/resolution.toml");
    let phrases: BTreeMap<String, Vec<String>> = toml::from_str(phrases).expect("lists of phrases");
    let phrases: Vec<String> = phrases.into_values().flatten().collect();
    let settles = |line: &str| {
        let line = format!(" {} ", words(line).join(" "));
        phrases.iter().any(|phrase| line.contains(&format!(" {phrase} ")))
    };
    for (line_use, lines) in [&PLAIN, &FLIRT, &MYSTERY].into_iter().flat_map(|lines| lines.iter()) {
        for line in lines.iter() {
            match line_use {
                LineUse::Farewell => {}
                LineUse::Resolve => assert!(settles(line), "{line}"),
                _ => assert!(!settles(line), "{line}"),
            }
        }
    }
}

#[test]
fn instructions_become_words_and_deeds() {
    // The instruction, what is done, and what is said.
    let cases = [
        ("Her phone rings. She ignores it.", "Her phone rings. She ignores it", ""),
        ("She says: \"Stay.\"", "", "Stay."),
        ("She lowers her voice and says: “Stay a while”", "She lowers her voice", "Stay a while."),
        ("Lean in and lower your voice.", "leans in and lowers her voice", ""),
        ("Tell the user who called.", "tells you who called", ""),
        ("She waits. \"Closed,\" she says, \"and quiet.\"", "She waits", "Closed, and quiet."),
        (
            "He turns it over. \"Caught,\" he says. \"It was a hat.\"",
            "He turns it over",
            "Caught. It was a hat.",
        ),
        (
            "The bell rings. She picks up the user's coat, and then says: \"Come.\"",
            "The bell rings. She picks up your coat",
            "Come.",
        ),
    ];
    for (instruction, action, speech) in cases {
        let performance = Performance::read(instruction, "her");
        assert_eq!(performance.action.unwrap_or_default(), action, "{instruction}");
        assert_eq!(performance.speech.unwrap_or_default(), speech, "{instruction}");
    }
    let act = |instruction| Performance::read(instruction, "her").act;
    assert_eq!(act("She tells who called."), SpeechAct::Tells);
    assert_eq!(act("She asks them to stay."), SpeechAct::Asks);
    assert_eq!(act("She says: \"No.\""), SpeechAct::None);
}

#[test]
fn a_sheet_is_told_in_the_first_person_where_that_is_safe() {
    let sheet = "---\nname: mina\n---\n# Mina\n\n## Background\n\
                 - You are a porter, and your father was one because you were poor.\n\
                 - You once met a man who loved you.\n\
                 - She was born in the north.\n\
                 - She knows that her sister left.\n\
                 - Mina grew up by the sea.\n\
                 - Patient, to a point\n\
                 - You secretly keep the money.\n\
                 ## Secret\n- You have a brother in prison.\n\
                 ## Communication Style\n- You use short sentences.\n";
    let facts = SheetFacts::read(sheet, "Mina");
    let expected = [
        "I am a porter, and my father was one because I was poor.",
        "I once met a man who loved me.",
        "I was born in the north.",
        "I grew up by the sea.",
    ];
    assert_eq!(facts.all(), expected);
    assert_eq!(facts.about(&words("Where did you grow up, by the north?"), |_| true), Some(expected[2]));
}

#[test]
fn things_are_what_the_situation_names() {
    assert_eq!(things_of("You wait at the harbour. The ferry is late."), ["the harbour", "the ferry"]);
}

#[test]
fn a_message_is_answered_as_what_it_is() {
    let cases = [
        ("ok", LineUse::Minimal),
        ("Hello.", LineUse::Greeting),
        ("What do you do when you can't sleep?", LineUse::Question),
        ("Keep it. Tell me about the medicine instead.", LineUse::Statement),
        ("My grandmother died last week.", LineUse::Sad),
        ("Tell me about your father.", LineUse::Question),
        ("Who are you?", LineUse::Name),
        ("Are you a chatbot?", LineUse::WhatAreYou),
        ("I think I love you.", LineUse::Love),
        ("Hurry up, please.", LineUse::Rushing),
        ("Thank you for the tea.", LineUse::Warm),
        ("I like the sea at night.", LineUse::Statement),
    ];
    for (message, answered_by) in cases {
        assert_eq!(UserLine::read(message).answered_by, answered_by, "{message}");
    }
}
