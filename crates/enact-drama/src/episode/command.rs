//! What may be posted to an episode.

use serde::{Deserialize, Serialize};

/// The longest message of a user.
pub(super) const LONGEST_MESSAGE_CHARS: usize = 4_000;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", rename_all_fields = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum EpisodeCommand {
    /// The user says something, or chooses.
    Message {
        /// The client's own id of it: the same message is taken once, however often it is sent.
        id: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        /// An option of the choice that is offered; its label becomes the message.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        choice_id: Option<String>,
    },
    /// A model is asked once more what the episode came to, where the rules' evaluation stands in for its own.
    Evaluate {},
    /// The user leaves, with everything said so far.
    End {},
    /// The same, by an administrator.
    Cancel {},
}
