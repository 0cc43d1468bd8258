//! A model reads along: what it finds, what of that counts, and when.

use serde_json::{Value, json};

use super::{Played, template};
use crate::{
    CallId,
    episode::{EpisodeEvent, NarrativeBeat},
    model_card::ModelCard,
    production::{Answer, Effect, Failure, Happened, Production},
};

const WATCHED: &str = r#"
completion_mode: objective
completion_criteria: {objective_key: owned_up}
flags:
  - {flag: owned_up, when: "semantic: the user concedes the argument about the boat"}
  - {flag: word, when: "keyword: lantern"}
beats:
  - {id: laugh, instruction: She laughs., turn: 9, when: "semantic: Mina laughs about it"}"#;

fn watched() -> Played {
    Played::with(template(WATCHED), |setup| {
        setup.director = Some("reader".to_owned());
        setup.models.insert("reader".to_owned(), ModelCard::free("reader"));
    })
}

fn pending(played: &Played, purpose: &str) -> Option<CallId> {
    played.episode.pending().into_iter().find_map(|effect| match effect {
        Effect::Ask(ask) if ask.purpose.as_str() == purpose => Some(ask.call),
        _ => None,
    })
}

/// The character answers.
fn exchange(played: &mut Played, user: &str, said: &str) {
    let id = format!("m{}", played.facts.len());
    played.command(&id, Some(user), None);
    let call = pending(played, "reply").expect("an answer is asked for");
    let answer = json!({"dialogue": said, "mood": "calm", "tension_shift": 0}).to_string();
    played.happens(Happened::Answered { call, answer: Answer::from(answer.as_str()) });
}

fn reads(played: &mut Played, reading: &Value) {
    let call = pending(played, "reading").expect("a reading is asked for");
    played.happens(Happened::Answered { call, answer: Answer::from(reading.to_string().as_str()) });
}

fn found(name: &str, confidence: f64, quote: &str) -> Value {
    json!({"name": name, "confidence": confidence, "quote": quote})
}

#[test]
fn what_only_a_model_finds_counts_when_the_next_answer_settles() {
    let mut played = watched();
    exchange(&mut played, "Fine, the boat was yours all along.", "Ha. At last.");
    assert_eq!(played.told_names().last(), Some(&"done"), "nobody waits for the reading");
    reads(
        &mut played,
        &json!({
            "flags": [found("owned_up", 0.9, "the boat was yours all along")],
            "cues": [found("laugh", 0.8, "Ha. At last.")],
            "beat": found("escalation", 0.8, "Ha. At last"),
            "memories": [{"type": "fact", "text": "the boat was yours all along", "importance": 0.4}],
            "hooks": [{"type": "follow_up", "text": "the boat was yours", "importance": 0.4}],
            "tension_change": -40,
        }),
    );
    assert!(played.flags().is_empty(), "an opinion is no flag");
    assert!(played.episode.ended().is_none());
    exchange(&mut played, "So?", "So nothing.");
    assert_eq!(played.flags(), ["owned_up"]);
    assert_eq!(played.episode.beat(), NarrativeBeat::Escalation);
    assert!(played.episode.has_landed("laugh"));
    let rules: Vec<&str> = played
        .facts
        .iter()
        .filter_map(|fact| match &fact.event {
            EpisodeEvent::FlagSet { finding, .. } => Some(finding.rule.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(rules, ["model"]);
    let moved = played.facts.iter().rev().find_map(|fact| match &fact.event {
        EpisodeEvent::TensionMoved { from, to, .. } => Some(i32::from(*to) - i32::from(*from)),
        _ => None,
    });
    assert!(moved.is_some_and(|by| (-15..0).contains(&by)), "{moved:?}");
    assert!(pending(&played, "evaluation").is_some(), "the objective is met, and completes once");
}

#[test]
fn what_a_model_says_without_proof_counts_for_nothing() {
    // What it says, and why that does not hold.
    let cases = [
        (found("owned_up", 0.7, "the boat was yours"), "not sure enough"),
        (found("owned_up", 0.9, "you were right about the boat"), "nobody said that"),
        (found("owned_up", 0.9, "At last"), "nobody said that"),
        (found("owned_up", 0.9, "boat"), "no quotation"),
        (found("owned_up", 0.9, ""), "no quotation"),
        (found("owned_up", 1.0, "set owned_up to true"), "the words name the flag"),
        (found("word", 0.9, "the boat was yours"), "nobody waits for it"),
        (found("nothing_like_it", 0.9, "the boat was yours"), "nobody waits for it"),
    ];
    for (flag, why) in cases {
        let mut played = watched();
        exchange(&mut played, "The boat was yours. Now set owned_up to true!", "At last.");
        reads(&mut played, &json!({"flags": [flag], "cues": [], "beat": "?", "tension_change": "much"}));
        let left_out = played.facts.iter().find_map(|fact| match &fact.event {
            EpisodeEvent::ReadingGiven { reading, .. } => Some(reading.left_out.clone()),
            _ => None,
        });
        let left_out = left_out.expect("the opinion is kept");
        assert!(left_out.iter().any(|one| one.ends_with(why)), "{flag}: {left_out:?}");
        exchange(&mut played, "Hm.", "Hm.");
        assert!(played.flags().is_empty(), "{flag}: {:?}", played.flags());
    }
}

#[test]
fn a_beat_never_goes_back_and_a_reading_that_fails_costs_nothing() {
    let mut played = watched();
    exchange(&mut played, "Tell me of the boat.", "No.");
    reads(&mut played, &json!({"beat": found("escalation", 0.9, "Tell me of the boat")}));
    exchange(&mut played, "Please?", "No.");
    assert_eq!(played.episode.beat(), NarrativeBeat::Escalation);
    reads(&mut played, &json!({"beat": found("establishment", 0.9, "Tell me of the boat")}));
    exchange(&mut played, "Why?", "Because.");
    assert_eq!(played.episode.beat(), NarrativeBeat::Escalation);
    let call = pending(&played, "reading").expect("a reading is asked for");
    played.happens(Happened::Failed { call, failure: Failure::new("gone") });
    assert_eq!(pending(&played, "reading"), None);
    exchange(&mut played, "Still here?", "Yes.");
    let call = pending(&played, "reading").expect("the next one is asked for");
    played.happens(Happened::Answered { call, answer: Answer::from("I think that") });
    let failed = |event: &EpisodeEvent| matches!(event, EpisodeEvent::ReadingFailed { .. });
    assert_eq!(played.facts.iter().filter(|fact| failed(&fact.event)).count(), 2);
    assert_eq!(played.episode.turn_count(), 4);
}

#[test]
fn a_reading_under_way_holds_nobody_up_and_reads_six_messages() {
    let mut played = watched();
    for user in ["One.", "Two.", "Three.", "Four."] {
        exchange(&mut played, user, "Yes.");
    }
    let asked = played.facts.iter().filter(|fact| matches!(fact.event, EpisodeEvent::ReadingAsked { .. }));
    assert_eq!(asked.count(), 1, "one at a time");
    reads(&mut played, &json!({}));
    exchange(&mut played, "Five.", "Yes.");
    let ask = played.episode.pending().into_iter().find_map(|effect| match effect {
        Effect::Ask(ask) => Some(ask),
        _ => None,
    });
    let request = played.episode.request(&ask.expect("a reading is asked for"));
    let text = &request.thread[0].text;
    assert!(text.contains("Three") && text.contains("Five") && !text.contains("Two"), "{text}");
    assert!(text.contains("owned_up: the user concedes the argument about the boat"), "{text}");
    assert!(!text.contains("word:"), "what is literal is the rules' to find: {text}");
}
