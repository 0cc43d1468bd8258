//! A service behind HTTP: what it is sent, what comes back, and what its errors mean.

use std::time::Duration;

use enact_drama::Problem;
use enact_http::{
    ApiKey, AuthScheme, BodyRead, Error as HttpError, ErrorClassifier, ErrorResponse, RetryPolicy,
    auth_header, missing_key, read_body, retry_after,
};
use reqwest::{
    Url,
    header::{CONTENT_TYPE, HeaderMap, HeaderValue},
};
use serde_json::Value;
use tokio::time::Instant;

use crate::error::Error;

/// The longest answer, in bytes: twice what is said at one time in the format that is asked for.
const LONGEST_BODY: usize = 64 * 1024 * 1024;

/// Explanations of errors are short, and what is wrong with a long one is told at its beginning.
const LONGEST_ERROR: usize = 64 * 1024;

/// A rejected call that the service has queued is tried again until its deadline; other errors as often as
/// this.
const RETRIES: RetryPolicy = RetryPolicy {
    retries: 2,
    first_pause: Duration::from_millis(250),
    // What is said takes a few seconds to say, so the service has room again by then.
    longest_pause: Duration::from_secs(4),
};

/// A service as the operator describes it.
pub(crate) struct ServiceConfig<'a> {
    /// What the operator calls the voice.
    pub(crate) name: &'a str,
    pub(crate) base_url: Option<&'a str>,
    /// The address if the operator gives none. Only there a key is required.
    pub(crate) default_url: &'static str,
    pub(crate) key: Option<ApiKey>,
    pub(crate) key_variable: &'static str,
    pub(crate) auth: AuthScheme,
}

/// A service that can be asked.
#[derive(Debug)]
pub(crate) struct HttpService {
    http: reqwest::Client,
    /// Without a slash at its end, and without `v1`.
    base: Url,
    headers: HeaderMap,
    errors: ErrorClassifier,
}

/// What a service sent.
#[derive(Debug)]
pub(crate) struct AudioBody {
    pub(crate) bytes: Vec<u8>,
    /// Its content type, without parameters and in lower case.
    pub(crate) media_type: String,
}

impl HttpService {
    pub(crate) fn connect(config: ServiceConfig<'_>) -> Result<HttpService, Problem> {
        let service = format!("the voice '{}'", config.name);
        let mut base = enact_http::base_url(&service, config.base_url.unwrap_or(config.default_url))?;
        let path = base.path().strip_suffix("/v1").unwrap_or(base.path()).to_owned();
        base.set_path(&path);
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        match (&config.key, config.base_url) {
            (Some(key), _) => headers.extend([auth_header(&service, key, config.auth)?]),
            // Behind another address there may be a gateway that has the key, or a server that wants none.
            (None, Some(_)) => {}
            (None, None) => return Err(missing_key(&service, config.key_variable)),
        }
        let errors = ErrorClassifier::new(&base, config.key, Some(config.key_variable));
        Ok(HttpService { http: enact_http::client()?, base, headers, errors })
    }

    /// Where something is below `v1`. The parts of the path arrive as they are, whatever is in them.
    pub(crate) fn at(&self, path: &[&str]) -> Url {
        let mut url = self.base.clone();
        // Only addresses without a host have no path, and those are refused at the beginning.
        if let Ok(mut parts) = url.path_segments_mut() {
            parts.pop_if_empty().push("v1").extend(path);
        }
        url
    }

    /// Posts, with retries until `until`.
    pub(crate) async fn post(
        &self,
        url: &Url,
        body: &Value,
        voice: &str,
        until: Instant,
    ) -> Result<AudioBody, Error> {
        enact_http::retry(RETRIES, until, || self.post_once(url.clone(), body, voice)).await
    }

    async fn post_once(&self, url: Url, body: &Value, voice: &str) -> Result<AudioBody, Error> {
        let request = self.http.post(url).headers(self.headers.clone()).body(body.to_string());
        let response = request.send().await.map_err(|error| self.errors.classify_network(&error))?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let is_success = response.status().is_success();
        let limit = if is_success { LONGEST_BODY } else { LONGEST_ERROR };
        let read = read_body(response, limit).await.map_err(|_| HttpError::Dropped)?;
        match read {
            BodyRead::Complete(bytes) if is_success => {
                self.unless_text(AudioBody { bytes, media_type: media_type(&headers) })
            }
            BodyRead::TooLong(_) if is_success => {
                Err(Error::TooLongToHear { limit_mb: LONGEST_BODY / 1024 / 1024 })
            }
            BodyRead::Complete(body) | BodyRead::TooLong(body) => {
                Err(self.classify(status, &body, &headers, voice))
            }
        }
    }

    /// Classifies a response outside of 2xx: what only voices mean first, then what statuses mean everywhere.
    fn classify(&self, status: u16, body: &[u8], headers: &HeaderMap, voice: &str) -> Error {
        let response = ErrorResponse::parse(body);
        let retry_after = retry_after(headers);
        let unknown_voice = || Error::UnknownVoice { voice: self.errors.explanation(voice), status };
        match status {
            300..=399 => {}
            // ElevenLabs refuses with 401 here, which is not about the key.
            _ if response.is_kind(&["quota_exceeded", "insufficient_quota"]) => {
                return HttpError::NoCredit.into();
            }
            402 => {}
            _ if response.is_kind(&["voice_not_found", "model_not_found"]) => return unknown_voice(),
            404 | 405 if !response.is_json => return Error::NoSuchAddress { status },
            404 => return unknown_voice(),
            429 if response.is_kind(&["too_many_concurrent", "concurrent_limit"]) => {
                return Error::TooManyAtOnce { retry_after };
            }
            429 if response.is_kind(&["system_busy"]) => {
                return HttpError::Overloaded { status, retry_after }.into();
            }
            _ => {}
        }
        self.errors.classify_status(status, &response, retry_after).into()
    }

    /// Refuses text in place of audio: services that send errors as successes, and web pages of proxies.
    fn unless_text(&self, body: AudioBody) -> Result<AudioBody, Error> {
        let start = body.bytes.trim_ascii_start();
        let is_text = body.media_type == "application/json" || body.media_type.starts_with("text/");
        // Samples that are text by chance, from their first to their last, do not happen.
        if !(is_text || start.starts_with(b"{") || start.starts_with(b"<")) {
            return Ok(body);
        }
        let Ok(text) = std::str::from_utf8(start) else { return Ok(body) };
        if text.is_empty() {
            return Ok(body);
        }
        let response = ErrorResponse::parse(text.as_bytes());
        Err(Error::NoAudio(match (response.is_json, text.starts_with('<')) {
            (true, _) if response.message.is_empty() => "JSON".to_owned(),
            (true, _) => format!("an error: {}", self.errors.explanation(&response.message)),
            (false, true) => "a web page; is 'base_url' right?".to_owned(),
            (false, false) => format!("text: {}", self.errors.explanation(text)),
        }))
    }
}

fn media_type(headers: &HeaderMap) -> String {
    let whole = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    whole.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

#[cfg(test)]
mod tests;
