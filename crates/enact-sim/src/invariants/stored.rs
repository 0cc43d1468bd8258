//! Logs, claims, commands and what is derived from a log.

use std::collections::BTreeSet;

use enact_drama::{
    Name, Seq,
    reply::Action,
    row::settle,
    scene::{Outcome, Said, SceneEvent},
};
use enact_engine::log::Status;

use super::evidence::{Evidence, ReadRun};
use crate::{cluster::productions, world::PostOutcome};

/// A process killed at any instant resumes: nothing is left that no process plays.
pub(super) fn comes_to_an_end(evidence: &Evidence<'_>) -> Result<(), String> {
    evidence.stuck.map_or(Ok(()), |stuck| Err(stuck.to_owned()))
}

/// Every fact has `(run, seq)`, counted from 0.
pub(super) fn is_gapless(evidence: &Evidence<'_>) -> Result<(), String> {
    for run in &evidence.runs {
        for (record, expected) in run.played.records.iter().zip(0..) {
            if record.seq != Seq(expected) {
                return Err(format!("{} has {:?} at place {expected}", run.name(), record.seq));
            }
        }
        let (listed, there) = (run.played.summary.events, run.played.records.len());
        if listed != there as u64 {
            return Err(format!("{} is listed with {listed} records and has {there}", run.name()));
        }
    }
    Ok(())
}

/// A run's state is its log, folded.
pub(super) fn is_readable(evidence: &Evidence<'_>) -> Result<(), String> {
    for run in &evidence.runs {
        if let Some(unreadable) = &run.unreadable {
            return Err(format!("{}: {unreadable}", run.name()));
        }
        if run.report.is_none() {
            return Err(format!("{} has no report", run.name()));
        }
    }
    Ok(())
}

/// Of all claims on a run only the newest appends, and what it appends follows on what was there.
pub(super) fn newest_claim_appends(evidence: &Evidence<'_>) -> Result<(), String> {
    for run in &evidence.runs {
        let mut newest = 0;
        let mut length = None;
        for append in evidence.appends(run) {
            if append.claim.epoch < newest {
                let (old, at) = (append.claim.epoch, append.first.0);
                return Err(format!("{}: claim {old} appended at {at} after claim {newest}", run.name()));
            }
            newest = append.claim.epoch;
            let expected = length.unwrap_or(append.first.0);
            if append.first.0 != expected {
                let at = append.first.0;
                return Err(format!("{}: an append at {at} where {expected} was next", run.name()));
            }
            length = Some(expected + append.records);
        }
        let there = run.played.records.len() as u64;
        if length.is_some_and(|length| length != there) {
            return Err(format!("{}: {length:?} records were appended, {there} are there", run.name()));
        }
    }
    Ok(())
}

/// The facts that follow from one input are appended together: a reply with its line, a beat with its asks.
pub(super) fn inputs_are_whole(evidence: &Evidence<'_>) -> Result<(), String> {
    for run in &evidence.runs {
        for append in evidence.appends(run) {
            let from = append.first.0 as usize;
            let batch = run.facts.get(from..from + append.records as usize).unwrap_or_default();
            for (at, fact) in batch.iter().enumerate() {
                let rest = &batch[at + 1..];
                let is_whole = match &fact.event {
                    SceneEvent::Replied { actor, reply, outcome: Outcome::Taken, .. } => {
                        reply.action == Action::Silent
                            || rest.iter().any(|fact| is_line_of(&fact.event, actor))
                    }
                    SceneEvent::BeatOpened { to, .. } => {
                        to.iter().all(|actor| rest.iter().any(|fact| is_ask_of(&fact.event, actor)))
                    }
                    SceneEvent::Ended { .. } => rest.is_empty(),
                    _ => true,
                };
                if !is_whole {
                    return Err(format!("{}: what follows from {fact:?} is not with it", run.name()));
                }
            }
        }
    }
    Ok(())
}

fn is_ask_of(event: &SceneEvent, actor: &Name) -> bool {
    matches!(event, SceneEvent::Asked { actor: asked, .. } if asked == actor)
}

fn is_line_of(event: &SceneEvent, actor: &Name) -> bool {
    matches!(event, SceneEvent::LineAdded { said: Said::Actor { who, .. } } if who == actor)
}

/// An observer sees a prefix of the log, each record after it was stored, and all of a run that ended.
pub(super) fn seen_is_stored(evidence: &Evidence<'_>) -> Result<(), String> {
    for seen in &evidence.journal.seen {
        if let Some(seq) = seen.too_early {
            return Err(format!("record {} was shown before it was stored", seq.0));
        }
        let Some(run) = evidence.runs.iter().find(|run| run.played.summary.run == seen.run) else { continue };
        let stored = &run.played.records;
        if seen.records.len() > stored.len() {
            return Err(format!("{} records were shown and {} stored", seen.records.len(), stored.len()));
        }
        if run.played.summary.status == Status::Finished && seen.records.len() < stored.len() {
            return Err(format!("{} of {} records were shown", seen.records.len(), stored.len()));
        }
        for (shown, stored) in seen.records.iter().zip(stored) {
            let is_same = (shown.seq, &shown.kind) == (stored.seq, &stored.kind)
                && shown.body.get() == stored.body.get();
            if !is_same {
                return Err(format!("record {} was shown as {shown:?} and is {stored:?}", stored.seq.0));
            }
        }
    }
    Ok(())
}

/// A command that was accepted is taken out of its inbox with what follows from it, once. One that was
/// refused leaves no trace.
pub(super) fn commands_count_once(evidence: &Evidence<'_>) -> Result<(), String> {
    for posted in &evidence.journal.commands {
        let Some(text) = &posted.text else { continue };
        let Some(run) = evidence.runs.iter().find(|run| run.played.summary.run == posted.run) else {
            continue;
        };
        let times = times_in_log(run, text);
        let is_right = match posted.outcome {
            PostOutcome::Accepted(_) => times == 1,
            PostOutcome::Refused => times == 0,
            PostOutcome::Unknown => times <= 1,
        };
        if !is_right {
            return Err(format!("{posted:?} is in the log {times} times"));
        }
    }
    Ok(())
}

/// How often something that was posted stands in a log.
pub(crate) fn times_in_log(run: &ReadRun<'_>, text: &str) -> usize {
    let kinds = [
        "noted",
        "line_added",
        "called",
        "answer_ignored",
        "message_received",
        "message_refused",
        "observed",
        "world_event",
    ];
    let records = run.played.records.iter().filter(|record| kinds.contains(&record.kind.as_str()));
    records.filter(|record| record.body.get().contains(text)).count()
}

/// A person's ask has one answer at most, and silence only once its time is up.
pub(super) fn people_are_heard_once(evidence: &Evidence<'_>) -> Result<(), String> {
    for run in &evidence.runs {
        let mut open = BTreeSet::new();
        for fact in &run.facts {
            match &fact.event {
                SceneEvent::Asked { call, human: Some(_), .. } => _ = open.insert(*call),
                SceneEvent::Replied { call, actor, .. } if run.is_human(actor) && !open.remove(call) => {
                    return Err(format!("{}: {fact:?} answers what is not asked", run.name()));
                }
                SceneEvent::CallFailed { actor, .. } if run.is_human(actor) => {
                    return Err(format!("{}: a person failed: {fact:?}", run.name()));
                }
                SceneEvent::Forked { .. } => open.clear(),
                _ => {}
            }
        }
    }
    Ok(())
}

/// A run that rests or has ended has no command left that no process would read, and no owner.
pub(super) fn settled_inboxes_are_empty(evidence: &Evidence<'_>) -> Result<(), String> {
    for run in &evidence.runs {
        let status = run.played.summary.status;
        if evidence.stuck.is_none() && !matches!(status, Status::Resting | Status::Paused | Status::Finished)
        {
            return Err(format!("{} is {status:?}", run.name()));
        }
        if !run.played.inbox.is_empty() {
            return Err(format!("{} is {status:?} with {:?} in its inbox", run.name(), run.played.inbox));
        }
    }
    Ok(())
}

/// What ended has one end, which is its last record, and takes nothing more.
pub(super) fn ended_stays_ended(evidence: &Evidence<'_>) -> Result<(), String> {
    for run in &evidence.runs {
        let records = &run.played.records;
        let ends: Vec<u64> =
            records.iter().filter(|record| record.kind == "ended").map(|record| record.seq.0).collect();
        let is_finished = run.played.summary.status == Status::Finished;
        let expected = if is_finished { vec![records.len() as u64 - 1] } else { Vec::new() };
        if ends != expected {
            let (name, length) = (run.name(), records.len());
            return Err(format!("{name} of {length} records ends at {ends:?}, finished: {is_finished}"));
        }
        if let Some(before) = run.played.ended_length.filter(|before| *before != records.len() as u64) {
            return Err(format!(
                "{} grew from {before} to {} records after its end",
                run.name(),
                records.len()
            ));
        }
        if !run.played.refuses_commands {
            return Err(format!("{} has ended and takes a command", run.name()));
        }
    }
    Ok(())
}

/// Rows are derived: `enact reindex` would make the same.
pub(super) fn rows_follow_from_log(evidence: &Evidence<'_>) -> Result<(), String> {
    let productions = productions();
    for run in &evidence.runs {
        let records = &run.played.records;
        let production = records.first().and_then(|first| productions.of(first).ok());
        let Some(Ok(changes)) = production.map(|production| production.rows(records)) else { continue };
        let mut stored = run.played.rows.clone();
        stored.sort_by(|one, other| (&one.kind, &one.key).cmp(&(&other.kind, &other.key)));
        let made = settle(changes);
        if stored != made {
            return Err(format!("{} has the rows {stored:?}, and its log gives {made:?}", run.name()));
        }
    }
    Ok(())
}
