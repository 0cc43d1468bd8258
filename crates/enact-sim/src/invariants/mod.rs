//! What must hold of every run, whatever happened to it: the invariants of `ARCHITECTURE.md`, one function
//! each.
//!
//! `evidence` is what they look at; `stored` is about logs, claims and commands, `spent` about calls and
//! money, `told` about words and who said them, `episode` about turns and messages, `field`
//! about worlds, `mind` about calls of games.

mod episode;
mod evidence;
mod field;
mod mind;
mod spent;
mod stored;
mod told;

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests;

use crate::simulate::PlayedScenario;

use self::evidence::Evidence;

/// An invariant by its name, and how it is checked. An error says what is wrong.
type Invariant = (&'static str, fn(&Evidence<'_>) -> Result<(), String>);

const INVARIANTS: [Invariant; 26] = [
    ("every run ends or rests once faults are over", stored::comes_to_an_end),
    ("seqs are gapless", stored::is_gapless),
    ("every log can be read", stored::is_readable),
    ("only the newest claim appends", stored::newest_claim_appends),
    ("facts of one input are stored together", stored::inputs_are_whole),
    ("what was shown is in the log, and was stored before", stored::seen_is_stored),
    ("every accepted command is in the log once", stored::commands_count_once),
    ("a person is heard once for each ask", stored::people_are_heard_once),
    ("turns are counted one by one, an episode is completed once", episode::turns_are_counted),
    ("a message is answered once, however often it is sent", episode::messages_are_answered_once),
    ("what follows from an answer is stored with it", episode::turns_are_whole),
    ("a call of a game is answered once, however often it is made", mind::calls_are_answered_once),
    ("a mind that rests asks nothing", mind::resting_minds_wait_for_nothing),
    ("a field that is simulated again comes to the same", field::comes_to_the_same),
    ("the world of a field holds together", field::worlds_hold_together),
    ("what ended or rests has an empty inbox", stored::settled_inboxes_are_empty),
    ("what ended has one end and stays as it is", stored::ended_stays_ended),
    ("rows are those that reindexing makes", stored::rows_follow_from_log),
    ("a log is told the same whenever it is told", told::replays_the_same),
    ("every call says its words once, as its own actor", told::words_are_said_once),
    ("no speaker, event or system line is forged", told::nothing_is_forged),
    ("of lines that were cut others are told what was heard", told::only_heard_words_are_told),
    ("a call is stored before it is made", spent::calls_are_stored_first),
    ("every call is billed once, unknown usage is unaccounted", spent::calls_are_billed_once),
    ("a budget is never exceeded", spent::budget_is_kept),
    ("an announced recording is there", told::recordings_exist),
];

/// An invariant that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    pub invariant: &'static str,
    pub what: String,
}

/// Every invariant that does not hold of what was played.
pub fn violations(played: &PlayedScenario) -> Vec<Violation> {
    let evidence = Evidence::of(played);
    let broken = INVARIANTS
        .iter()
        .filter_map(|(invariant, check)| check(&evidence).err().map(|what| Violation { invariant, what }));
    broken.collect()
}

/// The same seed gives the same logs, but for times and the ids of forks.
pub fn difference(one: &PlayedScenario, other: &PlayedScenario) -> Option<Violation> {
    let logs = |played: &PlayedScenario| -> Vec<Vec<(String, String)>> {
        let log = |run: &crate::simulate::PlayedRun| {
            let id = run.summary.run.to_string();
            let short = run.summary.run.0.simple().to_string();
            let body = |record: &enact_drama::Record| {
                record.body.get().replace(&id, "this run").replace(&short, "this run")
            };
            run.records.iter().map(|record| (record.kind.clone(), body(record))).collect()
        };
        played.runs.iter().map(log).collect()
    };
    let (one, other) = (logs(one), logs(other));
    if one == other {
        return None;
    }
    let differs = one.iter().zip(&other).find_map(|(one, other)| {
        let place = one.iter().zip(other).position(|(one, other)| one != other)?;
        Some(format!("record {place} is {:?} and {:?}", one[place], other[place]))
    });
    let lengths = |logs: &[Vec<(String, String)>]| logs.iter().map(Vec::len).collect::<Vec<_>>();
    let what = differs
        .unwrap_or_else(|| format!("the logs have {:?} and {:?} records", lengths(&one), lengths(&other)));
    Some(Violation { invariant: "the same seed gives the same logs", what })
}
