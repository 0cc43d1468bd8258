//! How well dangers are told from ordinary sentences: on those in `corpus/danger` that are kept back from
//! training, and on lists of others.

use std::{fmt::Write, fs, path::Path};

use super::{TABLES, WEIGHTS, features};
use crate::improviser::chorus::message::{MessageKind, ReadMessage, distress, is_question, spelling};

/// More are no longer a table that can be read.
const MOST_WEIGHTS: usize = 6_000;

/// The sentences of a file: its lines, without comments.
fn sentences(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(str::to_owned).collect()
}

fn corpus(file: &str) -> Vec<String> {
    sentences(&Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/danger").join(file))
}

/// How a sentence is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Met {
    Cheered,
    WithoutHelp,
    WithHelp,
}

fn met(sentence: &str) -> (Met, String) {
    let read = ReadMessage::read(sentence);
    let names_help =
        matches!(read.kind, MessageKind::Crisis | MessageKind::Grief | MessageKind::Grave | MessageKind::Low)
            || read.is_uneasy;
    let met = match read.kind {
        MessageKind::High => Met::Cheered,
        _ if names_help => Met::WithHelp,
        _ if read.is_light => Met::Cheered,
        _ => Met::WithoutHelp,
    };
    (met, format!("{:?}{}", read.kind, if read.is_uneasy { ", uneasy" } else { "" }))
}

/// Of dangers those that are not named help, and of ordinary sentences those that are.
struct Missed {
    share: f64,
    cheered: usize,
    lines: String,
}

fn missed(sentences: &[String], is_danger: bool) -> Missed {
    let (mut count, mut cheered, mut lines) = (0, 0, String::new());
    for sentence in sentences {
        let (met, how) = met(sentence);
        cheered += usize::from(met == Met::Cheered);
        if is_danger != (met == Met::WithHelp) {
            count += 1;
            writeln!(lines, "  {sentence}  [{how}]").unwrap();
        }
    }
    Missed { share: f64::from(count) / sentences.len().max(1) as f64, cheered, lines }
}

#[test]
fn dangers_that_were_kept_back_are_told_from_ordinary_sentences() {
    let danger = missed(&corpus("danger_kept_back.txt"), true);
    let ordinary = missed(&corpus("ordinary_kept_back.txt"), false);
    println!("missed {:.3}, cheered {}, alarmed {:.3}", danger.share, danger.cheered, ordinary.share);
    assert!(danger.share <= 0.155, "{:.3} of the dangers are missed:\n{}", danger.share, danger.lines);
    assert!(ordinary.share <= 0.22, "{:.3} of the others are not:\n{}", ordinary.share, ordinary.lines);
    assert!(danger.cheered <= 1, "{}", danger.lines);
}

/// `ENACT_DANGER_LIST=danger.txt ENACT_ORDINARY_LIST=ordinary.txt cargo test -p enact-models --lib
/// lists_are_scored -- --nocapture` scores files with a sentence in each line.
#[test]
fn lists_are_scored() {
    let list = |name| std::env::var_os(name).map(|path| sentences(Path::new(&path)));
    if let Some(sentences) = list("ENACT_DANGER_LIST") {
        let Missed { share, cheered, lines } = missed(&sentences, true);
        println!("dangers: {}, named help: {:.1} %", sentences.len(), 100.0 * (1.0 - share));
        println!("joked about or cheered: {cheered}; not named help:\n{lines}");
    }
    if let Some(sentences) = list("ENACT_ORDINARY_LIST") {
        let Missed { share, lines, .. } = missed(&sentences, false);
        println!("ordinary: {}, false alarms: {:.1} %\n{lines}", sentences.len(), 100.0 * share);
    }
}

/// `scripts/train-danger` sets these: a file with a sentence in each line, and where its features go.
#[test]
fn features_are_written_for_training() {
    let path = |name| std::env::var_os(name);
    let (Some(from), Some(to)) = (path("ENACT_FEATURES_FROM"), path("ENACT_FEATURES_TO")) else { return };
    let mut text = String::new();
    for sentence in sentences(Path::new(&from)) {
        let words = spelling::meant(&sentence, distress::known_words());
        let lower: Vec<String> = sentence.split_whitespace().map(str::to_lowercase).collect();
        let is_question = is_question(&sentence, &lower.iter().map(String::as_str).collect::<Vec<_>>());
        let found = distress::distress(&words, is_question).map(distress::Distress::name);
        let features = features(&words, &distress::signs(&words), found.as_deref()).join("\t");
        let found = found.unwrap_or_default();
        writeln!(text, "{sentence}\t{found}\t{}\t{features}", words.len()).unwrap();
    }
    fs::write(to, text).unwrap();
}

#[test]
fn the_tables_of_weights_are_small_and_every_line_of_them_is_read() {
    let rows = TABLES.map(|table| table.lines().filter(|line| !line.starts_with('#')).count());
    assert_eq!(rows.iter().sum::<usize>(), WEIGHTS.len());
    assert!(rows.iter().all(|&rows| rows <= MOST_WEIGHTS), "{rows:?}");
    assert!(WEIGHTS.contains_key("(bias)"));
}
