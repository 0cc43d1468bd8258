//! `enact memory`: what a character remembers of somebody, and where each came from.

use std::{io::Write, process::ExitCode};

use enact_drama::{
    Fact, Name, Problem, Production, Record, Seq,
    episode::{Correction, Notebook, NotebookEvent},
    report::date_time,
};
use enact_engine::{Clock, clock::SystemClock, log::NewRun, node::new_run};
use enact_server::episode::{StoredMemory, memories};
use serde_json::json;

use super::args::MemoryArgs;
use crate::{CliContext, screen::stdout};

pub(super) async fn show(args: &MemoryArgs, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
    let character = Name::new(args.character.clone())
        .map_err(|error| Problem::config(format!("the character: {error}")))?;
    let opened = context.location.open_existing().await?;
    let store = opened.store();
    let account = args.account.as_deref().unwrap_or_default();
    let remembered = memories(&store, account, character.as_str()).await?;
    let corrections = corrections(args, &remembered)?;
    let mut out = stdout();
    if !corrections.is_empty() {
        let count = corrections.len();
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
        writeln!(out, "{count} corrected")?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.json {
        let told = remembered.iter().enumerate().map(|(at, one)| {
            json!({
                "number": at + 1, "type": one.memory.kind, "text": one.memory.text, "said": one.said,
                "importance": one.memory.importance, "session_id": one.run, "key": one.key, "at": one.at,
            })
        });
        writeln!(out, "{}", json!({ "memories": told.collect::<Vec<_>>() }))?;
        return Ok(ExitCode::SUCCESS);
    }
    if remembered.is_empty() {
        writeln!(out, "{character} remembers nothing yet.")?;
    }
    for (at, one) in remembered.iter().enumerate() {
        let kind = format!("{:?}", one.memory.kind).to_lowercase();
        let said = one.said.as_ref().map(|said| format!("  (said: {said})")).unwrap_or_default();
        writeln!(out, "{:>3}) {kind:<12} {}{said}", at + 1, one.memory.text)?;
        writeln!(out, "     {} of {}, turn {}", date_time(one.at), one.run, turn_of(&one.key))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The turn in which something was remembered: keys begin with it.
fn turn_of(key: &str) -> u32 {
    key.split('.').next().and_then(|turn| turn.parse().ok()).unwrap_or_default()
}

/// What the arguments ask to be changed.
fn corrections(args: &MemoryArgs, remembered: &[StoredMemory]) -> Result<Vec<Correction>, Problem> {
    let numbered = |number: usize| {
        let memory = number.checked_sub(1).and_then(|at| remembered.get(at));
        memory.ok_or_else(|| {
            Problem::config(format!("there is no memory {number}")).hint(format!(
                "`enact memory {}` numbers the {} there are",
                args.character,
                remembered.len()
            ))
        })
    };
    let correct = |memory: &StoredMemory, text: Option<&str>| Correction {
        run: memory.run,
        key: memory.key.clone(),
        text: text.map(str::to_owned),
    };
    if args.clear {
        return Ok(remembered.iter().map(|memory| correct(memory, None)).collect());
    }
    let forgotten = args.forget.iter().map(|number| Ok(correct(numbered(*number)?, None)));
    let mut corrections = forgotten.collect::<Result<Vec<Correction>, Problem>>()?;
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
