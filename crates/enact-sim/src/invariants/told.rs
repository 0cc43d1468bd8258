//! What is told: transcripts, prompts, recordings, and whose words are in them.

use std::collections::{BTreeMap, BTreeSet};

use enact_drama::{
    Name, Seq,
    production::fold,
    report::{BlockContent, Format},
    request::MessageRole,
    scene::{Said, Scene, SceneEvent},
};
use serde_json::Value;

use super::evidence::{Evidence, ReadRun, report};
use crate::{answers::said_words, scenario::SimulatedProduction, simulate::PlayedRun};

/// Replay runs no parser, no judge and no model: telling a log again gives the same transcript, and no call
/// is made for it.
pub(super) fn replays_the_same(evidence: &Evidence<'_>) -> Result<(), String> {
    for run in &evidence.runs {
        let Some(one) = &run.report else { continue };
        let Ok(Some(other)) = report(&run.played.records) else {
            return Err(format!("{} can be told only once", run.name()));
        };
        if Format::Txt.render(&one.document()) != Format::Txt.render(&other.document())
            || one.metadata() != other.metadata()
            || one.ledger() != other.ledger()
        {
            return Err(format!("{} is told in two ways", run.name()));
        }
        if evidence.scenario.production == SimulatedProduction::Scene {
            let ended = fold::<Scene>(&run.facts).and_then(|scene| {
                use enact_drama::Production;
                scene.ended()
            });
            if ended.map(str::to_owned) != run.played.summary.reason {
                return Err(format!("{} folds to {ended:?}", run.name()));
            }
        }
    }
    Ok(())
}

/// No committed line is said twice, and an actor says only what its own model said.
pub(super) fn words_are_said_once(evidence: &Evidence<'_>) -> Result<(), String> {
    let is_episode = evidence.scenario.production == SimulatedProduction::Episode;
    let sole_actor = if is_episode { "alice" } else { "valley" };
    for run in &evidence.runs {
        let mut said_by: BTreeSet<usize> = BTreeSet::new();
        for (seq, who, text) in spoken(run.played, sole_actor) {
            let calls: BTreeSet<usize> = said_words(&text).filter_map(call_of).collect();
            for call in calls {
                let actor = evidence.journal.calls.get(call).and_then(|call| call.actor.as_ref());
                if actor.map(Name::as_str) != Some(&who) {
                    return Err(format!(
                        "{}: in {} {who} says words of {actor:?}: {text}",
                        run.name(),
                        seq.0
                    ));
                }
                if !said_by.insert(call) {
                    return Err(format!("{}: {who} says the same again in {}: {text}", run.name(), seq.0));
                }
            }
        }
    }
    Ok(())
}

/// Everything that was said in a run: where, by whom, and what. Where only one can speak, that one is not named.
fn spoken(run: &PlayedRun, sole_actor: &str) -> Vec<(Seq, String, String)> {
    let mut spoken = Vec::new();
    for record in &run.records {
        let (who, text): (&[&str], &[&str]) = match record.kind.as_str() {
            "line_added" => (&["who"], &["reply", "content"]),
            "slot_spoke" => (&["slot"], &["text"]),
            "replied" if record.body.get().contains("\"conversation\"") => {
                (&["actor"], &["reply", "content"])
            }
            "answered" if record.body.get().contains("\"dialogue\"") => (&["actor"], &["answer", "dialogue"]),
            "answered" => (&["actor"], &["text"]),
            _ => continue,
        };
        let Ok(body) = serde_json::from_str::<Value>(record.body.get()) else { continue };
        let at = |path: &[&str]| path.iter().try_fold(&body, |value, key| value.get(key));
        let Some(text) = at(text).and_then(Value::as_str) else { continue };
        let who = match at(who) {
            Some(Value::String(name)) => name.clone(),
            Some(Value::Number(slot)) => format!("slot-{slot}"),
            _ => sole_actor.to_owned(),
        };
        spoken.push((record.seq, who, text.to_owned()));
    }
    spoken
}

/// The call that has said a word.
fn call_of(word: &str) -> Option<usize> {
    word.trim_matches(|c: char| !c.is_ascii_digit()).parse().ok()
}

/// What a model says cannot forge a speaker, an event or a system line: a transcript has as many lines that
/// look like one as there are.
pub(super) fn nothing_is_forged(evidence: &Evidence<'_>) -> Result<(), String> {
    for run in &evidence.runs {
        let Some(report) = &run.report else { continue };
        let document = report.document();
        let mut blocks: BTreeMap<String, usize> = BTreeMap::new();
        for block in &document.blocks {
            let kind = match &block.content {
                BlockContent::Speech(speech) => speech.who.clone(),
                BlockContent::Event { .. } => "[EVENT:".to_owned(),
                BlockContent::System { .. } => "[SYSTEM:".to_owned(),
                BlockContent::Heading { .. } => continue,
            };
            *blocks.entry(kind).or_default() += 1;
        }
        reads_as(&Format::Txt.render(&document), &blocks).map_err(|why| format!("{}: {why}", run.name()))?;
    }
    Ok(())
}

/// Whether a transcript reads as so many lines of each speaker, events and system lines.
pub(super) fn reads_as(transcript: &str, blocks: &BTreeMap<String, usize>) -> Result<(), String> {
    let speakers = || blocks.keys().filter(|kind| !kind.starts_with('['));
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    for line in transcript.split(is_line_break) {
        let bracket = ["[EVENT:", "[SYSTEM:"].into_iter().find(|head| line.starts_with(head));
        let speaker = speakers().find(|who| speaks_as(line, who)).map(String::as_str);
        if let Some(kind) = bracket.or(speaker) {
            *lines.entry(kind.to_owned()).or_default() += 1;
        }
        if let Some(forged) = speakers().find(|who| line.contains(&format!("\" {who} ["))) {
            return Err(format!("a line reads as one of {forged}: {line}"));
        }
    }
    if lines != *blocks {
        return Err(format!("it has the lines {blocks:?}, and reads as {lines:?}"));
    }
    Ok(())
}

fn is_line_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether a line of a transcript reads as if this speaker said it.
fn speaks_as(line: &str, who: &str) -> bool {
    let rest = line.strip_prefix(who);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(" [") || rest.starts_with(" \""))
}

/// Of a line that was cut before a beat opened, nobody else is told in that beat what was not heard.
pub(super) fn only_heard_words_are_told(evidence: &Evidence<'_>) -> Result<(), String> {
    let Some(run) = evidence.only_run() else { return Ok(()) };
    let cuts = unheard(run);
    for call in evidence.journal.calls.iter().filter(|_| !cuts.is_empty()) {
        let (Some(actor), Some(opened)) = (&call.actor, call.beat.and_then(|beat| opened(run, beat))) else {
            continue;
        };
        let before = cuts.iter().filter(|cut| cut.at < opened && cut.speaker != *actor);
        for cut in before {
            let told = call.thread.iter().filter(|message| message.role == MessageRole::User);
            let heard = told.flat_map(|message| without_phrases(&message.text));
            for word in heard.flat_map(said_words) {
                if cut.words.contains(word) {
                    let at = cut.at.0;
                    return Err(format!("{actor} is told '{word}', which was cut off in {at}"));
                }
            }
        }
    }
    Ok(())
}

/// A text without the phrases that interruptions name: an interrupting actor may name any
/// words there.
fn without_phrases(text: &str) -> impl Iterator<Item = &str> {
    let mut parts = text.split("INTERRUPT after \"");
    let first = parts.next();
    first.into_iter().chain(parts.map(|part| part.split_once('"').map_or("", |(_, rest)| rest)))
}

/// What was not heard of a line.
struct Unheard {
    at: Seq,
    speaker: Name,
    words: BTreeSet<String>,
}

fn unheard(run: &ReadRun<'_>) -> Vec<Unheard> {
    let cut = |fact: &enact_drama::Fact<SceneEvent>| {
        let SceneEvent::LineCut { line, cut } = &fact.event else { return None };
        let SceneEvent::LineAdded { said: Said::Actor { who, reply } } =
            &run.facts.get(line.0 as usize)?.event
        else {
            return None;
        };
        // A word that the cut goes through was heard in part.
        let lost = reply.content.get(cut.at..)?.trim_start_matches(|c: char| c.is_alphanumeric());
        let words = said_words(lost).map(str::to_owned).collect();
        Some(Unheard { at: fact.seq, speaker: who.clone(), words })
    };
    run.facts.iter().filter_map(cut).collect()
}

/// Where a beat was opened.
fn opened(run: &ReadRun<'_>, number: u32) -> Option<Seq> {
    let opens = |event: &SceneEvent| matches!(event, SceneEvent::BeatOpened { beat, .. } if *beat == number);
    run.facts.iter().find(|fact| opens(&fact.event)).map(|fact| fact.seq)
}

/// An audio file is announced only after it was written.
pub(super) fn recordings_exist(evidence: &Evidence<'_>) -> Result<(), String> {
    if !evidence.scenario.speaks {
        return Ok(());
    }
    for run in &evidence.runs {
        let mut paths: BTreeMap<u64, String> = BTreeMap::new();
        for record in &run.played.records {
            let Ok(body) = serde_json::from_str::<Value>(record.body.get()) else { continue };
            match record.kind.as_str() {
                "slot_spoke" => {
                    let speech = &body["speech"];
                    if let (Some(call), Some(path)) = (speech["call"].as_u64(), speech["path"].as_str()) {
                        paths.insert(call, path.to_owned());
                    }
                }
                "voiced" => {
                    let path = body["call"].as_u64().and_then(|call| paths.get(&call));
                    let path = path.ok_or_else(|| format!("{} was never to be said", record.seq.0))?;
                    let bytes = std::fs::metadata(evidence.folder.join(path)).map(|file| file.len());
                    if bytes.as_ref().ok().copied() != body["bytes"].as_u64() {
                        return Err(format!("{path} should have {} bytes: {bytes:?}", body["bytes"]));
                    }
                }
                _ => {}
            }
        }
    }
    Ok(())
}
