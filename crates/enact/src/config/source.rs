//! The text of `enact.toml`: serde reads it into types, and every mistake is shown with its line, its column
//! and a hint.

use std::collections::BTreeMap;

use enact_drama::{
    LineIndex, Place, Problem, did_you_mean,
    text::{one_line, shortened},
};
use serde::de::DeserializeOwned;
use toml::{
    Spanned,
    de::{DeTable, DeValue, Error, ValueDeserializer},
};

use super::fields::StrictTable;

/// How much of a wrong value a message quotes: enough to recognise it.
const LONGEST_QUOTE: usize = 40;

/// Words people try that are no misspelling of the key they mean.
const SYNONYMS: &str = include_str!("synonyms.txt");

/// What a key or a token would be written as.
const SECRETS: [&str; 6] = ["key", "api_key", "apikey", "api-key", "secret", "token"];

/// What serde calls the types that are written in the file.
const TYPES: [(&str, &str); 5] = [
    ("a string", "text"),
    ("path string", "text"),
    ("a boolean", "true or false"),
    ("a sequence", "a list"),
    ("a map", "keys with values"),
];

/// What helps with some keys, whatever is wrong with them.
const HINTS: [(&str, &str); 2] = [
    ("price", "for example: price = { input = 3.0, output = 15.0 }, in USD for a million tokens"),
    ("agents", "each begins with [[chorus.agents]] and has an id, by which requests choose it"),
];

pub(super) struct TomlSource<'a> {
    text: &'a str,
    tree: Spanned<DeValue<'a>>,
    lines: LineIndex<'a>,
}

impl<'a> TomlSource<'a> {
    pub(super) fn parse(text: &'a str) -> Result<TomlSource<'a>, Problem> {
        // Editors that write a byte order mark do not show it: columns are counted without.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines = LineIndex::of(text);
        match DeTable::parse(text) {
            Ok(table) => {
                let tree = Spanned::new(table.span(), DeValue::Table(table.into_inner()));
                Ok(TomlSource { text, tree, lines })
            }
            Err(error) => {
                let Place { line, column } = lines.place(error.span().unwrap_or_default().start);
                Err(Problem::config(format!("not valid TOML: {}", error.message())).at(line, column))
            }
        }
    }

    pub(super) fn read<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        T::deserialize(ValueDeserializer::from(self.tree.clone())).map_err(|error| self.problem(&error))
    }

    /// Where a value is written; for a table, its name. A single value where there may be a list is its only
    /// item.
    pub(super) fn place(&self, path: &[&str]) -> Option<Place> {
        let (mut value, mut start) = (self.tree.get_ref(), None);
        for step in path {
            let (span, inner) = match value {
                DeValue::Table(table) => {
                    let (key, value) = table.iter().find(|(key, _)| key.get_ref() == step)?;
                    let is_table = matches!(value.get_ref(), DeValue::Table(_));
                    (if is_table { key.span() } else { value.span() }, value)
                }
                DeValue::Array(items) => {
                    let item = items.get(step.parse::<usize>().ok()?)?;
                    (item.span(), item)
                }
                _ => break,
            };
            (value, start) = (inner.get_ref(), Some(span.start));
        }
        start.map(|start| self.lines.place(start))
    }

    /// The entries of a table, each a table of its own, in the order in which they are written: the parser
    /// sorts by name.
    pub(super) fn entries<K, T>(
        &self,
        table: &str,
        entries: BTreeMap<String, StrictTable<K>>,
        check: impl Fn(K, &TableEntry<'_>) -> Result<T, Problem>,
    ) -> Result<Vec<T>, Problem> {
        let mut entries: Vec<_> = entries.into_iter().collect();
        entries
            .sort_by_key(|(name, _)| self.place(&[table, name]).map(|Place { line, column }| (line, column)));
        let checked = entries
            .into_iter()
            .map(|(name, StrictTable(keys))| check(keys, &TableEntry { source: self, table, name: &name }));
        checked.collect()
    }

    /// Adds to a problem where the thing is written that it is about.
    pub(super) fn at(&self, path: &[&str], problem: Problem) -> Problem {
        match self.place(path) {
            Some(Place { line, column }) => problem.at(line, column),
            None => problem,
        }
    }

    /// Says in plain words what serde and toml say in the words of Rust.
    ///
    /// Messages of [`fields`](super::fields) may have a second line: it is the hint.
    fn problem(&self, error: &Error) -> Problem {
        let span = error.span().unwrap_or_default();
        let Place { line, column } = self.lines.place(span.start);
        let shown = error.to_string();
        let path =
            shown.rsplit_once("\nin `").map_or("the file", |(_, path)| path.trim_end().trim_end_matches('`'));
        let (message, hint) = match error.message().split_once('\n') {
            Some((message, hint)) => (message, Some(hint.to_owned())),
            None => (error.message(), None),
        };
        let written = self.text.get(span).unwrap_or_default();
        let (message, hint) = match message.rsplit_once(", expected ") {
            Some((unknown, known)) if unknown.starts_with("unknown ") => unknown_key(written, known),
            Some((found, expected)) => {
                let (message, usual) = wrong_value(path, found, expected, written);
                (message, hint.or(usual))
            }
            None => match message.strip_prefix("missing field `") {
                Some(field) => (format!("{path} has no '{}'", field.trim_end_matches('`')), hint),
                None if message.starts_with("must ") => (format!("{path} {message}"), hint),
                None => (format!("{path}: {message}"), hint),
            },
        };
        let problem = Problem::config(message).at(line, column);
        let key = path.rsplit('.').next();
        let usual = || HINTS.iter().find(|(name, _)| Some(*name) == key).map(|(_, hint)| (*hint).to_owned());
        match hint.or_else(usual) {
            Some(hint) => problem.hint(hint),
            None => problem,
        }
    }
}

/// One table of several that are of one kind: `[models.lead]`.
pub(super) struct TableEntry<'a> {
    source: &'a TomlSource<'a>,
    table: &'a str,
    pub(super) name: &'a str,
}

impl TableEntry<'_> {
    pub(super) fn has(&self, key: &str) -> bool {
        self.source.place(&[self.table, self.name, key]).is_some()
    }

    /// A problem with its name, or with the entry as a whole.
    pub(super) fn problem(&self, message: impl Into<String>, hint: impl Into<String>) -> Problem {
        self.source.at(&[self.table, self.name], Problem::config(message).hint(hint))
    }

    /// A problem with one of its keys.
    pub(super) fn problem_with(&self, key: &str, message: String, hint: impl Into<String>) -> Problem {
        self.source.at(&[self.table, self.name, key], Problem::config(message).hint(hint))
    }

    /// Adds to a problem where in this entry the thing is written that it is about.
    pub(super) fn at(&self, path: &[&str], problem: Problem) -> Problem {
        self.source.at(&[&[self.table, self.name], path].concat(), problem)
    }

    pub(super) fn missing(&self, key: &str, example: &str) -> Problem {
        let message = format!("{}.{} has no '{key}'", self.table, self.name);
        self.problem(message, format!("for example: {key} = {example}"))
    }
}

/// The message and the hint for a key that a table does not have. `known` lists those that it has, in
/// backticks.
fn unknown_key(written: &str, known: &str) -> (String, Option<String>) {
    let key = written.trim_matches(['"', '\'']);
    let known: Vec<&str> = known.split('`').skip(1).step_by(2).collect();
    let mut synonyms = SYNONYMS.lines().filter_map(|line| line.split_once(": "));
    let synonym = synonyms.find(|(meant, words)| {
        known.contains(meant) && words.split(' ').any(|word| key.eq_ignore_ascii_case(word))
    });
    let secret = SECRETS.contains(&key.to_ascii_lowercase().as_str());
    let shown = shortened(&one_line(key), LONGEST_QUOTE).into_owned();
    let (message, hint) = match synonym.map(|(meant, _)| meant) {
        _ if secret && known.contains(&"variable") => (
            format!("'{shown}': tokens are never written into this file"),
            "put it into an environment variable and name that: variable = \"MY_TOKEN\"".to_owned(),
        ),
        _ if key == "database" => (
            "a database may need a password, which is never written into this file".to_owned(),
            "name it with --database, or in the environment variable ENACT_DATABASE".to_owned(),
        ),
        None if secret => (
            format!("'{shown}': keys are never written into this file"),
            "put the key into an environment variable and name that: key_env = \"MY_KEY\"".to_owned(),
        ),
        meant => (
            format!("unknown key '{shown}'"),
            match meant.or_else(|| did_you_mean(key, known.iter().copied())) {
                Some(meant) => format!("did you mean '{meant}'?"),
                None => format!("the keys are: {}", known.join(", ")),
            },
        ),
    };
    (message, Some(hint))
}

/// The message, and the hint where there is a usual one, for a value that is not what belongs there.
fn wrong_value(path: &str, found: &str, expected: &str, written: &str) -> (String, Option<String>) {
    let is = |kind: &str| found.strip_prefix("invalid type: ").is_some_and(|found| found.starts_with(kind));
    let expected = match TYPES.iter().find(|(name, _)| *name == expected) {
        Some((_, plain)) => plain,
        None if expected.starts_with("struct ") => "keys with values",
        None => expected,
    };
    // Not quoted back: it may be the token itself.
    if path == "tokens" || path.starts_with("tokens.") {
        let hint =
            "variable = \"MY_TOKEN\" names the environment variable that holds it, and scopes what it allows";
        return (format!("{path} must be {expected}"), Some(hint.to_owned()));
    }
    let found = match () {
        () if is("map") && written.starts_with(['[', '{']) => "keys with values".to_owned(),
        () if is("sequence") => "a list".to_owned(),
        // Nor is a text where a model or a voice should stand: it may be a key, pasted one level too high.
        () if is("string") && expected == "keys with values" => "text".to_owned(),
        () => shortened(&one_line(written), LONGEST_QUOTE).into_owned(),
    };
    let hint = match expected {
        "text" if is("integer") || is("float") || is("boolean") => Some("put it in quotes to make it text"),
        "a list" if is("string") => Some("put it in square brackets to make it a list"),
        _ => None,
    };
    (format!("{path} must be {expected}, found {found}"), hint.map(str::to_owned))
}
