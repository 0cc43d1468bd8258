use std::collections::BTreeMap;

use enact_drama::{
    judge::{Act, Acts, Goal, Heard, judge},
    reply::Action,
};

use super::{EVENTS, MOVES, MoveLines};
use crate::{
    content,
    improviser::{
        moves::{Phase, SceneMove},
        template::{LineTemplate, sentences},
    },
};

fn filled(entry: &LineTemplate) -> String {
    let slot = |name: &str| {
        let word = match name {
            "you" => "Bob",
            "third" => "Charlie",
            "topic" => "the budget",
            "Topic" => "The budget",
            "thing" => "the offer",
            "deed" => "call you",
            "fact" => "I lied",
            "clause" => "why I left",
            _ => return None,
        };
        Some(word.to_owned())
    };
    entry.fill(slot).unwrap_or_else(|| panic!("unknown slot in {:?}", entry.text))
}

fn plays() -> impl Iterator<Item = SceneMove> {
    MOVES.keys().copied()
}

/// All that can be said in a move.
fn bank(play: SceneMove) -> impl Iterator<Item = &'static LineTemplate> {
    let MoveLines { lines, naming, group, .. } = play.lines();
    naming.iter().chain(lines).chain(group)
}

fn all() -> Vec<(String, &'static LineTemplate)> {
    let moves = plays().flat_map(|play| bank(play).map(move |entry| (format!("{play:?}"), entry)));
    let remarks = EVENTS.remarks.iter().flat_map(|remarks| &remarks.lines).chain(&EVENTS.anything);
    moves.chain(remarks.map(|entry| ("Event".to_owned(), entry))).collect()
}

#[test]
fn every_move_has_lines_and_every_event() {
    assert_eq!(MOVES.len(), SceneMove::Prod as usize + 1, "every move stands in a file");
    use SceneMove::{Crack, Deed, Demand, Deny, Event, Plead, Ponder, Testify, Urge};
    let tabled = [Deed, Demand, Event, Deny, Crack, Testify, Ponder, Plead, Urge];
    for (play, (_, moves)) in MOVES.iter().filter(|(play, _)| !tabled.contains(play)) {
        assert!(!moves.lines.is_empty(), "{play:?} has no lines");
    }
    assert!(EVENTS.remarks.iter().all(|remarks| !remarks.lines.is_empty()) && !EVENTS.anything.is_empty());
}

#[test]
#[should_panic(expected = "line 3, column 28")]
fn an_unknown_placeholder_is_found_where_it_stands() {
    let text = "mood = \"calm\"\nlines = [\n    { tone = \"calm\", say = \"Well, {yuo}.\" },\n]";
    content::read::<MoveLines>("open.toml", text);
}

#[test]
fn no_sentence_stands_in_two_places() {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for (_, entry) in all() {
        for sentence in sentences(&filled(entry)) {
            *seen.entry(sentence).or_default() += 1;
        }
    }
    let twice: Vec<&String> =
        seen.iter().filter(|(_, count)| **count > 1).map(|(sentence, _)| sentence).collect();
    assert!(twice.is_empty(), "{twice:#?}");
}

#[test]
fn the_judge_sees_every_deed_in_every_line_that_does_it() {
    let unseen: Vec<String> = plays()
        .filter_map(|play| Some((play, play.act()?)))
        .flat_map(|(play, act)| bank(play).map(move |entry| (play, act, filled(entry))))
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
    let slips: Vec<String> = plays()
        .flat_map(|play| bank(play).map(move |entry| (play, filled(entry))))
        .flat_map(|(play, text)| DECISIVE.map(|act| (play, act, text.clone())))
        .filter(|(play, act, text)| {
            play.act() != Some(*act) && Acts::of(text).has(*act) && !harmless(*play, *act)
        })
        .map(|(play, act, text)| format!("{play:?} does {act:?}: {text}"))
        .collect();
    assert!(slips.is_empty(), "{slips:#?}");
}

fn heard<'a>(speaker: &'a str, content: &'a str, acts: &'a Acts) -> Heard<'a> {
    Heard { speaker, content, tone: Some("calm"), action: Action::Speak, target: None, cuts: None, acts }
}

/// An apology is taken only by the lines that say so, however the judge reads the others after it.
#[test]
fn nothing_else_accepts_an_apology() {
    let goals = [Goal::read("Alice accepts", &["Alice", "Bob"])];
    let sorry = Acts::of("I'm sorry.");
    let accepted: Vec<String> = plays()
        .filter(|play| {
            play.phase() < Phase::Settle
                && !matches!(play, SceneMove::Accept | SceneMove::AcceptAll | SceneMove::Forgive)
        })
        .flat_map(|play| bank(play).map(move |entry| (play, filled(entry))))
        .filter(|(_, text)| {
            let acts = Acts::of(text);
            let lines = [heard("Bob", "I'm sorry.", &sorry), heard("Alice", text, &acts)];
            judge(&goals, &["Alice", "Bob"], &lines).goals[0].met == Some(true)
        })
        .map(|(play, text)| format!("{play:?}: {text}"))
        .collect();
    assert!(accepted.is_empty(), "{accepted:#?}");
}

/// An acceptance could agree to a plan that slipped out early.
#[test]
fn nothing_but_a_proposal_can_be_agreed_to() {
    let cast = ["Alice", "Bob", "Charlie"];
    let goals = [Goal::read("they agree on next steps", &cast)];
    let accepts: Vec<(String, Acts)> =
        Accept.lines().lines.iter().map(filled).map(|text| (text.clone(), Acts::of(&text))).collect();
    use SceneMove::*;
    let early = [Deflect, Excuse, Bristle, Mediate, Witness, Own, Apologise, Vouch];
    let lines = early.into_iter().flat_map(|play| bank(play).map(move |entry| (play, filled(entry))));
    let mut agreed = Vec::new();
    for (play, text) in lines {
        let acts = Acts::of(&text);
        for (accept, accepting) in &accepts {
            for speaker in ["Bob", "Charlie"] {
                let lines = [heard(speaker, &text, &acts), heard("Alice", accept, accepting)];
                if judge(&goals, &cast, &lines).goals[0].met == Some(true) {
                    agreed.push(format!("{play:?} by {speaker}: {text} / {accept}"));
                }
            }
        }
    }
    assert!(agreed.is_empty(), "{agreed:#?}");
    for entry in [Propose, Suggest].iter().flat_map(|play| &play.lines().lines) {
        assert!(Acts::of(&filled(entry)).proposes(), "{}", entry.text);
    }
}

/// What is said so late that it can settle nothing early.
fn harmless(play: SceneMove, act: Act) -> bool {
    let quarrels = [Phase::Clash, Phase::Repair, Phase::Close].contains(&play.phase());
    match act {
        Act::Accept => play == SceneMove::Forgive,
        Act::Promise => play.phase() == Phase::Settle,
        // "I won't" is said in every quarrel. Where a refusal is the goal, people talk before they refuse.
        Act::Refuse => {
            (quarrels && !matches!(play, SceneMove::Position | SceneMove::Challenge))
                || play.phase() == Phase::Settle
        }
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
