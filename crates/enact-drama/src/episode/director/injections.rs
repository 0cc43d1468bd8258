//! What the character is told beside a message, each kind within its own budget.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Memory, Relationship, hooks::Hook, sentences::words};
use crate::{episode::Episode, text::shortened};

/// How many of each are told in one turn: more would drown the message.
const MOST_FLAGS: usize = 4;
const MOST_MEMORIES: usize = 2;
const MOST_HOOKS: usize = 1;
/// The longest of them, in characters.
const LONGEST_CHARS: usize = 240;
/// In which turns the character is reminded of what is open from earlier sessions.
const HOOK_TURNS: u32 = 3;
/// Words shorter than this bring nothing to mind.
const LEAST_WORD_CHARS: usize = 4;
/// Turns that the model of the character has before its eyes anyway.
const FRESH_TURNS: u32 = 6;

/// What the character is told beside a message.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Injected {
    /// What the flags that are set add, the newest rules last.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// What the user said once that belongs to what they say now.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub memories: Vec<String>,
    /// What is open between the two from earlier.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hooks: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relationship: Option<Relationship>,
    /// How many more there were than the budgets allow.
    #[serde(skip_serializing_if = "is_zero")]
    pub left_out: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// What the flags that are set add, all of it.
pub(in crate::episode) fn told_by_flags(episode: &Episode) -> Vec<&str> {
    let injections = episode.setup().template.injections.iter();
    let told = injections.filter(|injection| episode.flags().contains_key(&injection.if_flag));
    told.map(|injection| injection.inject.as_str()).collect()
}

/// What is told in the turn that begins; nothing where the flags alone, all of them, are what is told.
pub(in crate::episode) fn injected(episode: &Episode, message: &str) -> Option<Injected> {
    let flags = told_by_flags(episode);
    let (memories, hooks) = (recalled(episode, message), open_hooks(episode));
    let within = |texts: Vec<Cow<'_, str>>, most: usize| -> Vec<String> {
        let kept = texts.into_iter().take(most);
        kept.map(|text| shortened(&text, LONGEST_CHARS).into_owned()).collect()
    };
    let over = |count: usize, most: usize| count.saturating_sub(most);
    let left_out = over(flags.len(), MOST_FLAGS) + over(memories.len(), MOST_MEMORIES);
    // Of many flags the last rules count: they are the later ones of the story.
    let newest = flags[over(flags.len(), MOST_FLAGS)..].iter().map(|flag| (*flag).into()).collect();
    let is_first = episode.turn_count() == 0;
    let injected = Injected {
        flags: within(newest, MOST_FLAGS),
        memories: within(memories, MOST_MEMORIES),
        hooks: within(hooks, MOST_HOOKS),
        relationship: episode.setup().context.relationship.clone().filter(|_| is_first),
        left_out,
    };
    let more = !injected.memories.is_empty()
        || !injected.hooks.is_empty()
        || injected.relationship.is_some()
        || injected.left_out > 0;
    more.then_some(injected)
}

/// What the user told once that has a word in common with the message, the most important first.
fn recalled<'a>(episode: &'a Episode, message: &str) -> Vec<Cow<'a, str>> {
    let said: Vec<String> =
        words(message).into_iter().filter(|word| word.chars().count() >= LEAST_WORD_CHARS).collect();
    let fresh = episode.turn_count().saturating_sub(FRESH_TURNS);
    let own = episode.memories.iter().filter(|(turn, _)| *turn <= fresh).map(|(_, memory)| memory);
    let belongs = |memory: &&Memory| words(&memory.text).iter().any(|word| said.contains(word));
    let mut found: Vec<&Memory> = episode.setup().memories.iter().chain(own).filter(belongs).collect();
    found.sort_by(|one, two| two.importance.total_cmp(&one.importance));
    found.dedup_by(|one, two| one.text == two.text);
    found.into_iter().map(Memory::told).collect()
}

/// What is open from earlier sessions: one in each of the first turns.
fn open_hooks(episode: &Episode) -> Vec<Cow<'_, str>> {
    let turn = episode.turn_count();
    let hooks: &[Hook] = &episode.setup().context.hooks;
    let due = hooks.get(turn as usize).filter(|_| turn < HOOK_TURNS);
    due.into_iter().map(|hook| (&*hook.text).into()).collect()
}
