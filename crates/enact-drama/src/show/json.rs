//! The run as one JSON document. Texts are given as they are in the log: JSON needs no cleaning.

use serde::Serialize;

use super::{Metadata, Shown, Silence, Story, metadata, wording};
use crate::{
    Name, Seq,
    reply::Action,
    scene::{Cut, Line, Said, Setup},
};

pub fn json(story: &Story) -> String {
    let setup = &story.setup;
    let document = Document {
        title: wording::title(&setup.name),
        setting: setup.config.setting.as_deref(),
        characters: setup.cast.iter().map(|r| Character { name: &r.name, display: &r.display }).collect(),
        lines: story.shown().into_iter().map(|shown| entry(setup, shown)).collect(),
        metadata: metadata(story),
    };
    let mut text = serde_json::to_string_pretty(&document).expect("the document has only string keys");
    text.push('\n');
    text
}

#[derive(Serialize)]
struct Document<'a> {
    title: String,
    setting: Option<&'a str>,
    characters: Vec<Character<'a>>,
    lines: Vec<Entry<'a>>,
    metadata: Metadata,
}

#[derive(Serialize)]
struct Character<'a> {
    name: &'a Name,
    display: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Line,
    Event,
    System,
    /// Only in scenes that want stage directions.
    Silence,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'a> {
    id: Seq,
    beat: u32,
    kind: Kind,
    /// The display name; nothing for events and system lines.
    speaker: Option<String>,
    action: Option<Action>,
    target: Option<&'a str>,
    tone: Option<&'a str>,
    /// What was heard.
    content: String,
    /// What would have been heard without a cut.
    full: &'a str,
    interrupt_after: Option<&'a str>,
    nonverbal: Option<&'a str>,
    cut: Option<&'a Cut>,
}

fn entry<'a>(setup: &Setup, shown: Shown<'a>) -> Entry<'a> {
    match shown {
        Shown::Line(line) => line_entry(setup, line),
        Shown::Silence(silence) => silence_entry(setup, silence),
    }
}

fn line_entry<'a>(setup: &Setup, line: &'a Line) -> Entry<'a> {
    let (kind, full) = match &line.said {
        Said::Actor { reply, .. } => (Kind::Line, &reply.content),
        Said::World { text } => (Kind::Event, text),
        Said::System { text } => (Kind::System, text),
    };
    let reply = line.actor().map(|(_, reply)| reply);
    Entry {
        id: line.id,
        beat: line.beat,
        kind,
        speaker: line.actor().map(|(who, _)| wording::display(setup, who)),
        action: reply.map(|reply| reply.action),
        target: reply.and_then(|reply| reply.target.as_deref()),
        tone: reply.map(|reply| reply.tone.as_str()),
        content: line.heard().into_owned(),
        full,
        interrupt_after: reply.and_then(|reply| reply.interrupt_after.as_deref()),
        nonverbal: reply.and_then(|reply| reply.nonverbal.as_deref()),
        cut: line.cut.as_ref(),
    }
}

fn silence_entry<'a>(setup: &Setup, silence: &'a Silence) -> Entry<'a> {
    Entry {
        id: silence.id,
        beat: silence.beat,
        kind: Kind::Silence,
        speaker: Some(wording::display(setup, &silence.who)),
        action: Some(Action::Silent),
        target: None,
        tone: None,
        content: String::new(),
        full: "",
        interrupt_after: None,
        nonverbal: Some(&silence.gesture),
        cut: None,
    }
}
