//! `enact play`: an episode in the terminal. What is typed, or piped in, is what the user says; a number
//! chooses between what is offered.

use std::{
    fs::File,
    io::{BufRead, BufReader, IsTerminal, Write},
    path::Path,
    process::ExitCode,
    sync::{Arc, Mutex, PoisonError, mpsc},
};

use enact_drama::{
    Problem,
    episode::{Choice, Episode, EpisodeCommand, EpisodeEvent},
    production::Report,
    report::Format,
};
use enact_engine::{Clock, Stage, clock::SystemClock, node::new_run, run_loop::Signal};
use enact_server::episode::carry_over;
use tokio::runtime::Handle;

use super::{
    args::PlayArgs,
    files::{StoryProject, no_project},
    live::LiveAnswer,
    other_player::OtherPlayer,
    prepare::{PreparedSession, SessionOptions, prepare},
    shown::ShownEpisode,
};
use crate::{
    CliContext,
    errors::exit_code,
    screen::{Terminal, stdout},
    signals::Signals,
    stdin_lines::read_line,
    terminal::Playable,
};

pub(super) async fn play(args: PlayArgs, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
    let quiet = args.quiet || args.json;
    let (mut playable, other) = match (&args.resume, &args.episode) {
        (Some(run), _) => (Playable::<Episode>::reopen(context, run, quiet, "").await?, None),
        (None, Some(episode)) => begin(episode, &args, context).await?,
        (None, None) => return list(),
    };
    // A session can always be talked on with: only its rules end it.
    let (run, signals) = (playable.run, Signals::new(Signal::Rest));
    let (ready, may_read) = mpsc::channel();
    let input = InputState { ready: Some(ready), offered: Arc::default(), heard: Arc::default() };
    let (offered, heard) = (Arc::clone(&input.offered), Arc::clone(&input.heard));
    if args.evaluate {
        ask_for_evaluation(may_read, signals.sender.clone());
    } else {
        let source = match other {
            Some(player) => {
                UserInput::Player { player: Box::new(player), heard, moves: 0, runtime: Handle::current() }
            }
            None => UserInput::of(&args)?,
        };
        read_lines(source, offered, may_read, signals.sender.clone());
    }
    // Words that come one by one are for people; a pipe gets whole answers.
    let watched = !quiet && std::io::stdout().is_terminal();
    let live = watched.then(|| Arc::new(LiveAnswer::new(Box::new(stdout()), textwrap::termwidth())));
    if let Some(live) = &live {
        playable.stage = playable.stage.live(live.clone());
    }
    let evaluates = args.evaluate;
    let shown = ShownEpisode { input, waits: false, evaluates, live, setup: None, ending: None };
    let mut show = Terminal::new(shown, Some(0.0), quiet);
    let played = playable.play(context, &mut show, signals, async |stage: &Stage, reason| {
        Ok((stage.report::<Episode>(run).await?, reason))
    });
    let (report, reason) = played.await?;
    let mut out = stdout();
    if args.json {
        write!(out, "{}", Format::Json.render(&report.document()))?;
    } else if !quiet {
        let flag = context.location.flag();
        match reason {
            Some(_) => {}
            None if report.is_complete() => {
                writeln!(out, "Evaluate again: enact play --resume {run} --evaluate{flag}")?;
            }
            None => writeln!(out, "Talk on: enact play --resume {run}{flag}")?,
        }
        writeln!(out, "Again: enact replay {run}{flag}")?;
    }
    Ok(ExitCode::from(exit_code(reason)))
}

/// What there is to play.
fn list() -> anyhow::Result<ExitCode> {
    let Some(project) = StoryProject::find(Path::new(".")) else { return Err(no_project().into()) };
    let mut out = stdout();
    let episodes = project.episodes();
    let widest = episodes.iter().map(|(slug, _)| slug.chars().count()).max().unwrap_or(0);
    for (slug, template) in episodes {
        match template {
            Ok(template) => writeln!(out, "{slug:<widest$}  {}", template.title)?,
            Err(problem) => writeln!(out, "{slug:<widest$}  cannot be played: {problem}")?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn begin(
    episode: &str,
    args: &PlayArgs,
    context: &CliContext<'_>,
) -> anyhow::Result<(Playable<Episode>, Option<OtherPlayer>)> {
    let (project, slug) = StoryProject::of_episode(episode)?;
    let found = project.load(&slug, None)?;
    let home = Path::new(episode).parent().filter(|_| episode.ends_with(".md")).unwrap_or(Path::new("."));
    let config = context.load_config(home)?;
    let options = SessionOptions {
        model: args.model.as_deref(),
        director: args.director.as_deref(),
        config: &config,
        seed: args.seed,
    };
    let PreparedSession { mut setup, models } = prepare(found, options, &context.models(&config)).await?;
    let stage = models.into_iter().fold(Stage::empty(), |stage, (name, model)| stage.model(name, model));
    let other = match &args.played_as {
        Some(name) => Some(OtherPlayer::new(&project, name, &setup, &stage).await?),
        None => None,
    };
    let store = context.location.open().await?;
    // A user of the terminal has no account.
    carry_over(&store.store(), "", &mut setup, SystemClock.now_ms()).await?;
    let (run, first) = (setup.run, EpisodeEvent::EpisodeBegan { setup: Arc::new(setup) });
    Ok((Playable { run, stage, store, first: Some(first) }, other))
}

/// What the thread that reads and the screen have in common.
pub(super) struct InputState {
    /// Says that the next line may be read; gone once the session is over.
    pub(super) ready: Option<mpsc::Sender<()>>,
    /// What a number stands for.
    pub(super) offered: Arc<Mutex<Offered>>,
    /// What the character said last.
    pub(super) heard: Arc<Mutex<String>>,
}

/// Where what the user says comes from.
enum UserInput {
    Input { input: Box<dyn BufRead + Send>, prompts: bool },
    Player { player: Box<OtherPlayer>, heard: Arc<Mutex<String>>, moves: u32, runtime: Handle },
}

/// How long a character plays the user in an episode that does not end by itself.
const MOST_MOVES: u32 = 24;

impl UserInput {
    fn of(args: &PlayArgs) -> Result<UserInput, Problem> {
        let input: Box<dyn BufRead + Send> =
            match &args.script {
                Some(file) => Box::new(BufReader::new(File::open(file).map_err(|error| {
                    Problem::config(format!("--script: {error}")).in_file(file.display())
                })?)),
                None => Box::new(BufReader::new(std::io::stdin())),
            };
        let prompts = args.script.is_none() && std::io::stdin().is_terminal() && !args.quiet && !args.json;
        Ok(UserInput::Input { input, prompts })
    }

    /// The next line; nothing once there is none.
    fn next(&mut self, offered: &Mutex<Offered>) -> Option<String> {
        match self {
            UserInput::Input { input, prompts } => next_line(input, *prompts),
            UserInput::Player { player, heard, moves, runtime } => {
                *moves += 1;
                if *moves > MOST_MOVES {
                    return None;
                }
                if let Offered::Choice(choice) = &*offered.lock().unwrap_or_else(PoisonError::into_inner) {
                    return Some((player.chooses(choice) + 1).to_string());
                }
                let heard = heard.lock().unwrap_or_else(PoisonError::into_inner).clone();
                // Who has no words leaves: the session rests.
                runtime.block_on(player.answers(&heard)).ok().filter(|said| !said.trim().is_empty())
            }
        }
    }
}

/// What the user may choose from by number.
#[derive(Default)]
pub(super) enum Offered {
    #[default]
    Nothing,
    Starters(Vec<String>),
    Choice(Choice),
}

/// Brings what the user says to the session: one line at a time, each after the answer to the one before. A
/// thread of its own, because reading a terminal cannot be cut short.
fn read_lines(
    mut source: UserInput,
    offered: Arc<Mutex<Offered>>,
    may_read: mpsc::Receiver<()>,
    signals: tokio::sync::mpsc::Sender<Signal>,
) {
    std::thread::spawn(move || {
        while may_read.recv().is_ok() {
            let Some(command) = next_command(&mut source, &offered) else { break };
            if signals.blocking_send(Signal::command::<Episode>(&command)).is_err() {
                return;
            }
        }
        let _ = signals.blocking_send(Signal::Rest);
    });
}

/// Has a complete session evaluated once more, and lets it rest after that.
fn ask_for_evaluation(may_read: mpsc::Receiver<()>, signals: tokio::sync::mpsc::Sender<Signal>) {
    std::thread::spawn(move || {
        let command = Signal::command::<Episode>(&EpisodeCommand::Evaluate {});
        if may_read.recv().is_ok() && signals.blocking_send(command).is_ok() {
            // The next time it waits, the evaluation has come or has failed once more.
            let _ = may_read.recv();
            let _ = signals.blocking_send(Signal::Rest);
        }
    });
}

/// The next line that says something.
fn next_line(input: &mut dyn BufRead, prompts: bool) -> Option<String> {
    loop {
        if prompts {
            let mut out = std::io::stderr().lock();
            let _ = out.write_all(b"> ").and_then(|()| out.flush());
        }
        let line = read_line(input)?.text().trim().to_owned();
        if !line.is_empty() {
            return Some(line);
        }
    }
}

/// What the next line means that means something; nothing once there is none.
fn next_command(source: &mut UserInput, offered: &Mutex<Offered>) -> Option<EpisodeCommand> {
    loop {
        let line = source.next(offered)?;
        match command_of(&line, offered) {
            Ok(command) => return Some(command),
            Err(count) => {
                anstream::eprintln!("There are {count}: a number from 1 to {count}, or your own words.")
            }
        }
    }
}

/// What a line means: a number is what stands beside it, everything else is said. A number beyond those that are
/// offered is a slip: how many there are is told instead.
fn command_of(line: &str, offered: &Mutex<Offered>) -> Result<EpisodeCommand, usize> {
    let mut offered = offered.lock().unwrap_or_else(PoisonError::into_inner);
    let count = match &*offered {
        Offered::Nothing => 0,
        Offered::Starters(starters) => starters.len(),
        Offered::Choice(choice) => choice.options.len(),
    };
    let number = line.parse::<usize>().ok().filter(|_| count > 0);
    let at = match number {
        Some(number) if !(1..=count).contains(&number) => return Err(count),
        number => number.map(|number| number - 1),
    };
    let (text, choice_id) = match (&*offered, at) {
        (Offered::Choice(choice), Some(at)) => (None, Some(choice.options[at].id.clone())),
        (Offered::Starters(starters), Some(at)) => (Some(starters[at].clone()), None),
        _ => (Some(line.to_owned()), None),
    };
    *offered = Offered::Nothing;
    Ok(EpisodeCommand::Message { id: new_run().to_string(), text, choice_id })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stdin_lines::LONGEST_LINE_BYTES;

    #[test]
    fn the_rest_of_a_line_that_is_too_long_is_no_message_of_its_own() {
        let text = format!("Hello\n \n{}and the rest\nBye", "x".repeat(LONGEST_LINE_BYTES));
        let mut input = text.as_bytes();
        let lines: Vec<String> = std::iter::from_fn(|| next_line(&mut input, false)).collect();
        let lengths: Vec<usize> = lines.iter().map(String::len).collect();
        assert_eq!(lengths, ["Hello".len(), LONGEST_LINE_BYTES, "Bye".len()]);
    }
}
