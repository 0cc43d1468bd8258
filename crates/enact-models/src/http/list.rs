//! What a provider offers, from its own list.

use std::time::Duration;

use enact_drama::{Problem, usage::Price};
use enact_http::{BodyRead, HumanDuration, read_body};
use reqwest::Url;
use serde_json::Value;
use tokio::time::timeout;

use super::{
    classify::ModelErrors, endpoint::ProviderEndpoint, error::Error, optional::OmittedParameters,
    unpack::Unpacker, wire::WireFormat,
};
use crate::{Provider, Settings, prices};

/// A list takes a moment.
const LIST_TIMEOUT: Duration = Duration::from_secs(5);

/// The longest list there is (OpenRouter's) takes a tenth of it.
const LONGEST_LIST: usize = 16 * 1024 * 1024;

/// Providers that send pages send hundreds of models with each.
const MOST_PAGES: usize = 20;

/// A model that a provider offers.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferedModel {
    /// What the provider calls it.
    pub model: String,
    /// What its tokens cost: as the project or this program knows it, or else as the list says.
    pub price: Option<Price>,
}

/// Asks a provider which models it offers, in its own order. The model that the settings name does not matter.
/// Nothing is spent.
pub async fn offered(settings: &Settings) -> Result<Vec<OfferedModel>, Problem> {
    let endpoint = ProviderEndpoint::of(settings)?;
    let errors = ModelErrors::new(settings.clone(), endpoint.base());
    let http = enact_http::client()?;
    let listed = timeout(LIST_TIMEOUT, all_pages(&http, &endpoint, &errors)).await;
    listed.unwrap_or(Err(Error::Timeout { after: LIST_TIMEOUT })).map_err(|error| match error {
        Error::Timeout { after } => {
            Problem::config(format!("no list of models within {}", HumanDuration(after)))
        }
        error => Problem::config(error.to_string()),
    })
}

async fn all_pages(
    http: &reqwest::Client,
    endpoint: &ProviderEndpoint,
    errors: &ModelErrors,
) -> Result<Vec<OfferedModel>, Error> {
    let (mut version, mut next, mut offered) = (None, None, Vec::new());
    for _ in 0..MOST_PAGES {
        let page = match page(http, endpoint, errors, page_url(endpoint, version, next.as_deref())).await {
            // People give addresses with and without a version.
            Err(Error::WrongAddress { .. }) if version.is_none() && endpoint.other_version().is_some() => {
                version = endpoint.other_version();
                continue;
            }
            page => page?,
        };
        let Some(models) = models(&page) else { return Err(Error::Garbled) };
        offered.extend(models.iter().filter_map(|model| offer(model, &errors.settings)));
        next = next_page(&page);
        if next.is_none() {
            break;
        }
    }
    Ok(offered)
}

fn page_url(endpoint: &ProviderEndpoint, version: Option<&str>, next: Option<&str>) -> Url {
    let mut url = endpoint.models_url(version);
    let (size, after) = match endpoint.wire() {
        WireFormat::Anthropic => (Some(("limit", "1000")), "after_id"),
        WireFormat::Gemini => (Some(("pageSize", "1000")), "pageToken"),
        WireFormat::OpenAi { .. } | WireFormat::Ollama => (None, "after"),
    };
    for (key, value) in size.into_iter().chain(next.map(|next| (after, next))) {
        url.query_pairs_mut().append_pair(key, value);
    }
    url
}

async fn page(
    http: &reqwest::Client,
    endpoint: &ProviderEndpoint,
    errors: &ModelErrors,
    url: Url,
) -> Result<Value, Error> {
    let sent = http.get(url).headers(endpoint.headers().clone()).send().await;
    let response = sent.map_err(|error| errors.http.classify_network(&error))?;
    let (status, headers) = (response.status(), response.headers().clone());
    let packed = match read_body(response, LONGEST_LIST).await {
        Ok(BodyRead::Complete(body)) => body,
        Ok(BodyRead::TooLong(_)) => return Err(Error::TooLong { limit: LONGEST_LIST }),
        Err(error) => return Err(errors.http.classify_network(&error).into()),
    };
    let mut body = Vec::new();
    Unpacker::of(&headers)?.push(&packed, &mut |bytes| {
        body.extend_from_slice(bytes);
        if body.len() > LONGEST_LIST { Err(Error::TooLong { limit: LONGEST_LIST }) } else { Ok(()) }
    })?;
    if !status.is_success() {
        return Err(
            match errors.classify_status(status.as_u16(), &body, &headers, OmittedParameters::default()) {
                // None was asked for.
                Error::UnknownModel { status, .. } => Error::WrongAddress { status },
                error => error,
            },
        );
    }
    serde_json::from_slice(&body).map_err(|_| Error::Garbled)
}

/// The models of a page: OpenAI and Anthropic have `data`, Gemini and Ollama `models`, and some servers nothing
/// but the list.
fn models(page: &Value) -> Option<&Vec<Value>> {
    page.get("data").or_else(|| page.get("models")).unwrap_or(page).as_array()
}

/// What the next page is asked for by.
fn next_page(page: &Value) -> Option<String> {
    let text = |key: &str| page.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let more = page.get("has_more").and_then(Value::as_bool) == Some(true);
    text("nextPageToken").or_else(|| text("last_id").filter(|_| more)).map(str::to_owned)
}

/// A model of a list, if it can be talked to.
fn offer(model: &Value, settings: &Settings) -> Option<OfferedModel> {
    let text = |key: &str| model.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    // Gemini's other models embed, or draw.
    let methods = model.get("supportedGenerationMethods").and_then(Value::as_array);
    if methods.is_some_and(|methods| methods.iter().all(|method| method != "generateContent")) {
        return None;
    }
    let name = text("id").or_else(|| text("name")).or_else(|| text("model"))?;
    let name = match settings.provider {
        Provider::Gemini => name.strip_prefix("models/").unwrap_or(name),
        _ => name,
    };
    let known = prices::published(settings.provider, name, settings.cache);
    Some(OfferedModel { model: name.to_owned(), price: known.or_else(|| told_price(model)) })
}

/// What OpenRouter's list says, in dollars for one token, as text.
fn told_price(model: &Value) -> Option<Price> {
    let nano_usd = |key: &str| {
        let dollars: f64 = model.get("pricing")?.get(key)?.as_str()?.parse().ok()?;
        (0.0..1.0).contains(&dollars).then(|| (dollars * 1e9).round() as u64)
    };
    let (uncached, output) = (nano_usd("prompt")?, nano_usd("completion")?);
    let or_uncached = |key: &str| nano_usd(key).unwrap_or(uncached);
    let (cache_read, cache_write) = (or_uncached("input_cache_read"), or_uncached("input_cache_write"));
    Some(Price { uncached, cache_read, cache_write, output })
}
