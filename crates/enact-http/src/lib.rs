//! How services are called over HTTP, for every adapter that calls one: the client, addresses, keys,
//! deadlines, retries and errors. What must not go wrong for security (no redirect, no ambient proxy, no key
//! in a message) is here and nowhere else.
//!
//! It knows no provider and no wire format, reads no environment variable and no file, and sends nothing by
//! itself: addresses and keys arrive as data, from the operator.
//!
//! Read in this order: `client` (one client for the process), `proxy` (what it goes through), `base_url`
//! and `key` (where to, and as whom), `redact` (text without keys), `deadline` (how long a call may take),
//! `error` (what a status or a broken connection means), `retry` (what is tried again, and when).

mod base_url;
mod client;
mod deadline;
mod error;
mod key;
mod proxy;
pub mod redact;
mod retry;

pub use base_url::{base_url, parse_url};
pub use client::{BodyRead, client, client_builder, install_tls_provider, read_body};
pub use deadline::{CallDeadline, HumanDuration};
pub use error::{Error, ErrorClassifier, ErrorResponse};
pub use key::{ApiKey, AuthScheme, auth_header, missing_key};
pub use proxy::{ProxySettings, use_proxy};
pub use retry::{Retry, RetryPolicy, Retryable, retry, retry_after};
