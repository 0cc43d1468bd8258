//! What is wrong with input, said so that the person who wrote it can mend it.

use std::fmt;

use serde_json::{Value, json};

/// The kinds of bad input, by their names on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    InvalidConfig,
    CharacterLoadError,
}

impl Code {
    pub fn as_str(self) -> &'static str {
        match self {
            Code::InvalidConfig => "INVALID_CONFIG",
            Code::CharacterLoadError => "CHARACTER_LOAD_ERROR",
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
    /// What was provided, for programs.
    pub context: Value,
}

impl Problem {
    pub fn new(code: Code, message: impl Into<String>) -> Problem {
        Problem { code, message: message.into(), file: None, place: None, hint: None, context: json!({}) }
    }

    pub fn config(message: impl Into<String>) -> Problem {
        Problem::new(Code::InvalidConfig, message)
    }

    pub fn at(mut self, line: usize, column: usize) -> Problem {
        self.place = Some(Place { line, column });
        self
    }

    pub fn in_file(mut self, file: impl fmt::Display) -> Problem {
        self.file.get_or_insert_with(|| file.to_string());
        self
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Problem {
        self.hint = Some(hint.into());
        self
    }

    pub fn context(mut self, context: Value) -> Problem {
        self.context = context;
        self
    }

    /// The failed result of seed 000: `{success: false, error: {code, message, context}}`.
    pub fn to_json(&self) -> Value {
        let mut context = self.context.clone();
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

/// The nearest of some known words, if one is near enough to be what was meant.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_lowercase();
    known
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= 1 + candidate.chars().count() / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
