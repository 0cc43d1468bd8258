//! The run as Markdown, for reading and publishing.

use super::{
    Shown, Story,
    clean::one_line,
    statistics::statistics,
    time,
    transcript::{cast_list, end_line, goal_list},
    wording::{display, gesture, title},
};
use crate::{
    Name,
    reply::{Action, Reply},
    scene::{Line, Said, Setup},
};

/// Punctuation that could start markup within a line. What only means something at the beginning of one needs no
/// escape: no text from outside stands there.
const MARKUP: &[char] = &['\\', '`', '*', '_', '[', ']', '<', '>', '#', '|', '~', '&', '$'];

pub fn markdown(story: &Story) -> String {
    let mut text = format!("# {}\n\n", escaped(&title(&story.setup.name)));
    for (label, value) in header(story) {
        text.push_str(&format!("- **{label}:** {}\n", escaped(&value)));
    }
    text.push_str("\n---\n");
    for shown in story.shown() {
        text.push_str(&format!("\n{}\n", paragraph(&story.setup, shown)));
    }
    let end = end_line(story).trim_matches(['[', ']']);
    text.push_str(&format!("\n---\n\n*{}*\n\n## Statistics\n\n", escaped(end)));
    for (label, figure) in statistics(story) {
        text.push_str(&format!("- {label}: {}\n", escaped(&figure)));
    }
    text
}

fn header(story: &Story) -> Vec<(&'static str, String)> {
    let mut header = vec![("Characters", cast_list(story))];
    header.extend(goal_list(story).map(|goals| ("Goal", goals)));
    header.extend(story.setup.config.setting.as_ref().map(|setting| ("Setting", setting.clone())));
    header.push(("Generated", format!("{} UTC", time::date_time(story.started_at))));
    header
}

fn paragraph(setup: &Setup, shown: Shown<'_>) -> String {
    match shown {
        Shown::Line(line) => match &line.said {
            Said::Actor { who, reply } => spoken(setup, line, who, reply),
            Said::World { text } => format!("> **Event:** {}", escaped(text)),
            Said::System { text } => format!("> **System:** {}", escaped(text)),
        },
        Shown::Silence(silence) => {
            format!("**{}** *{}*", escaped(&display(setup, &silence.who)), escaped(&silence.gesture))
        }
    }
}

/// `**Alice** (to Bob, angry) *stands up*: We need to talk.`
fn spoken(setup: &Setup, line: &Line, who: &Name, reply: &Reply) -> String {
    let mut text = format!("**{}** ({})", escaped(&display(setup, who)), escaped(&manner(reply)));
    if let Some(gesture) = gesture(reply) {
        text.push_str(&format!(" *{}*", escaped(&gesture)));
    }
    let words = escaped(&line.heard());
    if reply.action != Action::React && !words.is_empty() {
        text.push_str(&format!(": {words}"));
    }
    text
}

fn manner(reply: &Reply) -> String {
    let interrupting = (reply.action == Action::Interrupt).then(|| "interrupting".to_owned());
    let target = reply.target.as_ref().map(|target| format!("to {target}"));
    let parts = [interrupting, target, Some(reply.tone.clone())];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

pub(super) fn escaped(text: &str) -> String {
    let text = one_line(text);
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if MARKUP.contains(&c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
