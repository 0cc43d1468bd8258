//! What a field of `enact.toml` may hold: readers for serde that say what they expect in plain words.
//!
//! An error of theirs may have a second line: it is shown as the hint.

use std::{fmt, marker::PhantomData, ops::RangeInclusive, time::Duration};

use enact_drama::did_you_mean;
use serde::{
    Deserialize, Deserializer,
    de::{
        Error, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor,
        value::{MapAccessDeserializer, SeqAccessDeserializer},
    },
};

/// Declares readers for `deserialize_with`: each is one of the functions below with its arguments.
macro_rules! fields {
    ($($(#[$doc:meta])* $name:ident -> $type:ty = $read:ident($($argument:expr),*);)*) => {$(
        $(#[$doc])*
        fn $name<'de, D: serde::Deserializer<'de>>(field: D) -> Result<$type, D::Error> {
            $read(field, $($argument),*)
        }
    )*};
}
pub(super) use fields;

/// The value is not what belongs there. The message quotes it.
pub(super) fn wrong<E: Error>(expected: &str) -> E {
    E::invalid_value(Unexpected::Other("another value"), &expected)
}

pub(super) fn number<'de, D: Deserializer<'de>>(
    field: D,
    range: RangeInclusive<f64>,
) -> Result<Option<f64>, D::Error> {
    let wrong = || wrong(&format!("a number from {} to {}", range.start(), range.end()));
    let number = f64::deserialize(field).map_err(|_: D::Error| wrong())?;
    if range.contains(&number) { Ok(Some(number)) } else { Err(wrong()) }
}

pub(super) fn whole<'de, D: Deserializer<'de>, T: TryFrom<u32>>(
    field: D,
    range: RangeInclusive<u32>,
) -> Result<Option<T>, D::Error> {
    let wrong = || wrong(&format!("a whole number from {} to {}", range.start(), range.end()));
    let number = u32::deserialize(field).map_err(|_: D::Error| wrong())?;
    let number = Some(number).filter(|number| range.contains(number));
    number.and_then(|number| T::try_from(number).ok()).map(Some).ok_or_else(wrong)
}

pub(super) fn seconds<'de, D: Deserializer<'de>>(
    field: D,
    range: RangeInclusive<f64>,
) -> Result<Option<Duration>, D::Error> {
    Ok(number(field, range)?.map(Duration::from_secs_f64))
}

/// Words that are no more than blanks name nothing, and control characters are no part of a name.
pub(super) fn word<'de, D: Deserializer<'de>>(field: D, what: &str) -> Result<Option<String>, D::Error> {
    let word = String::deserialize(field)?;
    if is_word(&word) { Ok(Some(word)) } else { Err(wrong(what)) }
}

pub(super) fn is_word(text: &str) -> bool {
    !text.trim().is_empty() && !text.contains(char::is_control)
}

/// One of a few words; close misspellings get a hint.
pub(super) fn one_of<'de, D: Deserializer<'de>, T: Copy>(
    field: D,
    words: &[(&str, T)],
) -> Result<Option<T>, D::Error> {
    let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    let (last, first) = names.split_last().unwrap_or((&"", &[]));
    let expected = format!("{} or {last}", first.join(", "));
    let word = String::deserialize(field).map_err(|_: D::Error| wrong(&expected))?;
    let found = words.iter().find(|(known, _)| *known == word);
    found.map(|(_, meaning)| Some(*meaning)).ok_or_else(|| match did_you_mean(&word, names) {
        Some(near) => wrong(&format!("{expected}\ndid you mean '{near}'?")),
        None => wrong(&expected),
    })
}

/// A URL that can be called: http or https, with a host, and without anything secret in it.
pub(super) fn url<'de, D: Deserializer<'de>>(field: D, example: &str) -> Result<Option<String>, D::Error> {
    let url = String::deserialize(field)?;
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let host = rest.and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or_default();
    // Neither is quoted back: what stands before the '@' is a password.
    if host.contains('@') {
        return Err(D::Error::custom(
            "must not hold a name or a password\nkeys come from the environment: name the variable with key_env",
        ));
    }
    if host.is_empty() || host.starts_with(':') || url.contains(|c: char| c.is_whitespace() || c.is_control())
    {
        let message = "must be a URL that begins with http:// or https://";
        return Err(D::Error::custom(format!("{message}\nfor example \"{example}\"")));
    }
    Ok(Some(url))
}

/// The same, or `$NAME` for the environment variable that holds one, perhaps with a password in it.
pub(super) fn url_or_variable<'de, D: Deserializer<'de>>(
    field: D,
    example: &str,
) -> Result<Option<String>, D::Error> {
    let written = String::deserialize(field)?;
    match written.strip_prefix('$') {
        Some(name) => {
            let name = variable(name.to_owned().into_deserializer())?;
            Ok(name.map(|name| format!("${name}")))
        }
        // Not quoted back: what stands before the '@' is a password.
        None if written.contains('@') => Err(D::Error::custom(
            "must not hold a name or a password\nput the whole URL into an environment variable and name that: \"$MY_PROXY\"",
        )),
        None => url(written.into_deserializer(), example),
    }
}

/// Capital letters only, which is how such variables are written. A key pasted here by mistake has others,
/// and so is refused before it could be quoted as a variable that is not set.
pub(super) fn variable<'de, D: Deserializer<'de>>(field: D) -> Result<Option<String>, D::Error> {
    let name = String::deserialize(field)?;
    let plain = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || !name.chars().all(plain) {
        return Err(D::Error::custom(
            "must be the name of an environment variable, not a key\ncapital letters, digits and '_', for example \"MY_KEY\"",
        ));
    }
    Ok(Some(name))
}

/// Keys with values, and nothing else: serde would also fill a struct from a list, one item for each field.
#[derive(Debug)]
pub(super) struct StrictTable<T>(pub(super) T);

/// One text, or a list of them.
#[derive(Debug)]
pub(super) struct OneOrMore(pub(super) Vec<String>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for StrictTable<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<StrictTable<T>, D::Error> {
        deserializer.deserialize_map(StrictTableVisitor(PhantomData))
    }
}

struct StrictTableVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for StrictTableVisitor<T> {
    type Value = StrictTable<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("keys with values")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<StrictTable<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(StrictTable)
    }
}

impl<'de> Deserialize<'de> for OneOrMore {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OneOrMore, D::Error> {
        deserializer.deserialize_any(OneOrMoreVisitor)
    }
}

struct OneOrMoreVisitor;

impl<'de> Visitor<'de> for OneOrMoreVisitor {
    type Value = OneOrMore;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name or a list of names")
    }

    fn visit_str<E: Error>(self, one: &str) -> Result<OneOrMore, E> {
        Ok(OneOrMore(vec![one.to_owned()]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<OneOrMore, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list)).map(OneOrMore)
    }
}
