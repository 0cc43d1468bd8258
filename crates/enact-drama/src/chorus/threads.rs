//! What a slot has been told and has said, across messages.

use serde_json::json;

use super::{Chorus, Refused, SlotThread, Turn, state::Statement};
use crate::request::MessageRole;

/// Some fifteen messages with all that came of them: friends forget what was said longer ago.
const MOST_MESSAGES: usize = 96;
/// Some 24 000 tokens, for each of six slots, or less where the operator of its model says so. The longest
/// message fits.
const MOST_BYTES: usize = 96 * 1024;
/// As for English.
const BYTES_PER_TOKEN: usize = 4;
/// Divisor: a thread that grew too long is cut to this fraction. Half, so that it is not cut at every message:
/// what was sent once is then still the beginning of what is sent next, and caches pay for it.
const KEPT_PART: usize = 2;
/// How many answers of each other slot a slot knows of.
const MOST_OF_OTHERS: usize = 30;
/// Longer answers are kept as they were understood.
const LONGEST_KEPT_ANSWER: usize = 4 * 1024;

impl Chorus {
    /// What all slots have been told and said, for the next message. Those that were silent this time keep
    /// theirs.
    pub fn threads(&self) -> Vec<SlotThread> {
        let silent = self.setup.threads.iter().filter(|thread| self.seat_of(thread.slot).is_none());
        let mut threads: Vec<SlotThread> = silent.cloned().collect();
        for (seat, taken) in self.setup.seats.iter().enumerate() {
            let mut thread = SlotThread {
                slot: taken.slot,
                agent: taken.agent.id.clone(),
                answered: 0,
                begins: Vec::new(),
                messages: so_far(self, seat, true),
            };
            let mut before = 0;
            if let Some(earlier) = earlier(self, seat) {
                (thread.answered, thread.begins) = (earlier.answered, earlier.begins.clone());
                before = earlier.messages.len();
            }
            if self.parts[seat].said(Turn::Respond).is_some() {
                thread.answered += 1;
                thread.begins.push(before);
            }
            forget(&mut thread, most_bytes(self, seat), self.parts[seat].overwhelmed);
            if !thread.messages.is_empty() {
                threads.push(thread);
            }
        }
        threads.sort_by_key(|thread| thread.slot);
        threads
    }
}

fn most_bytes(chorus: &Chorus, seat: usize) -> usize {
    let card = chorus.setup.models.get(&chorus.setup.seats[seat].model);
    let wanted = card.and_then(|card| card.thread_tokens).map(|tokens| tokens as usize * BYTES_PER_TOKEN);
    wanted.map_or(MOST_BYTES, |wanted| wanted.min(MOST_BYTES))
}

/// The thread that a seat has from earlier messages.
pub(super) fn earlier(chorus: &Chorus, seat: usize) -> Option<&SlotThread> {
    let taken = &chorus.setup.seats[seat];
    chorus.setup.threads.iter().find(|thread| thread.slot == taken.slot && thread.agent == taken.agent.id)
}

/// What others said in earlier messages, those among them that had this seat's slot: the latest of each.
pub(super) fn of_others(chorus: &Chorus, seat: usize) -> Vec<String> {
    let taken = &chorus.setup.seats[seat];
    let is_own = |thread: &SlotThread| thread.slot == taken.slot && thread.agent == taken.agent.id;
    let others = chorus.setup.threads.iter().filter(|thread| !is_own(thread));
    let latest = |thread: &SlotThread| {
        let said: Vec<&str> = thread.said().collect();
        let from = said.len().saturating_sub(MOST_OF_OTHERS);
        said[from..].iter().map(|text| (*text).to_owned()).collect::<Vec<_>>()
    };
    others.flat_map(latest).collect()
}

/// What a seat has been told and has said: in earlier messages, if it remembers them, and in this one.
pub(super) fn so_far(chorus: &Chorus, seat: usize, remembers: bool) -> Vec<(MessageRole, String)> {
    let before = earlier(chorus, seat).filter(|_| remembers);
    let mut messages = before.map_or_else(Vec::new, |thread| thread.messages.clone());
    for turn in [Turn::Respond, Turn::Comment, Turn::Reply] {
        let part = &chorus.parts[seat];
        let Some(said) = part.said(turn) else { continue };
        // A first comment that was taken after all, because the second never came, needs no correction.
        let corrected = turn == Turn::Comment && part.refused.is_some() && !said.refused_before;
        messages.extend(question(chorus, seat, turn, corrected));
        messages.push((MessageRole::Assistant, kept(said, turn)));
    }
    messages
}

/// What a seat is told in a turn, and what it is told again if its first comment had no valid target.
pub(super) fn question(chorus: &Chorus, seat: usize, turn: Turn, again: bool) -> Vec<(MessageRole, String)> {
    let prompt = chorus.setup.prompts.turn(&chorus.view(seat, turn, again));
    let mut messages = vec![(MessageRole::User, prompt)];
    if let Some(refused) = chorus.parts[seat].refused.as_ref().filter(|_| again && turn == Turn::Comment) {
        let raw = &refused.raw[..refused.raw.floor_char_boundary(LONGEST_KEPT_ANSWER)];
        messages.push((MessageRole::Assistant, raw.to_owned()));
        messages.push((MessageRole::User, correction(chorus, seat, refused.why)));
    }
    messages
}

fn correction(chorus: &Chorus, seat: usize, why: Refused) -> String {
    let slot = chorus.slot(seat);
    let wrong = match why {
        Refused::AtOneself => format!("You are Speaker {slot} yourself"),
        Refused::AtNobody => "There is no such speaker to comment on".to_owned(),
        Refused::NoTarget => "You named no speaker".to_owned(),
    };
    let peers: Vec<String> = chorus.peers(seat).iter().map(|peer| peer.to_string()).collect();
    format!(
        "{wrong}. Comment on exactly one of the others: \"targetSlotId\" has to be {}. Answer again with the JSON \
         object and nothing else.",
        either(&peers)
    )
}

/// `2, 3 or 5`
fn either(numbers: &[String]) -> String {
    match numbers {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// An answer as its thread keeps it: as it was given, unless that was endless.
fn kept(said: &Statement, turn: Turn) -> String {
    if said.raw.len() <= LONGEST_KEPT_ANSWER {
        return said.raw.clone();
    }
    let (text, voice_profile) = (&said.text, said.profile.as_str());
    match (turn, said.target) {
        (Turn::Comment, Some(target)) => {
            json!({"targetSlotId": target, "comment": text, "voice_profile": voice_profile}).to_string()
        }
        _ => json!({"text": text, "voice_profile": voice_profile}).to_string(),
    }
}

/// Forgets the oldest of a thread that has grown too long: messages of the conversation with all that came of
/// them. What is left of one would begin in the middle.
fn forget(thread: &mut SlotThread, most_bytes: usize, did_not_fit: bool) {
    let messages = &thread.messages;
    let size = |from: usize| messages[from..].iter().map(|(_, text)| text.len()).sum::<usize>();
    let bytes = size(0);
    if messages.len() <= MOST_MESSAGES && bytes <= most_bytes && !did_not_fit {
        return;
    }
    let (most_messages, most_bytes) = (MOST_MESSAGES / KEPT_PART, bytes.min(most_bytes) / KEPT_PART);
    // The newest stays, however long it is, unless its model cannot read even that.
    let newest = thread.begins.last().copied().filter(|_| !did_not_fit).unwrap_or(messages.len());
    let short = |from: &usize| messages.len() - from <= most_messages && size(*from) <= most_bytes;
    let from = thread.begins.iter().copied().find(short).unwrap_or(newest);
    thread.messages.drain(..from);
    thread.begins.retain(|begins| *begins >= from);
    thread.begins.iter_mut().for_each(|begins| *begins -= from);
}
