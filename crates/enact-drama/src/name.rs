//! Plain names: what scenes and characters are called on disk and on the wire.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize};

/// A name that can safely become a file name: `[A-Za-z0-9][A-Za-z0-9_-]{0,63}`. Copies share their text:
/// every line of a run holds the name of its speaker.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(
    feature = "schema",
    derive(utoipa::ToSchema),
    schema(value_type = String, pattern = "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$")
)]
pub struct Name(Arc<str>);

/// Longer names make unwieldy folders and say nothing more.
const LONGEST: usize = 64;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not a plain name: use letters, digits, '-' and '_', starting with a letter or digit, at most {LONGEST}"
)]
pub struct NotPlain(pub String);

impl Name {
    pub fn new(text: impl Into<String>) -> Result<Name, NotPlain> {
        let text = text.into();
        let plain = text.len() <= LONGEST
            && text.starts_with(|c: char| c.is_ascii_alphanumeric())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        if plain { Ok(Name(text.into())) } else { Err(NotPlain(text)) }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Name {
    type Error = NotPlain;

    fn try_from(text: String) -> Result<Name, NotPlain> {
        Name::new(text)
    }
}

impl From<Name> for String {
    fn from(name: Name) -> String {
        name.0.as_ref().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_names_pass() {
        for good in ["alice", "A", "the-apology", "npc_7", "7even", &"x".repeat(64)] {
            assert!(Name::new(good).is_ok(), "{good}");
        }
        for bad in ["", "../x", "a/b", "-a", "_a", "a b", "é", ".hidden", "a.md", "a\0", &"x".repeat(65)] {
            assert!(Name::new(bad).is_err(), "{bad}");
        }
    }
}
