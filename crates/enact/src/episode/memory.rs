//! `enact memory`: what a character remembers, how it feels and stands with others, and where each came from.

use std::{io::Write, process::ExitCode};

use enact_drama::{
    Fact, Name, Problem, Production, Record, Seq,
    director::Correction,
    episode::{Notebook, NotebookEvent},
    report::date_time,
};
use enact_engine::{Clock, clock::SystemClock, log::NewRun, node::new_run};
use enact_server::kept_memories::{KeptThing, StoredMemory, memories};
use serde_json::json;

use super::args::MemoryArgs;
use crate::{CliContext, screen::stdout};

pub(super) async fn show(args: &MemoryArgs, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
    let character = Name::new(args.character.clone())
        .map_err(|error| Problem::config(format!("the character: {error}")))?;
    let opened = context.location.open_existing().await?;
    let store = opened.store();
    let account = args.account.as_deref().unwrap_or_default();
    let kept = memories(&store, account, &character).await?;
    let shown = newest(&kept);
    let corrections = corrections(args, &kept, &shown)?;
    let mut out = stdout();
    if !corrections.is_empty() {
        let forgotten = corrections.iter().filter(|correction| correction.text.is_none()).count();
        let done = [("forgotten", forgotten), ("corrected", corrections.len() - forgotten)];
        let (run, at) = (new_run(), SystemClock.now_ms());
        let event = NotebookEvent::MemoriesCorrected { run, character: character.clone(), corrections };
        let fact = Fact { seq: Seq(0), at, event };
        let notebook =
            Notebook::begin(&fact).ok_or_else(|| Problem::config("this is not how corrections begin"))?;
        let rows = notebook.rows(&fact);
        let (production, name) = (Notebook::NAME, character.to_string());
        let about = NewRun { run, production, name, at, parent: None, account: account.to_owned() };
        let ended = notebook.ended().map(str::to_owned);
        drop(store);
        let kept = context.location.open().await?;
        let made = kept.store().import(about, vec![Record::of(&fact)], rows, ended).await;
        kept.close().await;
        made?;
        let done = done.iter().filter(|(_, count)| *count > 0).map(|(what, count)| format!("{count} {what}"));
        writeln!(out, "{}", done.collect::<Vec<_>>().join(", "))?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.json {
        let told = shown.iter().enumerate().map(|(at, one)| {
            let (kind, whose) = kind_of(&one.what);
            let importance = match &one.what {
                KeptThing::Memory(memory) => Some(memory.importance),
                _ => None,
            };
            json!({
                "number": at + 1, "type": kind, "text": one.what.text(), "said": one.said, "by": whose,
                "importance": importance, "session_id": one.run, "scene": one.scene, "key": one.key,
                "at": one.at,
            })
        });
        writeln!(out, "{}", json!({ "memories": told.collect::<Vec<_>>() }))?;
        return Ok(ExitCode::SUCCESS);
    }
    if shown.is_empty() {
        writeln!(out, "{character} remembers nothing yet.")?;
    }
    for (at, one) in shown.iter().enumerate() {
        let (kind, whose) = kind_of(&one.what);
        let whose = whose.map(|name| format!("{name}: ")).unwrap_or_default();
        let said = one.said.as_ref().map(|said| format!("  (said: {said})")).unwrap_or_default();
        writeln!(out, "{:>3}) {kind:<12} {whose}{}{said}", at + 1, one.what.text())?;
        writeln!(out, "     {} of {}{}", date_time(one.at), one.run, place_of(one))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What counts, of moods and relationships the newest alone.
fn newest(kept: &[StoredMemory]) -> Vec<&StoredMemory> {
    let mut newest: Vec<&StoredMemory> = Vec::new();
    for one in kept {
        if !newest.iter().any(|newer| newer.what.replaces(&one.what)) {
            newest.push(one);
        }
    }
    newest
}

/// What sort of thing it is, and who said it or whom it is about.
fn kind_of(what: &KeptThing) -> (String, Option<&str>) {
    match what {
        KeptThing::Memory(memory) => (format!("{:?}", memory.kind).to_lowercase(), memory.by.as_deref()),
        KeptThing::Mood(_) => ("mood".to_owned(), None),
        KeptThing::Relationship { with, .. } => {
            ("stands with".to_owned(), Some(with.as_ref().map_or("you", Name::as_str)))
        }
    }
}

/// Where in its run it came from: keys of memories begin with the turn or the beat.
fn place_of(one: &StoredMemory) -> String {
    let number = one.key.split('.').next().and_then(|number| number.parse::<u32>().ok());
    match (&one.scene, number) {
        (Some(scene), Some(beat)) => format!(", scene {scene}, beat {beat}"),
        (Some(scene), None) => format!(", scene {scene}"),
        (None, Some(turn)) => format!(", turn {turn}"),
        (None, None) => String::new(),
    }
}

/// What the arguments ask to be changed.
fn corrections(
    args: &MemoryArgs,
    kept: &[StoredMemory],
    shown: &[&StoredMemory],
) -> Result<Vec<Correction>, Problem> {
    let numbered = |number: usize| {
        let memory = number.checked_sub(1).and_then(|at| shown.get(at)).copied();
        memory.ok_or_else(|| {
            Problem::config(format!("there is no memory {number}")).hint(format!(
                "`enact memory {}` numbers the {} there are",
                args.character,
                shown.len()
            ))
        })
    };
    let correct = |memory: &StoredMemory, text: Option<&str>| Correction {
        run: memory.run,
        key: memory.key.clone(),
        text: text.map(str::to_owned),
    };
    if args.clear {
        return Ok(kept.iter().map(|memory| correct(memory, None)).collect());
    }
    let mut corrections = Vec::new();
    for number in &args.forget {
        let wanted = numbered(*number)?;
        // What was so before must not come back in its place.
        let gone = kept.iter().filter(|one| *one == wanted || wanted.what.replaces(&one.what));
        corrections.extend(gone.map(|one| correct(one, None)));
    }
    for edit in &args.edit {
        let wrong = || {
            Problem::config(format!("--edit {}: expected NUMBER=TEXT", edit.escape_debug()))
                .hint("--edit '2=I grew up by the sea.'")
        };
        let (number, text) = edit.split_once('=').ok_or_else(wrong)?;
        let number: usize = number.trim().parse().map_err(|_| wrong())?;
        let text = Some(text.trim()).filter(|text| !text.is_empty()).ok_or_else(wrong)?;
        corrections.push(correct(numbered(number)?, Some(text)));
    }
    Ok(corrections)
}
