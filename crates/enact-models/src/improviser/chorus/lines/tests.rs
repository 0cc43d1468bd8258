//! What the other files promise of the banks.

use std::collections::BTreeSet;

use super::super::choice::{TAKEN_UP, own_words};
use super::{Bank, Gentle, Light, Lines, builder, doubter, dreamer, enthusiast, friend, wit};

const BANKS: [&Bank; 6] =
    [&dreamer::BANK, &builder::BANK, &wit::BANK, &doubter::BANK, &enthusiast::BANK, &friend::BANK];

/// Lists of one kind, with how many sentences they may have and which words they may ask for.
type Kind = (Lines, usize, &'static [&'static str]);

fn light(bank: &Bank) -> [Kind; 15] {
    let Light {
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
        warm,
        tease,
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
        (warm, 1, &["{name}", "{quote}"]),
        (tease, 1, &["{name}", "{quote}"]),
        (reply, 2, &["{names}", "{own}"]),
    ]
}

fn gentle(bank: &Bank) -> [Kind; 12] {
    let Gentle { low, grief, grave, crisis, call, foreign, after, honest, solace, urge, hush, vigil } =
        &bank.gentle;
    [
        (low, 2, &["{feeling}"]),
        (grief, 2, &["{whom}"]),
        (grave, 2, &[]),
        (crisis, 2, &[]),
        (call, 1, &[]),
        (foreign, 3, &[]),
        (after, 1, &[]),
        (honest, 1, &[]),
        (solace, 1, &["{name}"]),
        (urge, 1, &["{name}"]),
        (hush, 2, &["{names}"]),
        (vigil, 2, &["{names}"]),
    ]
}

fn kinds(bank: &Bank) -> Vec<Kind> {
    light(bank).into_iter().chain(gentle(bank)).collect()
}

/// Every line that may hurt somebody who is sad: all that are not marked as gentle by where they stand.
pub(in crate::improviser::chorus) fn joking() -> impl Iterator<Item = &'static str> {
    BANKS.into_iter().flat_map(light).flat_map(|(lines, ..)| lines).copied()
}

fn sentences(line: &str) -> usize {
    let ends = line.char_indices().filter(|(_, c)| matches!(c, '.' | '!' | '?'));
    ends.filter(|(at, _)| line[at + 1..].is_empty() || line[at + 1..].starts_with(' ')).count()
}

#[test]
fn every_line_stands_once_and_keeps_its_measure() {
    let mut seen = BTreeSet::new();
    for (lines, most, allowed) in BANKS.into_iter().flat_map(kinds) {
        for line in lines {
            assert!(seen.insert(*line), "twice: {line}");
            assert!((1..=most).contains(&sentences(line)), "{line}");
            let asked: Vec<&str> =
                line.split_inclusive('}').filter_map(|part| Some(&part[part.find('{')?..])).collect();
            assert!(!line.contains('"') && !line.starts_with('“'), "{line}");
            assert!(asked.iter().all(|word| allowed.contains(word)), "{line}");
        }
    }
}

/// Whether a line says something only if the message does.
fn needs(line: &str) -> bool {
    TAKEN_UP.iter().any(|word| line.contains(word))
}

#[test]
fn there_is_always_something_to_say_and_not_always_the_same() {
    for bank in BANKS {
        let Bank { light, gentle } = bank;
        let openings = [
            light.question,
            light.statement,
            light.high,
            light.greeting,
            light.farewell,
            light.thanks,
            light.request,
            light.honest,
            light.warm,
            light.tease,
            light.reply,
            gentle.low,
            gentle.grief,
            gentle.grave,
            gentle.crisis,
            gentle.foreign,
            gentle.solace,
            gentle.hush,
        ];
        for lines in openings {
            assert!(lines.iter().filter(|line| !needs(line)).count() >= 6, "{lines:#?}");
        }
        let tails =
            [light.after, light.after_high, light.after_hello, light.after_bye, gentle.after, gentle.call];
        for lines in tails.into_iter().chain([gentle.urge, gentle.vigil]) {
            assert!(lines.iter().filter(|line| !needs(line)).count() >= 4, "{lines:#?}");
        }
    }
}

#[test]
fn gentle_lines_are_plain() {
    for (lines, ..) in BANKS.into_iter().flat_map(gentle) {
        for line in lines {
            assert!(!line.contains(['!', '“', '”']), "{line}");
        }
    }
}

#[test]
fn who_may_be_in_danger_is_told_who_speaks_and_whom_to_call() {
    for bank in BANKS {
        for line in bank.gentle.call {
            assert!(line.contains("rules in a program"), "{line}");
            let call = ["call", "phone", "ring "].iter().any(|word| line.contains(word));
            assert!(call, "{line}");
        }
    }
}

#[test]
fn a_line_is_known_by_its_own_words() {
    let lines: Vec<&str> = BANKS.into_iter().flat_map(kinds).flat_map(|(lines, ..)| lines).copied().collect();
    for line in &lines {
        let same = lines.iter().filter(|other| other.contains(own_words(line)));
        assert_eq!(same.collect::<Vec<_>>(), [line]);
    }
}
