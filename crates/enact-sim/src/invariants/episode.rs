//! Turns and messages of an episode. Runs of other productions have no facts of one.

use std::collections::BTreeSet;

use enact_drama::{Fact, episode::EpisodeEvent};

use super::evidence::{Evidence, ReadRun};

/// Turns never skip, and are counted until the episode is completed, evaluated and ended: each of these once.
pub(super) fn turns_are_counted(evidence: &Evidence<'_>) -> Result<(), String> {
    for run in evidence.runs.iter().filter(|run| !run.episode.is_empty()) {
        let (mut turns, mut completed, mut evaluated) = (0, 0, 0);
        for fact in &run.episode {
            match &fact.event {
                EpisodeEvent::TurnCompleted { turn, .. } if *turn != turns + 1 || completed > 0 => {
                    return Err(wrong(run, fact, &format!("comes after turn {turns}")));
                }
                EpisodeEvent::TurnCompleted { turn, .. } => turns = *turn,
                EpisodeEvent::Completed { .. } => completed += 1,
                EpisodeEvent::Evaluated { .. } => evaluated += 1,
                _ => {}
            }
        }
        let is_over = run.played.summary.reason.as_deref() == Some("completed");
        // Where the rules stood in for a model, it may have been asked again.
        if evaluated > 2 * completed || completed > 1 || (is_over && evaluated == 0) {
            return Err(format!("{}: completed {completed} times, evaluated {evaluated}", run.name()));
        }
    }
    Ok(())
}

/// A message that was answered is never answered again. One whose answer failed may be sent once more.
pub(super) fn messages_are_answered_once(evidence: &Evidence<'_>) -> Result<(), String> {
    for run in &evidence.runs {
        let (mut answered, mut open) = (BTreeSet::new(), None);
        for fact in &run.episode {
            match &fact.event {
                EpisodeEvent::MessageReceived { .. } if open.is_some() => {
                    return Err(wrong(run, fact, "comes while another is answered"));
                }
                EpisodeEvent::MessageReceived { id, .. } if answered.contains(id) => {
                    return Err(wrong(run, fact, "was answered before"));
                }
                EpisodeEvent::MessageReceived { id, .. } => open = Some(id.clone()),
                EpisodeEvent::Answered { .. } => match open.take() {
                    Some(id) => _ = answered.insert(id),
                    None => return Err(wrong(run, fact, "answers nothing")),
                },
                EpisodeEvent::AnswerFailed { last: true, .. } => open = None,
                _ => {}
            }
        }
    }
    Ok(())
}

/// An answer, what is read out of it and the count of its turn are appended together.
pub(super) fn turns_are_whole(evidence: &Evidence<'_>) -> Result<(), String> {
    for run in &evidence.runs {
        for append in evidence.appends(run) {
            let from = append.first.0 as usize;
            let batch = run.episode.get(from..from + append.records as usize).unwrap_or_default();
            for (at, fact) in batch.iter().enumerate() {
                let rest = || batch[at + 1..].iter().map(|fact| &fact.event);
                let is_whole = match &fact.event {
                    EpisodeEvent::Answered { .. } => {
                        rest().any(|event| matches!(event, EpisodeEvent::TurnCompleted { .. }))
                    }
                    EpisodeEvent::MessageReceived { .. } => {
                        rest().any(|event| matches!(event, EpisodeEvent::Asked { .. }))
                    }
                    EpisodeEvent::Ended { .. } => rest().count() == 0,
                    _ => true,
                };
                if !is_whole {
                    return Err(wrong(run, fact, "is stored without what follows from it"));
                }
            }
        }
    }
    Ok(())
}

fn wrong(run: &ReadRun<'_>, fact: &Fact<EpisodeEvent>, why: &str) -> String {
    format!("{}: {:?} {why}", run.name(), fact)
}
