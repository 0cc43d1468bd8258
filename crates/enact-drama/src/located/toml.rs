//! TOML, as operators write it.

use serde_json::Number;
use toml::{
    Spanned,
    de::{DeInteger, DeTable, DeValue},
};

use super::{DEEPEST, Group, Key, Located, Value, lines::LineStarts, too_deep};
use crate::{Place, Problem};

/// Reads TOML. The whole document is a group, and begins where its text does.
pub fn read_toml(text: &str) -> Result<Located, Problem> {
    // Editors that write a byte order mark do not show it: columns are counted without.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = LineStarts::of(text);
    let table = DeTable::parse(text).map_err(|error| complaint(&error, &lines))?;
    let value = Value::Group(group(table.into_inner(), &lines, 0)?);
    Ok(Located { place: Place { line: 1, column: 1 }, value })
}

fn located(value: Spanned<DeValue<'_>>, lines: &LineStarts<'_>, depth: usize) -> Result<Located, Problem> {
    let place = lines.place(value.span().start);
    if depth >= DEEPEST {
        return Err(too_deep(place));
    }
    let value = match value.into_inner() {
        DeValue::String(text) => Value::Text(text.into_owned()),
        DeValue::Boolean(truth) => Value::Bool(truth),
        DeValue::Integer(number) => whole(&number),
        // As text, infinity is refused by name where a number belongs.
        DeValue::Float(number) => number_or_text(number.as_str()),
        DeValue::Datetime(moment) => Value::Text(moment.to_string()),
        DeValue::Array(items) => Value::List(
            items.into_iter().map(|item| located(item, lines, depth + 1)).collect::<Result<_, _>>()?,
        ),
        DeValue::Table(table) => Value::Group(group(table, lines, depth)?),
    };
    Ok(Located { place, value })
}

fn group(table: DeTable<'_>, lines: &LineStarts<'_>, depth: usize) -> Result<Group, Problem> {
    let mut entries: Vec<_> = table.into_iter().collect();
    // The parser sorts keys by name; people read them in the order they were written.
    entries.sort_by_key(|(key, _)| key.span().start);
    let entries = entries.into_iter().map(|(key, value)| {
        let place = lines.place(key.span().start);
        Ok((Key { place, text: key.into_inner().into_owned() }, located(value, lines, depth + 1)?))
    });
    Ok(Group(entries.collect::<Result<_, _>>()?))
}

fn whole(number: &DeInteger<'_>) -> Value {
    match i64::from_str_radix(number.as_str(), number.radix()) {
        Ok(whole) => Value::Number(whole.into()),
        Err(_) => match u64::from_str_radix(number.as_str(), number.radix()) {
            Ok(large) => Value::Number(large.into()),
            Err(_) => number_or_text(number.as_str()),
        },
    }
}

fn number_or_text(text: &str) -> Value {
    match text.parse().ok().and_then(Number::from_f64) {
        Some(number) => Value::Number(number),
        None => Value::Text(text.to_owned()),
    }
}

fn complaint(error: &toml::de::Error, lines: &LineStarts<'_>) -> Problem {
    let place = lines.place(error.span().map_or(0, |span| span.start));
    Problem::config(format!("not valid TOML: {}", error.message())).at(place.line, place.column)
}
