//! What can be said on the command line.

mod chorus;
mod values;

use std::{
    convert::Infallible,
    net::SocketAddr,
    path::{Path, PathBuf},
    str::FromStr,
};

use clap::{Args as Arguments, Parser, Subcommand};
use enact_drama::{Name, scene::Context, show::Format, usage::NanoUsd};

use self::values::{beat, context, jobs, runs, runs_at_once, seconds, speed, tokens, usd};
pub(crate) use self::{chorus::Chorus, values::VoiceFlag};
use crate::{compare::Contender, config::parse_bind};

/// Plays scenes between characters, and choruses of voices.
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

    /// A Postgres database that keeps the runs instead of the data folder, and that any number of nodes may share:
    /// postgres://USER@HOST/NAME. Better said in ENACT_DATABASE, which other users of this machine do not see
    #[arg(long, global = true, value_name = "URL")]
    pub(crate) database: Option<String>,

    /// The configuration, instead of the nearest enact.toml above the scene file or, without one, above this
    /// folder, or else the one in ~/.config/enact
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

pub(crate) const DEFAULT_DATA_DIR: &str = "data";

const EXIT_CODES: &str = "\
Exit codes: 0 played, 1 failed, 2 bad input, 3 goal not reached under --require-goal, 130 cancelled with Ctrl-C";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a scene, live
    Run(Box<Run>),
    /// List the models that can play, and where their keys come from
    Models(Models),
    /// Read one raw reply from standard input and print how it is understood, as JSON
    Parse,
    /// Say whether a transcript reaches a scene's goals, as JSON
    Judge(Judge),
    /// List the runs that are kept
    Runs(Runs),
    /// Show a run again, as it was, without asking any model
    Replay(Replay),
    /// Print a run's transcript in another format, or its whole log
    Export(Export),
    /// Keep a run that was exported elsewhere as jsonl
    Import(Import),
    /// Copy everything that is kept to a file, also while runs are played
    Backup(Backup),
    /// Play a scene several times with each of several models, and show them side by side
    Compare(Compare),
    /// Let a run take other turns from a beat on, several times, and show where they part and how they end
    Fork(Fork),
    /// Say something to up to six voices: each answers, comments on another, and replies; all of it aloud
    Chorus(Box<Chorus>),
    /// Serve this project over HTTP: scenes are started, followed live, steered and forked from anywhere
    Serve(Serve),
}

impl Command {
    pub(crate) fn wants_json(&self) -> bool {
        match self {
            Command::Run(run) => run.json,
            Command::Chorus(chorus) => chorus.json,
            Command::Runs(runs) => runs.json,
            Command::Models(models) => models.json,
            Command::Compare(compare) => compare.json,
            Command::Fork(fork) => fork.json,
            Command::Parse | Command::Judge(_) => true,
            Command::Replay(_)
            | Command::Export(_)
            | Command::Import(_)
            | Command::Backup(_)
            | Command::Serve(_) => false,
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
    #[arg(long, value_name = "RUN", conflicts_with_all = ["first", "name", "seed", "max_beats", "cast_dir", "models", "judge", "events", "context", "budget", "budget_tokens"])]
    pub(crate) resume: Option<String>,

    /// Where the character sheets are, instead of the nearest .claude/agents above the scene file
    #[arg(long, value_name = "FOLDER")]
    pub(crate) cast_dir: Option<PathBuf>,

    /// Who answers for everyone, or for one character: a model of enact.toml, 'improviser', 'PROVIDER:MODEL',
    /// 'script:FILE' or 'recorded:RUN'; may be given again for other characters
    #[arg(long = "model", value_name = "[CHARACTER=]MODEL")]
    pub(crate) models: Vec<ModelFlag>,

    #[command(flatten)]
    pub(crate) company: Company,

    /// The same seed gives the same lines (built-in models only)
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,

    /// At most so many beats, instead of the scene's maxBeats
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pub(crate) max_beats: Option<i64>,

    /// Seconds between lines, so that a person can read along [default: 0.5 on a terminal, else 0]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) pace: Option<f64>,

    /// Record the scene once it is over, beside its transcript; spoken by the first who can: 'embedded', 'elevenlabs',
    /// 'openai' or voices of enact.toml [default: enact.toml's, else 'embedded']
    #[arg(long, value_name = "VOICE,VOICE", num_args = 0..=1, default_missing_value = "")]
    pub(crate) voice: Option<VoiceFlag>,

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

impl Run {
    /// The folder from which the cast and the configuration are looked for.
    pub(crate) fn home(&self) -> &Path {
        self.scene.as_deref().map_or(Path::new("."), folder_of)
    }
}

/// Who works beside the actors, and what all of them may use.
#[derive(Debug, Default, Arguments)]
pub(crate) struct Company {
    /// Which model is asked beside the rules whether the goal is reached, instead of enact.toml's judge; 'none' for none
    #[arg(long, value_name = "MODEL")]
    pub(crate) judge: Option<String>,

    /// Which model writes world events, instead of enact.toml's events; 'none' for none
    #[arg(long, value_name = "MODEL")]
    pub(crate) events: Option<String>,

    /// What language models are told each beat: what is new in a growing thread, or a window of the last lines
    #[arg(long, value_name = "thread|window", value_parser = context)]
    pub(crate) context: Option<Context>,

    /// End the scene before the beat that would cost more, in USD
    #[arg(long, value_name = "USD", value_parser = usd, allow_negative_numbers = true)]
    pub(crate) budget: Option<NanoUsd>,

    /// End the scene before the beat that would use more tokens
    #[arg(long, value_name = "NUMBER", value_parser = tokens, allow_negative_numbers = true)]
    pub(crate) budget_tokens: Option<u64>,
}

/// A model for one character, or for everyone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ModelFlag {
    pub(crate) character: Option<String>,
    pub(crate) model: String,
}

impl FromStr for ModelFlag {
    type Err = Infallible;

    /// What stands before a '=' is a character if it could be one: `script:a=b.txt` is a script.
    fn from_str(text: &str) -> Result<ModelFlag, Infallible> {
        let (character, model) = match text.split_once('=') {
            Some((character, model)) if Name::new(character).is_ok() => (Some(character.to_owned()), model),
            _ => (None, text),
        };
        Ok(ModelFlag { character, model: model.to_owned() })
    }
}

#[derive(Debug, Arguments)]
pub(crate) struct Models {
    /// Make one tiny call to each configured model, and say what came of it
    #[arg(long)]
    pub(crate) check: bool,

    /// Print them as JSON
    #[arg(long)]
    pub(crate) json: bool,
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

    /// txt, md, json, fountain or vtt; wav: a recording, with captions beside it; or jsonl: the log, one event a line,
    /// which `enact import` takes
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Exported,

    /// Write to a file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Who speaks a recording, the first who can: 'embedded', 'elevenlabs', 'openai' or voices of enact.toml [default:
    /// enact.toml's, else 'embedded']
    #[arg(long, value_name = "VOICE,VOICE", num_args = 0..=1, default_missing_value = "")]
    pub(crate) voice: Option<VoiceFlag>,
}

/// What is printed of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exported {
    Transcript(Format),
    Recording,
    Log,
}

impl FromStr for Exported {
    type Err = String;

    fn from_str(text: &str) -> Result<Exported, String> {
        match text.parse() {
            Ok(format) => Ok(Exported::Transcript(format)),
            Err(_) if text == "jsonl" => Ok(Exported::Log),
            Err(_) if text == "wav" => Ok(Exported::Recording),
            Err(_) => Err(format!(
                "'{text}' is not an export format: use txt, md, json, fountain, vtt, wav or jsonl"
            )),
        }
    }
}

#[derive(Debug, Arguments)]
pub(crate) struct Import {
    /// What `enact export RUN --format jsonl` printed, or a run's events.jsonl; '-' reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

#[derive(Debug, Arguments)]
#[command(after_help = RESTORING)]
pub(crate) struct Backup {
    /// Where to write the copy: one file, a SQLite database
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Replace the file if it is there
    #[arg(long)]
    pub(crate) force: bool,
}

const RESTORING: &str = "\
To use a copy, put it into a folder of its own as enact.db and name the folder:
  mkdir restored && cp FILE restored/enact.db && enact runs --data-dir restored

The copy holds the log of every run. Transcripts and other files below the data folder are made from logs; `enact export`
makes them again.";

#[derive(Debug, Arguments)]
pub(crate) struct Compare {
    /// The scene: markdown with front matter, or JSON
    #[arg(value_name = "SCENE")]
    pub(crate) scene: PathBuf,

    /// Who plays everyone, as for 'run --model'; with 'window:' or 'thread:' before it, told so much each beat. Given
    /// once for each contender
    #[arg(long, value_name = "[window:|thread:]MODEL", required = true)]
    pub(crate) with: Vec<Contender>,

    /// How often each contender plays
    #[arg(long, value_name = "NUMBER", default_value = "5", value_parser = runs, allow_negative_numbers = true)]
    pub(crate) runs: usize,

    /// How many runs are played at once; more take less time, but may slow each other down
    #[arg(long, value_name = "NUMBER", default_value = "1", value_parser = jobs, allow_negative_numbers = true)]
    pub(crate) jobs: usize,

    /// Also write a page with plots
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Where the character sheets are, instead of the nearest .claude/agents above the scene file
    #[arg(long, value_name = "FOLDER")]
    pub(crate) cast_dir: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) company: Company,

    /// The seed of each contender's first run; the next has the next
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,

    /// At most so many beats, instead of the scene's maxBeats
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pub(crate) max_beats: Option<i64>,

    /// Print the comparison as JSON, every run included
    #[arg(long)]
    pub(crate) json: bool,
}

impl Compare {
    /// The folder from which the cast and the configuration are looked for.
    pub(crate) fn home(&self) -> &Path {
        folder_of(&self.scene)
    }
}

#[derive(Debug, Arguments)]
pub(crate) struct Fork {
    /// The run: its id, the start of it, a scene's name for its newest run, or 'latest'
    pub(crate) run: String,

    /// The last beat that stays as it was; the opening is beat 0
    #[arg(long, value_name = "NUMBER", value_parser = beat, allow_negative_numbers = true)]
    pub(crate) beat: u32,

    /// How many branches are played
    #[arg(long, value_name = "NUMBER", default_value = "1", value_parser = runs, allow_negative_numbers = true)]
    pub(crate) runs: usize,

    /// How many of them are played at once; more take less time, but may slow each other down
    #[arg(long, value_name = "NUMBER", default_value = "1", value_parser = jobs, allow_negative_numbers = true)]
    pub(crate) jobs: usize,

    /// The seed of the first branch; the next has the next. That of the run gives its lines again (built-in models only)
    /// [default: another for each]
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,

    /// Also write a page with plots
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Print the comparison as JSON, every branch included
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Arguments)]
#[command(after_help = SERVE_ENVIRONMENT)]
pub(crate) struct Serve {
    /// Where to listen; port 0 takes any that is free. Anything but this machine needs a token
    /// [default: 127.0.0.1:8000]
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = parse_bind)]
    pub(crate) bind: Option<SocketAddr>,

    // Not a comment like the others: an address in one would have to be marked as a link, which help would show.
    #[arg(
        long,
        value_name = "ORIGIN",
        help = "A web page that may call from its visitors' browsers, such as https://example.org; may be given again"
    )]
    pub(crate) allow_origin: Vec<String>,

    /// A name under which the server is reached, such as enact.example.org; may be given again
    #[arg(long, value_name = "NAME")]
    pub(crate) allow_host: Vec<String>,

    /// A reverse proxy in front of the server, by its address or network (10.0.0.0/8), whose X-Forwarded-For says who
    /// calls; may be given again
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) trust_proxy: Vec<String>,

    /// How many runs are played at once; the others wait [default: 2000]
    #[arg(long, value_name = "NUMBER", value_parser = runs_at_once, allow_negative_numbers = true)]
    pub(crate) max_runs: Option<usize>,

    /// Seconds between lines, so that people can read along and steer what built-in players play
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true, default_value = "0")]
    pub(crate) pace: f64,

    /// Where the character sheets are, instead of the nearest .claude/agents above this folder
    #[arg(long, value_name = "FOLDER")]
    pub(crate) cast_dir: Option<PathBuf>,

    /// Where audio is kept, and served from; nodes that share a database have to share it too [default: artifacts in the
    /// data folder]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) artifacts: Option<PathBuf>,
}

const SERVE_ENVIRONMENT: &str = "\
Environment: ENACT_TOKEN is a token that allows everything, ENACT_DATABASE a database as for --database, ENACT_LOG says how
much is logged on standard error (error, warn, info, debug, trace or off) [default: info]. More tokens: [tokens.NAME] in enact.toml";

fn folder_of(file: &Path) -> &Path {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}
