//! `enact chorus`: a message to up to six voices, in three turns, spoken.

use std::{
    io::{IsTerminal, Read, Write},
    process::ExitCode,
};

use enact_drama::{
    Problem, Production, Seq,
    chorus::report::ChorusReport,
    chorus::{self, Agent, ChorusRequest, LONGEST_MESSAGE_CHARS, SlotThread},
    production::{Report, fold},
    record::read_facts,
    report::Format,
};
use enact_engine::{Stage, node::new_run, run_loop::Signal};

use super::{Assembled, ChorusFactory, args::ChorusArgs, summary::summary, terminal::ShownChorus};
use crate::{
    CliContext,
    config::Config,
    errors::exit_code,
    find_run::find_run_of,
    models::require_any,
    screen::{Terminal, notes, stdout},
    signals::Signals,
    store::{Location, check_artifacts},
    terminal::Playable,
    voices,
};

/// Four bytes are the longest character there is.
const LONGEST_MESSAGE_BYTES: u64 = 4 * LONGEST_MESSAGE_CHARS as u64;

pub(super) async fn run(args: ChorusArgs, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
    let config = context.config_here()?;
    if args.list {
        return list(&config);
    }
    let quiet = args.quiet || args.json;
    let playable = match &args.resume {
        Some(run) => Playable::<chorus::Chorus>::reopen(context, run, quiet, "").await?,
        None => prepare(&args, &config, context).await?,
    };
    let (run, mut show) = (playable.run, Terminal::new(ShownChorus::default(), args.pace, quiet));
    let played = playable.play(context, &mut show, Signals::new(Signal::Cancel), async |stage, _| {
        stage.report::<chorus::Chorus>(run).await
    });
    let story = played.await?;
    drop(show);
    report(&args, &story, context.location)?;
    Ok(ExitCode::from(exit_code(story.ended.map(|reason| reason.as_str()))))
}

/// Who there is, and who plays them.
fn list(config: &Config) -> anyhow::Result<ExitCode> {
    let agents = ChorusFactory::new(config, None)?.agents();
    let widest = |of: fn(&Agent) -> usize| agents.iter().map(of).max().unwrap_or(0);
    let (id, name) = (widest(|agent| agent.id.as_str().len()), widest(|agent| agent.name.chars().count()));
    let mut out = stdout();
    for agent in &agents {
        writeln!(out, "{:<id$}  {:<name$}  {}", agent.id.as_str(), agent.name, agent.description)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Checks and resolves everything before the first byte is written.
async fn prepare(
    args: &ChorusArgs,
    config: &Config,
    context: &CliContext<'_>,
) -> anyhow::Result<Playable<chorus::Chorus>> {
    let location = context.location;
    let factory = ChorusFactory::new(config, args.voice.as_ref())?;
    if !args.quiet && !args.json {
        notes(&factory.notes);
    }
    let wanted = ChorusRequest {
        message: message(args)?,
        seats: factory.seats(&args.agents, args.slots)?,
        threads: match &args.after {
            Some(run) => threads_of(context, run).await?,
            None => Vec::new(),
        },
        seed: args.seed,
    };
    let models = context.models(config);
    let Assembled { setup, models } = factory.assemble(new_run(), wanted, &models).await?;
    let mut stage = Stage::empty();
    for (name, model) in require_any(models)? {
        stage = stage.model(name, model);
    }
    if let Some(chain) = &setup.voice {
        stage = stage.voice(voices::voice(config, chain)?);
    }
    let store = location.open().await?;
    if setup.voice.is_some() {
        check_artifacts(&location.artifacts())?;
    }
    Ok(Playable { run: setup.run, stage, store, first: Some(chorus::Chorus::beginning(setup)) })
}

/// The message: the argument, or standard input.
fn message(args: &ChorusArgs) -> Result<String, Problem> {
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
async fn threads_of(context: &CliContext<'_>, run: &str) -> anyhow::Result<Vec<SlotThread>> {
    let store = context.location.open_existing().await?.store();
    let found = find_run_of::<chorus::Chorus>(&*store, run, context.registry).await?;
    let records = store.read(found.run, Seq(0)).await?;
    let chorus: chorus::Chorus = fold(&read_facts(&records)?)
        .ok_or_else(|| Problem::config(format!("run {} has no beginning", found.run)))?;
    if chorus.ended().is_none() {
        // Its slots have not said everything yet that the next message would have to know.
        let problem = Problem::config(format!("run {} has not ended", found.run));
        return Err(problem.hint("`enact chorus --resume` plays it on to its end").into());
    }
    Ok(chorus.threads())
}

fn report(args: &ChorusArgs, story: &ChorusReport, location: &Location) -> anyhow::Result<()> {
    let mut out = stdout();
    if args.json {
        write!(out, "{}", Format::Json.render(&story.document()))?;
    } else if !args.quiet {
        for line in summary(story, location) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}
