//! Goals: who is to do what to whom.

mod clauses;
mod reading;
mod verbs;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod told_tests;

use serde::Deserialize;

use super::names;
use crate::{
    acts::{ActKind, GoalReading, Group},
    text::one_line,
};

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
    pub reading: Result<GoalReading, String>,
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

impl Act {
    /// What people call it.
    pub fn word(self) -> &'static str {
        match self {
            Act::Apologise => "apologise",
            Act::Accept => "accept",
            Act::Forgive => "forgive",
            Act::Agree => "agree",
            Act::Confront => "confront",
            Act::Mediate => "mediate",
            Act::Interrupt => "cut in",
            Act::Admit => "admit",
            Act::Explain => "explain",
            Act::Promise => "promise",
            Act::Refuse => "refuse",
            Act::Ask => "ask",
            Act::Thank => "thank",
            Act::Farewell => "say goodbye",
        }
    }
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

    /// How it is read, for people: who is to do what to whom, about what; or why it is not read.
    pub fn told(&self, cast: &[&str]) -> Result<String, String> {
        let list = |names: &[String], word: &str| one_line(&names.join(word));
        let displays = |places: &[usize]| {
            places.iter().filter_map(|at| cast.get(*at)).map(|name| name.to_string()).collect()
        };
        let (act, who, to, about, negated): (&str, String, Vec<String>, &str, bool) =
            match (&self.reading, self.act) {
                (_, Some(act)) if self.is_readable() => {
                    let who = list(&self.doers, if self.either { " or " } else { " and " });
                    (
                        act.word(),
                        who,
                        self.to.clone(),
                        self.about.as_deref().unwrap_or_default(),
                        self.negated,
                    )
                }
                (Err(why), _) => return Err(why.clone()),
                (Ok(reading), _) => {
                    let act =
                        if reading.act == ActKind::deed() { "as it is written" } else { reading.act.name() };
                    let who: Vec<String> = displays(&reading.subject);
                    let who = match reading.group {
                        _ if reading.by_anybody => "anybody".to_owned(),
                        Group::Any => list(&who, " or "),
                        Group::All => list(&who, " and "),
                    };
                    (act, who, displays(&reading.addressee), &reading.content, reading.negated)
                }
            };
        let mut told = format!("{}{act}, by {who}", if negated { "never " } else { "" });
        if !to.is_empty() {
            told.push_str(&format!(", to {}", list(&to, " and ")));
        }
        let about = about.strip_prefix("about ").or_else(|| about.strip_prefix("to ")).unwrap_or(about);
        // "forgives Alice" is about nothing else.
        let is_addressee = to.iter().any(|name| names::same_person(name, about));
        if !about.is_empty() && !is_addressee && act != "as it is written" {
            told.push_str(&format!(", about \"{}\"", one_line(about)));
        }
        Ok(told)
    }

    /// Whether anything is made of it at all: by the rules of phrases or by the tables of acts.
    pub fn is_judged(&self) -> bool {
        self.is_readable() || self.reading.is_ok()
    }
}
