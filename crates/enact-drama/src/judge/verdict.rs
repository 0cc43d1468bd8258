//! The verdict: goals met, closure, positions expressed, how sure.

use serde::{Deserialize, Serialize};

use super::{Acts, Goal};
use crate::reply::Action;

/// A line as the judge sees it: who, what was heard of it, and how.
#[derive(Debug, Clone, Copy)]
pub struct Heard<'a> {
    /// Display name; empty for world events.
    pub speaker: &'a str,
    pub content: &'a str,
    pub tone: Option<&'a str>,
    pub action: Action,
    /// Whom it is addressed to, as written.
    pub target: Option<&'a str>,
    /// Whose line it cut off, if it cut one.
    pub cuts: Option<&'a str>,
    pub acts: &'a Acts,
}

/// What the judge says of a transcript.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    pub complete: bool,
    /// How near the end is, 0 to 1.
    pub confidence: f64,
    pub goals: Vec<GoalStatus>,
    /// The talk has come to rest: nothing asked and unanswered, no tension in the last lines.
    pub closure: bool,
    /// Everyone has said where they stand.
    pub positions: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GoalStatus {
    pub text: String,
    /// Nothing when the rules cannot read the goal: never guessed.
    pub met: Option<bool>,
    /// The line that shows it, as it was heard.
    pub evidence: Option<String>,
    /// Who said that line.
    pub by: Option<String>,
}

/// Judges a transcript against goals. `cast` holds the display names.
pub fn judge(_goals: &[Goal], _cast: &[&str], _lines: &[Heard<'_>]) -> Verdict {
    Verdict { complete: false, confidence: 0.0, goals: vec![], closure: false, positions: false }
}
