//! What an operator has requests say besides: headers, and fields of the body.

#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, sync::LazyLock};

use enact_drama::Problem;
use enact_http::{ApiKey, redact::without_key_like};
use reqwest::header::{HeaderName, HeaderValue};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::content::{Texts, content};

static RESERVED: LazyLock<ReservedNames> = LazyLock::new(|| content!("reserved.toml"));

/// What may not be said, and what to do instead.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReservedNames {
    /// Parts of the names of headers that carry something secret.
    secret_headers: Texts,
    headers: BTreeMap<String, String>,
    /// By where they stand: `options.num_predict`.
    body: BTreeMap<String, String>,
}

/// A header that every request to a model carries. Its `Debug` does not show what comes from the environment.
#[derive(Debug, Clone, PartialEq)]
pub struct ExtraHeader {
    /// In lower case.
    name: String,
    parts: Vec<HeaderPart>,
}

#[derive(Debug, Clone, PartialEq)]
enum HeaderPart {
    Text(String),
    /// `$NAME`: what this environment variable holds, which is not known yet.
    Variable(String),
    Secret(ApiKey),
}

impl ExtraHeader {
    /// Reads a header as it is written in a configuration. `$NAME` stands for what an environment variable
    /// holds, and `$$` for a dollar.
    pub fn parse(name: &str, written: &str) -> Result<ExtraHeader, Problem> {
        let lower = name.to_ascii_lowercase();
        let refused = |why: String, hint: &str| {
            Err(Problem::config(format!("the header '{}' {why}", name.escape_debug())).hint(hint))
        };
        if HeaderName::from_bytes(lower.as_bytes()).is_err() {
            return refused("cannot be sent".to_owned(), "names of headers are letters, digits and dashes");
        }
        if let Some(instead) = RESERVED.headers.get(&lower) {
            return refused("cannot be set".to_owned(), instead);
        }
        if HeaderValue::from_str(written).is_err() {
            return refused("cannot be sent as it is".to_owned(), "it may hold neither line breaks nor NUL");
        }
        let parts = parts(written);
        let has_variable = parts.iter().any(|part| matches!(part, HeaderPart::Variable(_)));
        let is_secret = RESERVED.secret_headers.iter().any(|part| lower.contains(part.as_str()));
        if is_secret && !has_variable {
            let hint = "put the secret into an environment variable and name that: \"$MY_SECRET\"";
            return refused(
                "carries a secret, and secrets are never written into this file".to_owned(),
                hint,
            );
        }
        Ok(ExtraHeader { name: lower, parts })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// The environment variables it needs.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            HeaderPart::Variable(name) => Some(name.as_str()),
            HeaderPart::Secret(key) => key.variable(),
            HeaderPart::Text(_) => None,
        })
    }

    /// The header with what its variables hold.
    pub fn filled(self, environment: impl Fn(&str) -> Option<String>) -> Result<ExtraHeader, Problem> {
        let fill = |part| match part {
            HeaderPart::Variable(name) => {
                match environment(&name)
                    .map(|value| value.trim().to_owned())
                    .filter(|value| !value.is_empty())
                {
                    Some(value) => Ok(HeaderPart::Secret(ApiKey::new(value).from_variable(name))),
                    None => Err(Problem::config(format!(
                        "the header '{}' needs {name}, which is not set",
                        self.name
                    ))
                    .hint(format!("put its value into the environment variable {name}"))),
                }
            }
            known => Ok(known),
        };
        let parts = self.parts.into_iter().map(fill).collect::<Result<Vec<_>, Problem>>()?;
        Ok(ExtraHeader { name: self.name, parts })
    }

    /// As it is sent, marked as sensitive so that no `Debug` shows it.
    pub(crate) fn header(&self) -> Result<(HeaderName, HeaderValue), Problem> {
        let text: String = self
            .parts
            .iter()
            .map(|part| match part {
                HeaderPart::Text(text) => text.as_str(),
                HeaderPart::Secret(key) => key.reveal(),
                HeaderPart::Variable(_) => "",
            })
            .collect();
        let refused = || {
            Problem::config(format!("the header '{}' cannot be sent as it is", self.name))
                .hint("is there a line break in it?")
        };
        let name = HeaderName::from_bytes(self.name.as_bytes()).map_err(|_| refused())?;
        let mut value = HeaderValue::from_str(&text).map_err(|_| refused())?;
        value.set_sensitive(true);
        Ok((name, value))
    }

    /// What may never be repeated.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &ApiKey> {
        self.parts.iter().filter_map(|part| match part {
            HeaderPart::Secret(key) => Some(key),
            _ => None,
        })
    }

    /// As it was written, for logs: variables by their names, and nothing that looks like a key.
    pub(crate) fn shown(&self) -> String {
        let shown = self.parts.iter().map(|part| match part {
            HeaderPart::Text(text) => without_key_like(text),
            HeaderPart::Variable(name) => format!("${name}"),
            HeaderPart::Secret(key) => format!("${}", key.variable().unwrap_or("SECRET")),
        });
        shown.collect()
    }
}

/// Text and variables, in their order.
fn parts(written: &str) -> Vec<HeaderPart> {
    let (mut parts, mut text, mut rest) = (Vec::new(), String::new(), written);
    while let Some((before, after)) = rest.split_once('$') {
        text.push_str(before);
        let is_of_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        let (name, beyond) = after.split_at(after.find(|c| !is_of_name(c)).unwrap_or(after.len()));
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            text.push('$');
            rest = after.strip_prefix('$').unwrap_or(after);
            continue;
        }
        if !text.is_empty() {
            parts.push(HeaderPart::Text(std::mem::take(&mut text)));
        }
        parts.push(HeaderPart::Variable(name.to_owned()));
        rest = beyond;
    }
    text.push_str(rest);
    if !text.is_empty() || parts.is_empty() {
        parts.push(HeaderPart::Text(text));
    }
    parts
}

/// Whether these fields may be added to a request.
pub fn check_body(body: &Map<String, Value>) -> Result<(), Problem> {
    for (path, instead) in &RESERVED.body {
        let mut steps = path.split('.');
        let first = steps.next().and_then(|step| body.get(step));
        if steps.try_fold(first, |value, step| value.map(|value| value.get(step))).flatten().is_some() {
            return Err(Problem::config(format!("body cannot set '{path}'")).hint(instead));
        }
    }
    Ok(())
}

/// Adds fields to a request: objects field by field, and everything else in place of what is there.
pub(crate) fn merge(into: &mut Map<String, Value>, extra: &Map<String, Value>) {
    for (key, value) in extra {
        match (into.get_mut(key), value) {
            (Some(Value::Object(there)), Value::Object(more)) => merge(there, more),
            _ => {
                into.insert(key.clone(), value.clone());
            }
        }
    }
}

/// Fields as logs may show them: nothing in them looks like a key.
pub(crate) fn shown_body(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(without_key_like(text)),
        Value::Array(items) => items.iter().map(shown_body).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(key, value)| (key.clone(), shown_body(value))).collect())
        }
        other => other.clone(),
    }
}
