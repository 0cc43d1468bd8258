//! What the other files promise of the banks.

use std::collections::BTreeSet;

use super::super::pick_line::{TAKEN_UP, own_words};
use super::{CuriousLines, GentleLines, HELP, LightLines, PERSONAS, PersonaLines};
use crate::content::{Texts, placeholders};
use crate::improviser::chorus::message::Care;

fn personas() -> impl Iterator<Item = &'static PersonaLines> {
    PERSONAS.iter().map(|persona| &**persona)
}

/// Lists of one kind, with how many sentences they may have and which words they may ask for.
type Kind = (&'static Texts, usize, &'static [&'static str]);

fn light(bank: &'static PersonaLines) -> [Kind; 15] {
    let LightLines {
        question,
        yes_or_no,
        high,
        greeting,
        farewell,
        thanks,
        request,
        honest,
        after,
        after_high,
        after_hello,
        after_bye,
        kind_comment,
        teasing_comment,
        reply,
    } = &bank.light;
    [
        (question, 2, &["{topic}", "{word}"]),
        (yes_or_no, 2, &["{topic}", "{word}"]),
        (high, 2, &["{topic}", "{feeling}"]),
        (greeting, 2, &[]),
        (farewell, 2, &[]),
        (thanks, 2, &[]),
        (request, 2, &["{topic}", "{word}"]),
        (honest, 3, &[]),
        (after, 1, &[]),
        (after_high, 1, &[]),
        (after_hello, 1, &[]),
        (after_bye, 1, &[]),
        (kind_comment, 1, &["{name}", "{quote}"]),
        (teasing_comment, 1, &["{name}", "{quote}"]),
        (reply, 2, &["{names}", "{own}"]),
    ]
}

fn curious(bank: &'static PersonaLines) -> [Kind; 7] {
    let CuriousLines { statement, asked, uneasy, rude, after, comment, reply } = &bank.curious;
    [
        (statement, 2, &["{topic}", "{word}"]),
        (asked, 2, &["{topic}", "{word}"]),
        (uneasy, 2, &["{topic}", "{word}"]),
        (rude, 2, &[]),
        (after, 1, &[]),
        (comment, 1, &["{name}", "{quote}"]),
        (reply, 2, &["{names}", "{own}"]),
    ]
}

fn gentle(bank: &'static PersonaLines) -> [Kind; 18] {
    let GentleLines {
        low,
        relief,
        grief,
        grave,
        crisis,
        emergency,
        violence,
        threat,
        referral,
        foreign,
        care,
        still,
        unsure,
        honest,
        comment,
        crisis_comment,
        reply,
        crisis_reply,
    } = &bank.gentle;
    [
        (low, 2, &["{feeling}"]),
        (relief, 2, &[]),
        (grief, 2, &["{whom}"]),
        (grave, 2, &[]),
        (crisis, 2, &[]),
        (emergency, 2, &[]),
        (violence, 2, &[]),
        (threat, 2, &[]),
        (referral, 1, &["{help}"]),
        (foreign, 2, &[]),
        (care, 1, &["{help}"]),
        (still, 1, &["{help}"]),
        (unsure, 1, &["{help}"]),
        (honest, 1, &["{help}"]),
        (comment, 1, &["{name}", "{help}"]),
        (crisis_comment, 1, &["{name}", "{help}"]),
        (reply, 2, &["{names}", "{help}"]),
        (crisis_reply, 2, &["{names}", "{help}"]),
    ]
}

fn kinds(bank: &'static PersonaLines) -> Vec<Kind> {
    light(bank).into_iter().chain(curious(bank)).chain(gentle(bank)).collect()
}

/// Every line that may hurt somebody who is sad: all that are not marked as gentle by where they stand.
pub(in crate::improviser::chorus) fn joking() -> impl Iterator<Item = &'static String> {
    personas().flat_map(light).flat_map(|(lines, ..)| lines.iter())
}

/// Every line of every persona.
pub(in crate::improviser::chorus) fn all_lines() -> impl Iterator<Item = &'static String> {
    personas().flat_map(kinds).flat_map(|(lines, ..)| lines.iter())
}

/// The cheers.
pub(in crate::improviser::chorus) fn cheering() -> impl Iterator<Item = &'static String> {
    personas().flat_map(|bank| bank.light.high.iter())
}

fn sentences(line: &str) -> usize {
    let ends = line.char_indices().filter(|(_, c)| matches!(c, '.' | '!' | '?'));
    ends.filter(|(at, _)| line[at + 1..].is_empty() || line[at + 1..].starts_with(' ')).count()
}

/// Where a line stands, for those who have to change it.
fn place(line: &str) -> String {
    let files = [
        ("dreamer.toml", include_str!("dreamer.toml")),
        ("builder.toml", include_str!("builder.toml")),
        ("wit.toml", include_str!("wit.toml")),
        ("doubter.toml", include_str!("doubter.toml")),
        ("enthusiast.toml", include_str!("enthusiast.toml")),
        ("friend.toml", include_str!("friend.toml")),
    ];
    let lines =
        files.iter().flat_map(|(file, text)| (1..).zip(text.lines()).map(move |(at, of)| (file, at, of)));
    let mut places =
        lines.filter(|(.., text)| text.contains(line)).map(|(file, at, _)| format!("{file}:{at}"));
    places.next().unwrap_or_default()
}

#[test]
fn every_line_stands_once_and_keeps_its_measure() {
    let mut seen = BTreeSet::new();
    for (lines, most, allowed) in personas().flat_map(kinds) {
        for line in lines.iter() {
            assert!(seen.insert(line), "{}: twice: {line}", place(line));
            assert!(
                (1..=most).contains(&sentences(line)),
                "{}: at most {most} sentences: {line}",
                place(line)
            );
            assert!(!line.contains('"') && !line.starts_with('“'), "{}: quotes: {line}", place(line));
            let unknown = placeholders(line).find(|name| !allowed.contains(&format!("{{{name}}}").as_str()));
            assert_eq!(unknown, None, "{}: unknown placeholder: {line}", place(line));
        }
    }
    assert_eq!(place("Clocks"), "", "a line that stands nowhere has no place");
    assert!(place(&PERSONAS[5].light.question[0]).starts_with("friend.toml:"), "and any other has one");
}

/// Whether a line says something only if the message does.
fn needs(line: &str) -> bool {
    TAKEN_UP.iter().any(|word| line.contains(word))
}

#[test]
fn there_is_always_something_to_say_and_not_always_the_same() {
    for bank in personas() {
        let PersonaLines { light, curious, gentle, .. } = bank;
        let openings = [
            &light.question,
            &light.high,
            &light.greeting,
            &light.farewell,
            &light.thanks,
            &light.request,
            &light.honest,
            &light.kind_comment,
            &light.teasing_comment,
            &light.reply,
            &gentle.low,
            &gentle.grief,
            &gentle.grave,
            &gentle.crisis,
            &gentle.foreign,
        ];
        for lines in openings {
            assert!(lines.iter().filter(|line| !needs(line)).count() >= 6, "{lines:#?}");
        }
        let tails = [
            &light.after,
            &light.after_high,
            &light.after_hello,
            &light.after_bye,
            &curious.after,
            &gentle.care,
            &gentle.referral,
        ];
        let said_less_often = [
            &curious.statement,
            &curious.asked,
            &curious.uneasy,
            &curious.rude,
            &curious.comment,
            &curious.reply,
            &gentle.relief,
            &gentle.emergency,
            &gentle.violence,
            &gentle.threat,
            &gentle.comment,
            &gentle.reply,
            &gentle.crisis_comment,
            &gentle.crisis_reply,
        ];
        for lines in tails.into_iter().chain(said_less_often) {
            assert!(lines.iter().filter(|line| !needs(line)).count() >= 4, "{lines:#?}");
        }
    }
}

#[test]
fn gentle_lines_are_plain() {
    for (lines, ..) in personas().flat_map(gentle) {
        for line in lines.iter() {
            assert!(!line.contains(['!', '“', '”']), "{line}");
        }
    }
}

#[test]
fn curious_lines_ask_and_do_not_cheer() {
    for (lines, ..) in personas().flat_map(curious) {
        for line in lines.iter() {
            assert!(!line.contains('!'), "{}: {line}", place(line));
        }
    }
    for bank in personas() {
        let asks = bank.curious.statement.iter().filter(|line| line.contains('?')).count();
        assert!(asks * 2 >= bank.curious.statement.len(), "{:#?}", bank.curious.statement);
    }
}

/// Where help may be found in any country, as a message has to name it.
pub(in crate::improviser::chorus) const HELPERS: [&str; 9] = [
    "emergency number",
    "emergency services",
    "crisis line",
    "helpline",
    "doctor",
    "you trust",
    "police",
    "close to you",
    "friend",
];

/// By which an answer says that no person gives it.
pub(in crate::improviser::chorus) const HONEST: [&str; 5] =
    ["rules in a program", "a program", "not a person", "no person", "not human"];

#[test]
fn help_is_named_by_every_line_that_has_to_and_is_there_in_every_country() {
    for care in [Care::Emergency, Care::Violence, Care::Threat, Care::Despair, Care::Illness, Care::Sorrow] {
        for help in HELP.with(care).iter() {
            assert!(HELPERS.iter().any(|helper| help.contains(helper)), "{help}");
            assert!(!help.contains(|c: char| c.is_ascii_digit()), "numbers differ between countries: {help}");
        }
    }
    for help in HELP.unsure().iter() {
        assert!(HELPERS.iter().any(|helper| help.contains(helper)), "{help}");
    }
    for help in HELP.abroad().iter() {
        assert!(help.contains("112") && help.contains("emergency number"), "{help}");
    }
    for bank in personas() {
        let GentleLines {
            referral, care, still, honest, comment, crisis_comment, reply, crisis_reply, ..
        } = &bank.gentle;
        for lines in [referral, care, still, honest, comment, crisis_comment, reply, crisis_reply] {
            for line in lines.iter() {
                assert!(line.contains("{help}"), "{}: {line}", place(line));
            }
        }
    }
}

#[test]
fn who_may_be_in_danger_is_told_who_speaks_and_whom_to_call() {
    for bank in personas() {
        for line in bank.gentle.referral.iter() {
            assert!(HONEST.iter().any(|honest| line.contains(honest)), "{line}");
            let call = ["call", "phone", "ring "].iter().any(|word| line.contains(word));
            assert!(call, "{line}");
        }
    }
}

#[test]
fn a_line_is_known_by_its_own_words() {
    let lines: Vec<&String> = personas().flat_map(kinds).flat_map(|(lines, ..)| lines.iter()).collect();
    for line in &lines {
        let same = lines.iter().filter(|other| other.contains(own_words(line)));
        assert_eq!(same.collect::<Vec<_>>(), [line]);
    }
}
