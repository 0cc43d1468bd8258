//! YAML, as written in front matter.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, SeqAccess, Visitor},
};
use serde_json::Number;
use serde_saphyr::{
    DuplicateKeyPolicy, Error, MessageFormatter, Spanned, UserMessageFormatter,
    options::{MergeKeyPolicy, NonFiniteFloatPolicy},
};

use super::{DEEPEST, Group, Key, Located, Value, too_deep, twice};
use crate::{Place, Problem};

/// More nodes than any front matter has, aliases expanded: a bomb of aliases within aliases ends here.
const MOST_NODES: usize = 20_000;

/// Reads YAML that begins at `first_line` of its file. Nothing at all reads as null.
pub(crate) fn read_yaml(text: &str, first_line: usize) -> Result<Located, Problem> {
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! { max_depth: DEEPEST, max_nodes: MOST_NODES },
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: MOST_NODES },
        duplicate_keys: DuplicateKeyPolicy::Error,
        merge_keys: MergeKeyPolicy::Error,
        // `no` and `on` are words that characters say; only `true` and `false` are truths.
        strict_booleans: true,
        // As text, infinity is refused by name where a number belongs.
        non_finite_float_policy: NonFiniteFloatPolicy::AsString,
        with_snippet: false,
    };
    let start = Place { line: first_line, column: 1 };
    if text.trim().is_empty() {
        return Ok(Located { place: start, value: Value::Null });
    }
    let read: Spanned<Node> =
        serde_saphyr::from_str_with_options(text, options).map_err(|error| complaint(&error, first_line))?;
    Ok(read.value.located(place(read.referenced, first_line), first_line))
}

/// A value as the deserializer hands it over, still with its own places.
enum Node {
    Leaf(Value),
    List(Vec<Spanned<Node>>),
    Group(Vec<(Spanned<String>, Spanned<Node>)>),
}

impl Node {
    fn located(self, at: Place, first_line: usize) -> Located {
        let inner = |node: Spanned<Node>| node.value.located(place(node.referenced, first_line), first_line);
        let value = match self {
            Node::Leaf(value) => value,
            Node::List(items) => Value::List(items.into_iter().map(inner).collect()),
            Node::Group(entries) => Value::Group(Group(
                entries
                    .into_iter()
                    .map(|(key, value)| {
                        (Key { place: place(key.referenced, first_line), text: key.value }, inner(value))
                    })
                    .collect(),
            )),
        };
        Located { place: at, value }
    }
}

fn place(location: serde_saphyr::Location, first_line: usize) -> Place {
    let number = |n: u64| usize::try_from(n).unwrap_or(usize::MAX).max(1);
    Place { line: number(location.line()) + first_line - 1, column: number(location.column()) }
}

fn complaint(error: &Error, first_line: usize) -> Problem {
    let at = error.location().map(|location| place(location, first_line));
    let place = at.unwrap_or(Place { line: first_line, column: 1 });
    match innermost(error) {
        Error::DuplicateMappingKey { key: Some(key), .. } => twice(key, place),
        Error::Budget { breach: serde_saphyr::budget::BudgetBreach::Depth { .. }, .. } => too_deep(place),
        Error::Budget { .. } | Error::AliasReplayLimitExceeded { .. } => {
            Problem::config("the front matter is too large").at(place.line, place.column)
        }
        other => {
            let what = UserMessageFormatter.format_message(other).into_owned();
            let problem = Problem::config(format!("the front matter is not valid YAML: {what}"))
                .at(place.line, place.column);
            match what.starts_with("mapping values are not allowed") {
                true => problem.hint("text with a colon and a space in it needs quotes around it"),
                false => problem,
            }
        }
    }
}

/// What went wrong, whichever alias it was reached through.
fn innermost(error: &Error) -> &Error {
    match error {
        Error::AliasError { error, .. } => innermost(error),
        _ => error,
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Leaf(Value::Null))
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Node, E> {
        Ok(Node::Leaf(Value::Bool(truth)))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Node, E> {
        Ok(Node::Leaf(Value::Number(number.into())))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Node, E> {
        Ok(Node::Leaf(Value::Number(number.into())))
    }

    fn visit_i128<E: serde::de::Error>(self, number: i128) -> Result<Node, E> {
        self.visit_f64(number as f64)
    }

    fn visit_u128<E: serde::de::Error>(self, number: u128) -> Result<Node, E> {
        self.visit_f64(number as f64)
    }

    fn visit_f64<E>(self, number: f64) -> Result<Node, E> {
        Ok(Node::Leaf(Number::from_f64(number).map_or(Value::Text(number.to_string()), Value::Number)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Node, E> {
        Ok(Node::Leaf(Value::Text(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Node::Group(entries))
    }
}
