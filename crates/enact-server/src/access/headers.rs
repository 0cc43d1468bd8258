//! What every answer says to browsers: this is data, for whoever asked, and for nothing else.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

const SAID: [(HeaderName, HeaderValue); 7] = [
    // A transcript is never guessed to be a page, however much what characters say looks like one.
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    // If it is shown as a page all the same, it loads nothing, runs nothing and stands in nobody's frame.
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
        ),
    ),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    // No other site's page can embed it, nor keep a hold on a window that shows it.
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    // Runs change while they play, and shared caches know nothing of tokens.
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
];

/// Adds what an answer does not say itself: the page has a policy of its own.
pub(super) fn say(headers: &mut HeaderMap) {
    headers.reserve(SAID.len() + 1);
    for (name, value) in SAID {
        headers.entry(name).or_insert(value);
    }
}
