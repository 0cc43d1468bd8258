//! Content that is compiled in as TOML: lines, word lists, prices. It is read when it is first needed.

use std::ops::Deref;

use serde::{Deserialize, de::DeserializeOwned};

/// The value that a TOML file beside the calling one holds.
macro_rules! content {
    ($file:literal) => {
        $crate::content::read(concat!($file, ", read by ", file!()), include_str!($file))
    };
}
pub(crate) use content;

/// Reads one of the program's own files. Every file is also read by a test, so that a mistake in one never reaches a user.
///
/// # Panics
///
/// With the file, the line and the column, if there is a mistake.
pub(crate) fn read<T: DeserializeOwned>(file: &str, text: &str) -> T {
    toml::from_str(text).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Words, phrases or lines: at least one.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Vec<String>")]
pub(crate) struct Texts(Vec<String>);

impl Texts {
    pub(crate) fn has(&self, text: &str) -> bool {
        self.iter().any(|known| known == text)
    }
}

impl Deref for Texts {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.0
    }
}

impl TryFrom<Vec<String>> for Texts {
    type Error = &'static str;

    fn try_from(texts: Vec<String>) -> Result<Texts, &'static str> {
        match texts.iter().any(|text| text.trim().is_empty()) {
            _ if texts.is_empty() => Err("a list without entries"),
            true => Err("an entry without words"),
            false => Ok(Texts(texts)),
        }
    }
}

/// The names in braces of a text, in their order.
pub(crate) fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).map(|rest| rest.split_once('}').map_or(rest, |(name, _)| name))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    #[should_panic(expected = "lines.toml: TOML parse error at line 3, column 9")]
    fn a_mistake_is_found_by_file_line_and_column() {
        read::<BTreeMap<String, Texts>>("lines.toml", "# Lines.\nyes = [\"Yes.\"]\nempty = []\n");
    }

    #[test]
    #[should_panic(expected = "an entry without words")]
    fn an_entry_says_something() {
        read::<BTreeMap<String, Texts>>("lines.toml", "yes = [\"Yes.\", \" \"]");
    }

    #[test]
    fn placeholders_are_found_even_if_one_is_not_closed() {
        assert_eq!(placeholders("{you}, so {topic} it is, {oh").collect::<Vec<_>>(), ["you", "topic", "oh"]);
    }
}
