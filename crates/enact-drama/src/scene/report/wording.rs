//! How one line reads: the same words in the transcript, on the terminal and in what actors are told.

use crate::{
    Name,
    reply::{Action, Reply},
    report::{self, BlockContent, Speech},
    scene::{Line, Said, SceneSetup},
    text::bracketed,
    voice::Timbre,
};

/// One line of the transcript, as it was heard, without a line break: `Alice [TO: Bob, TONE: angry] "Why?"`.
pub fn line_text(setup: &SceneSetup, line: &Line) -> String {
    said(setup, line).text()
}

/// The same as a part of a document.
pub fn line_content(setup: &SceneSetup, line: &Line) -> BlockContent {
    said(setup, line)
}

/// A silence that is shown, as a part of a document.
pub fn silence_content(setup: &SceneSetup, who: &Name, gesture: &str) -> BlockContent {
    BlockContent::Speech(silence(setup, who, gesture))
}

/// A scene's name as a title: `office-confrontation` is "Office Confrontation".
pub fn title(name: &Name) -> String {
    report::title(name.as_str())
}

/// A silence that is shown because the scene wants stage directions.
pub fn silence_text(setup: &SceneSetup, who: &Name, gesture: &str) -> String {
    silence_content(setup, who, gesture).text()
}

/// A line as a block of a document, without a voice yet.
pub(super) fn said(setup: &SceneSetup, line: &Line) -> BlockContent {
    match &line.said {
        Said::Actor { who, reply } => {
            let mut speech = spoken(setup, who, reply);
            speech.cut = line.cut.as_ref().map(|cut| cut.at);
            BlockContent::Speech(speech)
        }
        Said::World { text } => BlockContent::Event { text: text.clone(), timbre: Timbre::NARRATOR },
        Said::System { text } => BlockContent::System { text: text.clone() },
    }
}

/// A character says nothing, but does something.
pub(super) fn silence(setup: &SceneSetup, who: &Name, gesture: &str) -> Speech {
    Speech::gesture(&display(setup, who), gesture).remark("SILENT")
}

/// What a character is called on stage.
pub(super) fn display(setup: &SceneSetup, name: &Name) -> String {
    let role = setup.cast.iter().find(|role| role.name == *name);
    let display = role.map(|role| bracketed(&role.display)).filter(|display| !display.is_empty());
    display.unwrap_or_else(|| name.to_string())
}

/// What is done rather than said, as it was sent. Some models describe a reaction where the words would
/// stand.
pub(super) fn gesture(reply: &Reply) -> Option<&str> {
    let reaction = (reply.action == Action::React).then_some(reply.content.as_str());
    reply.nonverbal.as_deref().or(reaction)
}

fn spoken(setup: &SceneSetup, who: &Name, reply: &Reply) -> Speech {
    let mut speech = Speech::new(&display(setup, who), reply.content.as_str()).manner(manner(reply));
    speech.aloud = reply.action != Action::React;
    speech.interrupts = reply.action == Action::Interrupt;
    speech = match (reply.action, &reply.interrupt_after) {
        (Action::Interrupt, Some(phrase)) => {
            speech.remark(&format!("INTERRUPT after \"{}\"", bracketed(phrase).replace('"', "'")))
        }
        (Action::Interrupt, None) => speech.remark("INTERRUPT"),
        (Action::React, _) => speech.remark("REACT"),
        (Action::Silent, _) => speech.remark("SILENT"),
        (Action::Speak, _) => speech,
    };
    if let Some(target) = &reply.target {
        speech = speech.attribute("TO", target);
    }
    speech.attribute("TONE", &reply.tone).doing(gesture(reply).unwrap_or_default())
}

fn manner(reply: &Reply) -> String {
    let interrupting = (reply.action == Action::Interrupt).then(|| "interrupting".to_owned());
    let target = reply.target.as_ref().map(|target| format!("to {target}"));
    let parts = [interrupting, target, Some(reply.tone.clone())];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
