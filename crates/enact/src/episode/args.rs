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

    /// A character that plays you, by its sheet, with the same model as the one you talk with
    #[arg(long = "as", value_name = "CHARACTER", conflicts_with_all = ["script", "resume"])]
    pub(crate) played_as: Option<String>,

    /// The same seed gives the same answers (built-in models only)
    #[arg(long, value_name = "NUMBER", conflicts_with = "resume")]
    pub(crate) seed: Option<u64>,

    /// Go on with a session: its id, the start of it, or 'latest'
    #[arg(long, value_name = "RUN")]
    pub(crate) resume: Option<String>,

    /// Have a model evaluate again that gave nothing of use
    #[arg(long, requires = "resume")]
    pub(crate) evaluate: bool,

    /// Print nothing but the result, as JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Print nothing
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Arguments)]
#[command(after_help = INSIGHT_EXAMPLES)]
pub(crate) struct InsightArgs {
    /// The run: its id, the start of it, or 'latest'
    #[arg(value_name = "RUN")]
    pub(crate) run: String,

    /// Only the answer of this turn
    #[arg(long, value_name = "NUMBER")]
    pub(crate) turn: Option<u32>,

    /// Print everything that is known, as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

const INSIGHT_EXAMPLES: &str = "\
Examples:
  enact insight latest
  enact insight latest --turn 3 --json";

#[derive(Debug, Arguments)]
#[command(after_help = MEMORY_EXAMPLES)]
pub(crate) struct MemoryArgs {
    /// The character: the name of its sheet
    #[arg(value_name = "CHARACTER")]
    pub(crate) character: String,

    /// What it remembers of this account of a server [default: of whoever plays here]
    #[arg(long, value_name = "NAME")]
    pub(crate) account: Option<String>,

    /// Have it forget the memory with this number
    #[arg(long, value_name = "NUMBER")]
    pub(crate) forget: Vec<usize>,

    /// Have it remember something else instead
    #[arg(long, value_name = "NUMBER=TEXT")]
    pub(crate) edit: Vec<String>,

    /// Have it forget everything
    #[arg(long, conflicts_with_all = ["forget", "edit"])]
    pub(crate) clear: bool,

    /// Print what it remembers as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

const MEMORY_EXAMPLES: &str = "\
Examples:
  enact memory mina
  enact memory mina --edit '2=I grew up by the sea.' --forget 3
  enact memory mina --clear";

impl PlayArgs {
    /// Plays a session on, with everything else as it is when nothing is said.
    pub(super) fn resuming(run: RunId) -> PlayArgs {
        PlayArgs { resume: Some(run.to_string()), ..PlayArgs::default() }
    }
}

#[derive(Debug, Arguments)]
#[command(after_help = REHEARSE_EXAMPLES)]
pub(crate) struct RehearseArgs {
    /// The episodes: names in the project's `episodes` folder, or files [default: all of the project]
    #[arg(value_name = "EPISODE")]
    pub(crate) episodes: Vec<String>,

    /// How often each player plays, each time with another seed
    #[arg(long, value_name = "NUMBER", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub(crate) seeds: u64,

    /// Print the numbers as JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Draw the tension of each player, turn by turn, into this SVG file (one episode only)
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
}

const REHEARSE_EXAMPLES: &str = "\
Examples:
  enact rehearse                            all episodes of the project
  enact rehearse flirt-test --seeds 100     a hundred times with each of the ten players
  enact rehearse flirt-test --plot flirt.svg

Nobody is asked for a key: the improviser plays the character. The exit code is 3 if a beat or an ending was never reached.";

const PLAY_EXAMPLES: &str = "\
Examples:
  enact play flirt-test
  enact play episodes/the-last-train.md --model anthropic:claude-sonnet-4-5
  enact play flirt-test --as jonas
  enact play flirt-test --script lines.txt --json";
