//! What is wrong with input, said so that the person who wrote it can mend it.

use std::fmt;

use serde_json::{Value, json};

/// The kinds of bad input, by their names on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    InvalidConfig,
    CharacterLoadError,
    /// A run cannot be forked at this beat, or not yet.
    BeatNotPlayed,
    /// A person's answer is to an ask that is not open, or not any more.
    AskNotOpen,
    /// A message comes before the one before it is answered.
    SessionBusy,
}

impl Code {
    pub fn as_str(self) -> &'static str {
        match self {
            Code::InvalidConfig => "INVALID_CONFIG",
            Code::CharacterLoadError => "CHARACTER_LOAD_ERROR",
            Code::BeatNotPlayed => "BEAT_NOT_PLAYED",
            Code::AskNotOpen => "ASK_NOT_OPEN",
            Code::SessionBusy => "SESSION_BUSY",
        }
    }
}

/// Where in a text, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

/// Bad input: what is wrong, where, and what to do about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    pub code: Code,
    pub message: String,
    /// The file the text came from, where it came from one.
    pub file: Option<String>,
    pub place: Option<Place>,
    pub hint: Option<String>,
    /// What was provided, for programs. Boxed, because every fallible reader carries the room for it.
    pub context: Box<Value>,
}

impl Problem {
    pub fn new(code: Code, message: impl Into<String>) -> Problem {
        Problem {
            code,
            message: message.into(),
            file: None,
            place: None,
            hint: None,
            context: Box::new(json!({})),
        }
    }

    pub fn config(message: impl Into<String>) -> Problem {
        Problem::new(Code::InvalidConfig, message)
    }

    /// A character that cannot be cast, and why, as the requirements word it.
    pub fn character(name: &str, reason: &str) -> Problem {
        Problem::new(Code::CharacterLoadError, format!("Failed to load character '{name}': {reason}"))
            .context(json!({ "character": name, "reason": reason }))
    }

    /// A character without a sheet.
    pub fn no_such_character(name: &str) -> Problem {
        let message = format!("Character '{name}' not found. Ensure .claude/agents/{name}.md exists.");
        Problem::new(Code::CharacterLoadError, message)
            .context(json!({ "character": name, "reason": "file not found" }))
    }

    pub fn at(mut self, line: usize, column: usize) -> Problem {
        self.place = Some(Place { line, column });
        self
    }

    pub fn in_file(mut self, file: impl fmt::Display) -> Problem {
        self.file.get_or_insert_with(|| file.to_string());
        self
    }

    /// Says what it is about: a key, a flag, a variable.
    pub fn about(mut self, what: impl fmt::Display) -> Problem {
        self.message = format!("{what}: {}", self.message);
        self
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Problem {
        self.hint = Some(hint.into());
        self
    }

    /// Hints at the known word that was probably meant, if one is near enough. Otherwise its hint stays.
    pub fn suggest<'a>(self, word: &str, known: impl IntoIterator<Item = &'a str>) -> Problem {
        match did_you_mean(word, known) {
            Some(near) => self.hint(format!("did you mean '{near}'?")),
            None => self,
        }
    }

    /// Says which key of the input it is about, for programs that show it there.
    pub fn in_field(mut self, key: &str) -> Problem {
        if let Value::Object(context) = &mut *self.context {
            context.entry("field").or_insert_with(|| json!(key));
        }
        self
    }

    pub fn context(mut self, context: Value) -> Problem {
        self.context = Box::new(context);
        self
    }

    /// The failed result of the requirements: `{success: false, error: {code, message, context}}`.
    pub fn to_json(&self) -> Value {
        let mut context = Value::clone(&self.context);
        if let Value::Object(map) = &mut context {
            if let Some(file) = &self.file {
                map.insert("file".into(), json!(file));
            }
            if let Some(place) = self.place {
                map.insert("line".into(), json!(place.line));
                map.insert("column".into(), json!(place.column));
            }
            if let Some(hint) = &self.hint {
                map.insert("hint".into(), json!(hint));
            }
        }
        json!({
            "success": false,
            "error": { "code": self.code.as_str(), "message": self.message, "context": context },
        })
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}")?;
            if let Some(place) = self.place {
                write!(f, ":{}:{}", place.line, place.column)?;
            }
            f.write_str(": ")?;
        } else if let Some(place) = self.place {
            write!(f, "line {}, column {}: ", place.line, place.column)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}

/// Longer words are not misspellings of anything known, and comparing them costs time for each pair of
/// letters.
const LONGEST_MISSPELLING: usize = 100;

/// The nearest of some known words, if one is near enough to be what was meant: about one letter in three may
/// differ.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_lowercase();
    let length = lower.chars().count();
    if length > LONGEST_MISSPELLING {
        return None;
    }
    known
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= (length.max(candidate.chars().count()) / 3).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests;
