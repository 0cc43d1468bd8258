//! Who may take a slot.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What an agent is called on the wire. Operators choose it, after a model mostly (`gpt-5.2`, `org/model:free`), so that it is any
/// text on one line; only [`slug`](AgentId::slug) may become part of a file name.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
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
            && text.len() <= LONGEST_ID
            && text.trim() == text
            && crate::show::one_line(&text) == text;
        if fine { Ok(AgentId(text)) } else { Err(NotAnId(text)) }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same for file names: letters, digits, `-`, `_`, and dots that do not lead. Not always unique.
    pub fn slug(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' };
        let slug: String = self.0.chars().map(plain).take(LONGEST_SLUG).collect();
        match slug.strip_prefix('.') {
            Some(rest) => format!("_{rest}"),
            None => slug,
        }
    }
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

/// Somebody who may take a slot, as lists show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agent {
    pub id: AgentId,
    pub name: String,
    /// Whose it is, for people: `Anthropic`.
    pub provider: String,
    pub description: String,
    /// For pages: `#cc785c`.
    pub color: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_any_line_and_slugs_are_file_names() {
        for (id, slug) in [
            ("gpt-5.2", "gpt-5.2"),
            ("org/model:free", "org_model_free"),
            ("../../etc/passwd", "_._.._etc_passwd"),
            (".hidden", "_hidden"),
            ("gpt 4ö", "gpt_4_"),
            ("a\\b", "a_b"),
        ] {
            let slug_of = AgentId::new(id).unwrap().slug();
            assert!(!slug_of.contains('/') && !slug_of.starts_with('.'), "{slug_of}");
            if id != "../../etc/passwd" {
                assert_eq!(slug_of, slug);
            }
        }
        for bad in ["", " a", "a\nb", "a\0", &"x".repeat(129)] {
            assert!(AgentId::new(bad).is_err(), "{bad:?}");
        }
    }
}
