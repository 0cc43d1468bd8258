//! A few thousand simulated runs, and whether the simulation would notice that something is wrong.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use enact_sim::{
    Mutant, SimulatedProduction,
    campaign::{Campaign, CampaignReport},
};
use tempfile::TempDir;

fn play(campaign: &Campaign) -> CampaignReport {
    campaign.play(TempDir::new().unwrap().path())
}

/// Plays these seeds, and shows those of which an invariant does not hold.
#[track_caller]
fn check(production: SimulatedProduction, runs: u64) -> CampaignReport {
    let report = play(&Campaign::new(production, 0, runs));
    let failures: Vec<String> = report.failures.iter().map(ToString::to_string).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    assert_eq!(report.tally.runs, runs);
    report
}

#[test]
fn the_invariants_hold_of_simulated_scenes() {
    check(SimulatedProduction::Scene, 2_000);
}

/// Seeds that once found something: a command that came with the end of a run was taken twice (9061), so was
/// an answer that would have ended it had not a pause come later (195391), and a frozen node told its readers
/// of a run that it played it, long after it had given it up (275347).
#[test]
fn the_invariants_hold_where_they_once_did_not() {
    for seed in [9_061, 195_391, 275_347] {
        let report = play(&Campaign::new(SimulatedProduction::Scene, seed, 1));
        assert!(report.failures.is_empty(), "{}", report.failures[0]);
    }
}

#[test]
fn the_invariants_hold_of_simulated_choruses() {
    let report = check(SimulatedProduction::Chorus, 500);
    let passed_over = report.tally.kinds.get("model_failed");
    assert!(passed_over.is_some_and(|models| *models > 5), "fallbacks are among it: {passed_over:?}");
}

#[test]
fn the_invariants_hold_of_simulated_episodes() {
    let report = check(SimulatedProduction::Episode, 1_000);
    let played = |kind: &str| report.tally.kinds.get(kind).copied().unwrap_or_default();
    for kind in
        ["evaluated", "evaluation_failed", "answer_failed", "message_refused", "choice_offered", "forked"]
    {
        assert!(played(kind) > 5, "'{kind}' is among it: {:?}", report.tally.kinds);
    }
}

#[test]
fn the_invariants_hold_of_simulated_minds() {
    let report = check(SimulatedProduction::Mind, 500);
    let played = |kind: &str| report.tally.kinds.get(kind).copied().unwrap_or_default();
    for kind in [
        "decided",
        "passed",
        "repeated",
        "withheld",
        "asked",
        "released",
        "linked",
        "consolidated",
        "resumed",
    ] {
        assert!(played(kind) > 5, "'{kind}' is among it: {:?}", report.tally.kinds);
    }
}

#[test]
fn the_invariants_hold_of_simulated_fields() {
    let report = check(SimulatedProduction::Field, 300);
    let played = |kind: &str| report.tally.kinds.get(kind).copied().unwrap_or_default();
    for kind in [
        "replied",
        "reply_failed",
        "mind_answered",
        "mind_declined",
        "said_by_rules",
        "step_asked",
        "world_event",
        "person_placed",
        "entity_removed",
        "resumed",
        "forked",
    ] {
        assert!(played(kind) > 5, "'{kind}' is among it: {:?}", report.tally.kinds);
    }
}

#[test]
fn the_invariants_hold_of_simulated_toys() {
    check(SimulatedProduction::Toy, 1_000);
}

/// A fiftieth of the million that the command plays.
#[test]
fn the_invariants_hold_of_troubled_fields() {
    let tally = enact_sim::fields::play(20_000, 0);
    assert_eq!(tally.violations, [""; 0]);
    assert_eq!((tally.ticks, tally.stuck), (20_000, 0));
}

#[test]
fn a_store_that_forgets_an_append_is_found_and_its_seed_shows_it_again() {
    let campaign = |first, runs| Campaign {
        mutant: Mutant::ForgetfulStore,
        ..Campaign::new(SimulatedProduction::Scene, first, runs)
    };
    let found = play(&campaign(0, 64));
    let failure = found.failures.first().expect("a violation");
    let again = play(&campaign(failure.seed, 1));
    let [again] = &again.failures[..] else { panic!("the seed {} shows nothing", failure.seed) };
    assert_eq!(again.violations, failure.violations);
    assert_eq!(again.tail, failure.tail);
    let text = failure.to_string();
    let replay = format!("--production scene --seed {}", failure.seed);
    assert!(text.contains(&replay) && text.contains(failure.violations[0].invariant), "{text}");
}
