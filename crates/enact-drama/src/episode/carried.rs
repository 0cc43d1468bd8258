//! What is carried into a session or a scene from earlier ones of the same character.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::director::{Hook, Memory};
use crate::{
    Name,
    row::{Row, RowChange},
};

/// How many of a kind are brought back.
const MOST_OF_A_KIND: usize = 3;
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// Whose rows are written: what one character keeps of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CharacterRows<'a> {
    pub(crate) character: &'a Name,
    /// The scene, where the run is one.
    pub(crate) scene: Option<&'a Name>,
    /// When it was so.
    pub(crate) at: i64,
}

impl CharacterRows<'_> {
    /// A row of a kind, which holds this under the name of its kind.
    pub(crate) fn put(&self, kind: &str, key: String, what: impl Serialize) -> RowChange {
        self.put_with(kind, key, what, None)
    }

    /// The same, of what there is with somebody else.
    pub(crate) fn put_with(
        &self,
        kind: &str,
        key: String,
        what: impl Serialize,
        with: Option<&Name>,
    ) -> RowChange {
        let mut body = json!({"character": self.character, kind: what});
        let more = [("scene", self.scene), ("with", with)];
        for (key, name) in more.into_iter().filter_map(|(key, name)| Some((key, name?))) {
            body[key] = Value::from(name.as_str());
        }
        RowChange::Put(Row { kind: kind.to_owned(), key, sort: self.at, body: body.to_string() })
    }
}

/// What is brought back of what was remembered, each with when: at most three of a kind, recent ones first,
/// then important ones. What was remembered twice comes once.
pub fn brought_back(mut remembered: Vec<(i64, Memory)>) -> Vec<Memory> {
    remembered.sort_by(|(one_at, one), (two_at, two)| {
        two_at.cmp(one_at).then(two.importance.total_cmp(&one.importance))
    });
    let (mut counts, mut back): (BTreeMap<_, usize>, Vec<Memory>) = Default::default();
    for (_, memory) in remembered {
        let count = counts.entry(memory.kind).or_default();
        if *count < MOST_OF_A_KIND
            && !back.iter().any(|known| (&known.by, &known.text) == (&memory.by, &memory.text))
        {
            *count += 1;
            back.push(memory);
        }
    }
    back
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
    use crate::episode::director::{HookKind, MemoryKind};

    fn memory(kind: MemoryKind, text: &str, importance: f64) -> Memory {
        Memory { kind, by: None, text: text.to_owned(), importance }
    }

    #[test]
    fn three_of_a_kind_come_back_recent_first_then_important() {
        let remembered = vec![
            (1, memory(MemoryKind::Fact, "old and important", 0.9)),
            (5, memory(MemoryKind::Fact, "new, minor", 0.2)),
            (5, memory(MemoryKind::Fact, "new, major", 0.8)),
            (5, memory(MemoryKind::Fact, "new, major", 0.8)),
            (3, memory(MemoryKind::Fact, "between", 0.5)),
            (1, memory(MemoryKind::Goal, "to sail", 0.7)),
        ];
        let back: Vec<String> = brought_back(remembered).into_iter().map(|memory| memory.text).collect();
        assert_eq!(back, ["new, major", "new, minor", "between", "to sail"]);
    }

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
