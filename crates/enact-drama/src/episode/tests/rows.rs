//! What is listed of sessions, and what is shared of them.

use serde_json::{Value, json};

use super::{Played, template};
use crate::{
    Fact, RunId,
    episode::{Episode, EpisodeEvent},
    production::{ClientEvents, Delta, Fork, Happened, Production},
    row::{Row, RowChange, settle},
};

/// The rows of a log, made anew.
fn rows(facts: &[Fact<EpisodeEvent>]) -> Vec<Row> {
    let mut episode = Episode::begin(&facts[0]).unwrap();
    let mut changes: Vec<RowChange> = episode.rows(&facts[0]);
    for fact in &facts[1..] {
        episode.apply(fact);
        changes.extend(episode.rows(fact));
    }
    settle(changes)
}

fn body(rows: &[Row], kind: &str) -> Value {
    let row = rows.iter().find(|row| row.kind == kind).unwrap_or_else(|| panic!("no {kind}"));
    serde_json::from_str(&row.body).unwrap()
}

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

fn flirt() -> Played {
    let mut played = Played::begin(template(
        "completion_mode: turn_limited\nturn_budget: 2\nevaluation: flirt_archetype\nbeats: [{id: a, instruction: x, sets: b}]",
    ));
    played.exchange("haha, is that a dare?", "Maybe.");
    played.exchange("My name is Kim.", "Hello, Kim.");
    played
}

#[test]
fn rows_have_the_columns_of_the_schema() {
    let played = flirt();
    let rows = rows(&played.facts);
    let session = body(&rows, "session");
    assert_eq!((&session["turn_count"], &session["completion_trigger"]), (&json!(2), &json!("turn_limit")));
    assert_eq!(
        keys(&session["director_state"]),
        ["beats_completed", "current_beat", "flags", "tension_curve", "user_signals"]
    );
    assert_eq!(session["session_state"], "complete");
    let evaluation = body(&rows, "evaluation");
    for column in ["id", "session_id", "evaluation_type", "result", "model_used", "created_at", "share_id"] {
        assert!(!evaluation[column].is_null(), "{column}");
    }
    let messages: Vec<Value> = rows
        .iter()
        .filter(|row| row.kind == "message")
        .map(|row| serde_json::from_str(&row.body).unwrap())
        .collect();
    let roles: Vec<&str> = messages.iter().filter_map(|message| message["role"].as_str()).collect();
    assert_eq!(roles, ["user", "assistant", "user", "assistant"]);
    let metadata = &messages[1]["metadata"];
    assert_eq!(keys(metadata), ["director", "structured"]);
    assert_eq!(keys(&metadata["director"]), ["beat", "completion_eligible", "turn_number", "user_signals"]);
    assert_eq!(keys(&metadata["structured"]), ["action", "dialogue", "mood", "tension_shift"]);
}

/// What is shared tells neither whose it is nor anything that was said beside the card's quotation.
#[test]
fn what_is_shared_is_the_card_alone() {
    let played = flirt();
    let shared = body(&rows(&played.facts), "share");
    let text = shared.to_string();
    for private in [&played.episode.run().to_string(), "Hello, Kim.", "director_state"] {
        assert!(!text.contains(private), "{private}: {text}");
    }
    assert_eq!(shared["card"]["title"], "The Playful Tease");
    assert_eq!(shared["card"]["theme"], "playful_tease");
}

#[test]
fn a_branch_is_shared_under_an_id_that_tells_nothing_of_its_run() {
    let played = flirt();
    let of_parent = played.episode.setup().share_id.clone();
    let fork = |random: u128| {
        let (run, random) = (RunId(uuid::Uuid::from_u128(8)), [random, random << 64]);
        let fork = Fork { point: 1.into(), run, seed: 1, at: 9, random };
        let forked = Episode::fork(&played.facts, fork).unwrap();
        Episode::begin(&forked[0]).unwrap().setup().share_id.clone()
    };
    assert!(fork(1).len() == 64 && fork(1) != fork(2) && fork(1) == fork(1));
    assert!(!fork(1).contains(&of_parent));
}

#[test]
fn talking_on_knows_what_came_before_and_completes_nothing() {
    let played = flirt();
    let setup =
        played.episode.going_on(RunId(uuid::Uuid::from_u128(9)), "other".to_owned(), Some("It went well."));
    assert_eq!(setup.template.opening_line, "Hello, Kim.");
    assert_eq!(setup.so_far, ["It went well."]);
    let mut on = Played::with(setup.template.clone(), |own| *own = setup);
    for _ in 0..20 {
        on.exchange("Go on.", "Well.");
    }
    assert_eq!(on.episode.ended(), None);
}

/// A reader who came in the middle of an answer, or has missed a piece of it, is shown none of the rest as
/// JSON.
#[test]
fn a_torn_answer_is_not_shown_as_it_stands() {
    let played = Played::begin(template(""));
    let raw = r#"{"action": "", "dialogue": "Depends who is asking.", "internal": "a secret"}"#;
    for (first, second) in [(0, 20), (20, 40), (0, 50)] {
        let mut client = super::EpisodeClientEvents::begin(&played.facts[0]).unwrap();
        let mut shown = String::new();
        let mut hear = |from: usize, to: usize| {
            let (call, actor) = (crate::CallId(1), crate::Name::new("mina").unwrap());
            let delta = Delta { call, actor, text: raw[from..to].to_owned(), at: from };
            let told = client.on_delta(&delta);
            shown.extend(told.and_then(|event| Some(event.data["content"].as_str()?.to_owned())));
        };
        hear(first, second);
        // What stands between `second` and 60 is missed.
        hear(60, raw.len());
        assert!(!shown.contains(['{', '}', ':']) && !shown.contains("secret"), "{first}..{second}: {shown}");
    }
}

#[test]
fn a_busy_session_says_so_by_its_code() {
    let mut played = Played::begin(template(""));
    played.command("m1", Some("Hi."), None);
    let second =
        super::EpisodeCommand::Message { id: "m2".to_owned(), text: Some("Hi?".to_owned()), choice_id: None };
    assert_eq!(played.episode.check_now(&second).unwrap_err().code, crate::Code::SessionBusy);
    let same =
        super::EpisodeCommand::Message { id: "m1".to_owned(), text: Some("Hi.".to_owned()), choice_id: None };
    assert!(played.episode.check_now(&same).is_ok(), "it joins");
    played.happens(Happened::Commanded(same));
    assert_eq!(
        played.facts.iter().filter(|fact| matches!(fact.event, EpisodeEvent::MessageReceived { .. })).count(),
        1
    );
}
