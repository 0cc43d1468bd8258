//! The transcript as plain text: the requirements' format.

use super::{
    Story,
    clean::{bracketed, one_line},
    statistics::statistics,
    time,
    wording::{display, title},
};

/// What stands where a finished run has its end line.
const UNFINISHED: &str = "[SCENE UNFINISHED - This run has no end yet]";

/// The whole transcript. Every line of the scene is one line of text.
pub fn transcript(story: &Story) -> String {
    let mut text = header(story);
    text.push_str("\n---\n\n[SCENE START]\n");
    if let Some(setting) = &story.setup.config.setting {
        text.push_str(&format!("[Setting: {}]\n", bracketed(setting)));
    }
    for shown in story.shown() {
        text.push_str(&format!("\n{}\n", shown.text(&story.setup)));
    }
    text.push_str(&format!("\n{}\n\n---\n\nSTATISTICS:\n", end_line(story)));
    for (label, figure) in statistics(story) {
        text.push_str(&format!("- {label}: {figure}\n"));
    }
    text
}

/// How the scene ended, or that it has not.
pub(super) fn end_line(story: &Story) -> &'static str {
    story.ended.map_or(UNFINISHED, |reason| reason.ending().line)
}

/// The names on stage, in cast order.
pub(super) fn cast_list(story: &Story) -> String {
    let names = story.setup.cast.iter().map(|role| display(&story.setup, &role.name));
    names.collect::<Vec<_>>().join(", ")
}

/// The goals on one line, the way the seed lists them.
pub(super) fn goal_list(story: &Story) -> Option<String> {
    let goals = story.setup.goals.iter().map(|goal| one_line(goal).trim_end_matches('.').to_owned());
    let goals: Vec<String> = goals.filter(|goal| !goal.is_empty()).collect();
    (!goals.is_empty()).then(|| goals.join(", "))
}

fn header(story: &Story) -> String {
    let mut text = format!("SCENE: {}\nCHARACTERS: {}\n", title(&story.setup.name), cast_list(story));
    if let Some(goals) = goal_list(story) {
        text.push_str(&format!("GOAL: {goals}\n"));
    }
    text.push_str(&format!("GENERATED: {}\n", time::date_time(story.started_at)));
    text
}
