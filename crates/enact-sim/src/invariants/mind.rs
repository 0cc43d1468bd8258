//! Calls of games, and what minds decide.

use std::collections::{BTreeMap, BTreeSet};

use enact_drama::{
    mind::{Mind, MindEvent},
    production::{Production, fold},
};

use super::evidence::Evidence;

/// Every call that a mind was told is answered once: decided or passed, or it still waits, or its body was taken
/// away. One that comes again is not told again while its answer is known.
pub(super) fn calls_are_answered_once(evidence: &Evidence<'_>) -> Result<(), String> {
    for run in &evidence.runs {
        let mut open: BTreeSet<&str> = BTreeSet::new();
        let mut decided: BTreeMap<&str, usize> = BTreeMap::new();
        for fact in &run.mind {
            let answered = match &fact.event {
                MindEvent::Observed { request, .. } => {
                    if !open.insert(request) {
                        return Err(format!("{}: {fact:?} is told while it waits", run.name()));
                    }
                    continue;
                }
                MindEvent::Decided { decision } => {
                    *decided.entry(&decision.request).or_default() += 1;
                    &decision.request
                }
                MindEvent::Passed { request } => request,
                MindEvent::Released {} | MindEvent::Ended {} => {
                    open.clear();
                    continue;
                }
                _ => continue,
            };
            if !open.remove(answered.as_str()) {
                return Err(format!("{}: {fact:?} answers what does not wait", run.name()));
            }
        }
        if let Some(request) = open.first().filter(|_| evidence.stuck.is_none()) {
            return Err(format!("{}: '{request}' was never answered", run.name()));
        }
        if let Some((request, times)) =
            decided.iter().find(|(request, times)| is_unique(request) && **times > 1)
        {
            return Err(format!("{}: '{request}' was decided {times} times", run.name()));
        }
    }
    Ok(())
}

fn is_unique(request: &str) -> bool {
    request.starts_with("posted-")
}

/// A mind that rests asks nothing, and nobody waits for it.
pub(super) fn resting_minds_wait_for_nothing(evidence: &Evidence<'_>) -> Result<(), String> {
    for run in &evidence.runs {
        let Some(mind) = fold::<Mind>(&run.mind) else { continue };
        if mind.is_thinking() && evidence.stuck.is_none() {
            return Err(format!("{} rests while its model thinks", run.name()));
        }
        if mind.ended().map(str::to_owned) != run.played.summary.reason {
            return Err(format!("{} folds to {:?}", run.name(), mind.ended()));
        }
    }
    Ok(())
}
