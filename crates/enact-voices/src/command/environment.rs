//! Which environment variables a program sees, and which values are redacted from what it says.

use std::{
    env,
    ffi::{OsStr, OsString},
};

use enact_http::redact::redact_all;

/// How the names of variables end that hold a key: `OPENAI_API_KEY`.
const KEY_ENDING: &str = "_API_KEY";

/// How the names of enact's own variables begin: a token for its server, the address of its database and the
/// like.
const OWN_BEGINNING: &str = "ENACT_";

/// Headers that go with traces, which may hold the key of a collector.
const TRACE_HEADERS: [&str; 2] = ["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"];

/// Whether a variable is kept from programs: it may hold a secret, and they have no use for it.
pub(super) fn is_private(variable: &OsStr, named: &[String]) -> bool {
    let Some(name) = variable.to_str() else { return false };
    named.iter().any(|private| private == name)
        || TRACE_HEADERS.contains(&name)
        || name.starts_with(OWN_BEGINNING)
        || name.ends_with(KEY_ENDING)
}

/// How the names of variables end that hold secrets of any program.
const SECRET_ENDINGS: [&str; 4] = ["_KEY", "_TOKEN", "_SECRET", "_PASSWORD"];

/// Shorter values are words and numbers, which errors contain for other reasons.
const SHORTEST_SECRET: usize = 6;

/// What a program says, without the secrets of the environment: it may know them from elsewhere.
pub(super) fn redact_environment(said: String, named: &[String]) -> String {
    redact_variables(said, env::vars_os(), named)
}

fn redact_variables(
    said: String,
    variables: impl Iterator<Item = (OsString, OsString)>,
    named: &[String],
) -> String {
    let is_secret = |name: &OsStr| {
        is_private(name, named)
            || name.to_str().is_some_and(|name| SECRET_ENDINGS.iter().any(|end| name.ends_with(end)))
    };
    let secrets: Vec<String> = variables
        .filter(|(name, _)| is_secret(name))
        .filter_map(|(_, value)| value.into_string().ok())
        .map(|value| value.trim().to_owned())
        .filter(|value| value.len() >= SHORTEST_SECRET)
        .collect();
    redact_all(said, secrets)
}

#[cfg(test)]
mod tests;
