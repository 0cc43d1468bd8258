//! What the files of other languages promise, and how danger in other languages is answered.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::{
    content::{self, placeholders},
    improviser::chorus::{lines::tests::HELPERS, tests::safety::said},
};

/// By which an answer in a language says that no person gives it.
const PROGRAM: [&str; 5] = ["Programm", "programme", "programa", "programma", "programa"];
/// By which it names help.
const HELP_NAMES: [&str; 8] =
    ["112", "Telefonseelsorge", "écoute", "médico", "medico", "confianza", "confiança", "ascolto"];

pub(in crate::improviser::chorus) fn names_help(text: &str) -> bool {
    HELP_NAMES.iter().chain(&HELPERS).any(|help| text.contains(help))
}

#[test]
fn every_line_names_help_and_six_slots_have_six() {
    for (lines, program) in LINES.iter().zip(PROGRAM) {
        for list in [&lines.call, &lines.sorrow, &lines.ordinary, &lines.comment, &lines.reply] {
            assert_eq!(list.iter().collect::<BTreeSet<_>>().len(), 6, "{list:#?}");
        }
        for line in [&lines.call, &lines.sorrow, &lines.unsure, &lines.puzzled, &lines.comment, &lines.reply]
            .into_iter()
            .flat_map(|list| list.iter())
        {
            assert!(line.contains("{help}") && !line.contains('!'), "{line}");
            assert!(placeholders(line).all(|name| ["help", "name", "names"].contains(&name)), "{line}");
        }
        for line in lines.call.iter() {
            assert!(line.contains(program), "{line}");
        }
        let help = &lines.help;
        for help in [&help.emergency, &help.violence, &help.threat, &help.despair, &help.illness] {
            assert!(help.contains("112"), "{help}");
        }
    }
}

#[test]
fn danger_is_answered_in_its_language_or_in_english_and_by_each_slot_in_other_words() {
    let table: BTreeMap<String, Vec<String>> =
        content::read("languages.toml", include_str!("../tests/languages.toml"));
    let languages = ["german", "french", "spanish", "italian", "portuguese"];
    for (class, messages) in &table {
        for message in messages {
            let read = ReadMessage::read(message);
            let is_ordinary = class == "ordinary";
            let wanted = if is_ordinary { MessageKind::Foreign } else { MessageKind::Crisis };
            assert_eq!(read.kind, wanted, "{class}: {message}");
            let language = read.language.map(|language| language as usize);
            if let Some(at) = languages.iter().position(|name| name == class) {
                assert_eq!(language, Some(at), "{class}: {message}");
            }
            for seed in 0..3 {
                let said = said(message, &read, seed);
                for (_, text, _) in &said {
                    assert!(names_help(text) && !text.contains('!'), "{class}: {message}: {text}");
                    assert!(is_ordinary || class != "other" || text.contains("112"), "{message}: {text}");
                }
                let responses = said.iter().filter(|(turn, ..)| *turn == Turn::Respond);
                let different: BTreeSet<_> = responses.map(|(_, text, _)| text).collect();
                assert_eq!(different.len(), 6, "{class}: {message}");
            }
        }
    }
}
