//! Whatever is answered, fails or is aimed at whom, in whatever order: properties of every chorus.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::{
    CallId,
    chorus::{Routed, shorten::LengthLimit},
    usage::Usage,
};

#[derive(Debug, Clone)]
pub(super) enum Move {
    Say(u8),
    /// Whether or not it is time for comments.
    Aim(u8),
    Garbage(String),
    Fail,
    Late,
    Speak,
    Mute,
    Resume,
    Cancel,
}

pub(super) fn moves() -> impl Strategy<Value = Vec<(u8, Move)>> {
    let one = prop_oneof![
        40 => any::<u8>().prop_map(Move::Say),
        40 => (0u8..9).prop_map(Move::Aim),
        5 => ".{0,40}".prop_map(Move::Garbage),
        10 => Just(Move::Fail),
        2 => Just(Move::Late),
        20 => Just(Move::Speak),
        5 => Just(Move::Mute),
        5 => Just(Move::Resume),
        1 => Just(Move::Cancel),
    ];
    prop::collection::vec((any::<u8>(), one), 0..80)
}

fn text(of: &Move) -> Option<String> {
    Some(match of {
        Move::Say(n) => format!(
            r#"{{"text": "Sentence. {}", "voice_profile": "calm_soothing"}}"#,
            "Rain. ".repeat(usize::from(*n) % 7)
        ),
        Move::Aim(slot) => format!(
            r#"{{"targetSlotId": {slot}, "comment": "You, {slot}?", "voice_profile": "calm_soothing"}}"#
        ),
        Move::Garbage(text) => text.clone(),
        _ => return None,
    })
}

pub(super) fn play(slots: u8, seed: u64, moves: &[(u8, Move)]) -> Stage {
    let mut stage = Stage::open(ChorusSetup { seed, ..setup(slots) });
    play_on(&mut stage, moves);
    stage
}

fn play_on(stage: &mut Stage, moves: &[(u8, Move)]) {
    for (pick, what) in moves {
        let (asks, speaking) = (stage.asks(), stage.speaking());
        let at = |len: usize| usize::from(*pick) % len;
        match what {
            Move::Cancel => stage.happens(Happened::Commanded(ChorusCommand::Cancel)),
            Move::Resume => stage.happens(Happened::Resumed),
            Move::Speak if !speaking.is_empty() => stage.speak(&speaking[at(speaking.len())]),
            Move::Mute if !speaking.is_empty() => {
                let call = speaking[at(speaking.len())].call;
                stage.happens(Happened::Failed { call, failure: Failure::new("no breath") });
            }
            Move::Late if !asks.is_empty() => stage.time_up(),
            Move::Fail if !asks.is_empty() => {
                let call = asks[at(asks.len())].call;
                let failure = Failure { usage: used_by(call), ..Failure::new("broken") };
                stage.happens(Happened::Failed { call, failure });
            }
            what => {
                if let (Some(answer), false) = (text(what), asks.is_empty()) {
                    let call = asks[at(asks.len())].call;
                    let answer = Answer { usage: used_by(call), ..Answer::from(answer.as_str()) };
                    stage.happens(Happened::Answered { call, answer });
                }
            }
        }
    }
}

/// Every call uses something else, so that what one used cannot be booked as another's.
pub(super) fn used_by(call: CallId) -> Option<Usage> {
    Some(Usage { uncached: call.0, ..Usage::NONE })
}

/// Plays to the end: open asks fail, and pending speech is synthesized.
pub(super) fn finish(stage: &mut Stage) {
    while !stage.asks().is_empty() {
        stage.time_up();
    }
    stage.play("spoken");
}

fn state(chorus: &Chorus) -> String {
    format!("{chorus:?}")
}

fn comments(stage: &Stage) -> Vec<(SlotId, SlotId)> {
    let comments = stage.facts.iter().filter_map(|fact| match &fact.event {
        ChorusEvent::SlotSpoke { turn: Turn::Comment, slot, target, .. } => Some((*slot, target.unwrap())),
        _ => None,
    });
    comments.collect()
}

fn spoke(stage: &Stage, in_turn: Turn) -> Vec<SlotId> {
    let spoke = stage.facts.iter().filter_map(|fact| match &fact.event {
        ChorusEvent::SlotSpoke { turn, slot, .. } if *turn == in_turn => Some(*slot),
        _ => None,
    });
    spoke.collect()
}

fn failed(stage: &Stage, in_turn: Turn) -> Vec<SlotId> {
    let failed = stage.facts.iter().filter_map(|fact| match &fact.event {
        ChorusEvent::SlotFailed { turn, slot, .. } if *turn == in_turn => Some(*slot),
        _ => None,
    });
    failed.collect()
}

fn sorted(mut slots: Vec<SlotId>) -> Vec<SlotId> {
    slots.sort_unstable();
    slots
}

proptest! {
    #[test]
    fn a_chorus_always_waits_for_something_or_is_over(slots in 1u8..=6, seed: u64, moves in moves()) {
        let stage = play(slots, seed, &moves);
        prop_assert_eq!(stage.chorus.pending().is_empty(), stage.chorus.ended().is_some());
    }

    #[test]
    fn it_ends_once_and_nothing_follows(slots in 1u8..=6, seed: u64, moves in moves()) {
        let mut stage = play(slots, seed, &moves);
        finish(&mut stage);
        let ends = stage.facts.iter().filter(|fact| matches!(fact.event, ChorusEvent::Ended { .. })).count();
        prop_assert_eq!(ends, 1);
        let ended_last = matches!(stage.facts.last().unwrap().event, ChorusEvent::Ended { .. });
        prop_assert!(ended_last);
        prop_assert!(stage.chorus.pending().is_empty());
    }

    #[test]
    fn the_log_folded_is_the_state_at_any_point(slots in 1u8..=6, seed: u64, moves in moves(), kill: prop::sample::Index) {
        let live = play(slots, seed, &moves[..kill.index(moves.len() + 1)]);
        let mut found = Stage::found(&live.facts);
        prop_assert!(state(&found.chorus) == state(&live.chorus));
        // A node that takes over repeats exactly the pending effects, and adds no fact.
        let pending = found.chorus.pending();
        found.happens(Happened::Resumed);
        prop_assert_eq!(found.chorus.pending(), pending);
        finish(&mut found);
        for turn in [Turn::Respond, Turn::Comment, Turn::Reply] {
            let said = spoke(&found, turn);
            prop_assert_eq!(said.len(), said.iter().collect::<BTreeSet<_>>().len());
        }
    }

    #[test]
    fn the_same_inputs_give_the_same_facts(slots in 1u8..=6, seed: u64, moves in moves()) {
        prop_assert_eq!(play(slots, seed, &moves).facts, play(slots, seed, &moves).facts);
    }

    #[test]
    fn comments_find_somebody_else_and_none_is_lost(slots in 1u8..=6, seed: u64, moves in moves()) {
        let moves: Vec<_> = moves.into_iter().filter(|(_, what)| !matches!(what, Move::Cancel)).collect();
        let mut stage = play(slots, seed, &moves);
        finish(&mut stage);
        let answered = sorted(spoke(&stage, Turn::Respond));
        let comments = comments(&stage);
        for (from, to) in &comments {
            prop_assert_ne!(from, to);
            prop_assert!(answered.contains(from) && answered.contains(to));
        }
        if answered.len() > 1 {
            let mut took_part = spoke(&stage, Turn::Comment);
            took_part.extend(failed(&stage, Turn::Comment));
            prop_assert_eq!(sorted(took_part), answered);
        } else {
            prop_assert!(comments.is_empty());
        }
        let routes: Vec<Routed> = stage.chorus.routes.to_vec();
        let mut routed = BTreeMap::new();
        for Routed { to, from, dropped } in &routes {
            prop_assert!(!from.is_empty() && from.len() <= 3 && (dropped.is_empty() || from.len() == 3));
            routed.extend(from.iter().chain(dropped).map(|from| (*from, *to)));
        }
        prop_assert_eq!(routed, comments.into_iter().collect::<BTreeMap<_, _>>());
        let mut replied = spoke(&stage, Turn::Reply);
        replied.extend(failed(&stage, Turn::Reply));
        let asked: Vec<SlotId> = routes.iter().map(|routed| routed.to).collect();
        prop_assert_eq!(sorted(replied), asked);
    }

    #[test]
    fn every_ask_has_one_outcome(slots in 1u8..=6, seed: u64, moves in moves()) {
        let stage = play(slots, seed, &moves);
        let (mut asked, mut speaking) = (BTreeSet::new(), BTreeSet::new());
        for fact in &stage.facts {
            match &fact.event {
                ChorusEvent::SlotAsked { call, .. } => prop_assert!(asked.insert(*call)),
                ChorusEvent::SlotSpoke { call, usage, speech, .. } => {
                    prop_assert!(asked.remove(call));
                    prop_assert!(usage.is_none() || *usage == used_by(*call));
                    speaking.extend(speech.iter().map(|speech| speech.call));
                }
                ChorusEvent::SlotFailed { call, usage, .. } | ChorusEvent::CommentRefused { call, usage, .. } => {
                    prop_assert!(asked.remove(call));
                    prop_assert!(usage.is_none() || *usage == used_by(*call));
                }
                ChorusEvent::Voiced { call, .. } | ChorusEvent::VoiceFailed { call, .. } => {
                    prop_assert!(speaking.remove(call));
                }
                _ => {}
            }
        }
        if stage.chorus.ended() != Some("cancelled") {
            prop_assert_eq!(asked, stage.asks().iter().map(|ask| ask.call).collect::<BTreeSet<_>>());
            prop_assert_eq!(speaking, stage.speaking().iter().map(|speak| speak.call).collect::<BTreeSet<_>>());
        }
    }

    #[test]
    fn nobody_says_more_than_they_may_and_every_file_is_another(slots in 1u8..=6, seed: u64, moves in moves()) {
        let stage = play(slots, seed, &moves);
        let mut paths = Vec::new();
        for fact in &stage.facts {
            let ChorusEvent::SlotSpoke { turn, text, speech, .. } = &fact.event else { continue };
            prop_assert!(!text.is_empty() && text.chars().count() <= LengthLimit::of(*turn).chars);
            paths.extend(speech.iter().map(|speech| speech.path.clone()));
        }
        let count = paths.len();
        paths.sort();
        paths.dedup();
        prop_assert_eq!(paths.len(), count);
    }
}
