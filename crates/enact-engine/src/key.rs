//! Secrets of services. Adapters that call one hold it; it is never shown.

use std::fmt;

/// A secret. Never shown, not even by accident.
#[derive(Clone, PartialEq, Eq)]
pub struct Key {
    secret: String,
    variable: Option<String>,
}

impl Key {
    pub fn new(secret: impl Into<String>) -> Key {
        Key { secret: secret.into(), variable: None }
    }

    /// Remembers which environment variable it came from, for the message that it was refused.
    pub fn from_variable(self, name: impl Into<String>) -> Key {
        Key { variable: Some(name.into()), ..self }
    }

    pub fn variable(&self) -> Option<&str> {
        self.variable.as_deref()
    }

    /// The secret itself, for the header that carries it.
    pub fn reveal(&self) -> &str {
        &self.secret
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(hidden)")
    }
}
