//! The transcript as plain text, laid out like that of a scene.

use super::{
    Story,
    statistics::statistics,
    wording::{end_text, everybody, failed_text, said_text, turn_title},
};
use crate::show::{clean::one_line, time};

/// The whole transcript. Everything that was said is one line of text.
pub fn transcript(story: &Story) -> String {
    let mut text = format!(
        "CHORUS: {}\nMESSAGE: {}\nGENERATED: {}\n\n---\n\n[CHORUS START]\n",
        everybody(story),
        one_line(&story.setup.message),
        time::date_time(story.started_at)
    );
    for round in &story.rounds {
        text.push_str(&format!("\n[{}]\n", turn_title(round.turn)));
        for said in &round.said {
            text.push_str(&format!("\n{}\n", said_text(story, round.turn, said)));
        }
        for failed in &round.failed {
            text.push_str(&format!("\n{}\n", failed_text(story, failed)));
        }
    }
    text.push_str(&format!("\n[{}]\n\n---\n\nSTATISTICS:\n", end_text(story)));
    for (label, figure) in statistics(story) {
        text.push_str(&format!("- {label}: {figure}\n"));
    }
    text
}
