//! `enact import`: a run that was exported elsewhere.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::ExitCode,
};

use enact_drama::{
    Problem, Production, Record, Seq,
    chorus::{Chorus, ChorusEvent},
    production::Kind,
    record::Unreadable,
    scene::{Scene, SceneEvent},
};
use enact_engine::log::{self, NewRun};
use serde::de::DeserializeOwned;

use crate::{args::Import, output::stdout, store::Location};

/// The longest line: the first one holds all sheets, each of which may have a megabyte.
const LONGEST_LINE_BYTES: u64 = 32 << 20;
/// The largest log. It is held in memory until all of it is known to be good; scenes have some hundred kilobytes.
const LARGEST_LOG_BYTES: u64 = 512 << 20;

/// A log that was read and found to be one.
#[derive(Debug)]
struct Imported {
    about: NewRun,
    records: Vec<Record>,
    ended: Option<&'static str>,
}

pub(crate) async fn import(args: &Import, location: &Location) -> anyhow::Result<ExitCode> {
    // All of it is checked before anything is opened: a broken file leaves nothing behind.
    let Imported { about, records, ended } = match args.file.to_str() {
        Some("-") => read(std::io::stdin().lock()).map_err(|problem| problem.in_file("standard input"))?,
        _ => read_file(&args.file).map_err(|problem| problem.in_file(args.file.display()))?,
    };
    let (run, name, events) = (about.run, about.name.clone(), records.len());
    let command = if about.production == Chorus::NAME { "chorus" } else { "run" };
    let kept = location.open().await?;
    let outcome = kept.store().import(about, records, ended.map(str::to_owned)).await;
    kept.close().await;
    outcome.map_err(|error| match error {
        log::Error::Conflict(_) => anyhow::Error::new(
            Problem::config(format!("run {run} is kept here already"))
                .hint(format!("`enact replay {run}` shows it; --data-dir imports it elsewhere")),
        ),
        other => other.into(),
    })?;
    let mut out = stdout();
    let flag = location.flag();
    writeln!(out, "Imported {name}: {events} events, {}", ended.unwrap_or("unfinished"))?;
    match ended {
        Some(_) => writeln!(out, "Again: enact replay {run}{flag}")?,
        None => writeln!(out, "Play on: enact {command} --resume {run}{flag}")?,
    }
    Ok(ExitCode::SUCCESS)
}

fn read_file(file: &Path) -> Result<Imported, Problem> {
    let opened = File::open(file).map_err(|error| Problem::config(format!("cannot be read: {error}")))?;
    read(BufReader::new(opened))
}

fn read(mut log: impl BufRead) -> Result<Imported, Problem> {
    let mut imported: Option<Imported> = None;
    let mut bytes = 0;
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let length = log.by_ref().take(LONGEST_LINE_BYTES + 1).read_until(b'\n', &mut line);
        let length = length.map_err(|error| Problem::config(format!("cannot be read: {error}")))? as u64;
        if length == 0 {
            break;
        }
        bytes += length;
        let at_line = |problem: Problem| problem.at(number, 1);
        if length > LONGEST_LINE_BYTES {
            let most = LONGEST_LINE_BYTES >> 20;
            return Err(at_line(Problem::config(format!("this line is longer than {most} MiB"))));
        }
        if bytes > LARGEST_LOG_BYTES {
            let most = LARGEST_LOG_BYTES >> 20;
            return Err(at_line(Problem::config(format!(
                "a log has at most {most} MiB, and this one goes on"
            ))));
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let record: Record =
            serde_json::from_slice(&line).map_err(|error| no_record(&error).at(number, error.column()))?;
        match &mut imported {
            None => imported = Some(begun(record).map_err(at_line)?),
            Some(imported) => imported.take(record).map_err(at_line)?,
        }
    }
    imported.ok_or_else(|| Problem::config("there is no event in it").hint(EXPECTED))
}

const EXPECTED: &str = "expected what `enact export RUN --format jsonl` writes: one event a line";

fn no_record(error: &serde_json::Error) -> Problem {
    if error.is_eof() {
        return Problem::config("this line breaks off").hint("the file was not written to its end");
    }
    Problem::config(format!("this is no event of a log: {}", without_place(&error.to_string())))
        .hint(EXPECTED)
}

/// What is wrong, without the place that the JSON library adds: it counts lines within the line.
fn without_place(error: &str) -> &str {
    error.split(" at line ").next().unwrap_or(error)
}

/// What a log's first record says of its run.
fn begun(first: Record) -> Result<Imported, Problem> {
    in_place(&first, Seq(0))?;
    let (run, production, name) = match Kind::of(&first) {
        Some(Kind::Chorus) => match event(&first)? {
            ChorusEvent::ChorusBegan { setup } => (setup.run, Chorus::NAME, Chorus::NAME.to_owned()),
            _ => return Err(no_beginning(&first)),
        },
        Some(Kind::Scene) | None => match event(&first)? {
            SceneEvent::Began { setup } => (setup.run, Scene::NAME, setup.name.to_string()),
            _ => return Err(no_beginning(&first)),
        },
    };
    let about = NewRun { run, production, name, at: first.at, parent: None };
    Ok(Imported { about, records: vec![first], ended: None })
}

impl Imported {
    /// Adds the next record.
    fn take(&mut self, record: Record) -> Result<(), Problem> {
        in_place(&record, Seq(self.records.len() as u64))?;
        if let Some(reason) = self.ended {
            return Err(Problem::config(format!("the run has ended before this ({reason})"))
                .hint("nothing happens in a run after its end"));
        }
        if Kind::of(&record).is_some() {
            return Err(Problem::config("a second run begins here").hint("a file holds one run"));
        }
        if self.about.production == Chorus::NAME {
            if let ChorusEvent::Ended { reason } = event(&record)? {
                self.ended = Some(reason.as_str());
            }
        } else {
            match event(&record)? {
                SceneEvent::Ended { reason, .. } => self.ended = Some(reason.ending().name),
                // A fork of a fork has the mark of each; the last is its own.
                SceneEvent::Forked { run, .. } => self.about.parent = Some(run),
                _ => {}
            }
        }
        self.records.push(record);
        Ok(())
    }
}

fn in_place(record: &Record, expected: Seq) -> Result<(), Problem> {
    if record.seq == expected {
        return Ok(());
    }
    let why = if record.seq < expected { "lines are repeated or out of order" } else { "lines are missing" };
    let message = format!("event {} was expected here, and this is event {}", expected.0, record.seq.0);
    Err(Problem::config(message).hint(why))
}

fn no_beginning(first: &Record) -> Problem {
    Problem::config(format!("a log begins with 'began' or 'chorus_began', not with '{}'", first.kind))
        .hint("lines are missing at its beginning, or it is something else")
}

fn event<E: DeserializeOwned>(record: &Record) -> Result<E, Problem> {
    let read = record.fact::<E>().map_err(|Unreadable { seq, kind, v, reason }| {
        // The JSON library lists all kinds there are.
        let why = match reason.strip_prefix("unknown variant").filter(|rest| rest.contains(&kind)) {
            Some(_) => "there is no such kind",
            None => without_place(&reason),
        };
        let kind = kind.escape_debug();
        Problem::config(format!("event {} ('{kind}' v{v}) cannot be read: {why}", seq.0))
            .hint("a newer enact wrote it, or it was changed since")
    });
    read.map(|fact| fact.event)
}
