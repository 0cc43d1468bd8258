//! Goals: who is to do what to whom.

mod clauses;
mod reading;
mod verbs;

#[cfg(test)]
mod tests;

use serde::Deserialize;

use crate::acts::GoalReading;

pub use clauses::goals_of;

/// A goal as the rules understand it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Goal {
    /// As the author wrote it.
    pub text: String,
    /// Display names of those who must do it; everybody for "they agree". Empty when nobody in the cast is
    /// named.
    pub doers: Vec<String>,
    /// Display names of those whom the goal is about: the doers where the rules can read it, otherwise those
    /// it begins with. Only what they say or do can show that it is met.
    pub subjects: Vec<String>,
    /// What they must do; nothing when the rules cannot read it, and then it is never judged.
    pub act: Option<Act>,
    /// Display names of those it is done to.
    pub to: Vec<String>,
    /// What it is about, in the author's words ("accountability measures", "being late").
    pub about: Option<String>,
    /// "Alice or Bob apologizes": one of the doers is enough.
    pub either: bool,
    /// "Bob does not apologize": met as long as the act is not seen.
    pub negated: bool,
    /// How the tables of acts read it, or why they do not.
    pub reading: Result<GoalReading, &'static str>,
}

/// What people do to each other with words, as far as rules can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
pub enum Act {
    Apologise,
    /// An apology, an offer, a proposal.
    Accept,
    Forgive,
    /// On something to do: a plan, next steps, a measure.
    Agree,
    Confront,
    Mediate,
    /// Cutting in on somebody's line.
    Interrupt,
    /// Owning up, confessing, revealing.
    Admit,
    Explain,
    Promise,
    Refuse,
    Ask,
    Thank,
    Farewell,
}

impl Goal {
    /// Reads one goal, as [`goals_of`] gives them: a single clause that names its doer. `cast` holds display
    /// names.
    pub fn read(text: &str, cast: &[&str]) -> Goal {
        reading::read(text, cast)
    }

    /// Whether the rules can judge it: they know both who and what.
    pub fn is_readable(&self) -> bool {
        self.act.is_some() && !self.doers.is_empty()
    }

    /// Whether anything is made of it at all: by the rules of phrases or by the tables of acts.
    pub fn is_judged(&self) -> bool {
        self.is_readable() || self.reading.is_ok()
    }
}
