//! What should be come back to, in this session or a later one.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::{Deserialize, Serialize};

use super::heard_phrase::HeardPhrase;
use crate::{
    director::{MOST_OF_A_KIND, SignalRead, sentences::sentences},
    episode::Episode,
};

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// Something to come back to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hook {
    pub kind: HookKind,
    /// The user's own words, or what happened.
    pub text: String,
    /// How one could come back to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opener: Option<String>,
    /// After how many days it is due; at once where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub days: Option<u32>,
    /// 1 to 5.
    pub priority: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HookKind {
    Reminder,
    FollowUp,
    Milestone,
    Scheduled,
}

#[derive(Deserialize)]
struct HookFile {
    hook: Vec<WrittenHook>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenHook {
    kind: HookKind,
    priority: u8,
    #[serde(default)]
    days: Option<u32>,
    #[serde(default)]
    opener: Option<String>,
    #[serde(default)]
    heard: Vec<String>,
    /// For milestones: the signal that shows it, and what is remembered.
    #[serde(default)]
    signal: Option<String>,
    #[serde(default)]
    text: Option<String>,
}

struct HookRule {
    written: WrittenHook,
    heard: Vec<HeardPhrase>,
}

static RULES: LazyLock<Vec<HookRule>> = LazyLock::new(|| {
    let file: HookFile = toml::from_str(include_str!("hooks.toml")).expect("hooks.toml can be read");
    let rule = |written: WrittenHook| {
        let heard = written.heard.iter().map(|phrase| HeardPhrase::new(phrase)).collect();
        HookRule { written, heard }
    };
    file.hook.into_iter().map(rule).collect()
});

/// The longest sentence that is come back to.
const LONGEST_CHARS: usize = 160;

/// What of a message should be come back to. What was found before is not found again.
pub(super) fn hooks(episode: &Episode, message: &str, signals: &[SignalRead]) -> Vec<Hook> {
    let known = |text: &str| {
        let earlier = episode.setup().context.hooks.iter();
        episode.hooks.iter().chain(earlier).any(|hook| hook.text == text)
    };
    let sentences = sentences(message);
    let said = sentences.iter().filter(|one| !one.asks && one.text.len() <= LONGEST_CHARS);
    let said = said.filter_map(|sentence| {
        let stands =
            |phrase: &HeardPhrase| phrase.find(sentence, &[]).is_some_and(|at| !sentence.is_denied(at));
        let rule = RULES.iter().find(|rule| rule.heard.iter().any(stands))?;
        Some(rule.hook(sentence.text))
    });
    let happened = RULES.iter().filter_map(|rule| {
        let signal = rule.written.signal.as_ref()?;
        let shown = signals.iter().any(|read| read.name == *signal);
        rule.written.text.as_deref().filter(|_| shown).map(|text| rule.hook(text))
    });
    said.chain(happened).filter(|hook| !known(&hook.text)).collect()
}

impl HookRule {
    fn hook(&self, text: &str) -> Hook {
        let WrittenHook { kind, priority, days, opener, .. } = &self.written;
        Hook { kind: *kind, text: text.to_owned(), opener: opener.clone(), days: *days, priority: *priority }
    }
}

/// What is due to be come back to, the most important first: at most three of a kind.
pub fn due_hooks(mut found: Vec<(i64, Hook)>, now: i64) -> Vec<Hook> {
    found.retain(|(at, hook)| at + i64::from(hook.days.unwrap_or(0)) * DAY_MS <= now);
    found.sort_by(|(one_at, one), (two_at, two)| two.priority.cmp(&one.priority).then(two_at.cmp(one_at)));
    let (mut counts, mut due): (BTreeMap<_, usize>, Vec<Hook>) = Default::default();
    for (_, hook) in found {
        let count = counts.entry(hook.kind).or_default();
        if *count < MOST_OF_A_KIND && !due.iter().any(|known| known.text == hook.text) {
            *count += 1;
            due.push(hook);
        }
    }
    due
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_come_back_when_they_are_due() {
        let hook = |text: &str, days, priority| Hook {
            kind: HookKind::Scheduled,
            text: text.to_owned(),
            opener: None,
            days,
            priority,
        };
        let found = vec![
            (0, hook("tomorrow", Some(1), 4)),
            (0, hook("next week", Some(7), 5)),
            (0, hook("now", None, 1)),
        ];
        let due = |now| -> Vec<String> {
            due_hooks(found.clone(), now).into_iter().map(|hook| hook.text).collect()
        };
        assert_eq!(due(0), ["now"]);
        assert_eq!(due(DAY_MS), ["tomorrow", "now"]);
        assert_eq!(due(7 * DAY_MS), ["next week", "tomorrow", "now"]);
    }
}
