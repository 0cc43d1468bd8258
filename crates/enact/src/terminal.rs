//! Any production in a terminal: shown as it happens, steered with commands from standard input.
//!
//! It is what a production gets for nothing. Scenes and choruses have terminals of their own, which show more.

use std::{
    io::{BufRead, Read, Write},
    path::Path,
    process::ExitCode,
    time::Duration,
};

use enact_drama::{
    Fact, Problem, Production, Record, RunId, Seq,
    production::{Report, fold},
    record::read_facts,
    report::Document,
    text::bracketed,
};
use enact_engine::{
    Productions, Stage,
    run_loop::{Observer, Signal},
};
use tokio::sync::mpsc;

use crate::{
    Context, exit_codes,
    models::some_of,
    output::stdout,
    screen::BOLD,
    signals::Signals,
    store::{Kept, check_artifacts},
    voices,
};

/// The longest command: a page of text.
const LONGEST_COMMAND_BYTES: u64 = 64 << 10;

// How a run is played in a terminal. A production's command may take these as flags of its own. No doc comment: help would show it
// instead of what the command says of itself.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Options {
    /// Read commands from standard input, one JSON object a line; at its end a run that waits for a command rests
    #[arg(long)]
    pub commands: bool,

    /// Print nothing
    #[arg(long, short)]
    pub quiet: bool,
}

/// Plays a new run that begins with this event, until it ends, or waits for a command and none can come.
pub async fn play<P: Production>(
    context: &Context<'_>,
    first: P::Event,
    options: &Options,
) -> anyhow::Result<ExitCode> {
    // When it begins is not known before it does, and nothing here depends on it.
    let fact = Fact { seq: Seq(0), at: 0, event: first.clone() };
    let begun = P::begin(&fact).ok_or_else(|| no_beginning(P::NAME))?;
    let stage = stage_for(&begun, context).await?;
    let kept = context.location.open().await?;
    let begins = Begins { run: begun.run(), record: Record::of(&fact), new: Some(first) };
    perform::<P>(context, begins, stage, kept, options).await
}

/// Plays a run on from where its log ends. One that has ended is only shown again.
pub async fn resume<P: Production>(
    context: &Context<'_>,
    run: RunId,
    options: &Options,
) -> anyhow::Result<ExitCode> {
    let kept = context.location.existing().await?;
    let records = kept.store().read(run, Seq(0)).await?;
    let (Some(first), Some(production)) = (records.first(), fold::<P>(&read_facts(&records)?)) else {
        return Err(no_beginning(P::NAME).into());
    };
    let stage = match production.ended() {
        Some(reason) => {
            if !options.quiet {
                anstream::eprintln!("This run has ended ({reason}): there is nothing to resume.\n");
            }
            Stage::empty()
        }
        None => stage_for(&production, context).await?,
    };
    let begins = Begins { run, record: first.clone(), new: None };
    perform::<P>(context, begins, stage, kept, options).await
}

fn no_beginning(production: &str) -> Problem {
    Problem::config(format!("this is not how a {production} begins"))
}

/// A stage with the models and voices of a run.
async fn stage_for<P: Production>(production: &P, context: &Context<'_>) -> anyhow::Result<Stage> {
    // A log does not say where its configuration lay; whoever resumes from elsewhere names it.
    let config = context.load_config(Path::new("."))?;
    let (maker, players) = (context.models(&config), production.players());
    let models = match P::REQUIRES_ALL_MODELS {
        true => maker.again(&players).await?,
        false => some_of(maker.again_or_absent(&players).await)?,
    };
    let mut stage = models.into_iter().fold(Stage::empty(), |stage, (name, model)| stage.model(name, model));
    if let Some(chain) = production.voice() {
        check_artifacts(&context.location.artifacts())?;
        stage = stage.voice(voices::voice(&config, chain)?);
    }
    Ok(stage)
}

/// A run that is to be played.
struct Begins<E> {
    run: RunId,
    /// Its first record, which says what commands it can take.
    record: Record,
    /// What it begins with, unless it has begun.
    new: Option<E>,
}

async fn perform<P: Production>(
    context: &Context<'_>,
    Begins { run, record, new }: Begins<P::Event>,
    stage: Stage,
    kept: Kept,
    options: &Options,
) -> anyhow::Result<ExitCode> {
    let stage = stage.store(kept.store()).write_to(&context.location.data_dir);
    let mut signals = Signals::new();
    if options.commands {
        read_commands(record, context.productions.clone(), signals.sender.clone());
    } else {
        // It is taken before anything else, and there is room for one.
        let _ = signals.sender.try_send(Signal::Rest);
    }
    let mut shown = Shown::<P>::new(options.quiet);
    let played = match new {
        Some(first) => stage.play::<P>(first, &mut shown, &mut signals.received).await,
        None => stage.resume::<P>(run, &mut shown, &mut signals.received).await,
    };
    drop(stage);
    kept.close().await;
    let reason = played?;
    if !options.quiet {
        shown.end(run, context, reason.is_some())?;
    }
    Ok(ExitCode::from(exit_codes::of(reason)))
}

/// Shows each block of the growing document once, as soon as its fact is stored.
struct Shown<P: Production> {
    quiet: bool,
    report: Option<P::Report>,
    blocks: usize,
}

impl<P: Production> Shown<P> {
    fn new(quiet: bool) -> Shown<P> {
        Shown { quiet, report: None, blocks: 0 }
    }

    fn opening(document: &Document) -> String {
        let mut text = format!("{BOLD}{}{BOLD:#}\n\n", document.title);
        if let Some(setting) = &document.setting {
            text.push_str(&format!("[Setting: {}]\n\n", bracketed(setting)));
        }
        text
    }

    /// What has come since it was last asked for.
    fn notifications(&mut self) -> String {
        let Some(report) = &self.report else { return String::new() };
        let document = report.document();
        let new = document.blocks.iter().skip(self.blocks);
        let text = new.map(|block| format!("{}\n\n", block.what.text())).collect();
        self.blocks = document.blocks.len().max(self.blocks);
        text
    }

    fn end(&self, run: RunId, context: &Context<'_>, ended: bool) -> anyhow::Result<()> {
        let mut out = stdout();
        let flag = context.location.flag();
        if let Some(end) = self.report.as_ref().and_then(|report| report.document().end) {
            writeln!(out, "[{}]", bracketed(&end))?;
        }
        if !ended {
            let resume = context.registry.named(P::NAME)?.resume_hint();
            writeln!(out, "Play on: {resume} {run}{flag}")?;
        }
        writeln!(out, "Again: enact replay {run}{flag}")?;
        Ok(())
    }
}

impl<P: Production> Observer<P::Event> for Shown<P> {
    fn on_facts(&mut self, facts: &[Fact<P::Event>]) -> Duration {
        let mut text = String::new();
        for fact in facts {
            match &mut self.report {
                Some(report) => report.apply(fact),
                None => {
                    self.report = P::Report::begin(fact);
                    let document = self.report.as_ref().map(Report::document);
                    text.extend(document.as_ref().map(Shown::<P>::opening));
                }
            }
        }
        text.push_str(&self.notifications());
        if !self.quiet {
            let mut out = stdout();
            // Nobody reading any more is no reason to stop a run: its log is still wanted.
            let _ = write!(out, "{text}").and_then(|()| out.flush());
        }
        Duration::ZERO
    }
}

/// Brings the lines of standard input to a run that begins with this record. What it cannot take is complained about, and the
/// next line is read. A thread of its own, because reading a terminal cannot be cut short.
fn read_commands(first: Record, productions: Productions, signals: mpsc::Sender<Signal>) {
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        let mut line = Vec::new();
        loop {
            line.clear();
            match input.by_ref().take(LONGEST_COMMAND_BYTES + 1).read_until(b'\n', &mut line) {
                Ok(1..) => {}
                // The end of input, or the end of what can be read of it.
                Ok(0) | Err(_) => break,
            }
            if line.trim_ascii().is_empty() {
                continue;
            }
            let signal = match checked(&line, &first, &productions) {
                Ok(command) => Signal::Command { command: command.into(), id: None },
                Err(problem) => {
                    let hint = problem.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default();
                    anstream::eprintln!("note: {problem}{hint}");
                    continue;
                }
            };
            if signals.blocking_send(signal).is_err() {
                return;
            }
        }
        let _ = signals.blocking_send(Signal::Rest);
    });
}

/// A command as the run is given it.
fn checked(line: &[u8], first: &Record, productions: &Productions) -> Result<String, Problem> {
    if line.len() as u64 > LONGEST_COMMAND_BYTES {
        let most = LONGEST_COMMAND_BYTES >> 10;
        return Err(Problem::config(format!("a command has at most {most} KiB, and this line goes on")));
    }
    let text = std::str::from_utf8(line)
        .map_err(|_| Problem::config("a command is a line of UTF-8 text, and this is none"))?;
    productions.of(first)?.check_command(first, text.trim())
}
