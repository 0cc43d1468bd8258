//! What may be posted to a chorus.

use serde::{Deserialize, Serialize};

/// A chorus is over too soon to be directed: it can only be ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", from = "GivenChorusCommand")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum ChorusCommand {
    /// End it, with everything said so far.
    Cancel,
}

/// A command as it is read. Serde lets unit variants pass with any fields beside their tag, and refuses those
/// of empty structs.
#[derive(Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
enum GivenChorusCommand {
    Cancel {},
}

impl From<GivenChorusCommand> for ChorusCommand {
    fn from(GivenChorusCommand::Cancel {}: GivenChorusCommand) -> ChorusCommand {
        ChorusCommand::Cancel
    }
}
