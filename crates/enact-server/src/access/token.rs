//! Bearer tokens: named, with a scope, and kept only as digests.

use std::{fmt, sync::Arc};

use axum::http::{HeaderMap, HeaderValue, header};
use enact_drama::{Name, Problem};
use sha2::{Digest, Sha256};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use super::caller::{ANONYMOUS, Caller, GUEST, LOCAL, Scope};
use crate::error::{ApiError, ErrorCode};

/// Shorter secrets can be guessed. A token made as the hint says has 64 characters.
const SHORTEST: usize = 16;
/// Longer ones would not fit into a request's head beside everything else.
const LONGEST: usize = 1024;

/// A token that opens the server. It holds a digest and not the secret, which therefore cannot reach a log,
/// an error or a dump of memory.
#[derive(Clone)]
pub struct Token {
    name: Arc<str>,
    digest: [u8; 32],
    scope: Scope,
}

impl Token {
    pub fn new(name: &str, secret: &str, scope: Scope) -> Result<Token, Problem> {
        let hint = "make one with: openssl rand -hex 32";
        let name =
            Name::new(name).map_err(|not_plain| Problem::config(format!("a token's name: {not_plain}")))?;
        if [LOCAL, ANONYMOUS, GUEST].contains(&name.as_str()) {
            return Err(Problem::config(format!(
                "a token cannot be named '{name}': that is a caller without one"
            )));
        }
        let length = secret.chars().count();
        if length < SHORTEST {
            let message =
                format!("the token '{name}' has {length} characters: at least {SHORTEST} are needed");
            return Err(Problem::config(message).hint(hint));
        }
        if secret.len() > LONGEST {
            return Err(
                Problem::config(format!("the token '{name}' is longer than {LONGEST} characters")).hint(hint)
            );
        }
        if !secret.bytes().all(|byte| byte.is_ascii_graphic()) {
            let message =
                format!("the token '{name}' holds a space or something else that no HTTP header can carry");
            return Err(Problem::config(message).hint(hint));
        }
        Ok(Token { name: name.as_str().into(), digest: Sha256::digest(secret).into(), scope })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn scope(&self) -> Scope {
        self.scope
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Token").field("name", &self.name).field("scope", &self.scope).finish_non_exhaustive()
    }
}

/// All tokens of a server.
#[derive(Debug, Clone, Default)]
pub(super) struct TokenSet(Vec<Token>);

impl TokenSet {
    pub(super) fn add(&mut self, token: Token) -> Result<(), Problem> {
        if self.0.iter().any(|other| other.name == token.name) {
            return Err(Problem::config(format!("there are two tokens named '{}'", token.name)));
        }
        if let Some(other) = self.0.iter().find(|other| other.digest == token.digest) {
            let message = format!("the tokens '{}' and '{}' are the same secret", other.name, token.name);
            return Err(Problem::config(message).hint("give each its own, so that one can be taken back"));
        }
        self.0.push(token);
        Ok(())
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The token with this secret. Takes the same time for any secret: every token is compared, in full, by
    /// its digest.
    fn find(&self, secret: &[u8]) -> Option<&Token> {
        let digest: [u8; 32] = Sha256::digest(secret).into();
        let mut found = 0;
        let mut any = Choice::from(0);
        for (index, token) in (0_u32..).zip(&self.0) {
            let same = token.digest.ct_eq(&digest);
            found.conditional_assign(&index, same);
            any |= same;
        }
        if bool::from(any) { self.0.get(found as usize) } else { None }
    }
}

/// The token in a request.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Credential {
    Missing,
    Wrong,
    Right(Caller),
}

/// Reads `Authorization`. Two of them, or another scheme than Bearer, are as wrong as a wrong token.
pub(super) fn read_credential(tokens: &TokenSet, headers: &HeaderMap) -> Credential {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let (first, second) = (values.next(), values.next());
    let Some(value) = first else { return Credential::Missing };
    let secret = second.is_none().then(|| bearer(value)).flatten();
    match secret.and_then(|secret| tokens.find(secret)) {
        Some(token) => Credential::Right(Caller::named(token.name.clone(), token.scope)),
        None => Credential::Wrong,
    }
}

fn bearer(value: &HeaderValue) -> Option<&[u8]> {
    let (scheme, secret) = value.as_bytes().split_at_checked("Bearer ".len())?;
    scheme.eq_ignore_ascii_case(b"Bearer ").then(|| secret.trim_ascii())
}

pub(super) fn missing() -> ApiError {
    ApiError::new(ErrorCode::Unauthorized, "this server needs a token")
        .hint("send it as the header 'Authorization: Bearer <token>'")
}

pub(super) fn wrong() -> ApiError {
    ApiError::new(ErrorCode::Unauthorized, "this is not a token of this server")
}

/// The `WWW-Authenticate` of an answer with 401.
pub(super) fn challenge(request: &HeaderMap) -> HeaderValue {
    HeaderValue::from_static(if request.contains_key(header::AUTHORIZATION) {
        "Bearer realm=\"enact\", error=\"invalid_token\""
    } else {
        "Bearer realm=\"enact\""
    })
}
