//! `enact chorus`: a message to up to six voices, in three turns, spoken.

use std::{
    io::{IsTerminal, Read, Write},
    path::Path,
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

use enact_drama::{
    Problem, Production, RunId, Seq,
    chorus::{self, Agent, ChorusEvent, EndReason, LONGEST_MESSAGE_CHARS, Setup, SlotThread, Wanted},
    production::Kind,
    show::{self, chorus::Story},
};
use enact_engine::{
    Stage, Store,
    log::Status,
    perform::{folded, read_facts},
};
use uuid::Uuid;

use super::run::{INTERRUPTED, READING_PACE_SECONDS, Wishes};
use crate::{
    args::Chorus,
    chorus::{Assembled, Choir, Live, afterword},
    config::Config,
    find_run::find_run_of,
    letters::Delivery,
    models::{Models, some_of},
    output::stdout,
    store::{Kept, Location, check_artefacts},
    voices,
};

/// Four bytes are the longest character there is.
const LONGEST_MESSAGE_BYTES: u64 = 4 * LONGEST_MESSAGE_CHARS as u64;

pub(crate) async fn chorus(
    args: Chorus,
    config: Option<&Path>,
    location: &Location,
) -> anyhow::Result<ExitCode> {
    // A log does not say where its configuration lay; whoever resumes from elsewhere names it.
    let config = Config::load(config, Path::new("."))?;
    if args.list {
        return list(&config);
    }
    let story = match &args.resume {
        Some(run) => resume(run, &args, &config, location).await?,
        None => begin(&args, &config, location).await?,
    };
    report(&args, &story, location)?;
    Ok(ExitCode::from(match story.ended {
        Some(EndReason::Completed | EndReason::BudgetExceeded) | None => 0,
        Some(EndReason::Failed) => 1,
        Some(EndReason::Cancelled) => INTERRUPTED,
    }))
}

/// Who there is, and who plays them.
fn list(config: &Config) -> anyhow::Result<ExitCode> {
    let agents = Choir::new(config, None)?.agents();
    let widest = |of: fn(&Agent) -> usize| agents.iter().map(of).max().unwrap_or(0);
    let (id, name) = (widest(|agent| agent.id.as_str().len()), widest(|agent| agent.name.chars().count()));
    let mut out = stdout();
    for agent in &agents {
        writeln!(out, "{:<id$}  {:<name$}  {}", agent.id.as_str(), agent.name, agent.description)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Checks and resolves everything before the first byte is written.
async fn begin(args: &Chorus, config: &Config, location: &Location) -> anyhow::Result<Story> {
    let choir = Choir::new(config, args.voice.as_ref())?;
    if !args.quiet && !args.json {
        choir.notes.iter().for_each(|note| anstream::eprintln!("note: {note}"));
    }
    let wanted = Wanted {
        message: message(args)?,
        seats: choir.seats(&args.agents, args.slots)?,
        threads: match &args.after {
            Some(run) => threads_of(location, run).await?,
            None => Vec::new(),
        },
        seed: args.seed,
    };
    let maker = Models::new(config, Some(location), None);
    let Assembled { setup, models } = choir.assemble(RunId(Uuid::now_v7()), wanted, &maker).await?;
    let mut stage = Stage::empty();
    for (name, model) in some_of(models)? {
        stage = stage.model(name, model);
    }
    let stage = spoken(stage, &setup, config)?;
    let kept = location.open().await?;
    if setup.voice.is_some() {
        check_artefacts(&location.artefacts())?;
    }
    let run = setup.run;
    perform(args, location, kept, stage, run, Some(setup)).await
}

async fn resume(run: &str, args: &Chorus, config: &Config, location: &Location) -> anyhow::Result<Story> {
    // Looked up first, so that a mistyped run does not leave an empty data folder behind.
    let found = find_run_of(&*location.existing().await?.store(), run, Kind::Chorus).await?;
    let kept = location.open().await?;
    let setup = setup_of(&*kept.store(), found.run).await?;
    let mut stage = Stage::empty();
    if let (Status::Finished, Some(reason)) = (found.status, &found.reason) {
        if !args.quiet && !args.json {
            anstream::eprintln!("This run has ended ({reason}): there is nothing to resume.\n");
        }
    } else {
        let maker = Models::new(config, Some(location), None);
        for (name, model) in some_of(maker.again_or_absent(&setup.players()).await)? {
            stage = stage.model(name, model);
        }
        stage = spoken(stage, &setup, config)?;
    }
    perform(args, location, kept, stage, found.run, None).await
}

/// Gives the stage the voices of a chorus.
fn spoken(stage: Stage, setup: &Setup, config: &Config) -> Result<Stage, Problem> {
    Ok(match &setup.voice {
        Some(chain) => stage.voice(voices::voice(config, chain)?),
        None => stage,
    })
}

/// Plays a new chorus, or one that has begun.
async fn perform(
    args: &Chorus,
    location: &Location,
    kept: Kept,
    stage: Stage,
    run: RunId,
    begin: Option<Setup>,
) -> anyhow::Result<Story> {
    let stage = stage.log(kept.store()).write_to(&location.data_dir);
    let mut show = watcher(args);
    let mut wishes = Wishes::new();
    let letters = Delivery::start(kept.store(), run, wishes.sender.clone());
    let played = match begin {
        Some(setup) => stage.play_chorus(setup, &mut show, &mut wishes.received).await,
        None => stage.resume_chorus(run, &mut show, &mut wishes.received).await,
    };
    letters.end().await;
    drop(stage);
    kept.close().await;
    Ok(played?)
}

/// What is said to everybody: the argument, or standard input.
fn message(args: &Chorus) -> Result<String, Problem> {
    let piped = !std::io::stdin().is_terminal();
    match args.message.as_deref() {
        Some("-") => read_message(),
        Some(message) => Ok(message.to_owned()),
        None if piped => read_message(),
        None => Err(Problem::config("a chorus needs a message").hint(
            "enact chorus \"What does rain sound like?\"; '-' reads standard input, --resume plays on",
        )),
    }
}

fn read_message() -> Result<String, Problem> {
    let unreadable =
        |error: &dyn std::fmt::Display| Problem::config(format!("the message cannot be read: {error}"));
    let mut bytes = Vec::new();
    let mut input = std::io::stdin().lock().take(LONGEST_MESSAGE_BYTES + 1);
    input.read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    if bytes.len() as u64 > LONGEST_MESSAGE_BYTES {
        return Err(Problem::config(format!(
            "a message has at most {LONGEST_MESSAGE_CHARS} characters, and this one goes on"
        )));
    }
    String::from_utf8(bytes).map_err(|_| unreadable(&"it is not UTF-8 text"))
}

/// What every slot was told and said up to the end of a run.
async fn threads_of(location: &Location, run: &str) -> anyhow::Result<Vec<SlotThread>> {
    let store = location.existing().await?.store();
    let found = find_run_of(&*store, run, Kind::Chorus).await?;
    let records = store.read(found.run, Seq(0)).await?;
    let chorus: chorus::Chorus = folded(&read_facts(&records)?)?;
    if chorus.ended().is_none() {
        // Its slots have not said everything yet that the next message would have to know.
        let problem = Problem::config(format!("run {} has not ended", found.run));
        return Err(problem.hint("`enact chorus --resume` plays it on to its end").into());
    }
    Ok(chorus.threads())
}

async fn setup_of(store: &dyn Store, run: RunId) -> anyhow::Result<Arc<Setup>> {
    let records = store.read_some(run, Seq(0), 1).await?;
    match records.first().map(|record| record.fact::<ChorusEvent>()).transpose()?.map(|fact| fact.event) {
        Some(ChorusEvent::ChorusBegan { setup }) => Ok(setup),
        _ => Err(no_beginning(run).into()),
    }
}

fn no_beginning(run: RunId) -> Problem {
    Problem::config(format!("run {run} has no beginning"))
}

fn watcher(args: &Chorus) -> Live {
    let terminal = std::io::stdout().is_terminal();
    let unseen = args.quiet || args.json;
    let pace = args.pace.unwrap_or(if terminal && !unseen { READING_PACE_SECONDS } else { 0.0 });
    let pace = Duration::from_secs_f64(pace);
    if unseen { Live::unseen(pace) } else { Live::on_stdout(pace, terminal) }
}

fn report(args: &Chorus, story: &Story, location: &Location) -> anyhow::Result<()> {
    let mut out = stdout();
    if args.json {
        write!(out, "{}", show::chorus::render(story, show::Format::Json))?;
    } else if !args.quiet {
        for line in afterword(story, location) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}
