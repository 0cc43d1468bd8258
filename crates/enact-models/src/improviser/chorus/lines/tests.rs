//! What the other files promise of the banks.

use std::collections::BTreeSet;

use super::super::choice::{TAKEN_UP, own_words};
use super::{GentleLines, LightLines, PERSONAS, PersonaLines};
use crate::content::{Texts, placeholders};

fn personas() -> impl Iterator<Item = &'static PersonaLines> {
    PERSONAS.iter().map(|persona| &**persona)
}

/// Lists of one kind, with how many sentences they may have and which words they may ask for.
type Kind = (&'static Texts, usize, &'static [&'static str]);

fn light(bank: &'static PersonaLines) -> [Kind; 15] {
    let LightLines {
        question,
        statement,
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
        (statement, 2, &["{topic}", "{word}"]),
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

fn gentle(bank: &'static PersonaLines) -> [Kind; 12] {
    let GentleLines {
        low,
        grief,
        grave,
        crisis,
        referral,
        foreign,
        after,
        honest,
        comment,
        crisis_comment,
        reply,
        crisis_reply,
    } = &bank.gentle;
    [
        (low, 2, &["{feeling}"]),
        (grief, 2, &["{whom}"]),
        (grave, 2, &[]),
        (crisis, 2, &[]),
        (referral, 1, &[]),
        (foreign, 3, &[]),
        (after, 1, &[]),
        (honest, 1, &[]),
        (comment, 1, &["{name}"]),
        (crisis_comment, 1, &["{name}"]),
        (reply, 2, &["{names}"]),
        (crisis_reply, 2, &["{names}"]),
    ]
}

fn kinds(bank: &'static PersonaLines) -> Vec<Kind> {
    light(bank).into_iter().chain(gentle(bank)).collect()
}

/// Every line that may hurt somebody who is sad: all that are not marked as gentle by where they stand.
pub(in crate::improviser::chorus) fn joking() -> impl Iterator<Item = &'static String> {
    personas().flat_map(light).flat_map(|(lines, ..)| lines.iter())
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
        let PersonaLines { light, gentle, .. } = bank;
        let openings = [
            &light.question,
            &light.statement,
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
            &gentle.comment,
            &gentle.reply,
        ];
        for lines in openings {
            assert!(lines.iter().filter(|line| !needs(line)).count() >= 6, "{lines:#?}");
        }
        let tails = [
            &light.after,
            &light.after_high,
            &light.after_hello,
            &light.after_bye,
            &gentle.after,
            &gentle.referral,
        ];
        for lines in tails.into_iter().chain([&gentle.crisis_comment, &gentle.crisis_reply]) {
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
fn who_may_be_in_danger_is_told_who_speaks_and_whom_to_call() {
    for bank in personas() {
        for line in bank.gentle.referral.iter() {
            assert!(line.contains("rules in a program"), "{line}");
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
