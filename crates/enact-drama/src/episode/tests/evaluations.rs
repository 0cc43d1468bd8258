//! What an episode comes to: built-in evaluations, an author's own, and what stands in.

use serde_json::{Value, json};

use super::{Played, template};
use crate::{
    episode::{
        EpisodeCommand, EpisodeEvent, NextEpisode, Series, SeriesKind, evaluation::Evaluation, read_episode,
    },
    model_card::ModelCard,
    production::{Effect, Failure, Happened, Production},
};

const OWN: &str = r#"
completion_mode: turn_limited
turn_budget: 1
evaluation:
  type: courage
  prompt: Say how brave the user was.
  schema:
    verdict: {type: string, default: "Nobody can say."}
    score: {type: integer}
    kind: {type: string, enum: [hero, coward]}
    moments: {type: array, items: {type: string}}"#;

fn with_director(front_matter: &str) -> Played {
    Played::with(template(front_matter), |setup| {
        setup.director = Some("critic".to_owned());
        setup.models.insert("critic".to_owned(), ModelCard::free("critic"));
    })
}

fn evaluation(played: &Played) -> Evaluation {
    let made = played.facts.iter().rev().find_map(|fact| match &fact.event {
        EpisodeEvent::Evaluated { evaluation, .. } => Some(evaluation.clone()),
        _ => None,
    });
    made.expect("it is evaluated")
}

#[test]
fn an_author_asks_for_what_they_want_to_know() {
    let mut played = with_director(OWN);
    played.exchange("I go first.", "Then go.");
    let Effect::Ask(ask) = played.episode.pending().remove(0) else { panic!("an evaluation is asked for") };
    let request = played.episode.request(&ask);
    assert_eq!(&*request.system[0], "Say how brave the user was.");
    let schema = &request.schema.as_ref().unwrap().json;
    assert_eq!(schema["required"].as_array().unwrap().len(), 4);
    assert!(schema["properties"]["verdict"].get("default").is_none(), "providers know no defaults");
    assert!(request.thread[0].text.contains("I go first."));
    played.answer(r#"{"verdict": "Very.", "score": 9, "kind": "hero", "moments": ["went first"]}"#);
    let made = evaluation(&played);
    assert_eq!((made.evaluation_type.as_str(), made.model_used.as_str()), ("courage", "critic"));
    assert_eq!(made.result["score"], 9);
    assert_eq!(made.stands_in_for, None);
}

#[test]
fn what_a_model_gives_must_have_the_shape_that_was_asked_for() {
    let cases = [
        r#"{"verdict": "Very.", "score": "nine", "kind": "hero", "moments": []}"#,
        r#"{"verdict": "Very.", "score": 9, "kind": "villain", "moments": []}"#,
        r#"{"verdict": "Very.", "score": 9, "kind": "hero"}"#,
        r#"{"verdict": "Very.", "score": 9, "kind": "hero", "moments": [1]}"#,
        "Very brave.",
    ];
    for given in cases {
        let mut played = with_director(OWN);
        played.exchange("I go first.", "Then go.");
        played.answer(given);
        let made = evaluation(&played);
        assert_eq!(made.model_used, "rules", "{given}");
        assert_eq!(made.stands_in_for.as_deref(), Some("critic"), "{given}");
        assert_eq!(made.result["verdict"], "Nobody can say.");
        assert_eq!(made.result["score"], Value::Null);
        assert!(made.confidence.is_some_and(|sure| sure <= 0.5));
        assert!(played.episode.ended().is_none() && played.episode.is_complete());
    }
}

#[test]
fn an_evaluation_that_failed_is_made_again() {
    let mut played = with_director(OWN);
    let evaluate = || Happened::Commanded(EpisodeCommand::Evaluate {});
    assert!(played.episode.check_now(&EpisodeCommand::Evaluate {}).is_err(), "it is not complete");
    played.exchange("I go first.", "Then go.");
    played.answer("no idea");
    assert_eq!(played.told_names().last(), Some(&"done"));
    let message =
        EpisodeCommand::Message { id: "m9".to_owned(), text: Some("More?".to_owned()), choice_id: None };
    assert!(played.episode.check_now(&message).is_err(), "the chat is closed");
    assert!(played.episode.check_now(&EpisodeCommand::Evaluate {}).is_ok());
    played.happens(evaluate());
    played.answer("still none");
    assert_eq!(evaluation(&played).model_used, "rules");
    played.happens(evaluate());
    played.happens(evaluate());
    played.answer(r#"{"verdict": "Very.", "score": 9, "kind": "hero", "moments": []}"#);
    assert_eq!(evaluation(&played).model_used, "critic");
    assert_eq!(played.episode.ended(), Some("completed"));
    let complete = played.told_names().into_iter().filter(|name| *name == "episode_complete").count();
    assert_eq!(complete, 1, "an episode completes once");
}

#[test]
fn an_evaluation_of_ones_own_is_checked_when_it_is_read() {
    // Front matter, and what is said of it.
    let cases = [
        ("evaluation: {type: x, prompt: Say., schema: {a: {type: text}}}", "has the type 'text'"),
        ("evaluation: {type: x, schema: {a: {type: string}}}", "has no 'prompt'"),
        ("evaluation: {type: x, prompt: Say.}", "has no 'schema'"),
        ("evaluation: {prompt: Say., schema: {a: {type: string}}}", "has no 'type'"),
        ("evaluation: {type: flirt_archetype, prompt: Say., schema: {a: {type: string}}}", "is built in"),
        ("evaluation: {type: x, prompt: Say., schema: {a: {type: array}}}", "does not say what it holds"),
        ("evaluation: {type: x, prompt: Say., keys: {}}", "schema"),
        ("evaluation: flirt_archetypes", "there is no evaluation"),
        ("arc: [10, 120]", "from 0 to 100"),
        ("beats: [{id: a, instruction: B, moves: 300}]", "from -100 to 100"),
    ];
    for (front_matter, said) in cases {
        let text = format!("---\ncharacter: mina\n{front_matter}\n---\nA bar.\n");
        let problem = read_episode(&text, "test").expect_err(front_matter);
        let shown = format!("{problem} {}", problem.hint.clone().unwrap_or_default());
        assert!(shown.contains(said), "{front_matter}: {shown}");
    }
}

/// The keys of the results, word for word.
#[test]
fn results_have_the_keys_that_clients_read() {
    let cases: [(&str, &[&str]); 3] = [
        ("flirt_archetype", &["archetype", "confidence", "primary_signals", "description", "scores"]),
        ("episode_summary", &["summary", "key_moments", "emotional_arc"]),
        ("mystery_progress", &["clues_found", "suspects_cleared", "current_theory"]),
    ];
    for (kind, keys) in cases {
        let text = format!("completion_mode: turn_limited\nturn_budget: 1\nevaluation: {kind}");
        let mut played = with_director(&text);
        played.exchange("I think it was the cook.", "Do you?");
        let Effect::Ask(ask) = played.episode.pending().remove(0) else { panic!("it is asked for") };
        played.happens(Happened::Failed { call: ask.call, failure: Failure::new("gone") });
        let made = evaluation(&played);
        for key in keys {
            assert!(made.result.contains_key(*key), "{kind} has no {key}: {:?}", made.result);
        }
        assert_eq!(made.stands_in_for.as_deref(), Some("critic"));
    }
}

#[test]
fn suggestions_come_in_order_and_with_both_sets_of_keys() {
    let series = |slug: &str, episodes: &[&str], matches: &[&str], themes: &[&str]| Series {
        slug: slug.to_owned(),
        title: slug.to_owned(),
        kind: SeriesKind::Serial,
        episodes: episodes.iter().map(|one| (*one).to_owned()).collect(),
        matches: matches.iter().map(|one| (*one).to_owned()).collect(),
        themes: themes.iter().map(|one| (*one).to_owned()).collect(),
        description: String::new(),
    };
    let others =
        vec![series("sea", &["sea-1"], &[], &["loss"]), series("dare", &["dare-1"], &["playful_tease"], &[])];
    // The series it belongs to, the evaluation, and what is suggested.
    let cases = [
        (Some(series("own", &["test", "next"], &[], &[])), "flirt_archetype", "next_episode"),
        (Some(series("own", &["first", "test"], &[], &["loss"])), "flirt_archetype", "matched_series"),
        (Some(series("own", &["first", "test"], &[], &["loss"])), "episode_summary", "matched_series"),
        (None, "episode_summary", "character_continuity"),
    ];
    for (own, evaluation, kind) in cases {
        let text = format!("completion_mode: turn_limited\nturn_budget: 1\nevaluation: {evaluation}");
        let mut played = Played::with(template(&text), |setup| {
            setup.series = own;
            setup.other_series.clone_from(&others);
            setup.context.next_episode = Some(NextEpisode {
                slug: "next".to_owned(),
                title: "The Next One".to_owned(),
                situation: "A quay.".to_owned(),
                character: "mina".to_owned(),
            });
        });
        played.exchange("haha, make me", "No.");
        let told = played.told();
        let complete = told.iter().find(|event| event.name == "episode_complete").expect("it is complete");
        let next = &complete.data["next_suggestion"];
        assert_eq!(next["type"], kind, "{evaluation}");
        for key in ["episode_id", "title", "slug", "episode_number", "situation", "character_id"] {
            assert!(next.get(key).is_some(), "{kind} has no {key}");
        }
        if kind == "next_episode" {
            assert_eq!(next["episode_template_id"], "next");
            assert_eq!(next["series_id"], "own");
            let both = json!([next["title"], next["situation"], next["episode_number"]]);
            assert_eq!(both, json!(["The Next One", "A quay.", 2]));
        }
    }
}
