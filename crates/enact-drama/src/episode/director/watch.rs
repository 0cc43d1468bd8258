//! The director watches any run: how tense each round of it was, by what was said.

use serde::Serialize;

use super::{signals, tension};
use crate::report::{BlockContent, Document};

/// Where the tension of a run begins that says nothing of it.
const BEGINS_AT: u8 = 30;

/// A beat of a scene, a turn of an episode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WatchedRound {
    pub round: u32,
    /// 0 to 100, after it.
    pub tension: u8,
    /// What moved it.
    pub why: Vec<String>,
}

/// The tension after each round.
pub fn watch(document: &Document) -> Vec<WatchedRound> {
    let mut rounds: Vec<(u32, Vec<&str>)> = Vec::new();
    for block in &document.blocks {
        let BlockContent::Speech(speech) = &block.content else { continue };
        match rounds.last_mut().filter(|(round, _)| *round == block.round) {
            Some((_, said)) => said.push(&speech.text),
            None => rounds.push((block.round, vec![&speech.text])),
        }
    }
    let mut tension = BEGINS_AT;
    let watched = rounds.into_iter().map(|(round, said)| {
        let read: Vec<_> = said.into_iter().flat_map(signals::signals).collect();
        let (after, why) = tension::moved(tension, &read, 0.0, 0);
        tension = after;
        WatchedRound { round, tension, why }
    });
    watched.collect()
}
