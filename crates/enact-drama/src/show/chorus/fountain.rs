//! The run as a screenplay: a cast of agents, a scene for each turn.

use super::{
    Story,
    wording::{end_text, speaker, speakers, turn_title},
};
use crate::{
    chorus::Turn,
    show::{
        fountain::{cue, plain, words},
        time,
    },
};

pub(super) fn fountain(story: &Story) -> String {
    let mut text = format!(
        "Title: Chorus\nDraft date: {}\nNotes: Message: {}\n",
        time::day(story.started_at),
        plain(&story.setup.message)
    );
    for round in &story.rounds {
        text.push_str(&format!("\n.{}\n", turn_title(round.turn)));
        for said in &round.said {
            let whom = match (said.target, round.turn, story.told(said.slot)) {
                (Some(target), ..) => format!("(about {})\n", aside(&speaker(story, target))),
                (None, Turn::Reply, from @ [_, ..]) => format!("(to {})\n", aside(&speakers(story, from))),
                _ => String::new(),
            };
            let who = cue(&speaker(story, said.slot));
            text.push_str(&format!("\n{who}\n{whom}{}\n", words(&said.text)));
        }
        for failed in &round.failed {
            let who = speaker(story, failed.slot);
            text.push_str(&format!(
                "\n[[{}]]\n",
                plain(&format!("{who} unable to respond: {}", failed.error))
            ));
        }
    }
    text.push_str(&format!("\n> {} <\n", end_text(story)));
    text
}

/// A name within parentheses has none of its own.
fn aside(name: &str) -> String {
    plain(&name.replace(['(', ')'], ""))
}
