//! The director watches any run: how tense each round of it was, by what was said and how.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::{sentences::words, signals, tension};
use crate::report::{BlockContent, Document};

/// Where the tension of a run begins that says nothing of it.
const BEGINS_AT: u8 = 30;

/// A beat of a scene, a turn of an episode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WatchedRound {
    pub round: u32,
    /// 0 to 100, after it.
    pub tension: u8,
    /// What moved it.
    pub why: Vec<String>,
}

/// Something that was said in a round.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WatchedLine<'a> {
    pub(crate) round: u32,
    /// What was heard.
    pub(crate) text: &'a str,
    /// How it was said, in a few words.
    pub(crate) manner: &'a str,
    pub(crate) interrupts: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ToneFile {
    /// What an interruption adds.
    interruption: i32,
    tone: Vec<WrittenTone>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenTone {
    tension: i32,
    words: Vec<String>,
}

static TONES: LazyLock<ToneFile> =
    LazyLock::new(|| toml::from_str(include_str!("tones.toml")).expect("tones.toml can be read"));

/// The tension after each round.
pub fn watch(document: &Document) -> Vec<WatchedRound> {
    let lines = document.blocks.iter().filter_map(|block| match &block.content {
        BlockContent::Speech(speech) => Some(WatchedLine {
            round: block.round,
            text: speech.cut.and_then(|at| speech.text.get(..at)).unwrap_or(&speech.text),
            manner: speech.manner.as_deref().unwrap_or_default(),
            interrupts: speech.interrupts,
        }),
        _ => None,
    });
    watched(lines)
}

/// The tension after each round in which these things were said, in order.
pub(crate) fn watched<'a>(lines: impl IntoIterator<Item = WatchedLine<'a>>) -> Vec<WatchedRound> {
    // On a field people talk side by side, and what they say is told talk by talk.
    let mut lines: Vec<WatchedLine<'_>> = lines.into_iter().collect();
    lines.sort_by_key(|line| line.round);
    let mut rounds: Vec<(u32, Vec<(String, i32)>)> = Vec::new();
    for line in lines {
        let moved = moves(&line);
        match rounds.last_mut().filter(|(last, _)| *last == line.round) {
            Some((_, before)) => before.extend(moved),
            None => rounds.push((line.round, moved)),
        }
    }
    let mut tension = BEGINS_AT;
    let watched = rounds.into_iter().map(|(round, moves)| {
        let (after, why) = tension::moved_by(tension, moves);
        tension = after;
        WatchedRound { round, tension, why }
    });
    watched.collect()
}

/// What of a line moves the tension, and by how much.
fn moves(line: &WatchedLine<'_>) -> Vec<(String, i32)> {
    let signals = signals::signals(line.text).into_iter();
    let signals = signals.map(|read| (read.name.clone(), signals::tension_of(&read.name)));
    let tones = words(line.manner).into_iter().filter_map(|word| {
        let tone = TONES.tone.iter().find(|tone| tone.words.contains(&word))?;
        Some((word, tone.tension))
    });
    let interruption = line.interrupts.then(|| ("interruption".to_owned(), TONES.interruption));
    signals.chain(tones).chain(interruption).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tension_follows_what_is_said_and_how() {
        let line = |round, text, manner, interrupts| WatchedLine { round, text, manner, interrupts };
        let rounds = watched([
            line(0, "Where were you on Friday?", "to Bob, cold", false),
            line(1, "We lost the client!", "to Bob, furious", true),
            line(1, "It was not my doing.", "defensive", false),
            line(3, "That is all right.", "warm", false),
        ]);
        let told: Vec<(u32, u8)> = rounds.iter().map(|round| (round.round, round.tension)).collect();
        assert!(told[0].1 > BEGINS_AT && told[1].1 > told[0].1 && told[2].1 < told[1].1, "{rounds:?}");
        assert_eq!(rounds[1].why, ["furious +6", "interruption +3", "defensive +2"]);
    }

    #[test]
    fn a_round_is_told_once_where_several_talk_side_by_side() {
        let line = |round| WatchedLine { round, text: "No!", manner: "", interrupts: false };
        for order in [[3, 4, 3, 4, 3], [4, 4, 3, 3, 4], [3, 3, 3, 4, 4]] {
            let rounds = watched(order.map(line));
            assert_eq!(rounds.iter().map(|round| round.round).collect::<Vec<_>>(), [3, 4], "{order:?}");
        }
    }

    #[test]
    fn each_tone_stands_once() {
        let all: Vec<&String> = TONES.tone.iter().flat_map(|tone| &tone.words).collect();
        for (at, word) in all.iter().enumerate() {
            assert!(!all[..at].contains(word), "{word} stands twice in tones.toml");
            assert_eq!(words(word), [word.as_str()], "{word} is one word");
        }
    }
}
