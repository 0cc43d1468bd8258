//! Why a request is refused, before it is put into a provider's words.

use std::time::Duration;

use axum::{
    body::Body,
    http::{HeaderName, HeaderValue, Response},
};

use crate::{http, seen::Api, wire};

/// What is wrong with a request, or with the provider today.
#[derive(Clone, Debug)]
pub(crate) enum Problem {
    /// An error of this status, whatever its reason.
    Status(u16),
    /// The key is not the one that was demanded.
    WrongKey,
    UnknownModel(String),
    TooLong {
        tokens: u64,
        limit: u64,
    },
    /// The request breaks a rule of its format.
    Invalid(String),
    NoSuchPath(String),
}

impl Problem {
    pub(crate) fn response(
        &self,
        api: Api,
        retry_after: Option<Duration>,
        request_id: &str,
    ) -> Response<Body> {
        let (status, body) = wire::error(api, self, request_id);
        let mut response = http::error(status, &body, retry_after);
        if let Some(wait) = retry_after.filter(|_| api == Api::OpenAi) {
            // OpenAI adds the exact time beside the standard header.
            let millis = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
            response
                .headers_mut()
                .insert(HeaderName::from_static("retry-after-ms"), HeaderValue::from(millis));
        }
        response
    }
}
