//! Worlds: what a field's log comes to when it is simulated again.

use enact_drama::{
    field::{FieldEvent, FieldRun, world::FieldNote},
    production::fold,
};

use super::evidence::Evidence;

/// Resuming simulates the inputs of a log: whoever does it comes to the world that the log tells of.
pub(super) fn comes_to_the_same(evidence: &Evidence<'_>) -> Result<(), String> {
    for run in evidence.runs.iter().filter(|run| !run.field.is_empty()) {
        let Some(folded) = fold::<FieldRun>(&run.field) else {
            return Err(format!("{} does not begin like a field", run.name()));
        };
        if let Some(tick) = folded.diverged() {
            return Err(format!("{} comes to something else at tick {tick}", run.name()));
        }
    }
    Ok(())
}

/// No world contradicts itself, and nobody stands still on the way to something.
pub(super) fn worlds_hold_together(evidence: &Evidence<'_>) -> Result<(), String> {
    for run in &evidence.runs {
        for fact in &run.field {
            match &fact.event {
                FieldEvent::Violated { tick, found } => {
                    return Err(format!("{}, tick {tick}: {}", run.name(), found.join("; ")));
                }
                FieldEvent::Noted { note: FieldNote::Stuck { tick, who } } => {
                    return Err(format!("{}, tick {tick}: {who} is stuck", run.name()));
                }
                _ => {}
            }
        }
    }
    Ok(())
}
