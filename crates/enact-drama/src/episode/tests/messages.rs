//! Messages: taken once, one after the other.

use super::{Played, template};
use crate::{
    CallId,
    episode::{EpisodeCommand, EpisodeEvent},
    production::{Answer, Effect, Failure, FailureKind, Fork, Happened, Production, fold},
};

#[test]
fn a_message_is_taken_once_and_a_second_waits_for_its_answer() {
    let mut played = Played::begin(template(""));
    played.command("a", Some("Hello"), None);
    let facts = played.facts.len();
    played.command("a", Some("Hello"), None);
    assert_eq!(played.facts.len(), facts, "the same message again changes nothing");
    let second =
        EpisodeCommand::Message { id: "b".to_owned(), text: Some("Hey".to_owned()), choice_id: None };
    assert!(played.episode.check_now(&second).is_err());
    played.command("b", Some("Hey"), None);
    assert!(matches!(played.facts.last().unwrap().event, EpisodeEvent::MessageRefused { .. }));
    played.answer(r#"{"dialogue": "Hello."}"#);
    assert_eq!(played.episode.turn_count(), 1);
    played.command("a", Some("Hello"), None);
    assert_eq!(played.episode.turn_count(), 1);
    assert!(played.episode.check_now(&second).is_ok());
}

#[test]
fn a_failed_answer_counts_no_turn_and_may_be_asked_for_again() {
    let mut played = Played::begin(template(""));
    played.command("a", Some("Hello"), None);
    let failure = Failure { kind: FailureKind::Timeout, ..Failure::new("late") };
    played.happens(Happened::Failed { call: CallId(0), failure });
    let names = played.told_names();
    assert_eq!(names[names.len() - 2..], ["error", "done"]);
    assert_eq!(played.episode.turn_count(), 0);
    played.command("a", Some("Hello"), None);
    played.answer(r#"{"dialogue": "Hello."}"#);
    assert_eq!(played.episode.turn_count(), 1);
}

#[test]
fn an_answer_that_never_comes_is_given_up() {
    let mut played = Played::begin(template(""));
    played.command("a", Some("Hello"), None);
    let timers = played.episode.pending().into_iter().filter_map(|effect| match effect {
        Effect::Timer { call, after_ms } => Some((call, after_ms)),
        _ => None,
    });
    let [(timer, after_ms)] = timers.collect::<Vec<_>>()[..] else { panic!("one timer limits the answer") };
    assert_eq!(after_ms, 1_000);
    played.happens(Happened::TimeUp { call: timer });
    let names = played.told_names();
    assert_eq!(names[names.len() - 2..], ["error", "done"]);
    assert!(played.episode.pending().is_empty());
}

#[test]
fn a_late_answer_changes_nothing() {
    let mut played = Played::begin(template(""));
    played.exchange("Hello", "Hi.");
    let facts = played.facts.len();
    played.happens(Happened::Answered { call: CallId(0), answer: Answer::from("{}") });
    played.happens(Happened::Answered { call: CallId(9), answer: Answer::from("{}") });
    assert_eq!(played.facts.len(), facts);
}

#[test]
fn a_branch_shares_its_turns_and_keeps_no_thoughts() {
    let mut played = Played::begin(template("completion_mode: turn_limited\nturn_budget: 2"));
    played.command("a", Some("Hello"), None);
    played.answer(r#"{"dialogue": "Hi.", "internal": "Who is this?"}"#);
    played.exchange("Bye", "Bye.");
    let fork = Fork {
        point: 1.into(),
        run: crate::RunId(uuid::Uuid::from_u128(8)),
        seed: 3,
        at: 99,
        random: [0; 2],
    };
    let facts = crate::episode::Episode::fork(&played.facts, fork).unwrap();
    let branch: crate::episode::Episode = fold(&facts).unwrap();
    assert_eq!(branch.turn_count(), 1);
    assert!(branch.ended().is_none());
    assert!(
        facts.iter().all(
            |fact| !matches!(&fact.event, EpisodeEvent::Thought { internal, .. } if !internal.is_empty())
        )
    );
    let too_far = Fork { point: 5.into(), ..fork };
    assert!(crate::episode::Episode::fork(&played.facts, too_far).is_err());
}
