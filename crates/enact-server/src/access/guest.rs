//! Guests: callers without a token, known by a random id of their own.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::{
    error::{ApiError, ErrorCode},
    extract::header,
};

/// The header that a guest sends its id in.
pub(super) const X_ANONYMOUS_ID: HeaderName = HeaderName::from_static("x-anonymous-id");

/// 128 bits as hexadecimal digits. A UUID has a few more characters, and fewer bits.
const SHORTEST_ID: usize = 32;
const LONGEST_ID: usize = 128;

/// How many bytes of the digest name the account: as hard to meet by chance as an id.
const ACCOUNT_BYTES: usize = 16;

/// Who a guest is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Guest {
    account: Arc<str>,
    issued: Option<Arc<str>>,
}

impl Guest {
    /// The guest that a request names; nothing if it names none.
    pub(super) fn of(headers: &HeaderMap) -> Result<Option<Guest>, ApiError> {
        let Some(id) = header(headers, X_ANONYMOUS_ID.as_str())? else { return Ok(None) };
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        if !(SHORTEST_ID..=LONGEST_ID).contains(&id.len()) || !id.bytes().all(plain) {
            let message =
                format!("X-Anonymous-Id must have {SHORTEST_ID} to {LONGEST_ID} letters and digits");
            return Err(ApiError::new(ErrorCode::InvalidParameter, message)
                .with("parameter", "X-Anonymous-Id")
                .hint("leave it out of the first request: the answer names one"));
        }
        Ok(Some(Guest { account: account(id), issued: None }))
    }

    /// A new guest. Two random UUIDs have 244 random bits.
    pub(super) fn new() -> Guest {
        let id = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
        Guest { account: account(&id), issued: Some(id.into()) }
    }

    /// The account that owns the guest's runs.
    pub(crate) fn account(&self) -> &str {
        &self.account
    }

    /// The id to send to a new guest; `None` if the guest sent it.
    pub(crate) fn issued(&self) -> Option<&str> {
        self.issued.as_deref()
    }
}

/// No token can have this name, because of the colon; and who reads the database learns no id.
fn account(id: &str) -> Arc<str> {
    let digest = Sha256::digest(id);
    let digits: String = digest.iter().take(ACCOUNT_BYTES).map(|byte| format!("{byte:02x}")).collect();
    format!("guest:{digits}").into()
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn of(id: &str) -> Result<Option<Guest>, ApiError> {
        Guest::of(&[(X_ANONYMOUS_ID, HeaderValue::from_str(id).unwrap())].into_iter().collect())
    }

    #[test]
    fn an_id_names_one_account_and_cannot_be_read_from_it() {
        let new = Guest::new();
        let id = new.issued().unwrap();
        assert_eq!(of(id).unwrap().unwrap().account(), new.account());
        assert_ne!(Guest::new().account(), new.account());
        assert!(!new.account().contains(&id[..8]), "{}", new.account());
        assert_eq!(Guest::of(&HeaderMap::new()).unwrap(), None);
        let uuid = of("0190b8f5-7c0e-7d3a-9f4b-5a1d2c3e4f50").unwrap().unwrap();
        assert_eq!(uuid.issued(), None);
    }

    #[test]
    fn ids_that_could_be_guessed_are_refused() {
        for bad in ["", "1", "admin", &"a".repeat(31), &"a".repeat(129), &format!("{}; x", "a".repeat(32))] {
            assert_eq!(of(bad).unwrap_err().code, ErrorCode::InvalidParameter, "{bad:?}");
        }
    }
}
