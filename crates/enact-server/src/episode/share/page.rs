//! `/r/{id}`: the page of a shared result. It has no script, loads nothing but its own picture, and is in no
//! search engine.

use std::{collections::BTreeMap, sync::LazyLock};

use axum::{
    extract::State,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use enact_drama::Problem;
use minijinja::{AutoEscape, Environment, Value, context, value::Serde};
use serde::{Deserialize, Serialize};

use super::SharedResult;
use crate::{episode::EpisodeState, error::ApiError, extract::PathParams};

const TEMPLATE: &str = include_str!("page.html.j2");
const STYLE: &str = include_str!("page.css.j2");

/// Where the server is reached from outside: `https://play.example.org`, without a slash at its end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::episode) struct PublicUrl(String);

impl PublicUrl {
    pub(in crate::episode) fn read(text: &str) -> Result<PublicUrl, Problem> {
        let wrong = || {
            Problem::config(format!("'{}' is not an address", text.escape_debug()))
                .hint("write it like https://play.example.org")
        };
        let address: axum::http::Uri = text.parse().map_err(|_| wrong())?;
        let is_web = matches!(address.scheme_str(), Some("http" | "https"));
        let is_plain = address.query().is_none() && !text.contains(['"', '\'', '<', '>', '&', '@', '#']);
        if !is_web || address.host().is_none_or(str::is_empty) || !is_plain {
            return Err(wrong());
        }
        Ok(PublicUrl(text.trim_end_matches('/').to_owned()))
    }

    fn as_str(&self) -> &str {
        &self.0
    }
}

/// The colours of a result, from dark to light.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Theme {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) accent: String,
}

static THEMES: LazyLock<BTreeMap<String, Theme>> =
    LazyLock::new(|| toml::from_str(include_str!("themes.toml")).expect("themes.toml can be read"));

/// The theme of this name, or the one for all others, which is called `other`.
pub(super) fn theme(name: &str) -> (&'static str, &'static Theme) {
    let known = THEMES.get_key_value(name).or_else(|| THEMES.get_key_value("other"));
    let (name, theme) = known.expect("themes.toml has one for all others");
    (name, theme)
}

/// Show a shared result as a page
///
/// The card of a result, for people. Each view is counted.
#[utoipa::path(
    get, path = "/r/{id}", operation_id = "showSharedPage", tag = "episodes",
    params(("id" = String, Path, description = "The `share_id`.")),
    responses((status = 200, description = "The page.", body = String, content_type = "text/html"),
              (status = 404, description = "A page that says that there is none.", body = String,
               content_type = "text/html")),
)]
pub(in crate::episode) async fn page(
    State(state): State<EpisodeState>,
    PathParams(id): PathParams<String>,
    method: Method,
) -> Result<Response, ApiError> {
    let shared = SharedResult::find(&state.api, &id).await?;
    let status = if shared.is_some() { StatusCode::OK } else { StatusCode::NOT_FOUND };
    if let Some(shared) = shared.as_ref().filter(|_| method == Method::GET) {
        shared.count(&state.api).await?;
    }
    let card = shared.as_ref().map(SharedResult::card);
    let (theme, _) = theme(card.as_ref().map_or("", |card| &card.theme));
    let has_picture = cfg!(feature = "share-images") && card.is_some();
    // It was checked when it was read, and would stand there with its slashes escaped.
    let home = Value::from_safe_string(state.public_url.as_str().to_owned());
    let card = Value::from(Serde(&card));
    let text = rendered(TEMPLATE, context! { card, theme, id, has_picture, home })?;
    Ok((status, headers("text/html; charset=utf-8"), text).into_response())
}

/// Show the style of these pages
#[utoipa::path(
    get, path = "/r/page.css", operation_id = "showSharedStyle", tag = "episodes",
    responses((status = 200, description = "The style sheet.", body = String, content_type = "text/css")),
)]
pub(in crate::episode) async fn style() -> Result<Response, ApiError> {
    let text = rendered(STYLE, context! { themes => Value::from(Serde(&*THEMES)) })?;
    let mut headers = headers("text/css; charset=utf-8");
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600"));
    Ok((headers, text).into_response())
}

pub(super) fn rendered(template: &str, values: Value) -> Result<String, ApiError> {
    let text = PAGES.render_str(template, values);
    text.map_err(|error| ApiError::internal("the page could not be made", error.to_string()))
}

/// Everything in a card is written by people or models, and stands escaped in the page.
static PAGES: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment
});

/// Headers of the page: no scripts, no framing, only its own style and picture.
fn headers(kind: &'static str) -> HeaderMap {
    let policy = "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'; \
                  form-action 'none'";
    HeaderMap::from_iter([
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy)),
        (HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex, nofollow")),
    ])
}
