//! What can be said of an episode.

use std::path::PathBuf;

use clap::Args as Arguments;
use enact_drama::RunId;

#[derive(Debug, Default, Arguments)]
#[command(after_help = PLAY_EXAMPLES)]
pub(crate) struct PlayArgs {
    /// The episode: its name in the project's `episodes` folder, or its file; without one, all are listed
    #[arg(value_name = "EPISODE", conflicts_with = "resume")]
    pub(crate) episode: Option<String>,

    /// Who plays the character: a model of enact.toml, 'improviser', PROVIDER:MODEL, script:FILE or
    /// recorded:RUN [default: the sheet's or enact.toml's, else 'improviser']
    #[arg(long, value_name = "MODEL", conflicts_with = "resume")]
    pub(crate) model: Option<String>,

    /// Who evaluates in the end [default: rules]
    #[arg(long, value_name = "MODEL", conflicts_with = "resume")]
    pub(crate) director: Option<String>,

    /// What you say, a line for each message, instead of what is typed
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,

    /// The same seed gives the same answers (built-in models only)
    #[arg(long, value_name = "NUMBER", conflicts_with = "resume")]
    pub(crate) seed: Option<u64>,

    /// Go on with a session: its id, the start of it, or 'latest'
    #[arg(long, value_name = "RUN")]
    pub(crate) resume: Option<String>,

    /// Print nothing but the result, as JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Print nothing
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl PlayArgs {
    /// Plays a session on, with everything else as it is when nothing is said.
    pub(super) fn resuming(run: RunId) -> PlayArgs {
        PlayArgs { resume: Some(run.to_string()), ..PlayArgs::default() }
    }
}

const PLAY_EXAMPLES: &str = "\
Examples:
  enact play flirt-test
  enact play episodes/the-last-train.md --model anthropic:claude-sonnet-4-5
  enact play flirt-test --script lines.txt --json";
