//! What can be said of a field.

use std::path::PathBuf;

use clap::Args as Arguments;
use enact_drama::{RunId, usage::NanoUsd};

use crate::args::values::{tokens, usd};

/// How often a model may be asked to decide in a minute of the field, unless somebody says otherwise.
pub(super) const DEFAULT_MIND_CALLS: u32 = 20;

#[derive(Debug, Default, Arguments)]
#[command(after_help = FIELD_EXAMPLES)]
pub(crate) struct FieldArgs {
    /// The field file: a map, and who and what is on it
    #[arg(value_name = "FILE", required_unless_present_any = ["resume", "verify"], conflicts_with = "resume")]
    pub(crate) file: Option<PathBuf>,

    /// How long it is played, in minutes of the field [default: the file's, else 10]
    #[arg(long, value_name = "MINUTES", conflicts_with = "resume", value_parser = clap::value_parser!(u32).range(1..=1440))]
    pub(crate) minutes: Option<u32>,

    /// How many seconds of the field pass in one, up to 60
    #[arg(long, value_name = "FACTOR", value_parser = clap::value_parser!(u32).range(1..=60), conflicts_with = "headless")]
    pub(crate) speed: Option<u32>,

    /// As fast as possible, without the map
    #[arg(long)]
    pub(crate) headless: bool,

    /// Who plays everyone in conversations: a model of enact.toml, 'improviser', PROVIDER:MODEL, script:FILE or
    /// recorded:RUN [default: the sheet's or enact.toml's, else 'improviser']
    #[arg(long, value_name = "MODEL", conflicts_with = "resume")]
    pub(crate) model: Option<String>,

    /// A language model that decides for those near the one who is watched; rules decide for all others
    #[arg(long, value_name = "MODEL", conflicts_with = "resume", requires = "watch")]
    pub(crate) minds: Option<String>,

    /// How often that model may be asked in a minute of the field
    #[arg(long, value_name = "CALLS", default_value_t = DEFAULT_MIND_CALLS, requires = "minds")]
    pub(crate) mind_calls: u32,

    /// Rules decide and speak once the next call could cost more, in USD
    #[arg(long, value_name = "USD", value_parser = usd, allow_negative_numbers = true, conflicts_with = "resume")]
    pub(crate) budget: Option<NanoUsd>,

    /// Rules decide and speak once the next call could use more tokens
    #[arg(long, value_name = "NUMBER", value_parser = tokens, allow_negative_numbers = true, conflicts_with = "resume")]
    pub(crate) budget_tokens: Option<u64>,

    /// Who is watched, by the name on stage
    #[arg(long, value_name = "NAME", conflicts_with = "resume")]
    pub(crate) watch: Option<String>,

    /// The same seed gives the same field (built-in models only)
    #[arg(long, value_name = "NUMBER", conflicts_with = "resume")]
    pub(crate) seed: Option<u64>,

    /// Go on with a run: its id, the start of it, or 'latest'
    #[arg(long, value_name = "RUN")]
    pub(crate) resume: Option<String>,

    /// Simulate a run again from its log, and say whether it comes to the same
    #[arg(long, value_name = "RUN", conflicts_with_all = ["file", "resume"])]
    pub(crate) verify: Option<String>,

    /// Check after every tick that nothing contradicts itself; what does is in the log and the metadata
    #[arg(long, conflicts_with = "resume")]
    pub(crate) check: bool,

    /// Print nothing but the result, as JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Print nothing
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl FieldArgs {
    /// Plays a run on, with everything else as it is when nothing is said.
    pub(super) fn resuming(run: RunId) -> FieldArgs {
        FieldArgs { resume: Some(run.to_string()), ..FieldArgs::default() }
    }
}

const FIELD_EXAMPLES: &str = "\
Examples:
  enact field examples/tavern/field.md
  enact field examples/tavern/field.md --minutes 5 --speed 20
  enact field examples/tavern/field.md --headless --json
  enact export latest --conversation conv_12 --format txt";
