//! What can be said of a chorus.

use clap::Args as Arguments;

use enact_drama::{RunId, chorus::MOST_SLOTS};

use crate::args::values::{VoiceFlag, seconds, trimmed, within};

#[derive(Debug, Default, Arguments)]
#[command(after_help = CHORUS_EXAMPLES)]
pub(crate) struct ChorusArgs {
    /// The message to all agents; '-', or nothing where something is piped in, reads standard input
    #[arg(value_name = "MESSAGE", conflicts_with = "resume")]
    pub(crate) message: Option<String>,

    /// How many take part: the first so many agents [default: all, at most 6]
    #[arg(long, value_name = "NUMBER", value_parser = slots, allow_negative_numbers = true, conflicts_with_all = ["agents", "resume"])]
    pub(crate) slots: Option<u8>,

    /// Who takes part, from the first slot on; `enact chorus --list` shows who there is
    #[arg(long, value_name = "AGENT,AGENT", value_delimiter = ',', value_parser = trimmed, conflicts_with = "resume")]
    pub(crate) agents: Vec<String>,

    /// Voices, of which the first that can speaks: 'embedded', 'elevenlabs', 'openai' or those of enact.toml;
    /// or 'none' [default: enact.toml's, else 'embedded']
    #[arg(long, value_name = "VOICE,VOICE", num_args = 0..=1, default_missing_value = "", conflicts_with = "resume")]
    pub(crate) voice: Option<VoiceFlag>,

    /// Go on with the conversation that ended with this run: its id, the start of it, or 'latest'
    #[arg(long, value_name = "RUN", conflicts_with = "resume")]
    pub(crate) after: Option<String>,

    /// Play on from where a chorus was interrupted: its id, the start of it, or 'latest'
    #[arg(long, value_name = "RUN", conflicts_with = "seed")]
    pub(crate) resume: Option<String>,

    /// The same seed gives the same words (built-in models only)
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,

    /// Seconds after everything that is said, so that a person can read along [default: 0.5 on a terminal,
    /// else 0]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) pace: Option<f64>,

    /// List the agents there are, and who plays them; nothing is played
    #[arg(long, exclusive = true)]
    pub(crate) list: bool,

    /// Print nothing but the result, as JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Print nothing
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl ChorusArgs {
    /// Plays a run on, with everything else as it is when nothing is said.
    pub(super) fn resuming(run: RunId) -> ChorusArgs {
        ChorusArgs { resume: Some(run.to_string()), ..ChorusArgs::default() }
    }
}

const CHORUS_EXAMPLES: &str = "\
Examples:
  enact chorus \"What does rain sound like?\"
  enact chorus \"And snow?\" --after latest --slots 3
  enact chorus \"Good night\" --agents gpt-4o,gemini-3 --voice elevenlabs,embedded";

fn slots(text: &str) -> Result<u8, String> {
    within(text, usize::from(MOST_SLOTS)).map(|slots| slots as u8)
}
