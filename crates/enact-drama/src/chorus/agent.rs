//! Who may take a slot.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What an agent is called on the wire. Operators choose it, after a model mostly (`gpt-5.2`,
/// `org/model:free`), so that it is any text on one line; only [`slug`](AgentId::slug) may become part of a
/// file name.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AgentId(String);

/// Longer than any model's name, and short enough for lists.
const LONGEST_ID: usize = 128;
/// Names of files have limits, and hold more than this.
const LONGEST_SLUG: usize = 48;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an agent's id: 1 to {LONGEST_ID} characters on one line, without blanks around it")]
pub struct NotAnId(pub String);

impl AgentId {
    pub fn new(text: impl Into<String>) -> Result<AgentId, NotAnId> {
        let text = text.into();
        let fine = !text.is_empty()
            && text.chars().count() <= LONGEST_ID
            && text.trim() == text
            && crate::text::one_line(&text) == text;
        if fine { Ok(AgentId(text)) } else { Err(NotAnId(text)) }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same as a part of file names, on every disk: letters, digits, `-`, `_`, and single dots inside.
    /// Not always unique.
    pub fn slug(&self) -> String {
        let mut slug = String::with_capacity(self.0.len().min(LONGEST_SLUG));
        for c in self.0.chars().take(LONGEST_SLUG) {
            let dot = c == '.' && !slug.is_empty() && !slug.ends_with('.');
            let plain = dot || c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
            slug.push(if plain { c } else { '_' });
        }
        if slug.ends_with('.') {
            slug.pop();
            slug.push('_');
        }
        if is_device(&slug) { format!("_{slug}") } else { slug }
    }
}

/// Whether Windows takes a name for a device, whatever its case and its extension.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    let port = |prefix| {
        let number = stem.strip_prefix(prefix);
        number.is_some_and(|number| matches!(number.as_bytes(), [b'0'..=b'9']))
    };
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul") || port("com") || port("lpt")
}

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for AgentId {
    type Error = NotAnId;

    fn try_from(text: String) -> Result<AgentId, NotAnId> {
        AgentId::new(text)
    }
}

impl From<AgentId> for String {
    fn from(id: AgentId) -> String {
        id.0
    }
}

/// An agent that may take a slot, as lists show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Agent {
    /// What to give as `agentId`.
    #[cfg_attr(feature = "schema", schema(example = "claude-sonnet-4-5"))]
    pub id: AgentId,
    #[cfg_attr(feature = "schema", schema(example = "Claude Sonnet 4.5"))]
    pub name: String,
    /// Whose it is, for people: `Anthropic`.
    #[cfg_attr(feature = "schema", schema(example = "Anthropic"))]
    pub provider: String,
    /// A line for people. Says so where the built-in improviser plays it.
    pub description: String,
    /// For pages: `#cc785c`.
    #[cfg_attr(feature = "schema", schema(example = "#cc785c"))]
    pub color: String,
}

#[cfg(test)]
pub(super) mod tests;
