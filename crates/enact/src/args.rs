//! What can be said on the command line.

use std::path::PathBuf;

use clap::{Args as Arguments, Parser, Subcommand};
use enact_drama::show::Format;

/// Plays scenes between characters.
///
/// Give it character sheets (.claude/agents/*.md), a situation and a goal. Every character is played on its own and
/// decides for itself to speak, interrupt, react or stay silent, until the goal is reached.
#[derive(Debug, Parser)]
#[command(name = "enact", version, after_help = EXIT_CODES)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Where runs are kept: the log of every run, and the files each one leaves
    #[arg(long, global = true, default_value = DEFAULT_DATA_DIR, value_name = "FOLDER")]
    pub(crate) data_dir: PathBuf,
}

pub(crate) const DEFAULT_DATA_DIR: &str = "data";

const EXIT_CODES: &str = "\
Exit codes: 0 played, 1 failed, 2 bad input, 3 goal not reached under --require-goal, 130 cancelled with Ctrl-C";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a scene, live
    Run(Run),
    /// Read one raw reply from standard input and print how it is understood, as JSON
    Parse,
    /// Say whether a transcript reaches a scene's goals, as JSON
    Judge(Judge),
    /// List the runs that are kept
    Runs(Runs),
    /// Show a run again, as it was, without asking any model
    Replay(Replay),
    /// Print a run's transcript in another format
    Export(Export),
}

impl Command {
    pub(crate) fn wants_json(&self) -> bool {
        match self {
            Command::Run(run) => run.json,
            Command::Runs(runs) => runs.json,
            Command::Parse | Command::Judge(_) => true,
            Command::Replay(_) | Command::Export(_) => false,
        }
    }
}

#[derive(Debug, Arguments)]
pub(crate) struct Run {
    /// The scene: markdown with front matter, or JSON
    #[arg(value_name = "SCENE", conflicts_with_all = ["prompt", "resume"])]
    pub(crate) scene: Option<PathBuf>,

    /// The situation and its goal, instead of a scene file
    #[arg(long, value_name = "TEXT", conflicts_with = "resume")]
    pub(crate) prompt: Option<String>,

    /// Who plays, with --prompt or instead of the scene's characters
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',', conflicts_with = "resume")]
    pub(crate) cast: Vec<String>,

    /// Who begins, instead of the scene's initialSpeaker
    #[arg(long, value_name = "NAME")]
    pub(crate) first: Option<String>,

    /// What the scene is called, instead of its own name
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// Play on from where a run was interrupted: its id, the start of it, or 'latest'
    #[arg(long, value_name = "RUN", conflicts_with_all = ["first", "name", "seed", "max_beats", "cast_dir", "model"])]
    pub(crate) resume: Option<String>,

    /// Where the character sheets are, instead of the nearest .claude/agents above the scene file
    #[arg(long, value_name = "FOLDER")]
    pub(crate) cast_dir: Option<PathBuf>,

    /// Who answers for the characters: 'improviser', 'script:FILE' or 'recorded:RUN'
    #[arg(long, value_name = "MODEL", default_value = crate::models::IMPROVISER)]
    pub(crate) model: String,

    /// The same seed gives the same lines (built-in models only)
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,

    /// At most so many beats, instead of the scene's maxBeats
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pub(crate) max_beats: Option<i64>,

    /// Seconds between lines, so that a person can read along [default: 0.5 on a terminal, else 0]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) pace: Option<f64>,

    /// Exit with 3 if the scene ends without reaching its goal
    #[arg(long)]
    pub(crate) require_goal: bool,

    /// Print nothing but the result, as JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Print nothing
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Arguments)]
pub(crate) struct Judge {
    /// The scene whose goals are asked about: markdown or JSON; needs no sheets
    #[arg(long, value_name = "FILE")]
    pub(crate) scene: PathBuf,

    /// A transcript.txt, or JSON [{"speaker": …, "content": …}]; '-' reads standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) transcript: PathBuf,
}

#[derive(Debug, Arguments)]
pub(crate) struct Runs {
    /// Print them as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Arguments)]
pub(crate) struct Replay {
    /// The run: its id, the start of it, a scene's name for its newest run, or 'latest'
    pub(crate) run: String,

    /// Show lines as they came, so many times as fast as they did
    #[arg(long, value_name = "N", conflicts_with = "step", value_parser = speed, allow_negative_numbers = true)]
    pub(crate) speed: Option<f64>,

    /// Show one line each time Enter is pressed
    #[arg(long)]
    pub(crate) step: bool,
}

#[derive(Debug, Arguments)]
pub(crate) struct Export {
    /// The run: its id, the start of it, a scene's name for its newest run, or 'latest'
    pub(crate) run: String,

    /// txt, md, json, fountain or vtt
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Format,

    /// Write to a file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// A pause longer than an hour is a typing error.
const LONGEST_PACE_SECONDS: f64 = 3600.0;

fn seconds(text: &str) -> Result<f64, String> {
    let pace = text.parse::<f64>().map_err(|_| "expected a number of seconds, such as 0.5".to_owned())?;
    if (0.0..=LONGEST_PACE_SECONDS).contains(&pace) {
        Ok(pace)
    } else {
        Err(format!("expected 0 to {LONGEST_PACE_SECONDS} seconds"))
    }
}

/// Slower than a thousandth nobody waits for, and faster than a million times is at once.
const SPEEDS: std::ops::RangeInclusive<f64> = 0.001..=1_000_000.0;

fn speed(text: &str) -> Result<f64, String> {
    let speed = text.parse::<f64>().map_err(|_| "expected a number, such as 2".to_owned())?;
    if SPEEDS.contains(&speed) {
        Ok(speed)
    } else {
        Err(format!("expected {} to {} times as fast", SPEEDS.start(), SPEEDS.end()))
    }
}
