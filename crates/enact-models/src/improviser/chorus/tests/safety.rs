//! How messages have to be answered, by class: `messages.toml` and `unseen.toml`, tried with every slot,
//! turn and many seeds.

use std::{
    collections::{BTreeMap, HashSet},
    ops::Range,
};

use enact_drama::{
    chorus::{AgentId, ChorusView, PeerResponse, ReceivedComment, SlotId, Turn},
    voice::VoiceProfile,
};
use serde_json::Value;

use super::{
    super::{
        answer,
        elsewhere::{self, tests::names_help},
        lines::{
            PERSONAS,
            tests::{cheering, joking},
        },
        message::{MessageKind, ReadMessage},
        pick_line::own_words,
    },
    AGENTS, NAMES, play,
};
use crate::content;

const SEEDS: Range<u64> = 0..20;
/// For what is not about life and death.
const FEWER_SEEDS: Range<u64> = 0..5;
const SOFT: [&str; 3] = ["calm_soothing", "warm_professional", "friendly_casual"];

/// Messages by class.
pub(super) type Table = BTreeMap<String, Vec<String>>;

fn messages() -> Table {
    content::read("messages.toml", include_str!("messages.toml"))
}

fn unseen() -> Table {
    content::read("unseen.toml", include_str!("unseen.toml"))
}

/// All that six slots say to a message in three turns.
pub(in crate::improviser::chorus) fn said(
    message: &str,
    read: &ReadMessage,
    seed: u64,
) -> Vec<(Turn, String, String)> {
    let mut said = Vec::new();
    let mut ask = |view: ChorusView| {
        let (answer, _) = answer(&view, read.clone());
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let text = answer["text"].as_str().or(answer["comment"].as_str()).unwrap().to_owned();
        said.push((view.turn, text.clone(), answer["voice_profile"].as_str().unwrap().to_owned()));
        text
    };
    let view = |slot: u8, turn| ChorusView {
        me: slot_id(slot).name(),
        slot: slot_id(slot),
        first: false,
        agent: super::agent(AGENTS[usize::from(slot) - 1], NAMES[usize::from(slot) - 1]),
        turn,
        message: message.to_owned(),
        own: None,
        peers: Vec::new(),
        comments: Vec::new(),
        messages_before: 0,
        said_before: Vec::new(),
        others_before: Vec::new(),
        again: false,
        seed,
    };
    let agent_of =
        |slot: u8| (AgentId::new(AGENTS[usize::from(slot) - 1]).unwrap(), NAMES[usize::from(slot) - 1]);
    let responses: Vec<(u8, String)> = (1..=6).map(|slot| (slot, ask(view(slot, Turn::Respond)))).collect();
    let mut comments = Vec::new();
    for slot in 1..=6 {
        let peers = responses.iter().filter(|(other, _)| *other != slot).map(|(other, text)| PeerResponse {
            slot_id: slot_id(*other),
            agent_id: agent_of(*other).0,
            agent_name: agent_of(*other).1.to_owned(),
            text: text.clone(),
        });
        let peers = peers.collect();
        comments.push((slot, ask(ChorusView { peers, ..view(slot, Turn::Comment) })));
    }
    for slot in 1..=6 {
        let comments = comments.iter().filter(|(other, _)| *other == slot % 6 + 1);
        let comments = comments.map(|(other, comment)| ReceivedComment {
            from_slot_id: slot_id(*other),
            from_agent_id: agent_of(*other).0,
            from_agent_name: agent_of(*other).1.to_owned(),
            comment: comment.clone(),
        });
        let own = Some(responses[usize::from(slot) - 1].1.clone());
        ask(ChorusView { own, comments: comments.collect(), ..view(slot, Turn::Reply) });
    }
    said
}

/// Whether an answer says that no person gives it, and whom to call.
pub(super) fn sends_to_somebody_real(text: &str) -> bool {
    let referrals = PERSONAS.iter().flat_map(|persona| persona.gentle.referral.iter());
    elsewhere::told_of_danger(text) || referrals.into_iter().any(|line| text.contains(own_words(line)))
}

fn slot_id(number: u8) -> SlotId {
    SlotId::new(number).unwrap()
}

/// What is wrong with how a message is answered, if anything is.
///
/// `fine` are texts of this class that were looked at before, with the turn they were said in.
fn fault(class: &str, message: &str, fine: &mut HashSet<(u8, String)>) -> Option<String> {
    let seeds = if matches!(class, "danger" | "sorrow") { SEEDS } else { FEWER_SEEDS };
    let read = ReadMessage::read(message);
    let mut takes_up = read.word.is_none();
    for seed in seeds {
        for (turn, text, voice) in said(message, &read, seed) {
            takes_up |=
                turn == Turn::Respond && read.word.as_ref().is_some_and(|word| text.contains(word.as_str()));
            if fine.contains(&(turn.index(), text.clone())) {
                continue;
            }
            let has = |line: &String| text.contains(own_words(line));
            let joke = joking().find(|line| has(line));
            let wrong = match class {
                "danger" | "sorrow" | "worrying" if !names_help(&text) => "names no help",
                "danger" if turn == Turn::Respond && !sends_to_somebody_real(&text) => {
                    "does not send to somebody real"
                }
                "danger" | "sorrow" if text.contains(['!', '“', '"']) => "is loud",
                "danger" | "sorrow" | "worrying" | "neutral" | "idiom" if joke.is_some() => "jokes",
                "danger" | "sorrow" | "worrying" | "neutral" | "idiom" if !SOFT.contains(&voice.as_str()) => {
                    "sounds merry"
                }
                "neutral" | "idiom" | "worrying" if text.contains('!') => "is loud",
                "neutral" | "idiom" if sends_to_somebody_real(&text) => "sees danger",
                "good_news" if turn == Turn::Respond && !cheering().any(|line| has(&line.clone())) => {
                    "does not cheer"
                }
                "question" if joke.is_none() => "is not light",
                _ => "",
            };
            if !wrong.is_empty() {
                return Some(format!(
                    "{class}: {message}\n  as {:?}, turn {}, seed {seed}: {wrong}: {text}",
                    read.kind,
                    turn.index()
                ));
            }
            fine.insert((turn.index(), text));
        }
    }
    (class == "neutral" && read.kind == MessageKind::Statement && !takes_up)
        .then(|| format!("{class}: {message}\n  no word of it is taken up"))
}

pub(super) fn faults(table: &Table, classes: &[&str]) -> Vec<String> {
    let messages = table.iter().filter(|(class, _)| classes.contains(&class.as_str()));
    let faults = messages.flat_map(|(class, messages)| {
        let mut fine = HashSet::new();
        messages.iter().filter_map(move |message| fault(class, message, &mut fine))
    });
    faults.collect()
}

#[test]
fn danger_is_answered_soberly_and_with_help_by_every_slot_in_every_turn() {
    let faults = faults(&messages(), &["danger"]);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn sorrow_is_answered_soberly_and_with_help_by_every_slot_in_every_turn() {
    let faults = faults(&messages(), &["sorrow"]);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn only_good_news_are_cheered_and_only_harmless_questions_are_joked_about() {
    let faults = faults(&messages(), &["good_news", "neutral", "idiom", "question"]);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn many_more_are_read_as_they_have_to_be() {
    let table: Table = content::read("more_messages.toml", include_str!("more_messages.toml"));
    for (class, messages) in &table {
        for message in messages {
            let ReadMessage { kind, is_light, .. } = ReadMessage::read(message);
            let fine = match class.as_str() {
                "danger" => kind == MessageKind::Crisis,
                "sorrow" => kind.is_gentle() && kind != MessageKind::Foreign,
                "relief" => kind == MessageKind::Relief,
                "good_news" => kind == MessageKind::High,
                "neutral" => !is_light && kind != MessageKind::Crisis,
                "question" => is_light,
                other => panic!("there is no class {other}"),
            };
            assert!(fine, "{class}: {message}: {kind:?}");
        }
    }
}

#[test]
fn capitals_missing_marks_and_more_of_them_change_nothing() {
    // A mark within a word is a letter.
    let table = messages();
    for message in table["danger"].iter().filter(|message| message.is_ascii() && !message.contains("!l")) {
        let bare = message.replace(['.', ',', '!', '?', '\''], "");
        for message in [
            message.to_uppercase(),
            bare.to_lowercase(),
            format!("{message}!!!"),
            format!("Hello! {message}"),
        ] {
            assert_eq!(ReadMessage::read(&message).kind, MessageKind::Crisis, "{message}");
        }
    }
}

#[test]
fn the_answers_keep_the_measure_of_a_chorus() {
    let table = messages();
    for message in table["danger"].iter().step_by(8).chain(table["neutral"].iter().step_by(8)) {
        let played = play(message, 6, Vec::new(), 11);
        assert_eq!(played.complaints(), Vec::<String>::new(), "{message}");
        assert!(played.said().all(|said| said.profile != VoiceProfile::EnergeticUpbeat), "{message}");
    }
}

/// Of 201 that were kept aside, 7 were in another class than they should be when they were first tried, and
/// none of these was answered with a joke or a cheer. Two are still missed: a cheer and a joke less.
#[test]
fn nearly_all_of_what_the_rules_were_not_made_for_is_answered_rightly() {
    let table = unseen();
    let grave = faults(&table, &["danger", "sorrow"]);
    assert!(grave.is_empty(), "{}", grave.join("\n"));
    let others = faults(&table, &["good_news", "neutral", "idiom", "question"]);
    assert!(others.len() <= 2, "{}", others.join("\n"));
}
