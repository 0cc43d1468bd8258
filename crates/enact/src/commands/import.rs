//! `enact import`: a run that was exported elsewhere.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::ExitCode,
};

use enact_drama::{
    Problem, Record, RunId, Seq,
    record::{FORKED, Unreadable},
};
use enact_engine::{
    Productions,
    log::{self, NewRun},
    productions::AnyProduction,
};

use crate::{CliContext, args::ImportArgs, screen::stdout};

/// The longest line: the first one holds all sheets, each of which may have a megabyte.
const LONGEST_LINE_BYTES: u64 = 32 << 20;
/// The largest log. It is held in memory until all of it is known to be good; scenes have some hundred
/// kilobytes.
const LARGEST_LOG_BYTES: u64 = 512 << 20;

/// A log as it was read: every line a record, each in its place.
#[derive(Debug)]
struct Imported {
    records: Vec<Record>,
    /// The line of the file that each record stands in.
    lines: Vec<usize>,
}

/// What a log as a whole says about its run.
#[derive(Debug)]
struct CheckedLog {
    about: NewRun,
    ended: Option<&'static str>,
}

pub(crate) async fn import(args: &ImportArgs, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
    let productions = &context.productions;
    // All of it is checked before anything is opened: a broken file leaves nothing behind.
    let read = match args.file.to_str() {
        Some("-") => {
            read(std::io::stdin().lock(), productions).map_err(|problem| problem.in_file("standard input"))?
        }
        _ => read_file(&args.file, productions).map_err(|problem| problem.in_file(args.file.display()))?,
    };
    let (Imported { records, .. }, CheckedLog { about, ended }) = read;
    let (run, name, events) = (about.run, about.name.clone(), records.len());
    let production = productions.named(about.production).map_err(Problem::from)?;
    let rows = production.rows(&records)?;
    let resume = context.registry.named(about.production)?.resume_hint();
    let kept = context.location.open().await?;
    let store = kept.store();
    let outcome = store.import(about, records, rows, ended.map(str::to_owned)).await;
    drop(store);
    kept.close().await;
    outcome.map_err(|error| match error {
        log::Error::Conflict(_) => anyhow::Error::new(
            Problem::config(format!("run {run} is kept here already"))
                .hint(format!("`enact replay {run}` shows it; --data-dir imports it elsewhere")),
        ),
        other => other.into(),
    })?;
    let mut out = stdout();
    let flag = context.location.flag();
    writeln!(out, "Imported {name}: {events} events, {}", ended.unwrap_or("unfinished"))?;
    match ended {
        Some(_) => writeln!(out, "Again: enact replay {run}{flag}")?,
        None => writeln!(out, "Play on: {resume} {run}{flag}")?,
    }
    Ok(ExitCode::SUCCESS)
}

fn read_file(file: &Path, productions: &Productions) -> Result<(Imported, CheckedLog), Problem> {
    let opened = File::open(file).map_err(|error| Problem::config(format!("cannot be read: {error}")))?;
    read(BufReader::new(opened), productions)
}

fn read(mut log: impl BufRead, productions: &Productions) -> Result<(Imported, CheckedLog), Problem> {
    let mut imported = Imported { records: Vec::new(), lines: Vec::new() };
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
        imported.take(record, productions).map_err(at_line)?;
        imported.lines.push(number);
    }
    let checked = imported.check(productions)?;
    Ok((imported, checked))
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

impl Imported {
    /// Adds the next record.
    fn take(&mut self, record: Record, productions: &Productions) -> Result<(), Problem> {
        in_place(&record, Seq(self.records.len() as u64))?;
        match self.records.first() {
            None if productions.of(&record).is_err() => return Err(no_beginning(&record, productions)),
            // Only its own production is asked: what begins the runs of another may be an ordinary event of
            // this one.
            Some(first) if record.kind == first.kind => {
                return Err(Problem::config("a second run begins here").hint("a file holds one run"));
            }
            _ => self.records.push(record),
        }
        Ok(())
    }

    /// Whether the log as a whole is that of one run, in which nothing happens after its end.
    fn check(&self, productions: &Productions) -> Result<CheckedLog, Problem> {
        let Some(first) = self.records.first() else {
            return Err(Problem::config("there is no event in it").hint(EXPECTED));
        };
        let production = productions.of(first)?;
        let header = production.header(first).map_err(|wrong| self.unreadable(&wrong))?;
        let header = header.ok_or_else(|| self.at(0, no_beginning(first, productions)))?;
        let about = NewRun {
            run: header.run,
            production: production.name(),
            name: header.title,
            at: first.at,
            parent: parent(&self.records),
            account: String::new(),
        };
        Ok(CheckedLog { about, ended: self.ended(production)? })
    }

    fn ended(&self, production: &dyn AnyProduction) -> Result<Option<&'static str>, Problem> {
        let ended = |length: usize| production.ended(&self.records[..length]);
        let length = self.records.len();
        let end = ended(length).map_err(|wrong| self.unreadable(&wrong))?;
        let (Some(reason), Ok(Some(_))) = (end, ended(length - 1)) else { return Ok(end) };
        // What has ended stays so: the end is looked for by halves.
        let lengths: Vec<usize> = (0..length).collect();
        let end = lengths.partition_point(|length| !matches!(ended(*length), Ok(Some(_))));
        let problem = Problem::config(format!("the run has ended before this ({reason})"));
        Err(self.at(end, problem.hint("nothing happens in a run after its end")))
    }

    fn unreadable(&self, Unreadable { seq, kind, v, reason }: &Unreadable) -> Problem {
        // The JSON library lists all kinds there are.
        let why = match reason.strip_prefix("unknown variant").filter(|rest| rest.contains(kind)) {
            Some(_) => "there is no such kind",
            None => without_place(reason),
        };
        let kind = kind.escape_debug();
        let problem = Problem::config(format!("event {} ('{kind}' v{v}) cannot be read: {why}", seq.0));
        self.at(seq.0 as usize, problem.hint("a newer enact wrote it, or it was changed since"))
    }

    /// Says where in the file a record stands.
    fn at(&self, record: usize, problem: Problem) -> Problem {
        self.lines.get(record).map_or(problem.clone(), |line| problem.at(*line, 1))
    }
}

/// The run it was forked from. A fork of a fork has the mark of each; the last is its own.
fn parent(records: &[Record]) -> Option<RunId> {
    #[derive(serde::Deserialize)]
    struct Forked {
        run: RunId,
    }
    let forked = records.iter().rev().find(|record| record.kind == FORKED)?;
    serde_json::from_str(forked.body.get()).ok().map(|Forked { run }| run)
}

fn in_place(record: &Record, expected: Seq) -> Result<(), Problem> {
    if record.seq == expected {
        return Ok(());
    }
    let why = if record.seq < expected { "lines are repeated or out of order" } else { "lines are missing" };
    let message = format!("event {} was expected here, and this is event {}", expected.0, record.seq.0);
    Err(Problem::config(message).hint(why))
}

fn no_beginning(first: &Record, productions: &Productions) -> Problem {
    let known: Vec<String> =
        productions.all().map(|production| format!("'{}'", production.begins_with())).collect();
    let kind = first.kind.escape_debug();
    Problem::config(format!("a log begins with {}, not with '{kind}'", known.join(" or ")))
        .hint("lines are missing at its beginning, or it is of a production that this enact does not know")
}

#[cfg(test)]
mod tests {
    use enact_drama::{chorus::Chorus, scene::Scene};
    use serde_json::value::RawValue;

    use super::*;

    #[test]
    fn what_begins_runs_of_another_production_is_an_event_like_others() {
        let productions = Productions::default().with::<Scene>().with::<Chorus>();
        let take = |kinds: &[&str]| {
            let mut imported = Imported { records: Vec::new(), lines: Vec::new() };
            kinds.iter().zip(0..).try_for_each(|(kind, seq)| {
                let (seq, kind, body) = (Seq(seq), (*kind).to_owned(), RawValue::NULL.to_owned());
                imported.take(Record { seq, at: 0, kind, v: 1, body }, &productions)
            })
        };
        assert_eq!(take(&["chorus_began", "began", "began"]), Ok(()));
        assert_eq!(take(&["began", "chorus_began"]), Ok(()));
        for second in [&["chorus_began", "began", "chorus_began"][..], &["began", "began"]] {
            assert_eq!(take(second).unwrap_err().message, "a second run begins here");
        }
    }
}
