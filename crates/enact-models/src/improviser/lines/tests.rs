use std::collections::BTreeMap;

use enact_drama::judge::{Act, Acts};

use super::event;
use crate::improviser::{
    play::{Phase, Play},
    say::{Say, sentences},
};

fn filled(entry: &Say) -> String {
    let slot = |name: &str| {
        let word = match name {
            "you" => "Bob",
            "third" => "Charlie",
            "topic" => "the budget",
            "Topic" => "The budget",
            "loss" => "the client",
            "Loss" => "The client",
            "step" => "weekly check-ins",
            "Step" => "Weekly check-ins",
            _ => return None,
        };
        Some(word.to_owned())
    };
    entry.fill(slot).unwrap_or_else(|| panic!("unknown slot in {:?}", entry.text))
}

fn all() -> Vec<(String, &'static Say)> {
    let plays = Play::ALL.iter().flat_map(|play| play.lines().iter().map(move |entry| (format!("{play:?}"), entry)));
    let remarks = event::REMARKS.iter().flat_map(|(_, bank)| *bank).chain(event::ANYTHING);
    plays.chain(remarks.map(|entry| ("Event".to_owned(), entry))).collect()
}

#[test]
fn no_sentence_stands_in_two_places() {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for (_, entry) in all() {
        for sentence in sentences(&filled(entry)) {
            *seen.entry(sentence).or_default() += 1;
        }
    }
    let twice: Vec<&String> = seen.iter().filter(|(_, count)| **count > 1).map(|(sentence, _)| sentence).collect();
    assert!(twice.is_empty(), "{twice:#?}");
}

#[test]
fn the_judge_sees_every_deed_in_every_line_that_does_it() {
    let unseen: Vec<String> = Play::ALL
        .iter()
        .filter_map(|play| Some((play, play.act()?)))
        .flat_map(|(play, act)| play.lines().iter().map(move |entry| (play, act, filled(entry))))
        .filter(|(_, act, text)| !Acts::of(text).has(*act))
        .map(|(play, act, text)| format!("{play:?} is no {act:?}: {text}"))
        .collect();
    assert!(unseen.is_empty(), "{unseen:#?}");
}

/// Deeds that settle a goal must not slip out before their time.
#[test]
fn the_judge_sees_no_deed_where_none_is_meant() {
    const DECISIVE: [Act; 6] =
        [Act::Apologise, Act::Accept, Act::Forgive, Act::Agree, Act::Promise, Act::Refuse];
    let slips: Vec<String> = Play::ALL
        .iter()
        .flat_map(|play| play.lines().iter().map(move |entry| (play, filled(entry))))
        .flat_map(|(play, text)| DECISIVE.map(|act| (play, act, text.clone())))
        .filter(|(play, act, text)| play.act() != Some(*act) && Acts::of(text).has(*act) && !harmless(**play, *act))
        .map(|(play, act, text)| format!("{play:?} does {act:?}: {text}"))
        .collect();
    assert!(slips.is_empty(), "{slips:#?}");
}

/// What is said so late that it can settle nothing early.
fn harmless(play: Play, act: Act) -> bool {
    let quarrels = [Phase::Clash, Phase::Repair, Phase::Close].contains(&play.phase());
    match act {
        Act::Accept => play == Play::Forgive,
        Act::Promise => play.phase() == Phase::Settle,
        // "I won't" is said in every quarrel. Where a refusal is the goal, people talk before they refuse.
        Act::Refuse => (quarrels && !matches!(play, Play::Position | Play::Challenge)) || play.phase() == Phase::Settle,
        _ => false,
    }
}

#[test]
fn every_line_fits_the_reply_format() {
    for (bank, entry) in all() {
        let plain = !entry.text.contains(['"', '*', '[', ']', '—', '\n']) && !entry.text.contains("  ");
        assert!(plain, "{bank}: {}", entry.text);
        assert!(entry.text.ends_with(['.', '!', '?']), "{bank}: {}", entry.text);
        assert!(!entry.tone.is_empty() && !entry.tone.contains(','), "{bank}: {}", entry.tone);
    }
}
