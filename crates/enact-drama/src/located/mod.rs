//! Values that remember where they were written, so that a problem can point at the very key.
//!
//! YAML and JSON both become a [`Located`] tree: what reads the tree sees no difference.

mod json;
mod line_index;
mod yaml;

use serde_json::Number;

use crate::{Place, Problem, problem::did_you_mean};

pub use line_index::LineIndex;

pub(crate) use json::read_json;
pub(crate) use yaml::read_yaml;

/// Nothing an author writes here nests deeper than a list of groups; a reader that recurses needs some bound.
const DEEPEST: usize = 16;

/// How much of a wrong value a message quotes: enough to recognise it.
const LONGEST_QUOTE: usize = 40;

/// A value and where it begins.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Located {
    pub(crate) place: Place,
    pub(crate) value: Value,
}

/// What can be written after a key.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Located>),
    Group(LocatedMap),
}

/// Keys and their values, in the order they were written. No key stands twice.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct LocatedMap(pub(crate) Vec<(LocatedKey, Located)>);

/// A key and where it is written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LocatedKey {
    pub(crate) place: Place,
    pub(crate) text: String,
}

impl Located {
    /// Text, or nothing where nothing is written after the key.
    pub(crate) fn text(self, key: &str) -> Result<Option<String>, Problem> {
        match self.value {
            Value::Null => Ok(None),
            Value::Text(text) => Ok(Some(text)),
            Value::Bool(_) | Value::Number(_) => {
                Err(self.wrong(key, "text").hint("put it in quotes to make it text"))
            }
            _ => Err(self.wrong(key, "text")),
        }
    }

    /// A whole number, or nothing.
    pub(crate) fn whole(self, key: &str) -> Result<Option<i64>, Problem> {
        match &self.value {
            Value::Null => Ok(None),
            Value::Number(number) if number.is_i64() => Ok(number.as_i64()),
            // Beyond i64 is beyond every bound there is; which of the two ends does not matter to the
            // message.
            Value::Number(number) if number.is_u64() => Ok(Some(i64::MAX)),
            _ => Err(self.wrong(key, "a whole number")),
        }
    }

    /// A whole number that is not negative, or nothing.
    pub(crate) fn unsigned(self, key: &str) -> Result<Option<u64>, Problem> {
        match &self.value {
            Value::Null => Ok(None),
            Value::Number(number) if number.is_u64() => Ok(number.as_u64()),
            _ => Err(self.wrong(key, "a whole number of at least 0")),
        }
    }

    /// Any number, or nothing.
    pub(crate) fn number(self, key: &str) -> Result<Option<f64>, Problem> {
        match &self.value {
            Value::Null => Ok(None),
            Value::Number(number) => Ok(number.as_f64()),
            _ => Err(self.wrong(key, "a number")),
        }
    }

    /// True or false, or nothing.
    pub(crate) fn truth(self, key: &str) -> Result<Option<bool>, Problem> {
        match self.value {
            Value::Null => Ok(None),
            Value::Bool(truth) => Ok(Some(truth)),
            _ => Err(self.wrong(key, "true or false")),
        }
    }

    /// A list; `of` says of what, for the message.
    pub(crate) fn list(self, key: &str, of: &str) -> Result<Vec<Located>, Problem> {
        match self.value {
            Value::Null => Ok(Vec::new()),
            Value::List(items) => Ok(items),
            Value::Text(_) => Err(self
                .wrong(key, &format!("a list of {of}"))
                .hint("put it in square brackets to make it a list")),
            _ => Err(self.wrong(key, &format!("a list of {of}"))),
        }
    }

    /// A list of texts; empty items are left for the check of the values.
    pub(crate) fn texts(self, key: &str, of: &str) -> Result<Vec<String>, Problem> {
        self.list(key, of)?
            .into_iter()
            .enumerate()
            .map(|(index, item)| Ok(item.text(&format!("{key}[{index}]"))?.unwrap_or_default()))
            .collect()
    }

    /// One of a few words, or nothing; close misspellings get a hint.
    pub(crate) fn one_of<T: Copy>(self, key: &str, words: &[(&str, T)]) -> Result<Option<T>, Problem> {
        let all: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let wrong = self.wrong(key, &either(&all));
        let Some(word) = self.text(key).map_err(|_| wrong.clone())? else { return Ok(None) };
        match words.iter().find(|(known, _)| *known == word) {
            Some((_, meaning)) => Ok(Some(*meaning)),
            None => Err(wrong.suggest(&word, all)),
        }
    }

    /// Keys with values; nothing at all has none.
    pub(crate) fn group(self, key: &str) -> Result<LocatedMap, Problem> {
        match self.value {
            Value::Null => Ok(LocatedMap::default()),
            Value::Group(group) => Ok(group),
            _ => Err(self.wrong(key, "keys with values")),
        }
    }

    /// The problem that this is not what belongs here.
    pub(crate) fn wrong(&self, key: &str, expected: &str) -> Problem {
        Problem::config(format!("{key} must be {expected}, found {}", self.found()))
            .at(self.place.line, self.place.column)
    }

    fn found(&self) -> String {
        match &self.value {
            Value::Null => "nothing".to_owned(),
            Value::Bool(truth) => truth.to_string(),
            Value::Number(number) => number.to_string(),
            Value::Text(text) if text.chars().count() > LONGEST_QUOTE => {
                format!("{:?}", text.chars().take(LONGEST_QUOTE).chain(['…']).collect::<String>())
            }
            Value::Text(text) => format!("{text:?}"),
            Value::List(_) => "a list".to_owned(),
            Value::Group(_) => "keys with values".to_owned(),
        }
    }

    /// The same value without its places.
    pub(crate) fn into_json(self) -> serde_json::Value {
        match self.value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(truth) => truth.into(),
            Value::Number(number) => number.into(),
            Value::Text(text) => text.into(),
            Value::List(items) => items.into_iter().map(Located::into_json).collect(),
            Value::Group(group) => {
                group.0.into_iter().map(|(key, value)| (key.text, value.into_json())).collect()
            }
        }
    }
}

impl LocatedKey {
    /// The problem that there is no such key.
    ///
    /// `synonyms` pairs words people try with the key they mean, where no spelling rule would find it.
    pub(crate) fn unknown(&self, known: &[&'static str], synonyms: &[(&str, &'static str)]) -> Problem {
        let meant = synonyms
            .iter()
            .find(|(word, _)| self.text.eq_ignore_ascii_case(word))
            .map(|(_, key)| *key)
            .or_else(|| did_you_mean(&self.text, known.iter().copied()));
        let hint = match meant {
            Some(key) => format!("did you mean '{key}'?"),
            // {text: It rains, and stops.}: the comma ends the text.
            None if self.text.contains(' ') => {
                "no key has spaces: a text with a comma or a colon in it stands in quotes, as in text: \"It rains, and stops.\"".to_owned()
            }
            None => format!("the keys are: {}", known.join(", ")),
        };
        let shown: String = self.text.chars().take(LONGEST_QUOTE).collect();
        Problem::config(format!("unknown key '{}'", shown.escape_debug()))
            .at(self.place.line, self.place.column)
            .hint(hint)
    }
}

/// "salvage, retry or ignore"
fn either(words: &[&str]) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => words.concat(),
    }
}

/// The problem that a key stands twice: which of the two is meant cannot be guessed.
fn twice(key: &str, place: Place) -> Problem {
    Problem::config(format!("'{key}' is given twice")).at(place.line, place.column)
}

fn too_deep(place: Place) -> Problem {
    Problem::config(format!("nested more than {DEEPEST} levels deep")).at(place.line, place.column)
}

#[cfg(test)]
mod tests;
