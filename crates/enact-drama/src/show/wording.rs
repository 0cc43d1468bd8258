//! How one line reads: the same words in the transcript, on the terminal and in what actors are told.

use super::clean::{bracketed, one_line};
use crate::{
    Name,
    reply::{Action, Reply},
    scene::{Line, Said, Setup},
};

/// One line of the transcript, as it was heard, without a line break: `Alice [TO: Bob, TONE: angry] "Why?"`.
pub fn line_text(setup: &Setup, line: &Line) -> String {
    match &line.said {
        Said::Actor { who, reply } => {
            let words = one_line(&line.heard());
            let spoken = reply.action != Action::React && !words.is_empty();
            let quoted = if spoken { format!(" \"{words}\"") } else { String::new() };
            format!("{} [{}]{quoted}", display(setup, who), attributes(reply).join(", "))
        }
        Said::World { text } => format!("[EVENT: {}]", bracketed(text)),
        Said::System { text } => format!("[SYSTEM: {}]", bracketed(text)),
    }
}

/// A scene's name as a title: `office-confrontation` is "Office Confrontation".
pub fn title(name: &Name) -> String {
    let words = name.as_str().split(['-', '_']).filter(|word| !word.is_empty());
    words.map(capitalised).collect::<Vec<_>>().join(" ")
}

/// A silence that is shown because the scene wants stage directions.
pub fn silence_text(setup: &Setup, who: &Name, gesture: &str) -> String {
    format!("{} [SILENT, *{}*]", display(setup, who), starless(gesture))
}

/// What a character is called on stage.
pub(super) fn display(setup: &Setup, name: &Name) -> String {
    let role = setup.cast.iter().find(|role| role.name == *name);
    let display = role.map(|role| bracketed(&role.display)).filter(|display| !display.is_empty());
    display.unwrap_or_else(|| name.to_string())
}

/// What is done rather than said. Some models describe a reaction where the words would stand.
pub(super) fn gesture(reply: &Reply) -> Option<String> {
    let reaction = (reply.action == Action::React).then_some(reply.content.as_str());
    let done = reply.nonverbal.as_deref().or(reaction)?;
    Some(starless(done)).filter(|done| !done.is_empty())
}

fn attributes(reply: &Reply) -> Vec<String> {
    let mut attributes = Vec::new();
    match (reply.action, &reply.interrupt_after) {
        (Action::Interrupt, Some(phrase)) => {
            attributes.push(format!("INTERRUPT after \"{}\"", bracketed(phrase).replace('"', "'")));
        }
        (Action::Interrupt, None) => attributes.push("INTERRUPT".to_owned()),
        (Action::React, _) => attributes.push("REACT".to_owned()),
        (Action::Silent, _) => attributes.push("SILENT".to_owned()),
        (Action::Speak, _) => {}
    }
    if let Some(target) = &reply.target {
        attributes.push(format!("TO: {}", bracketed(target)));
    }
    attributes.push(format!("TONE: {}", bracketed(&reply.tone)));
    attributes.extend(gesture(reply).map(|done| format!("*{done}*")));
    attributes
}

/// A gesture without asterisks of its own, which would end it early.
fn starless(gesture: &str) -> String {
    bracketed(gesture).replace('*', "").trim().to_owned()
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
