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

use super::{DEEPEST, Located, LocatedKey, LocatedMap, Value, too_deep, twice};
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
    if text.trim().is_empty() {
        return Ok(Located { place: Place { line: first_line, column: 1 }, value: Value::Null });
    }
    // As many empty lines as there are above it, so that the parser counts lines as editors do.
    let text = format!("{}{text}", "\n".repeat(first_line - 1));
    serde_saphyr::from_str_with_options(&text, options).map_err(|error| complaint(&error, first_line))
}

fn place(location: serde_saphyr::Location) -> Place {
    let number = |n: u64| usize::try_from(n).unwrap_or(usize::MAX).max(1);
    Place { line: number(location.line()), column: number(location.column()) }
}

fn complaint(error: &Error, first_line: usize) -> Problem {
    let place = error.location().map(place).unwrap_or(Place { line: first_line, column: 1 });
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

impl<'de> Deserialize<'de> for Located {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Located, D::Error> {
        let Spanned { value, referenced, .. } = Spanned::deserialize(deserializer)?;
        Ok(Located { place: place(referenced), value })
    }
}

impl<'de> Deserialize<'de> for LocatedKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<LocatedKey, D::Error> {
        let Spanned { value: text, referenced, .. } = Spanned::deserialize(deserializer)?;
        Ok(LocatedKey { place: place(referenced), text })
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Value, E> {
        Ok(Value::Bool(truth))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Number(number.into()))
    }

    fn visit_i128<E: serde::de::Error>(self, number: i128) -> Result<Value, E> {
        self.visit_f64(number as f64)
    }

    fn visit_u128<E: serde::de::Error>(self, number: u128) -> Result<Value, E> {
        self.visit_f64(number as f64)
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Number::from_f64(number).map_or(Value::Text(number.to_string()), Value::Number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Value::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Value::Group(LocatedMap(entries)))
    }
}
