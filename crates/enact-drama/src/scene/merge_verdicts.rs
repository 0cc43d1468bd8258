//! Whether the goals are reached, as rules and a model judge say together.

use super::{Scene, model_judge};
use crate::judge::{GoalStatus, Verdict};

/// What the rules and the judge say together.
///
/// If the opinion is about all that was heard, it wins, and the rules fill its gaps. If it is older, a goal is met
/// when either says so: the judge for what rules cannot read, the rules for what happened after it looked.
pub(super) fn merge_verdicts(rules: Verdict, scene: &Scene) -> Verdict {
    let Some(opinion) = &scene.hidden_calls.opinion else { return rules };
    let (judge, fresh) = (&opinion.verdict, scene.opinion_is_fresh());
    // The line it stands on may have been cut since: then what it shows was not heard, unless another line shows
    // the same.
    let still_heard = |judged: &&GoalStatus| {
        let shown = |quote: &String| {
            let mut lines = scene.lines.iter().filter(|line| model_judge::evidence(line) == quote);
            lines.any(|line| line.actor().map(|(who, _)| scene.prepared.display(who)) == judged.by.as_deref())
        };
        !scene.hidden_calls.evidence_cut || judged.evidence.as_ref().is_none_or(shown)
    };
    let goals = rules.goals.into_iter().zip(&judge.goals).map(|(rule, judged)| {
        Some(judged)
            .filter(still_heard)
            .map_or_else(|| rule.clone(), |judged| merge_goal(rule.clone(), judged, fresh))
    });
    let goals: Vec<GoalStatus> = goals.collect();
    let all = all_met(&goals);
    // A scene whose goals were met a beat ago has had its time to come to rest.
    let met_before = scene.verdict.as_deref().is_some_and(|before| all_met(&before.goals));
    let deeds = scene.prepared.situation.goals.iter().any(|goal| !goal.negated);
    let at_rest = judge.closure || !opinion.left_to_explore || deeds && met_before;
    if fresh {
        return Verdict { complete: all && at_rest, goals, ..judge.clone() };
    }
    Verdict {
        complete: rules.complete || (all && at_rest),
        confidence: rules.confidence.max(judge.confidence),
        goals,
        closure: rules.closure,
        positions: rules.positions,
    }
}

fn all_met(goals: &[GoalStatus]) -> bool {
    !goals.is_empty() && goals.iter().all(|goal| goal.met == Some(true))
}

fn merge_goal(rule: GoalStatus, judged: &GoalStatus, fresh: bool) -> GoalStatus {
    let by_rule = match (judged.met, rule.met) {
        (None, rule) => rule.is_some(),
        (Some(true), _) => false,
        (Some(false), Some(true)) => !fresh,
        (Some(false), _) => false,
    };
    if by_rule { rule } else { judged.clone() }
}
