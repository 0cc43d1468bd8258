//! What a character keeps of a run, and what of it is carried into later ones.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Memory, Relationship};
use crate::{
    Name, RunId,
    row::{Row, RowChange},
};

/// How many of a kind are brought back.
pub(crate) const MOST_OF_A_KIND: usize = 3;

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

/// What a character brings along from earlier runs that others may read.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Remembered {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub memories: Vec<Memory>,
    /// How it felt when it was seen last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mood: Option<String>,
    /// How it stands with the others of the cast.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub relationships: BTreeMap<Name, Relationship>,
}

/// One memory, and what is to be remembered instead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Correction {
    /// The run that it came from, and its key there.
    pub run: RunId,
    pub key: String,
    /// Nothing: it is forgotten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::director::MemoryKind;

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
}
