//! Why a request is refused, before it is put into a provider's words.

use std::time::Duration;

use axum::{
    body::Body,
    http::{HeaderName, HeaderValue, Response, StatusCode, header},
};

use crate::{seen::Api, wire};

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
        let mut response = Response::new(Body::from(body.to_string()));
        *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(wait) = retry_after {
            // The standard header knows whole seconds only; OpenAI adds the exact time beside it.
            let seconds = wait.as_millis().div_ceil(1000);
            headers
                .insert(header::RETRY_AFTER, HeaderValue::from(u64::try_from(seconds).unwrap_or(u64::MAX)));
            if api == Api::OpenAi {
                let millis = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
                headers.insert(HeaderName::from_static("retry-after-ms"), HeaderValue::from(millis));
            }
        }
        response
    }
}
