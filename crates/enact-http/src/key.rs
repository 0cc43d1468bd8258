//! Keys of services, and the header that carries one.

use std::fmt;

use enact_drama::Problem;
use reqwest::header::{AUTHORIZATION, HeaderName, HeaderValue};

/// A secret. Its `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey {
    secret: String,
    variable: Option<String>,
}

impl ApiKey {
    pub fn new(secret: impl Into<String>) -> ApiKey {
        ApiKey { secret: secret.into(), variable: None }
    }

    /// Remembers which environment variable it came from, for the message that says it was refused.
    pub fn from_variable(self, name: impl Into<String>) -> ApiKey {
        ApiKey { variable: Some(name.into()), ..self }
    }

    pub fn variable(&self) -> Option<&str> {
        self.variable.as_deref()
    }

    /// The secret itself, for the header that carries it.
    pub fn reveal(&self) -> &str {
        &self.secret
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(hidden)")
    }
}

/// How a service wants to be sent its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthScheme {
    /// `authorization: Bearer KEY`
    Bearer,
    /// A header of this name (in lower case) that holds nothing but the key.
    Header(&'static str),
}

/// The header that carries a key, marked as sensitive so that no `Debug` shows it.
pub fn auth_header(
    service: &str,
    key: &ApiKey,
    scheme: AuthScheme,
) -> Result<(HeaderName, HeaderValue), Problem> {
    let (name, value) = match scheme {
        AuthScheme::Bearer => (AUTHORIZATION, format!("Bearer {}", key.reveal())),
        AuthScheme::Header(name) => (HeaderName::from_static(name), key.reveal().to_owned()),
    };
    let mut value = HeaderValue::from_str(&value).map_err(|_| {
        Problem::config(format!("the key for {service} cannot be sent as it is"))
            .hint("is there a line break in it?")
    })?;
    value.set_sensitive(true);
    Ok((name, value))
}

/// Says that a service needs a key which the environment does not have.
pub fn missing_key(service: &str, variable: &str) -> Problem {
    Problem::config(format!("{service} needs a key"))
        .hint(format!("put it into the environment as {variable}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_not_shown() {
        let key = ApiKey::new("very-secret").from_variable("SOME_KEY");
        assert_eq!(format!("{key:?}"), "ApiKey(hidden)");
        for (scheme, name, value) in [
            (AuthScheme::Bearer, "authorization", "Bearer very-secret"),
            (AuthScheme::Header("x-key"), "x-key", "very-secret"),
        ] {
            let (header, secret) = auth_header("the voice 'v'", &key, scheme).unwrap();
            assert_eq!((header.as_str(), secret.as_bytes()), (name, value.as_bytes()));
            assert!(!format!("{secret:?}").contains("very-secret"));
        }
    }

    #[test]
    fn keys_that_cannot_be_sent_are_a_problem_that_does_not_repeat_them() {
        let problem =
            auth_header("the voice 'v'", &ApiKey::new("secret\nkey"), AuthScheme::Bearer).unwrap_err();
        assert_eq!(problem.message, "the key for the voice 'v' cannot be sent as it is");
        assert_eq!(problem.hint.as_deref(), Some("is there a line break in it?"));
        assert!(!format!("{problem:?}").contains("secret"));
    }
}
