//! The run as Markdown, for reading and publishing.

use super::{
    Story,
    statistics::statistics,
    wording::{end_text, everybody, speaker, speakers},
};
use crate::{
    chorus::Turn,
    show::{markdown::escaped, time},
};

pub(super) fn markdown(story: &Story) -> String {
    let mut text = format!(
        "# Chorus\n\n- **Message:** {}\n- **Voices:** {}\n- **Generated:** {} UTC\n",
        escaped(&story.setup.message),
        escaped(&everybody(story)),
        time::date_time(story.started_at)
    );
    for round in &story.rounds {
        text.push_str(&format!("\n## {}\n", heading(round.turn)));
        for said in &round.said {
            let whom = match (said.target, round.turn, story.told(said.slot)) {
                (Some(target), ..) => format!(" (about {})", speaker(story, target)),
                (None, Turn::Reply, from @ [_, ..]) => format!(" (to {})", speakers(story, from)),
                _ => String::new(),
            };
            let who = escaped(&format!("{}{whom}", speaker(story, said.slot)));
            text.push_str(&format!("\n**{who}:** {}\n", escaped(&said.text)));
        }
        for failed in &round.failed {
            let who = escaped(&speaker(story, failed.slot));
            text.push_str(&format!("\n> **System:** {who} unable to respond: {}\n", escaped(&failed.error)));
        }
    }
    text.push_str(&format!("\n---\n\n*{}*\n\n## Statistics\n\n", escaped(end_text(story))));
    for (label, figure) in statistics(story) {
        text.push_str(&format!("- {label}: {}\n", escaped(&figure)));
    }
    text
}

fn heading(turn: Turn) -> &'static str {
    match turn {
        Turn::Respond => "Responses",
        Turn::Comment => "Comments",
        Turn::Reply => "Replies",
    }
}
