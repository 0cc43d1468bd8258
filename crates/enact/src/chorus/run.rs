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
    chorus::report::Story,
    chorus::{self, Agent, ChorusEvent, LONGEST_MESSAGE_CHARS, Setup, SlotThread, Wanted},
    production::{Report, fold},
    record::read_facts,
    report::Format,
};
use enact_engine::{Stage, Store, log::Status};
use uuid::Uuid;

use super::{Assembled, Choir, Live, afterword, args::Chorus};
use crate::{
    Context,
    config::Config,
    exit_codes,
    find_run::find_run_of,
    models::some_of,
    output::stdout,
    screen::READING_PACE_SECONDS,
    signals::Signals,
    store::{Kept, Location, check_artifacts},
    voices,
};

/// Four bytes are the longest character there is.
const LONGEST_MESSAGE_BYTES: u64 = 4 * LONGEST_MESSAGE_CHARS as u64;

pub(super) async fn run(args: Chorus, context: &Context<'_>) -> anyhow::Result<ExitCode> {
    // A log does not say where its configuration lay; whoever resumes from elsewhere names it.
    let config = context.load_config(Path::new("."))?;
    if args.list {
        return list(&config);
    }
    let story = match &args.resume {
        Some(run) => resume(run, &args, &config, context).await?,
        None => begin(&args, &config, context).await?,
    };
    report(&args, &story, context.location)?;
    Ok(ExitCode::from(exit_codes::of(story.ended.map(|reason| reason.as_str()))))
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
async fn begin(args: &Chorus, config: &Config, context: &Context<'_>) -> anyhow::Result<Story> {
    let location = context.location;
    let choir = Choir::new(config, args.voice.as_ref())?;
    if !args.quiet && !args.json {
        choir.notes.iter().for_each(|note| anstream::eprintln!("note: {note}"));
    }
    let wanted = Wanted {
        message: message(args)?,
        seats: choir.seats(&args.agents, args.slots)?,
        threads: match &args.after {
            Some(run) => threads_of(context, run).await?,
            None => Vec::new(),
        },
        seed: args.seed,
    };
    let maker = context.models(config);
    let Assembled { setup, models } = choir.assemble(RunId(Uuid::now_v7()), wanted, &maker).await?;
    let mut stage = Stage::empty();
    for (name, model) in some_of(models)? {
        stage = stage.model(name, model);
    }
    let stage = spoken(stage, &setup, config)?;
    let kept = location.open().await?;
    if setup.voice.is_some() {
        check_artifacts(&location.artifacts())?;
    }
    let run = setup.run;
    perform(args, location, kept, stage, run, Some(setup)).await
}

async fn resume(run: &str, args: &Chorus, config: &Config, context: &Context<'_>) -> anyhow::Result<Story> {
    let location = context.location;
    // Looked up first, so that a mistyped run does not leave an empty data folder behind.
    let found =
        find_run_of::<chorus::Chorus>(&*location.existing().await?.store(), run, context.registry).await?;
    let kept = location.open().await?;
    let setup = setup_of(&*kept.store(), found.run).await?;
    let mut stage = Stage::empty();
    if let (Status::Finished, Some(reason)) = (found.status, &found.reason) {
        if !args.quiet && !args.json {
            anstream::eprintln!("This run has ended ({reason}): there is nothing to resume.\n");
        }
    } else {
        let maker = context.models(config);
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
    let stage = stage.store(kept.store()).write_to(&location.data_dir);
    let mut show = observer(args);
    let mut signals = Signals::new();
    let received = &mut signals.received;
    let played = match begin {
        Some(setup) => {
            let first = chorus::Chorus::beginning(setup);
            stage.play::<chorus::Chorus>(first, &mut show, received).await
        }
        None => stage.resume::<chorus::Chorus>(run, &mut show, received).await,
    };
    let story = match played {
        Ok(_) => stage.report::<chorus::Chorus>(run).await,
        Err(error) => Err(error),
    };
    drop(stage);
    kept.close().await;
    Ok(story?)
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
async fn threads_of(context: &Context<'_>, run: &str) -> anyhow::Result<Vec<SlotThread>> {
    let store = context.location.existing().await?.store();
    let found = find_run_of::<chorus::Chorus>(&*store, run, context.registry).await?;
    let records = store.read(found.run, Seq(0)).await?;
    let chorus: chorus::Chorus = fold(&read_facts(&records)?).ok_or_else(|| no_beginning(found.run))?;
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

fn observer(args: &Chorus) -> Live {
    let terminal = std::io::stdout().is_terminal();
    let unseen = args.quiet || args.json;
    let pace = args.pace.unwrap_or(if terminal && !unseen { READING_PACE_SECONDS } else { 0.0 });
    let pace = Duration::from_secs_f64(pace);
    if unseen { Live::unseen(pace) } else { Live::on_stdout(pace, terminal) }
}

fn report(args: &Chorus, story: &Story, location: &Location) -> anyhow::Result<()> {
    let mut out = stdout();
    if args.json {
        write!(out, "{}", Format::Json.render(&story.document()))?;
    } else if !args.quiet {
        for line in afterword(story, location) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}
