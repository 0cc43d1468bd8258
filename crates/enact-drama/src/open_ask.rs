//! What a person has been asked.

use crate::{CallId, Name};

/// A question to a person, for as long as it can be answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenAsk {
    /// Names it in the answer.
    pub ask: CallId,
    /// Whom the person plays.
    pub actor: Name,
    /// What that character is called on stage.
    pub display: String,
    pub beat: u32,
    /// When it was asked, in UTC milliseconds.
    pub since: i64,
    /// When silence counts as the answer; nothing where it is waited for.
    pub until: Option<i64>,
    /// What the actor is told: the text that a model would get.
    pub told: String,
    /// What has happened since the actor last answered, a line each, for people.
    pub lines: Vec<String>,
}
