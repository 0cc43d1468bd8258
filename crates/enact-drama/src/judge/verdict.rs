//! The verdict: goals met, closure, positions expressed, how sure. Where a model judges too,
//! `scene/merge_verdicts.rs` joins both.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    Act, Goal, Heard, LineSource,
    line::{EarlierLines, HeardLine},
    line_traits::{LineTraits, WantedActs},
    watch::{GoalWatch, Standing, is_due},
};

mod mood;

#[cfg(test)]
mod tests;

pub(crate) use mood::is_heated;
pub(super) use mood::is_hostile;

use mood::SceneMood;

/// What the judge says of a transcript.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    pub complete: bool,
    /// How near the end is, 0 to 1.
    pub confidence: f64,
    pub goals: Vec<GoalStatus>,
    /// The talk has come to rest: nothing asked and unanswered, no tension in the last lines, and words that
    /// close it.
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
    /// Nothing where it is not known: never guessed.
    #[cfg_attr(feature = "schema", schema(required))]
    pub met: Option<bool>,
    /// The line that shows it, as it was heard.
    #[cfg_attr(feature = "schema", schema(required))]
    pub evidence: Option<String>,
    /// Who said that line.
    #[cfg_attr(feature = "schema", schema(required))]
    pub by: Option<String>,
    /// How the rules read the goal: who is to do what; there only in reports, and where they can read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(example = "apologise, by Bob"))]
    pub reading: Option<String>,
    /// Why it is not known whether it is met; left out where it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(example = "it names nobody of the cast"))]
    pub why: Option<String>,
}

impl GoalStatus {
    /// A goal of which nothing is known yet.
    pub fn unknown(text: impl Into<String>) -> GoalStatus {
        GoalStatus { text: text.into(), met: None, evidence: None, by: None, reading: None, why: None }
    }
}

/// Least confidence once all goals are met.
const ALL_MET: f64 = 0.8;

/// Upper bound of the confidence while a goal is unmet: short of [`ALL_MET`], at which the moderator begins to
/// wrap up.
const NOT_ALL_MET: f64 = 0.75;

/// Judges a transcript against goals. `cast` holds the display names.
pub fn judge(goals: &[Goal], cast: &[&str], lines: &[Heard<'_>]) -> Verdict {
    let mut judge = Judge::new(goals, cast);
    (0..lines.len()).for_each(|line| judge.hear(&lines, line));
    judge.verdict(&lines)
}

/// The judge at some place of a transcript. It hears one line after the other and keeps only what its verdict
/// depends on, so that a copy, a line and a verdict cost the same however long the transcript is.
#[derive(Debug, Clone)]
pub struct Judge {
    brief: Arc<Brief>,
    watches: Vec<GoalWatch>,
    mood: SceneMood,
    earlier: EarlierLines,
}

/// What stays the same for all lines.
#[derive(Debug)]
struct Brief {
    goals: Vec<Goal>,
    cast: Vec<String>,
    /// The acts that any of the goals looks for.
    wanted: WantedActs,
}

impl Judge {
    /// Before the first line. `cast` holds the display names.
    pub fn new(goals: &[Goal], cast: &[&str]) -> Judge {
        let cast: Vec<String> = cast.iter().map(|name| (*name).to_owned()).collect();
        let watches: Vec<GoalWatch> = goals.iter().map(|goal| GoalWatch::new(goal, goals, &cast)).collect();
        let wanted = WantedActs::new(watches.iter().flat_map(GoalWatch::wanted));
        Judge {
            watches,
            mood: SceneMood::of(cast.len()),
            earlier: EarlierLines::default(),
            brief: Arc::new(Brief { goals: goals.to_vec(), cast, wanted }),
        }
    }

    /// Hears the next line of a transcript.
    pub fn hear(&mut self, source: &impl LineSource, line: usize) {
        let Some(heard) = source.heard(line).filter(Heard::is_something) else { return };
        let traits = Arc::new(LineTraits::of(&heard, &self.brief.cast, &self.brief.wanted));
        let (spot, earlier) = (self.earlier.next(line), &self.earlier);
        let line = HeardLine { spot, heard, traits: &traits, earlier };
        self.watches.iter_mut().for_each(|watch| watch.hear(&line));
        if traits.aloud {
            self.mood.hear(&line);
        }
        self.earlier.push(traits);
    }

    fn standings(&self) -> Vec<Standing> {
        let mut standings: Vec<Standing> = self.watches.iter().map(GoalWatch::standing).collect();
        // What is accepted has to have been said before, and not to have been taken back since.
        let goals = &self.brief.goals;
        for (accepts, goal) in goals.iter().enumerate() {
            let due = goals.iter().position(|other| is_due(other, goal));
            let made = due.map(|due| standings[due].line());
            if let (Some(made), Standing::Met(spot)) = (made, standings[accepts])
                && made.is_none_or(|made| spot < made)
            {
                standings[accepts] = Standing::Unmet;
            }
        }
        standings
    }

    /// What it says of the lines it has heard.
    ///
    /// A scene is complete when every goal is met and no tension is left. A goal the rules cannot read keeps
    /// it from being complete, since it is never guessed; such a scene ends when its talk comes to rest. A
    /// goal that forbids something ("Bob does not apologize") holds until it is broken, so a scene with no
    /// other goals has to come to rest as well.
    pub fn verdict(&self, source: &impl LineSource) -> Verdict {
        let goals = &self.brief.goals;
        let standings = self.standings();
        let (closure, positions) = (self.mood.at_rest(), self.mood.all_positions());
        let met = standings.iter().filter(|standing| standing.met() == Some(true)).count();
        let done = met == goals.len() && met > 0;
        let deeds = goals.iter().any(|goal| !goal.negated);
        let at_end = || if deeds { !self.is_open(&standings) } else { closure && positions };
        let complete = done && self.forbidden_had_a_chance() && at_end();
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
        let goals = goals.iter().zip(&standings).map(|(goal, standing)| status(goal, *standing, source));
        Verdict { complete, confidence, goals: goals.collect(), closure, positions }
    }

    /// Whether everyone who must not do something has spoken, and so could have done it.
    fn forbidden_had_a_chance(&self) -> bool {
        let Brief { goals, cast, .. } = &*self.brief;
        let has_spoken =
            |name: &String| (0..cast.len()).any(|who| cast[who] == *name && self.mood.has_spoken(who));
        goals.iter().filter(|goal| goal.negated).all(|goal| goal.doers.iter().all(has_spoken))
    }

    /// Whether a scene whose goals are met cannot stop here. Where people are to make peace, the last lines
    /// have to be peaceful. Where a quarrel is all that was wanted, it is enough that somebody had the chance
    /// to answer.
    fn is_open(&self, standings: &[Standing]) -> bool {
        let quarrel = self
            .brief
            .goals
            .iter()
            .filter(|goal| !goal.negated)
            .all(|goal| matches!(goal.act, Some(Act::Confront | Act::Interrupt | Act::Refuse)));
        if !quarrel {
            return self.mood.is_tense();
        }
        let last = standings.iter().filter_map(|standing| standing.line()).max();
        last.is_some_and(|line| self.mood.is_unanswered(line))
    }
}

fn status(goal: &Goal, standing: Standing, source: &impl LineSource) -> GoalStatus {
    let line = standing.line().and_then(|spot| source.heard(spot.line));
    GoalStatus {
        met: standing.met(),
        evidence: line.map(|line| line.content.to_owned()),
        by: line.map(|line| line.speaker.to_owned()),
        why: (standing == Standing::Unreadable).then(|| why_unknown(goal).to_owned()),
        ..GoalStatus::unknown(&goal.text)
    }
}

fn why_unknown(goal: &Goal) -> &str {
    match &goal.reading {
        Err(why) => why,
        Ok(reading) if reading.negated => "the rules cannot tell that something does not happen",
        Ok(reading) if reading.by_anybody => {
            "it does not say who is to do it, and nobody has said it plainly"
        }
        Ok(_) => "it may have been said in other words than the rules know",
    }
}
