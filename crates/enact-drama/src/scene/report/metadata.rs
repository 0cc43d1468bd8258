//! What programs want to know about a run: the requirements' `SceneResult` and the metadata that grew around
//! it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Adviser, Counts, FailedReply, ForkedFrom, SceneReport, transcript};
use crate::{
    Name, RunId,
    budget::{Budget, Reserve},
    director::{WatchedRound, watched},
    judge::{Goal, GoalStatus},
    model_card::ModelCard,
    report::{Costs, ModelSpeed, SpeedMeter, for_programs},
    scene::{HiddenPurpose, Line, SceneEnd, SceneSetup},
    usage::NanoUsd,
};

/// The result of playing a scene.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SceneResult {
    /// The scene was played to an end, though perhaps not to its goal.
    pub success: bool,
    pub transcript: String,
    pub metadata: Metadata,
    pub output_path: String,
}

/// What has become of a scene so far: what the command line writes as `metadata.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = SceneMetadata))]
pub struct Metadata {
    /// The scene's name.
    pub name: Name,
    pub run_id: RunId,
    /// The run whose beginning this one shares, where it was forked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<ForkedFrom>,
    #[cfg_attr(feature = "schema", schema(format = DateTime))]
    pub started_at: String,
    /// Milliseconds, without the time in which no process played the run or it was paused.
    pub duration: u64,
    /// Whether the run is paused; left out where it is not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub paused: bool,
    /// Beats that were opened; the opening is one of them.
    pub total_beats: u32,
    pub character_count: usize,
    pub goal_achieved: bool,
    /// Nothing while the run has no end.
    #[cfg_attr(feature = "schema", schema(required))]
    pub reason: Option<SceneEnd>,
    /// What should come of it, and what the judge last said of each.
    pub goals: Vec<GoalStatus>,
    /// How tense it was after each beat in which somebody spoke, as the director sees it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tension: Vec<WatchedRound>,
    pub costs: Costs,
    /// What it may use, where that is limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<BudgetLimits>,
    /// Characters that gave no answer when they were asked.
    pub errors: Vec<FailedReply>,
    pub counts: Counts,
    /// How the models did that were asked beside the actors; there only where the run has any.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub advice: BTreeMap<HiddenPurpose, Adviser>,
    /// How often the judge saw someone out of character; actors that stayed in it are left out.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required))]
    pub drift: BTreeMap<Name, u32>,
    pub model: PlayedBy,
    /// How often fallbacks have answered for characters whose own model had failed, by their names; left out
    /// where none has.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fallbacks: BTreeMap<Name, BTreeMap<String, u32>>,
    /// What each model says about itself.
    pub models: BTreeMap<String, ModelCard>,
    /// How fast each model answered for actors; left out where that is not known.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub speed: BTreeMap<String, ModelSpeed>,
    /// What chance was made of.
    pub seed: u64,
}

/// Which model played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum PlayedBy {
    /// One model played everybody.
    One(String),
    Each(BTreeMap<Name, String>),
}

impl SceneResult {
    /// `output_path` is where the run's files were written.
    pub fn of(story: &SceneReport, output_path: impl Into<String>) -> SceneResult {
        SceneResult {
            success: story.ended.is_some_and(|reason| reason.ending().success),
            transcript: transcript(story),
            metadata: metadata(story),
            output_path: output_path.into(),
        }
    }
}

pub fn metadata(story: &SceneReport) -> Metadata {
    let setup = &story.setup;
    Metadata {
        name: setup.name.clone(),
        run_id: setup.run,
        forked_from: story.forked_from,
        started_at: for_programs(story.started_at),
        duration: story.time.total_ms(),
        paused: story.time.paused(),
        total_beats: story.beats,
        character_count: setup.cast.len(),
        goal_achieved: story.ended.is_some_and(|reason| reason.ending().goal_achieved),
        reason: story.ended,
        goals: goals(story),
        tension: tension(story),
        costs: Costs::of(&story.ledger, setup.cast.iter().map(|role| &role.name)),
        budget: BudgetLimits::of(&setup.budget, story.needed),
        errors: story.errors.clone(),
        counts: story.counts,
        advice: story.advisers.clone(),
        drift: story.drifts.clone(),
        model: played_by(setup),
        fallbacks: story.fallbacks.clone(),
        models: setup.models.clone(),
        speed: speeds(story),
        seed: setup.seed,
    }
}

/// What the judge said last of each goal; before it has said anything, nothing is known of them.
fn goals(story: &SceneReport) -> Vec<GoalStatus> {
    let unjudged = |text: &String| GoalStatus {
        why: Some("nothing was judged yet".to_owned()),
        ..GoalStatus::unknown(text)
    };
    let goals = match &story.verdict {
        Some(verdict) => verdict.goals.clone(),
        None => story.setup.goals.iter().map(unjudged).collect(),
    };
    let cast: Vec<&str> = story.setup.cast.iter().map(|role| role.display.as_str()).collect();
    let read =
        |goal: GoalStatus| GoalStatus { reading: Goal::read(&goal.text, &cast).told(&cast).ok(), ..goal };
    goals.into_iter().map(read).collect()
}

/// The tension after each beat, by what was heard.
fn tension(story: &SceneReport) -> Vec<WatchedRound> {
    watched(story.lines.iter().filter_map(Line::watched))
}

fn speeds(story: &SceneReport) -> BTreeMap<String, ModelSpeed> {
    let known = |(model, meter): (&String, &SpeedMeter)| Some((model.clone(), meter.speed()?));
    story.speeds.iter().filter_map(known).collect()
}

fn played_by(setup: &SceneSetup) -> PlayedBy {
    match setup.cast.as_slice() {
        [first, others @ ..] if others.iter().all(|role| role.model == first.model) => {
            PlayedBy::One(first.model.clone())
        }
        cast => PlayedBy::Each(cast.iter().map(|role| (role.name.clone(), role.model.clone())).collect()),
    }
}

/// What a run was allowed to use.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BudgetLimits {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usd: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// What the beat that no longer fitted could have needed at most.
    #[serde(rename = "nextBeatUSD", default, skip_serializing_if = "Option::is_none")]
    pub next_beat_usd: Option<f64>,
    #[serde(rename = "nextBeatTokens", default, skip_serializing_if = "Option::is_none")]
    pub next_beat_tokens: Option<u64>,
}

impl BudgetLimits {
    /// Nothing where there is no limit.
    fn of(budget: &Budget, needed: Option<Reserve>) -> Option<BudgetLimits> {
        (!budget.is_open()).then(|| BudgetLimits {
            usd: budget.cost.map(NanoUsd::usd),
            tokens: budget.tokens,
            next_beat_usd: needed.and_then(|needed| needed.cost).map(NanoUsd::usd),
            next_beat_tokens: needed.map(|needed| needed.tokens),
        })
    }
}
