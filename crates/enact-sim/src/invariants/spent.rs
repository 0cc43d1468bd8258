//! Calls to models, what they cost, and what they may cost.

use std::collections::BTreeSet;

use enact_drama::{Name, scene::SceneEvent, usage::Usage};
use serde_json::Value;

use super::evidence::{Evidence, ReadRun};
use crate::scenario::SimulatedProduction;

/// A fact is stored before its effects are performed: when a model was called, the log held its ask.
pub(super) fn calls_are_stored_first(evidence: &Evidence<'_>) -> Result<(), String> {
    let Some(run) = evidence.only_run() else { return Ok(()) };
    let production = evidence.scenario.production;
    for (number, call) in evidence.journal.calls.iter().enumerate() {
        let before = run.played.records.iter().take(call.log_length as usize);
        let asks = |record: &&enact_drama::Record| match record.kind.as_str() {
            // Of an episode there is one actor, whom its asks do not name; a mind has none.
            "asked" if production == SimulatedProduction::Episode => call.actor.is_some(),
            "asked" if production == SimulatedProduction::Mind => call.actor.is_none(),
            "asked" | "slot_asked" | "mind_asked" => {
                call.actor.as_ref().is_some_and(|actor| asks_for(record.body.get(), actor))
            }
            "consulted" | "evaluation_asked" | "reading_asked" => call.actor.is_none(),
            "called" => true,
            _ => false,
        };
        if before.filter(asks).count() == 0 {
            let (actor, length) = (&call.actor, call.log_length);
            return Err(format!("call {number} for {actor:?} was made when {length} records were stored"));
        }
    }
    Ok(())
}

/// Whether the body of an ask names this actor; slots are called by their number.
fn asks_for(body: &str, actor: &Name) -> bool {
    match actor.as_str().strip_prefix("slot-") {
        Some(slot) => body.contains(&format!("\"slot\":{slot}")),
        None => body.contains(&format!("\"actor\":\"{actor}\"")),
    }
}

/// The ledger is the sum of what the log says of each call; each of these was told by one call that was
/// made; and every call that was made is counted, as unaccounted if what it used was lost.
pub(super) fn calls_are_billed_once(evidence: &Evidence<'_>) -> Result<(), String> {
    let mut billed: BTreeSet<u64> = BTreeSet::new();
    let mut made = 0;
    for run in &evidence.runs {
        let Some(report) = &run.report else { continue };
        let total = report.ledger().total();
        made += total.made();
        let mut sum = Usage::NONE;
        for usage in own_usages(run) {
            sum += Usage { partial: false, ..usage };
            // An ask that was never made, for want of budget, has used nothing.
            if usage.partial || usage == Usage::NONE {
                continue;
            }
            let call = usage.output.checked_sub(1).and_then(|call| evidence.journal.calls.get(call as usize));
            if call.is_none_or(|call| call.used != usage) {
                return Err(format!("{} bills {usage:?}, which no call used", run.name()));
            }
            if !billed.insert(usage.output) {
                return Err(format!("{} bills {usage:?} again", run.name()));
            }
        }
        if total.usage != sum {
            return Err(format!("{}: the ledger has {:?}, and the log {sum:?}", run.name(), total.usage));
        }
    }
    // An echo has no fact for a process that took over, and so none for the calls that were lost with the
    // one before it.
    let knows_lost_calls = evidence.scenario.production != SimulatedProduction::Toy;
    let called = evidence.journal.calls.len() as u64;
    if knows_lost_calls && made < called {
        return Err(format!("{called} calls were made, and {made} are in the ledger"));
    }
    Ok(())
}

/// What each outcome in the log says that its call used, of those that this run has made itself.
fn own_usages(run: &ReadRun<'_>) -> Vec<Usage> {
    let records = &run.played.records;
    let forked = records.iter().rposition(|record| record.kind == "forked");
    let own = &records[forked.map_or(0, |at| at + 1)..];
    let usages = own.iter().filter(|record| record.body.get().contains("\"usage\"")).filter_map(|record| {
        let body: Value = serde_json::from_str(record.body.get()).ok()?;
        let told = body.get("usage").or_else(|| body.get("decision")?.get("usage"))?;
        serde_json::from_value(told.clone()).ok()
    });
    usages.collect()
}

/// What all calls really used, those among them whose answers were lost, is within the budget.
pub(super) fn budget_is_kept(evidence: &Evidence<'_>) -> Result<(), String> {
    // A fork has the budget of its run once more.
    let (Some(most), Some(run)) = (evidence.scenario.budget.tokens, evidence.only_run()) else {
        return Ok(());
    };
    let used: u64 = evidence.journal.calls.iter().map(|call| call.used.total()).sum();
    if used > most {
        let beats = run.facts.iter().filter(|fact| matches!(fact.event, SceneEvent::BeatOpened { .. }));
        return Err(format!("{used} tokens of {most} were used in {} beats", beats.count()));
    }
    Ok(())
}
