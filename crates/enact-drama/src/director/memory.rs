//! What is worth remembering of what somebody says.

use std::{borrow::Cow, sync::LazyLock};

use serde::{Deserialize, Serialize};

use super::sentences::sentences;

/// Something worth remembering, in the words of the one who said it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    pub kind: MemoryKind,
    /// Who said it in a scene; of an episode it is its user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    pub text: String,
    /// 0 to 1.
    pub importance: f64,
}

impl Memory {
    /// With who said it, where that is not plain.
    pub fn told(&self) -> Cow<'_, str> {
        match &self.by {
            Some(by) => format!("{by}: {}", self.text).into(),
            None => (&*self.text).into(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryKind {
    Fact,
    Preference,
    Event,
    Goal,
    Relationship,
    Emotion,
}

#[derive(Deserialize)]
struct MemoryFile {
    memory: Vec<MemoryRule>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MemoryRule {
    kind: MemoryKind,
    importance: f64,
    /// How a sentence begins that says such a thing.
    begins: Vec<String>,
}

static RULES: LazyLock<Vec<MemoryRule>> = LazyLock::new(|| {
    let file: MemoryFile = toml::from_str(include_str!("memory.toml")).expect("memory.toml can be read");
    file.memory
});

/// The longest sentence that is remembered.
pub(crate) const LONGEST_CHARS: usize = 160;

/// The sentences of a message that tell something of the one who says it, each once.
pub(crate) fn memories(message: &str) -> Vec<Memory> {
    let sentences = sentences(message);
    let told = sentences.iter().filter(|one| !one.asks && one.text.len() <= LONGEST_CHARS);
    told.filter_map(|sentence| {
        let said: Vec<&str> = sentence.words.iter().map(|word| word.text.as_str()).collect();
        // "Well, I love the rain" begins with its second clause.
        let clauses = (0..said.len()).filter(|at| sentence.words[*at].opens);
        let clauses: Vec<String> = clauses.map(|at| format!("{} ", said[at..].join(" "))).collect();
        let begins = |rule: &&MemoryRule| {
            let is_begun =
                |words: &String| clauses.iter().any(|clause| clause.starts_with(&format!("{words} ")));
            rule.begins.iter().any(is_begun)
        };
        let rule = RULES.iter().find(begins)?;
        let (kind, importance) = (rule.kind, rule.importance);
        Some(Memory { kind, by: None, text: sentence.text.to_owned(), importance })
    })
    .collect()
}
