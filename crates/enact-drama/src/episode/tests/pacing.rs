//! Pace, arc, nudges and what is told beside a message.

use super::{Played, template};
use crate::{
    episode::{
        EpisodeContext, EpisodeEvent,
        director::{Hook, HookKind, Memory, MemoryKind, Relationship, StoryPace},
    },
    production::{Effect, Production},
};

fn asked_text(played: &mut Played, message: &str) -> String {
    let id = format!("asked-{}", played.facts.len());
    played.command(&id, Some(message), None);
    let Effect::Ask(ask) = played.episode.pending().remove(0) else { panic!("an answer is asked for") };
    played.episode.request(&ask).thread.last().unwrap().text.to_string()
}

#[test]
fn a_flat_conversation_is_nudged_once_in_a_while() {
    let mut played = Played::begin(template(""));
    for _ in 0..8 {
        played.exchange("I see a table and two chairs and a cup there.", "Yes.");
    }
    let nudged: Vec<u32> = played
        .facts
        .iter()
        .filter_map(|fact| match &fact.event {
            EpisodeEvent::Nudged { turn, .. } => Some(*turn),
            _ => None,
        })
        .collect();
    assert_eq!(nudged, [4, 7]);
    let mut moving = Played::begin(template(""));
    for (at, user) in
        ["You lied!", "haha, tease", "I hate you! Get out!", "wait... closer", "Hm."].into_iter().enumerate()
    {
        moving.exchange(user, if at % 2 == 0 { "No." } else { "Yes." });
    }
    assert!(!moving.facts.iter().any(|fact| matches!(fact.event, EpisodeEvent::Nudged { .. })));
}

#[test]
fn a_nudge_is_never_beside_a_directive() {
    let mut played = Played::begin(template(
        "beats:\n  - {id: a, instruction: Ask again., turn: 1, when: \"said: never\"}",
    ));
    for _ in 0..8 {
        played.exchange("I see a table and two chairs and a cup there.", "Yes.");
    }
    assert!(!played.facts.iter().any(|fact| matches!(fact.event, EpisodeEvent::Nudged { .. })));
}

#[test]
fn what_raises_the_tension_waits_while_it_fades_unless_the_story_hangs_on_it() {
    let cues = |key: bool| {
        format!(
            "tension: 90\nbeats:\n  - {{id: storm, instruction: It thunders., turn: 4, deadline: 6, moves: 20, key: {key}, when: \"said: never\"}}"
        )
    };
    let directed = |key: bool| -> Vec<u32> {
        let mut played = Played::begin(template(&cues(key)));
        for _ in 0..8 {
            played.exchange("I see a table and two chairs and a cup there.", "Yes.");
        }
        let turns = played.facts.iter().filter_map(|fact| match &fact.event {
            EpisodeEvent::Directed { turn, .. } => Some(*turn),
            _ => None,
        });
        turns.collect()
    };
    // It peaks after turn 1, fades after turn 4 and rests after turn 6.
    assert_eq!(directed(true), [3, 4, 5, 6, 7, 8]);
    assert_eq!(directed(false), [3, 4, 7, 8], "past its deadline it waits no longer");
}

#[test]
fn a_draw_follows_the_arc() {
    let cues = "arc: [80, 80]\ntension: 60\nbeats:\n  - {id: up, instruction: Louder., moves: 20, when: \"said: never\"}\n  - {id: down, instruction: Softer., moves: -50, when: \"said: never\"}";
    let mut up = 0;
    for seed in 0..200 {
        let mut played = Played::with(template(cues), |setup| setup.seed = seed);
        played.exchange("Hm.", "Hm.");
        let chosen = played.facts.iter().find_map(|fact| match &fact.event {
            EpisodeEvent::Directed { directive, .. } => Some(directive.cue.clone()),
            _ => None,
        });
        up += usize::from(chosen.as_deref() == Some("up"));
    }
    // 100 to 30 by how they fit.
    assert!((130..180).contains(&up), "{up}");
}

#[test]
fn what_is_told_beside_a_message_has_budgets() {
    let flags: String = (1..=6).map(|at| format!("  - {{flag: f{at}, when: \"keyword: go\"}}\n")).collect();
    let inject: String =
        (1..=6).map(|at| format!("  - {{if_flag: f{at}, inject: \"fact {at}\"}}\n")).collect();
    let memory = |text: &str, importance| Memory {
        kind: MemoryKind::Fact,
        by: None,
        text: text.to_owned(),
        importance,
    };
    let mut played = Played::with(template(&format!("flags:\n{flags}inject:\n{inject}")), |setup| {
        setup.memories = vec![
            memory("I work at the harbour.", 0.4),
            memory("My brother drowned in the harbour.", 0.9),
            memory("The harbour is where I swim.", 0.5),
            memory("I like tea.", 0.9),
        ];
        let hook = |text: &str| Hook {
            kind: HookKind::FollowUp,
            text: text.to_owned(),
            opener: None,
            days: None,
            priority: 3,
        };
        let relationship = Relationship {
            tone: "at odds".to_owned(),
            tension: 66,
            recent_beats: vec!["conflict".to_owned()],
        };
        setup.context = EpisodeContext {
            hooks: vec![hook("I have an exam."), hook("Wish me luck.")],
            relationship: Some(relationship),
            ..EpisodeContext::default()
        };
    });
    let text = asked_text(&mut played, "Shall we go to the harbour?");
    assert!(text.contains("Between you it is at odds; the tension is 66 of 100."), "{text}");
    assert!(text.contains("My brother drowned") && text.contains("where I swim"), "{text}");
    assert!(!text.contains("I work at") && !text.contains("tea"), "{text}");
    assert!(text.contains("I have an exam.") && !text.contains("Wish me luck."), "{text}");
    played.answer(r#"{"dialogue": "Yes."}"#);
    let text = asked_text(&mut played, "Well?");
    assert!(!text.contains("fact 1") && !text.contains("fact 2") && text.contains("fact 6"), "{text}");
    assert!(text.contains("Wish me luck.") && !text.contains("at odds"), "{text}");
    let left_out = played.facts.iter().rev().find_map(|fact| match &fact.event {
        EpisodeEvent::Injected { injected, .. } => Some(injected.left_out),
        _ => None,
    });
    assert_eq!(left_out, Some(2));
}

#[test]
fn hooks_and_the_relationship_are_read_from_what_is_said() {
    // What is said, and the hook that it leaves.
    let cases = [
        ("Remind me to call my sister.", Some(HookKind::Reminder)),
        ("I have an interview. Wish me luck!", Some(HookKind::FollowUp)),
        ("Tomorrow I sail for Bergen.", Some(HookKind::Scheduled)),
        ("I've never told anyone this.", Some(HookKind::Milestone)),
        ("Do you remind me of somebody?", None),
        ("Nice place.", None),
    ];
    for (user, kind) in cases {
        let mut played = Played::begin(template(""));
        played.exchange(user, "Hm.");
        played.exchange(user, "Hm.");
        let found: Vec<HookKind> = played
            .facts
            .iter()
            .filter_map(|fact| match &fact.event {
                EpisodeEvent::HooksFound { hooks, .. } => Some(hooks.iter().map(|hook| hook.kind)),
                _ => None,
            })
            .flatten()
            .collect();
        assert_eq!(found.first().copied(), kind, "{user}");
    }
    let mut played = Played::begin(template(""));
    for _ in 0..3 {
        played.exchange("You lied to me! I hate you!", "No.");
    }
    let between = played.episode.relationship().expect("they have talked");
    assert_eq!((between.tone.as_str(), between.recent_beats.len()), ("at odds", 3));
    assert_eq!(between.tension, played.episode.tension());
}

#[test]
fn it_peaks_fades_and_rests() {
    let mut played = Played::begin(template("tension: 60"));
    for _ in 0..2 {
        played.exchange("You lied! I hate you! Get out!", "No.");
    }
    assert_eq!(played.episode.pace(), StoryPace::Peak);
    for _ in 0..10 {
        played.exchange("I see a table and two chairs and a cup there.", "Yes.");
    }
    let paces: Vec<StoryPace> = played
        .facts
        .iter()
        .filter_map(|fact| match &fact.event {
            EpisodeEvent::PaceMoved { to, .. } => Some(*to),
            _ => None,
        })
        .collect();
    assert_eq!(paces[..3], [StoryPace::Peak, StoryPace::Fade, StoryPace::Rest]);
}
