//! What can be said on the command line: the commands that are about any run. Those of productions are
//! [added](command) to them.

pub(crate) mod values;

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

use clap::{ArgMatches, Args as Arguments, CommandFactory, FromArgMatches, Parser, Subcommand};
use enact_drama::report::Format;

use self::values::{VoiceFlag, runs_at_once, seconds, speed};
use crate::{
    CliProduction, Invocation, Registry,
    commands::fork::Forking,
    config::{parse_age, parse_bind},
    help,
    reader::TextForm,
};

/// Plays scenes between characters, and choruses of voices.
///
/// Give it character sheets (.claude/agents/*.md), a situation and a goal. Every character is played on its
/// own and decides for itself to speak, interrupt, react or stay silent, until the goal is reached.
#[derive(Debug, Parser)]
#[command(name = "enact", version, after_help = EXIT_CODES)]
pub(crate) struct CommonArgs {
    /// Where runs are kept: the log of every run, and the files each one leaves
    #[arg(long, global = true, default_value = DEFAULT_DATA_DIR, value_name = "FOLDER", display_order = COMMON_OPTIONS_ORDER)]
    pub(crate) data_dir: PathBuf,

    /// A Postgres database that keeps the runs instead of the data folder, and that any number of nodes may
    /// share: postgres://USER@HOST/NAME. Better said in ENACT_DATABASE, which other users of this machine do
    /// not see
    #[arg(long, global = true, value_name = "URL", display_order = COMMON_OPTIONS_ORDER + 1)]
    pub(crate) database: Option<String>,

    /// The configuration, instead of the nearest enact.toml above the scene file or, without one, above this
    /// folder, or else the one in ~/.config/enact
    #[arg(long, global = true, value_name = "FILE", display_order = COMMON_OPTIONS_ORDER + 2)]
    pub(crate) config: Option<PathBuf>,
}

pub(crate) const DEFAULT_DATA_DIR: &str = "data";

const EXIT_CODES: &str = "\
New here? `enact demo` plays a scene, `enact new my-story` writes one, `enact run` lists those below this folder.

Exit codes: 0 played, 1 failed, 2 bad input, 3 goal not reached under --require-goal, 130 cancelled with Ctrl-C";

/// Where the options that every command has stand among its own: after the first dozen.
const COMMON_OPTIONS_ORDER: usize = 13;

/// Where commands of productions stand in the list that say nothing about it: after all others.
const LISTED_LAST: usize = 900;

// The gaps in their order are for the commands of productions. No doc comment: help would show it.
#[derive(Debug, Subcommand)]
pub(crate) enum CommonCommand {
    /// List the models that can play, and where their keys come from
    #[command(display_order = 10)]
    Models(ModelsArgs),
    /// List the runs that are kept
    #[command(display_order = 40)]
    Runs(RunsArgs),
    /// Show a run again, as it was, without asking any model
    #[command(display_order = 50)]
    Replay(ReplayArgs),
    /// Print a run's transcript in another format, or its whole log
    #[command(display_order = 60)]
    Export(ExportArgs),
    /// Keep a run that was exported elsewhere as jsonl
    #[command(display_order = 70)]
    Import(ImportArgs),
    /// Copy everything that is kept to a file, also while runs are played
    #[command(display_order = 80)]
    Backup(BackupArgs),
    /// Derive anew what lists and searches are answered from, for every run that is kept
    #[command(display_order = 85, after_help = REINDEXING)]
    Reindex,
    /// Let a run take other turns from a beat on, several times, and show where they part and how they end
    #[command(display_order = 100)]
    Fork(Forking),
    /// Serve this project over HTTP: scenes are started, followed live, steered and forked from anywhere
    #[command(display_order = 120)]
    Serve(ServeArgs),
    /// Print a script that lets a shell complete commands and flags
    #[command(display_order = 130)]
    Completions(CompletionsArgs),
    /// Print the manual page, or write those of all commands into a folder
    #[command(display_order = 140)]
    Man(ManArgs),
}

const REINDEXING: &str = "\
What lists and searches are answered from is derived from the logs, kept beside them, and up to date. It is to be derived anew \
where a newer enact derives more of old logs. Runs may be played meanwhile.";

/// All there is: the commands about any run, and those of productions.
pub(crate) fn command(registry: &Registry) -> clap::Command {
    let common = CommonCommand::augment_subcommands(CommonArgs::command())
        .subcommand_required(true)
        .arg_required_else_help(true)
        .next_display_order(LISTED_LAST);
    let all = registry.all().fold(common, |command, production| {
        command.subcommand(production.command()).subcommands(production.tools())
    });
    help::with_examples(help::with_fewer_options(all))
}

/// What is to be done.
#[derive(Debug)]
pub(crate) enum Requested<'a> {
    Common(Box<CommonCommand>),
    /// A command of a production.
    Play {
        production: &'a dyn CliProduction,
        matches: &'a ArgMatches,
    },
    /// Another of its commands, by name.
    Tool {
        production: &'a dyn CliProduction,
        tool: &'a str,
        matches: &'a ArgMatches,
    },
}

impl<'a> Requested<'a> {
    pub(crate) fn read(registry: &'a Registry, all: &'a ArgMatches) -> Result<Requested<'a>, clap::Error> {
        if let Some((name, matches)) = all.subcommand() {
            for production in registry.all() {
                if production.command().get_name() == name {
                    return Ok(Requested::Play { production, matches });
                }
                if production.tools().iter().any(|tool| tool.get_name() == name) {
                    return Ok(Requested::Tool { production, tool: name, matches });
                }
            }
        }
        CommonCommand::from_arg_matches(all).map(|command| Requested::Common(Box::new(command)))
    }

    /// What has to be known of it before it is carried out.
    pub(crate) fn invocation(&self) -> Invocation {
        match self {
            Requested::Common(command) => command.invocation(),
            Requested::Play { production, matches } => {
                production.invocation(production.command().get_name(), matches)
            }
            Requested::Tool { production, tool, matches } => production.invocation(tool, matches),
        }
    }

    pub(crate) fn serves(&self) -> bool {
        matches!(self, Requested::Common(command) if matches!(**command, CommonCommand::Serve(_)))
    }
}

impl CommonCommand {
    fn invocation(&self) -> Invocation {
        let json = match self {
            CommonCommand::Runs(runs) => runs.json,
            CommonCommand::Models(models) => models.json,
            CommonCommand::Fork(fork) => fork.json,
            _ => false,
        };
        let plays = matches!(self, CommonCommand::Fork(_) | CommonCommand::Serve(_));
        Invocation { json, home: plays.then(|| Path::new(".").to_owned()) }
    }
}

#[derive(Debug, Arguments)]
pub(crate) struct ModelsArgs {
    /// Make one tiny call to each configured model, and say what came of it
    #[arg(long)]
    pub(crate) check: bool,

    /// Ask each configured provider, and each whose key is set, which models it offers
    #[arg(long)]
    pub(crate) remote: bool,

    /// Print them as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Arguments)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Arguments)]
pub(crate) struct ManArgs {
    /// Where the pages of all commands are written to; without it, that of the program is printed
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
}

#[derive(Debug, Arguments)]
pub(crate) struct RunsArgs {
    /// Print them as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Arguments)]
pub(crate) struct ReplayArgs {
    /// The run: its id, the start of it, a scene's name for its newest run, or 'latest'
    pub(crate) run: String,

    /// Show lines as they came, so many times as fast as they did
    #[arg(long, value_name = "N", conflicts_with = "step", value_parser = speed, allow_negative_numbers = true)]
    pub(crate) speed: Option<f64>,

    /// Show one line each time Enter is pressed; with 'beat', all that was said in one beat
    #[arg(long, value_name = "WHAT", num_args = 0..=1, default_missing_value = "line")]
    pub(crate) step: Option<Step>,

    /// In which form lines are shown: 'reader', or 'wire' as in transcripts [default: reader on a terminal,
    /// else wire]
    #[arg(long, value_name = "reader|wire")]
    pub(crate) format: Option<TextForm>,
}

/// What Enter shows of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Line,
    /// A beat of a scene, a turn of a chorus.
    Beat,
}

impl FromStr for Step {
    type Err = String;

    fn from_str(text: &str) -> Result<Step, String> {
        match text {
            "line" => Ok(Step::Line),
            "beat" => Ok(Step::Beat),
            _ => Err("use 'line' or 'beat', and name the run first: enact replay RUN --step".to_owned()),
        }
    }
}

#[derive(Debug, Arguments)]
pub(crate) struct ExportArgs {
    /// The run: its id, the start of it, a scene's name for its newest run, or 'latest'
    pub(crate) run: String,

    /// txt, md, json, fountain or vtt; metadata: what programs want to know; debug: how it came about, one
    /// JSON object a line; prompts: what each model was sent; wav: a recording, with captions beside it; or
    /// jsonl: the log, one event a line, which `enact import` takes
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Exported,

    /// Only one conversation of a field, by its id: conv_12
    #[arg(long, value_name = "ID")]
    pub(crate) conversation: Option<String>,

    /// Write to a file instead of standard output; in a folder the file is named for the run, and its path is
    /// printed
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Voices, of which the first that can speaks: 'embedded', 'elevenlabs', 'openai' or those of enact.toml
    /// [default: enact.toml's, else 'embedded']
    #[arg(long, value_name = "VOICE,VOICE", num_args = 0..=1, default_missing_value = "")]
    pub(crate) voice: Option<VoiceFlag>,
}

/// What is printed of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exported {
    Transcript(Format),
    Recording,
    Log,
    /// How it came about.
    Debug,
    /// What each model was sent.
    Prompts,
    /// One file that replays it in a browser.
    Html,
}

impl Exported {
    /// What its files end in, without the dot.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Exported::Transcript(format) => format.extension(),
            Exported::Recording => "wav",
            Exported::Log => "jsonl",
            Exported::Debug => "debug.log",
            Exported::Prompts => "prompts.txt",
            Exported::Html => "html",
        }
    }
}

impl FromStr for Exported {
    type Err = String;

    fn from_str(text: &str) -> Result<Exported, String> {
        match text.parse() {
            Ok(format) => Ok(Exported::Transcript(format)),
            Err(_) if text == "jsonl" => Ok(Exported::Log),
            Err(_) if text == "wav" => Ok(Exported::Recording),
            Err(_) if text == "debug" => Ok(Exported::Debug),
            Err(_) if text == "prompts" => Ok(Exported::Prompts),
            Err(_) if text == "html" => Ok(Exported::Html),
            Err(_) => Err(format!(
                "'{text}' is not an export format: use txt, md, json, fountain, vtt, metadata, debug, prompts, \
                 html, wav or jsonl"
            )),
        }
    }
}

#[derive(Debug, Arguments)]
pub(crate) struct ImportArgs {
    /// What `enact export RUN --format jsonl` printed, or a run's events.jsonl; '-' reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

#[derive(Debug, Arguments)]
#[command(after_help = RESTORING)]
pub(crate) struct BackupArgs {
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

#[derive(Debug, Default, Arguments)]
#[command(after_help = SERVE_ENVIRONMENT)]
pub(crate) struct ServeArgs {
    /// Where to listen; port 0 takes any that is free. Anything but this machine needs a token
    /// [default: 127.0.0.1:8000]
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = parse_bind)]
    pub(crate) bind: Option<SocketAddr>,

    // Not a comment like the others: an address in one would have to be marked as a link, which help would
    // show.
    #[arg(
        long,
        value_name = "ORIGIN",
        help = "A web page that may call from its visitors' browsers, such as https://example.org; may be given again"
    )]
    pub(crate) allow_origin: Vec<String>,

    /// A name under which the server is reached, such as enact.example.org; may be given again
    #[arg(long, value_name = "NAME")]
    pub(crate) allow_host: Vec<String>,

    /// A reverse proxy in front of the server, by its address or network (10.0.0.0/8), whose X-Forwarded-For
    /// says who calls; may be given again
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

    /// Where audio is kept, and served from: a folder, or s3://BUCKET/PREFIX; nodes that share a database
    /// have to share it too [default: artifacts in the data folder]
    #[arg(long, value_name = "PLACE")]
    pub(crate) artifacts: Option<PathBuf>,

    /// How long audio is kept, such as 30d or 12h; texts stay [default: for ever]
    #[arg(long, value_name = "AGE", value_parser = parse_age)]
    pub(crate) keep_audio: Option<Duration>,

    /// Let callers without a token play episodes, each known by an id of its own, with so many messages in a
    /// session
    #[arg(long, value_name = "MESSAGES", num_args = 0..=1, default_missing_value = "20", require_equals = true)]
    pub(crate) guests: Option<u32>,

    /// Also serve bounded episodes under /games, as clients of an earlier product call them
    #[arg(long)]
    pub(crate) games: bool,

    /// Let callers with the scope 'edit' write the project's sheets and scenes
    #[arg(long)]
    pub(crate) edit: bool,

    /// The model that decides for minds of other people's games, by its name in enact.toml; rules do otherwise
    #[arg(long, value_name = "MODEL")]
    pub(crate) minds: Option<String>,

    /// Also answer games that speak an earlier MCP: /sse, /health and /logs, on both addresses of this machine
    #[arg(long)]
    pub(crate) legacy_mcp: bool,

    // Not a comment like the others, as above.
    #[arg(
        long,
        value_name = "URL",
        help = "Where the server is reached from outside, such as https://play.example.org, for the pages of shared results"
    )]
    pub(crate) public_url: Option<String>,

    /// The folder of the web page's files, read for every request, instead of those in this program: for
    /// people who work on the page
    #[arg(long, value_name = "FOLDER")]
    pub(crate) page_dir: Option<PathBuf>,
}

const SERVE_ENVIRONMENT: &str = "\
Environment: ENACT_TOKEN is a token that allows everything, ENACT_DATABASE a database as for --database, ENACT_LOG says how
much is logged on standard error (error, warn, info, debug, trace or off) [default: info]. More tokens: [tokens.NAME] in enact.toml";
