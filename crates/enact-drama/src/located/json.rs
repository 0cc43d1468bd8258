//! JSON, as programs send it.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;

use super::{DEEPEST, Located, LocatedKey, LocatedMap, Value, line_index::LineIndex, too_deep, twice};
use crate::{Place, Problem};

/// Reads JSON.
///
/// `serde_json` knows places only of errors. Values borrowed raw from the text know theirs: it is where they
/// point.
pub(crate) fn read_json(text: &str) -> Result<Located, Problem> {
    let whole: &RawValue = serde_json::from_str(text).map_err(|error| complaint(&error, text))?;
    Source { text, lines: LineIndex::of(text) }.located(whole, 0)
}

struct Source<'a> {
    text: &'a str,
    lines: LineIndex<'a>,
}

impl<'a> Source<'a> {
    fn located(&self, raw: &'a RawValue, depth: usize) -> Result<Located, Problem> {
        let place = self.place(raw);
        if depth >= DEEPEST {
            return Err(too_deep(place));
        }
        let json = raw.get();
        let value = match json.as_bytes().first() {
            Some(b'{') => Value::Group(self.group(json, place, depth)?),
            Some(b'[') => {
                let items: Vec<&RawValue> = inner(json, place)?;
                Value::List(
                    items.into_iter().map(|item| self.located(item, depth + 1)).collect::<Result<_, _>>()?,
                )
            }
            Some(b'"') => Value::Text(inner(json, place)?),
            Some(b't' | b'f') => Value::Bool(inner(json, place)?),
            Some(b'n') => Value::Null,
            _ => Value::Number(inner(json, place)?),
        };
        Ok(Located { place, value })
    }

    fn group(&self, json: &'a str, place: Place, depth: usize) -> Result<LocatedMap, Problem> {
        let JsonEntries(entries) = inner(json, place)?;
        let mut group = LocatedMap::default();
        let mut seen = std::collections::BTreeSet::new();
        for (key, value) in entries {
            let place = self.place(key);
            let text: String = inner(key.get(), place)?;
            if !seen.insert(text.clone()) {
                return Err(twice(&text, place));
            }
            group.0.push((LocatedKey { place, text }, self.located(value, depth + 1)?));
        }
        Ok(group)
    }

    fn place(&self, raw: &RawValue) -> Place {
        self.lines.place(raw.get().as_ptr() as usize - self.text.as_ptr() as usize)
    }
}

/// Reads one level of text that is known to be well-formed. What can still be wrong is inside a single value:
/// half a surrogate pair, or a number too large to hold.
fn inner<'a, T: Deserialize<'a>>(json: &'a str, place: Place) -> Result<T, Problem> {
    serde_json::from_str(json).map_err(|error| {
        Problem::config(format!("not valid JSON: {}", reason(&error))).at(place.line, place.column)
    })
}

fn complaint(error: &serde_json::Error, text: &str) -> Problem {
    // Bytes are what `serde_json` counts; characters are what editors show.
    let line = text.split('\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
    let before = error.column().saturating_sub(1).min(line.len());
    let column = line.char_indices().take_while(|(index, _)| *index < before).count() + 1;
    Problem::config(format!("not valid JSON: {}", reason(error))).at(error.line().max(1), column)
}

/// The message without the place that `serde_json` adds to it.
fn reason(error: &serde_json::Error) -> String {
    if error.is_eof() {
        return "it ends too early".to_owned();
    }
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.as_str(), |(reason, _)| reason).to_owned()
}

/// An object's keys and values, in order, repeated keys and all.
struct JsonEntries<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for JsonEntries<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<JsonEntries<'a>, D::Error> {
        struct EntriesVisitor;

        impl<'de> Visitor<'de> for EntriesVisitor {
            type Value = JsonEntries<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<JsonEntries<'de>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(JsonEntries(entries))
            }
        }

        deserializer.deserialize_map(EntriesVisitor)
    }
}
