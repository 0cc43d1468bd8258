//! A scene as a document.

use serde::Serialize;
use serde_json::{Map, json};

use super::{
    SceneReport, Shown, Silence, metadata,
    statistics::{played_by, statistics},
    wording::{display, gesture, said, silence},
};
use crate::{
    Production, Seq,
    reply::Action,
    report::{Block, BlockContent, Document, Field, Format},
    scene::{Cut, Line, Said, Scene, SceneSetup, choose_voices::Voices},
    text::one_line,
};

/// The whole transcript. Every line of the scene is one line of text.
pub fn transcript(story: &SceneReport) -> String {
    Format::Txt.render(&readable(story))
}

/// The scene as it is told to people.
pub(super) fn document(story: &SceneReport) -> Document {
    let setup = &story.setup;
    let voices = Voices::of(setup);
    let mut document = readable(story);
    for (block, shown) in document.blocks.iter_mut().zip(story.shown()) {
        complete(block, story, &voices, shown);
    }
    document.json_head = Map::from_iter([
        ("title".to_owned(), json!(document.title)),
        ("setting".to_owned(), json!(setup.config.setting)),
        (
            "characters".to_owned(),
            setup.cast.iter().map(|role| json!({"name": role.name, "display": role.display})).collect(),
        ),
    ]);
    document.recording_notes = voices.notes;
    document.metadata(&metadata(story))
}

/// What is read of a scene. A transcript is made at the end of every run: voices, and what only programs
/// want, cost more than all of its text.
fn readable(story: &SceneReport) -> Document {
    let setup = &story.setup;
    let document = Document::new(Scene::NAME, setup.name.as_str(), story.started_at);
    let title = setup.title();
    Document {
        head: head(story, &title),
        title,
        setting: setup.config.setting.clone(),
        blocks: story.shown().into_iter().map(|shown| block(story, shown)).collect(),
        end: story.ended.map(|reason| reason.ending().line.trim_matches(['[', ']']).to_owned()),
        statistics: statistics(story),
        credit: Some(played_by(setup)),
        ..document
    }
}

fn head(story: &SceneReport, title: &str) -> Vec<Field> {
    let cast = story.setup.cast.iter().map(|role| display(&story.setup, &role.name));
    let cast = cast.collect::<Vec<_>>().join(", ");
    let mut head = vec![Field::new("Scene", title).only_in(&[Format::Txt]), Field::new("Characters", &cast)];
    // The goals are one line already. Cleaned once more they would lose the blank that stays where a goal
    // ended in dots, and transcripts never change.
    let goal = Field::new("Goal", "").only_in(&[Format::Txt, Format::Md, Format::Fountain]);
    head.extend(goals(story).map(|value| Field { value, ..goal }));
    head
}

/// The goals on one line, the way the seed lists them.
fn goals(story: &SceneReport) -> Option<String> {
    let goals = story.setup.goals.iter().map(|goal| one_line(goal).trim_end_matches('.').to_owned());
    let goals: Vec<String> = goals.filter(|goal| !goal.is_empty()).collect();
    (!goals.is_empty()).then(|| goals.join(", "))
}

fn block(story: &SceneReport, shown: Shown<'_>) -> Block {
    let setup = &story.setup;
    let block = match shown {
        Shown::Line(line) => Block::new(line.id, line.beat, said(setup, line)),
        Shown::Silence(silent) => {
            Block::speech(silent.id, silent.beat, silence(setup, &silent.who, &silent.gesture))
        }
    };
    let time = story.shown_at(shown.id());
    block.at(time.at).at_ms(time.played_ms)
}

/// Gives a block its voice, and its entry in the JSON document.
fn complete(block: &mut Block, story: &SceneReport, voices: &Voices, shown: Shown<'_>) {
    let setup = &story.setup;
    let entry = match shown {
        Shown::Line(line) => {
            match (&mut block.content, line.actor()) {
                (BlockContent::Speech(speech), Some((who, _))) => speech.timbre = voices.timbre(who),
                (BlockContent::Event { timbre, .. }, _) => *timbre = voices.narrator(),
                _ => {}
            }
            SceneEntry {
                model: story.lines_of_fallbacks.get(&line.id).map(String::as_str),
                ..line_entry(setup, line)
            }
        }
        Shown::Silence(silent) => silence_entry(setup, silent),
    };
    block.set_entry(&entry);
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum SceneEntryKind {
    Line,
    Event,
    System,
    /// Only in scenes that want stage directions.
    Silence,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SceneEntry<'a> {
    id: Seq,
    beat: u32,
    kind: SceneEntryKind,
    /// The display name; nothing for events and system lines.
    speaker: Option<String>,
    /// The fallback that gave it, where the actor's own model had failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    action: Option<Action>,
    target: Option<&'a str>,
    tone: Option<&'a str>,
    /// What was heard; of a reaction without words, what was seen.
    content: String,
    /// What would have been heard without a cut.
    full: &'a str,
    interrupt_after: Option<&'a str>,
    nonverbal: Option<&'a str>,
    cut: Option<&'a Cut>,
}

fn line_entry<'a>(setup: &SceneSetup, line: &'a Line) -> SceneEntry<'a> {
    let (kind, full) = match &line.said {
        Said::Actor { reply, .. } => (SceneEntryKind::Line, &reply.content),
        Said::World { text } => (SceneEntryKind::Event, text),
        Said::System { text } => (SceneEntryKind::System, text),
    };
    let reply = line.actor().map(|(_, reply)| reply);
    let seen = reply.filter(|reply| reply.action == Action::React).and_then(gesture);
    let heard = line.heard();
    SceneEntry {
        id: line.id,
        beat: line.beat,
        kind,
        speaker: line.actor().map(|(who, _)| display(setup, who)),
        model: None,
        action: reply.map(|reply| reply.action),
        target: reply.and_then(|reply| reply.target.as_deref()),
        tone: reply.map(|reply| reply.tone.as_str()),
        content: seen.filter(|_| heard.is_empty()).unwrap_or(heard).to_owned(),
        full,
        interrupt_after: reply.and_then(|reply| reply.interrupt_after.as_deref()),
        nonverbal: reply.and_then(|reply| reply.nonverbal.as_deref()),
        cut: line.cut.as_deref(),
    }
}

fn silence_entry<'a>(setup: &SceneSetup, silence: &'a Silence) -> SceneEntry<'a> {
    SceneEntry {
        id: silence.id,
        beat: silence.beat,
        kind: SceneEntryKind::Silence,
        speaker: Some(display(setup, &silence.who)),
        model: None,
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
