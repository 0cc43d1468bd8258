//! What is wrong with a JSON text, in plain words and with the place in it. The words of serde are for
//! programmers of this program; `json_fault.txt` says what people are told instead.

use serde::Deserialize;
use serde_json::error::Category;

use crate::{did_you_mean, text::shortened};

/// How much of a wrong value a message shows.
const LONGEST_SHOWN: usize = 80;

const WORDS: &str = include_str!("json_fault.txt");

/// Why a JSON text could not be read as what it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonFault {
    /// Whether it is JSON at all.
    pub is_json: bool,
    /// What is wrong, with the path of the field.
    pub message: String,
    /// The field, as `slots[0].slotId`; empty for the whole.
    pub path: String,
    pub hint: Option<String>,
    /// Counted from 1; 0 where it is unknown.
    pub line: usize,
    pub column: usize,
}

/// Reads a JSON text.
pub fn read<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Result<T, JsonFault> {
    let mut json = serde_json::Deserializer::from_slice(text);
    let mut track = serde_path_to_error::Track::new();
    let read = T::deserialize(serde_path_to_error::Deserializer::new(&mut json, &mut track));
    let error = match read.and_then(|value| json.end().map(|()| value)) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let (line, column) = (error.line(), error.column());
    let said = error.to_string();
    // serde_json ends what it says with the place.
    let said = said.split(" at line ").next().unwrap_or(&said);
    Err(match error.classify() {
        Category::Data => {
            let path = track.path().to_string();
            JsonFault { line, column, ..JsonFault::of(if path == "." { "" } else { &path }, said) }
        }
        Category::Syntax | Category::Eof | Category::Io => {
            let what = match text.trim_ascii().is_empty() {
                true => "it is empty",
                false => plain("syntax", said).unwrap_or(said),
            };
            let message = format!("this is no JSON: {what}");
            JsonFault { is_json: false, message, path: String::new(), hint: None, line, column }
        }
    })
}

impl JsonFault {
    /// What serde says of the value of a field. An empty path is the whole.
    pub fn of(path: &str, said: &str) -> JsonFault {
        let fault = |message: String, path: &str, hint: Option<String>| JsonFault {
            is_json: true,
            message,
            path: path.to_owned(),
            hint,
            line: 0,
            column: 0,
        };
        let subject = if path.is_empty() { "the whole" } else { path };
        if let Some(rest) = said.strip_prefix("missing field ") {
            let path = child(path, quoted(rest).next().unwrap_or(rest));
            return fault(format!("{path} is missing"), &path, None);
        }
        if let Some(rest) = said.strip_prefix("duplicate field ") {
            let path = child(path, quoted(rest).next().unwrap_or(rest));
            return fault(format!("{path} is given twice"), &path, None);
        }
        if let Some(rest) = said.strip_prefix("unknown field ") {
            let mut names = quoted(rest);
            let name = names.next().unwrap_or(rest);
            let known: Vec<&str> = names.collect();
            let path = child(path, name);
            let hint = match (did_you_mean(name, known.iter().copied()), known.is_empty()) {
                (Some(near), _) => format!("did you mean '{near}'?"),
                (None, true) => "there are none here".to_owned(),
                (None, false) => format!("there are: {}", known.join(", ")),
            };
            let shown = shortened(&path, LONGEST_SHOWN);
            return fault(format!("there is no field '{shown}' here"), &shown, Some(hint));
        }
        if let Some(rest) = said.strip_prefix("unknown variant ") {
            let mut names = quoted(rest);
            let name = names.next().unwrap_or(rest);
            let known: Vec<&str> = names.collect();
            let hint =
                did_you_mean(name, known.iter().copied()).map(|near| format!("did you mean '{near}'?"));
            let found = shortened(name, LONGEST_SHOWN);
            return fault(format!("{subject} must be {}, found '{found}'", any_of(&known)), path, hint);
        }
        for kind in ["invalid type: ", "invalid value: ", "invalid length "] {
            let parts = said.strip_prefix(kind).and_then(|rest| rest.rsplit_once(", expected "));
            if let Some((found, expected)) = parts {
                let expected = plain("expected", expected).unwrap_or(expected);
                let found = match kind {
                    "invalid length " => format!("a list of {found}"),
                    _ => shown(found),
                };
                return fault(format!("{subject} must be {expected}, found {found}"), path, None);
            }
        }
        // What our own readers say names the field already.
        fault(said.to_owned(), path, None)
    }
}

/// The path of a field of what stands at a path. One that ends in the field already is that path: serde says
/// it either way.
fn child(path: &str, name: &str) -> String {
    match path {
        "" => name.to_owned(),
        path if path == name || path.ends_with(&format!(".{name}")) => path.to_owned(),
        path => format!("{path}.{name}"),
    }
}

/// The names that serde puts between backticks.
fn quoted(said: &str) -> impl Iterator<Item = &str> {
    said.split('`').skip(1).step_by(2)
}

fn any_of(names: &[&str]) -> String {
    match names {
        [] => "something else".to_owned(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// A value that was found, without the name of its type: serde says ``integer `7` `` and `string "x"`.
fn shown(found: &str) -> String {
    let value = match (found.find('`'), found.find('"')) {
        (Some(start), _) => found[start..].trim_matches('`'),
        (None, Some(start)) => &found[start..],
        (None, None) => plain("found", found).unwrap_or(found),
    };
    shortened(value, LONGEST_SHOWN).into_owned()
}

/// The plain words for what serde says, from a part of the table.
fn plain(part: &str, said: &str) -> Option<&'static str> {
    let heading = format!("[{part}]");
    let lines = WORDS.lines().skip_while(|line| *line != heading).skip(1);
    let entries = lines.take_while(|line| !line.starts_with('[')).filter_map(|line| line.split_once(" => "));
    let fitting = entries.filter(|(beginning, _)| said.starts_with(beginning));
    fitting.max_by_key(|(beginning, _)| beginning.len()).map(|(_, plain)| plain)
}

#[cfg(test)]
mod tests;
