//! Which environment variables a program sees, and which values are redacted from what it says.

use std::{
    env,
    ffi::{OsStr, OsString},
};

use enact_http::redact::redact_all;

/// How variables end that hold a key: `OPENAI_API_KEY`.
const KEY_ENDING: &str = "_API_KEY";

/// How variables begin that are enact's own: a token for its server, the address of its database and the like.
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
mod tests {
    use super::*;

    #[test]
    fn complaints_repeat_no_secret() {
        let variables = [
            ("STUDIO", "named-secret"),
            ("OPENAI_API_KEY", "sk-12345678"),
            ("LONGER_API_KEY", "sk-12345678-more"),
            ("HF_TOKEN", "hf_12345678"),
            ("ENACT_DATABASE", "postgres://me:pw@host/db"),
            ("TINY_KEY", "no"),
            ("HOME", "/home/me"),
        ];
        let variables = variables.map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let said = "no: sk-12345678, sk-12345678-more, named-secret, 'hf_12345678', postgres://me:pw@host/db in /home/me";
        assert_eq!(
            redact_variables(said.to_owned(), variables.into_iter(), &["STUDIO".to_owned()]),
            "no: …, …, …, '…', … in /home/me"
        );
    }

    #[test]
    fn keys_are_private_and_nothing_else() {
        let named = ["STUDIO_KEY".to_owned()];
        for (name, expected) in [
            ("PATH", false),
            ("HOME", false),
            ("LANG", false),
            ("API_KEY_FOLDER", false),
            ("OTEL_SERVICE_NAME", false),
            ("STUDIO_KEY", true),
            ("OPENAI_API_KEY", true),
            ("ENACT_TOKEN", true),
            ("ENACT_DATABASE", true),
            ("OTEL_EXPORTER_OTLP_HEADERS", true),
        ] {
            assert_eq!(is_private(name.as_ref(), &named), expected, "{name}");
        }
    }
}
