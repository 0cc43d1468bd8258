//! Any production in a terminal: shown as it happens, steered with commands from standard input.
//!
//! The default for every production; scenes and choruses show more, and are played by the same `Playable`.

use std::{io::Write, process::ExitCode};

use enact_drama::{
    Fact, Problem, Production, Record, RunId, Seq,
    production::{Report, fold},
    record::read_facts,
    text::bracketed,
};
use enact_engine::{
    Error, Productions, Stage,
    log::Status,
    run_loop::{Observer, Signal},
};
use tokio::sync::mpsc;

use crate::{
    CliContext,
    errors::exit_code,
    find_run::find_run_of,
    models::require_any,
    screen::{BOLD, Screen, Show, Terminal, note, stdout},
    signals::Signals,
    stdin_lines::{InputLine, LONGEST_LINE_BYTES, read_line},
    store::{OpenStore, check_artifacts},
    voices,
};

// How a run is played in a terminal. A production's command may take these as flags of its own. No doc
// comment: help would show it instead of what the command says of itself.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct PlayOptions {
    /// Read commands from standard input, one JSON object a line; at its end a run that waits for a command
    /// rests
    #[arg(long)]
    pub commands: bool,

    /// Print nothing
    #[arg(long, short)]
    pub quiet: bool,
}

/// Plays a new run that begins with this event, until it ends, or waits for a command and none can come.
pub async fn play<P: Production>(
    context: &CliContext<'_>,
    first: P::Event,
    options: &PlayOptions,
) -> anyhow::Result<ExitCode> {
    // When it begins is not known before it does, and nothing here depends on it.
    let fact = Fact { seq: Seq(0), at: 0, event: first };
    let begun = P::begin(&fact).ok_or_else(|| no_beginning(P::NAME))?;
    let stage = stage_for(&begun, context).await?;
    let store = context.location.open().await?;
    let record = Record::of(&fact);
    let playable = Playable { run: begun.run(), stage, store, first: Some(fact.event) };
    show::<P>(context, playable, record, options).await
}

/// Plays a run on from where its log ends. One that has ended is only shown again.
pub async fn resume<P: Production>(
    context: &CliContext<'_>,
    run: RunId,
    options: &PlayOptions,
) -> anyhow::Result<ExitCode> {
    let playable = Playable::<P>::reopen(context, &run.to_string(), options.quiet, "").await?;
    let records = playable.store.store().read_some(run, Seq(0), 1).await?;
    let first = records.into_iter().next().ok_or_else(|| no_beginning(P::NAME))?;
    show::<P>(context, playable, first, options).await
}

fn no_beginning(production: &str) -> Problem {
    Problem::config(format!("this is not how a {production} begins"))
}

/// A stage with the models and voices of a run.
async fn stage_for<P: Production>(production: &P, context: &CliContext<'_>) -> anyhow::Result<Stage> {
    let config = context.config_here()?;
    let (factory, players) = (context.models(&config), production.players());
    let models = match P::REQUIRES_ALL_MODELS {
        true => factory.remake(&players).await?,
        false => require_any(factory.remake_or_absent(&players).await)?,
    };
    let mut stage = models.into_iter().fold(Stage::empty(), |stage, (name, model)| stage.model(name, model));
    if let Some(chain) = production.voice() {
        check_artifacts(&context.location.artifacts())?;
        stage = stage.voice(voices::voice(&config, chain)?);
    }
    Ok(stage)
}

/// A run with everything that it is played with.
pub(crate) struct Playable<P: Production> {
    pub(crate) run: RunId,
    pub(crate) stage: Stage,
    pub(crate) store: OpenStore,
    /// What it begins with, unless it has begun.
    pub(crate) first: Option<P::Event>,
}

impl<P: Production> Playable<P> {
    /// Readies the run of this name to be played on. One that has ended needs no models: that is said, unless
    /// quiet, with what is done instead.
    pub(crate) async fn reopen(
        context: &CliContext<'_>,
        run: &str,
        quiet: bool,
        instead: &str,
    ) -> anyhow::Result<Playable<P>> {
        let location = context.location;
        // Looked up first, so that a mistyped run does not leave an empty data folder behind.
        let found =
            find_run_of::<P>(&*location.open_existing().await?.store(), run, context.registry).await?;
        let store = location.open().await?;
        let stage = match (found.status, &found.reason) {
            (Status::Finished, Some(reason)) => {
                if !quiet {
                    anstream::eprintln!(
                        "This run has ended ({reason}): there is nothing to resume.{instead}\n"
                    );
                }
                Stage::empty()
            }
            _ => {
                let facts = read_facts(&store.store().read(found.run, Seq(0)).await?)?;
                let production: P = fold(&facts).ok_or_else(|| no_beginning(P::NAME))?;
                stage_for(&production, context).await?
            }
        };
        Ok(Playable { run: found.run, stage, store, first: None })
    }

    /// Plays it, does with the stage what is to be done then, and closes the store whatever happened.
    pub(crate) async fn play<T>(
        self,
        context: &CliContext<'_>,
        show: &mut dyn Observer<P::Event>,
        mut signals: Signals,
        then: impl AsyncFnOnce(&Stage, Option<&'static str>) -> Result<T, Error>,
    ) -> anyhow::Result<T> {
        let Playable { run, stage, store, first } = self;
        let stage = stage.store(store.store()).write_to(&context.location.data_dir);
        let played = match first {
            Some(first) => stage.play::<P>(first, show, &mut signals.received).await,
            None => stage.resume::<P>(run, show, &mut signals.received).await,
        };
        let done = match played {
            Ok(reason) => then(&stage, reason).await,
            Err(error) => Err(error),
        };
        drop(stage);
        store.close().await;
        Ok(done?)
    }
}

/// Plays a run that begins with this record, and shows its document as it grows.
async fn show<P: Production>(
    context: &CliContext<'_>,
    playable: Playable<P>,
    begins: Record,
    options: &PlayOptions,
) -> anyhow::Result<ExitCode> {
    let signals = Signals::new(Signal::Cancel);
    if options.commands {
        read_commands(begins, context.productions.clone(), signals.sender.clone());
    } else {
        // It is taken before anything else, and there is room for one.
        let _ = signals.sender.try_send(Signal::Rest);
    }
    let document = ShownDocument::<P> { report: None, blocks: 0 };
    let mut show = Terminal::new(document, Some(0.0), options.quiet);
    let run = playable.run;
    let reason = playable.play(context, &mut show, signals, async |_, reason| Ok(reason)).await?;
    if !options.quiet {
        show.shown.end(run, context, reason.is_some())?;
    }
    Ok(ExitCode::from(exit_code(reason)))
}

/// The growing document of a run: each block is shown once, as soon as its fact is stored.
struct ShownDocument<P: Production> {
    report: Option<P::Report>,
    blocks: usize,
}

impl<P: Production> Show for ShownDocument<P> {
    type Event = P::Event;

    fn show(&mut self, fact: &Fact<P::Event>, screen: &Screen) -> bool {
        let begins = self.report.is_none();
        match &mut self.report {
            Some(report) => report.apply(fact),
            None => self.report = P::Report::begin(fact),
        }
        let Some(document) = self.report.as_ref().map(Report::document) else { return false };
        if begins {
            screen.say(&format!("{BOLD}{}{BOLD:#}\n", document.title));
            if let Some(setting) = &document.setting {
                screen.say(&format!("[Setting: {}]\n", bracketed(setting)));
            }
        }
        for block in document.blocks.iter().skip(self.blocks) {
            screen.say(&format!("{}\n", block.content.text()));
        }
        self.blocks = document.blocks.len().max(self.blocks);
        false
    }
}

impl<P: Production> ShownDocument<P> {
    fn end(&self, run: RunId, context: &CliContext<'_>, ended: bool) -> anyhow::Result<()> {
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

/// Brings the lines of standard input to a run that begins with this record. What it cannot take is
/// reported, and the next line is read. A thread of its own, because reading a terminal cannot be cut
/// short.
fn read_commands(first: Record, productions: Productions, signals: mpsc::Sender<Signal>) {
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        while let Some(line) = read_line(&mut input) {
            if line.bytes.trim_ascii().is_empty() {
                continue;
            }
            let signal = match checked(&line, &first, &productions) {
                Ok(command) => Signal::Command { command: command.into(), id: None },
                Err(problem) => {
                    let hint = problem.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default();
                    note(format!("{problem}{hint}"));
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
fn checked(line: &InputLine, first: &Record, productions: &Productions) -> Result<String, Problem> {
    if line.is_cut {
        let most = LONGEST_LINE_BYTES >> 10;
        return Err(Problem::config(format!("a command has at most {most} KiB, and this line goes on")));
    }
    let text = std::str::from_utf8(&line.bytes)
        .map_err(|_| Problem::config("a command is a line of UTF-8 text, and this is none"))?;
    productions.of(first)?.check_command(first, text.trim())
}
