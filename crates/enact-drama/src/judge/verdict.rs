//! The verdict: goals met, closure, positions expressed, how sure.

use serde::{Deserialize, Serialize};

use super::{Act, Acts, Goal};
use crate::reply::Action;

mod agreement;
mod mood;
mod stage;
mod standing;
mod topic;

#[cfg(test)]
mod tests;

use stage::Stage;
use standing::Standing;

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
    /// The talk has come to rest: nothing asked and unanswered, no tension in the last lines, and words that close it.
    pub closure: bool,
    /// Everyone has said where they stand.
    pub positions: bool,
}

/// Something that should come of a scene.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct GoalStatus {
    #[cfg_attr(feature = "schema", schema(example = "Bob apologizes"))]
    pub text: String,
    /// Nothing when the rules cannot read the goal: never guessed.
    #[cfg_attr(feature = "schema", schema(required))]
    pub met: Option<bool>,
    /// The line that shows it, as it was heard.
    #[cfg_attr(feature = "schema", schema(required))]
    pub evidence: Option<String>,
    /// Who said that line.
    #[cfg_attr(feature = "schema", schema(required))]
    pub by: Option<String>,
}

/// All that was to be done is done, but something is still open.
const ALL_MET: f64 = 0.8;

/// What all goals but one can amount to at most: short of [`ALL_MET`], at which the moderator begins to wrap up.
const NOT_ALL_MET: f64 = 0.75;

/// Judges a transcript against goals. `cast` holds the display names.
///
/// A scene is complete when every goal is met and no tension is left. A goal the rules cannot read keeps it from being
/// complete, since it is never guessed; such a scene ends when its talk comes to rest. A goal that forbids something
/// ("Bob does not apologize") holds until it is broken, so a scene with no other goals has to come to rest as well.
pub fn judge(goals: &[Goal], cast: &[&str], lines: &[Heard<'_>]) -> Verdict {
    let stage = Stage::new(cast, lines);
    let standings: Vec<Standing> = goals.iter().map(|goal| standing::of(goal, goals, &stage)).collect();
    let closure = mood::at_rest(&stage);
    let positions = mood::all_positions(&stage);
    let met = standings.iter().filter(|standing| standing.met() == Some(true)).count();
    let done = met == goals.len() && met > 0;
    let deeds = goals.iter().any(|goal| !goal.negated);
    let at_end = || if deeds { !is_open(goals, &standings, &stage) } else { closure && positions };
    let complete = done && forbidden_had_a_chance(goals, &stage) && at_end();
    let all_readable_met = standings.iter().all(|standing| standing.met() != Some(false));
    let rest = 0.5 * f64::from(u8::from(closure)) + 0.3 * f64::from(u8::from(positions));
    let confidence = match () {
        () if complete => 1.0,
        () if done && deeds => ALL_MET + rest / 8.0,
        () => {
            let part = NOT_ALL_MET * met as f64 / goals.len().max(1) as f64;
            if all_readable_met { part.max(rest) } else { part }
        }
    };
    let goals =
        goals.iter().zip(&standings).map(|(goal, standing)| status(goal, *standing, &stage)).collect();
    Verdict { complete, confidence, goals, closure, positions }
}

fn status(goal: &Goal, standing: Standing, stage: &Stage<'_>) -> GoalStatus {
    let line = standing.line().map(|at| stage.lines[at].heard);
    GoalStatus {
        text: goal.text.clone(),
        met: standing.met(),
        evidence: line.map(|line| line.content.to_owned()),
        by: line.map(|line| line.speaker.to_owned()),
    }
}

/// Whether everyone who must not do something has spoken, and so could have done it.
fn forbidden_had_a_chance(goals: &[Goal], stage: &Stage<'_>) -> bool {
    let has_spoken =
        |name: &String| stage.lines.iter().any(|line| line.who.is_some_and(|who| stage.cast[who] == name));
    goals.iter().filter(|goal| goal.negated).all(|goal| goal.doers.iter().all(has_spoken))
}

/// Whether a scene whose goals are met cannot stop here. Where people are to make peace, the last lines have to be
/// peaceful. Where a quarrel is all that was wanted, it is enough that somebody had the chance to answer.
fn is_open(goals: &[Goal], standings: &[Standing], stage: &Stage<'_>) -> bool {
    let quarrel = goals
        .iter()
        .filter(|goal| !goal.negated)
        .all(|goal| matches!(goal.act, Some(Act::Confront | Act::Interrupt | Act::Refuse)));
    if !quarrel {
        return mood::is_tense(stage);
    }
    let last = standings.iter().filter_map(|standing| standing.line()).max();
    last.is_some_and(|at| stage.lines[at + 1..].iter().all(|line| line.who == stage.lines[at].who))
}
