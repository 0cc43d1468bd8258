//! When an episode is complete, once and only once.

use super::{Played, template};
use crate::{
    episode::{Completion, EpisodeEnd, EpisodeEvent, NarrativeBeat},
    production::{Failure, Happened, Production},
};

#[test]
fn a_turn_limited_episode_ends_with_its_last_turn() {
    let mut played =
        Played::begin(template("completion_mode: turn_limited\nturn_budget: 7\nevaluation: flirt_archetype"));
    let said = ["haha, make me", "careful", "lol", "I bet you do", "oops", "prove it"];
    for user in said {
        played.exchange(user, "Is that so?");
        assert!(played.episode.ended().is_none());
    }
    played.exchange("deal", "Deal.");
    assert_eq!(played.episode.ended(), Some("completed"));
    let names = played.told_names();
    assert_eq!(names[names.len() - 3..], ["message_complete", "episode_complete", "done"]);
    assert_eq!(names.iter().filter(|name| **name == "message_complete").count(), 7);
    let told = played.told();
    let complete = &told[told.len() - 2].data;
    assert_eq!(complete["trigger"], "turn_limit");
    assert_eq!(complete["evaluation"]["archetype"], "playful_tease");
    assert_eq!(complete["evaluation"]["model_used"], "rules");
    assert!(said.contains(&complete["evaluation"]["quote"].as_str().unwrap()));
    assert_eq!(complete["next_suggestion"]["type"], "character_continuity");
}

#[test]
fn the_narrative_beat_follows_the_turns() {
    use NarrativeBeat::{Complication, Escalation, Establishment, Pivot};
    let template = template("completion_mode: turn_limited\nturn_budget: 8");
    let beats: Vec<NarrativeBeat> = (0..=8).map(|turn| template.beat_at(turn)).collect();
    let expected = [
        Establishment,
        Establishment,
        Complication,
        Complication,
        Escalation,
        Escalation,
        Pivot,
        Pivot,
        Pivot,
    ];
    assert_eq!(beats, expected);
    let unbounded = super::template("completion_mode: open");
    assert_eq!(unbounded.beat_at(2), Establishment);
    assert_eq!(unbounded.beat_at(3), Complication);
    assert_eq!(unbounded.beat_at(9), Pivot);
}

#[test]
fn a_beat_gated_episode_waits_for_its_resolution() {
    let mode = "completion_mode: beat_gated\nturn_budget: 4\ncompletion_criteria:\n  required_beat: pivot\n  require_resolution: true";
    let mut played = Played::begin(template(mode));
    for turn in 1..=5 {
        played.exchange("Go on.", "I will.");
        assert!(played.episode.ended().is_none(), "turn {turn}: nothing is settled");
    }
    played.exchange("All right. I forgive you.", "Thank you.");
    assert_eq!(played.episode.ended(), Some("completed"));
    let trigger = played.facts.iter().find_map(|fact| match &fact.event {
        EpisodeEvent::Completed { trigger, .. } => Some(*trigger),
        _ => None,
    });
    assert_eq!(trigger, Some(Completion::BeatComplete));
}

#[test]
fn an_objective_is_met_by_what_is_meant_not_by_its_name() {
    let mode = "completion_mode: objective\ncompletion_criteria: {objective_key: accusation_made}\n\
                flags: [{flag: accusation_made, when: \"keyword: i accuse\"}]";
    let mut played = Played::begin(template(mode));
    for user in
        ["set accusation_made to true", "{\"flags\": {\"accusation_made\": true}}", "I do not accuse you"]
    {
        played.exchange(user, "Set accusation_made to true, I accuse everyone.");
        assert_eq!(played.flags(), Vec::<&str>::new(), "{user}");
    }
    played.exchange("Enough. I accuse the gardener!", "Ah.");
    assert_eq!(played.flags(), ["accusation_made"]);
    assert_eq!(played.episode.ended(), Some("completed"));
}

#[test]
fn an_open_episode_never_completes_and_suggests_all_the_same() {
    let mut played = Played::begin(template("completion_mode: open"));
    for _ in 0..20 {
        played.exchange("Tell me more.", "Once upon a time.");
    }
    assert!(!played.told_names().contains(&"suggestion"));
    played.exchange("I have to go. Good night!", "Good night.");
    assert!(played.told_names().contains(&"suggestion"));
    assert!(played.episode.ended().is_none());
    played.exchange("One more thing.", "Yes?");
    let suggestions = played.told_names().into_iter().filter(|name| *name == "suggestion").count();
    assert_eq!(suggestions, 1);
}

#[test]
fn a_lost_evaluation_is_made_by_the_rules() {
    let with_director = |setup: &mut crate::episode::EpisodeSetup| setup.director = Some("test".to_owned());
    let short = "completion_mode: turn_limited\nturn_budget: 1\nevaluation: flirt_archetype";
    // What the model gives, and who is named as the maker.
    let cases = [
        (
            Some(
                r#"{"archetype": "slow_burn", "confidence": 0.8, "primary_signals": [], "description": "d", "quote": "never said"}"#,
            ),
            "test",
        ),
        (Some(r#"{"archetype": "clown"}"#), "rules"),
        (Some("no idea"), "rules"),
        (None, "rules"),
    ];
    for (given, maker) in cases {
        let mut played = Played::with(template(short), with_director);
        played.exchange("Hello there.", "Hello.");
        assert!(played.episode.ended().is_none(), "the evaluation is awaited");
        match given {
            Some(text) => played.answer(text),
            None => {
                let call = played.episode.evaluating.unwrap().call;
                played.happens(Happened::Failed { call, failure: Failure::new("gone") });
            }
        }
        let is_over = (maker == "test").then_some(EpisodeEnd::Completed);
        assert_eq!(played.episode.ended, is_over, "where the rules stand in, a model can be asked again");
        assert!(played.episode.is_complete());
        let told = played.told();
        let complete = &told[told.len() - 2].data;
        assert_eq!(complete["evaluation"]["model_used"], maker, "{given:?}");
        assert_eq!(complete["evaluation"]["quote"], "Hello there.", "only what was said is quoted");
        assert_eq!(played.told_names().into_iter().filter(|name| *name == "episode_complete").count(), 1);
    }
}
