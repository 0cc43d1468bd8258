//! A provider's addresses and headers.

use enact_drama::Problem;
use enact_http::{AuthScheme, auth_header, missing_key};
use reqwest::{
    Url,
    header::{HeaderMap, HeaderValue},
};

use super::wire::WireFormat;
use crate::{Provider, Settings};

/// The version of Anthropic's interface. It has not changed since.
const ANTHROPIC_VERSION: HeaderValue = HeaderValue::from_static("2023-06-01");

/// A provider's address and credentials.
#[derive(Clone)]
pub(super) struct ProviderEndpoint {
    wire: WireFormat,
    model: String,
    /// Ends in a slash.
    base: Url,
    headers: HeaderMap,
}

impl ProviderEndpoint {
    pub(super) fn of(settings: &Settings) -> Result<ProviderEndpoint, Problem> {
        let wire = WireFormat::of(settings).ok_or_else(|| {
            Problem::config(format!("{} is not reached over HTTP", settings.provider.as_str()))
        })?;
        Ok(ProviderEndpoint {
            wire,
            model: settings.model.clone(),
            base: base_url(settings)?,
            headers: headers(settings)?,
        })
    }

    pub(super) fn base(&self) -> &Url {
        &self.base
    }

    /// Host and port, for telemetry.
    pub(super) fn server(&self) -> Option<(String, u16)> {
        let base = self.base();
        Some((base.host_str()?.to_owned(), base.port_or_known_default()?))
    }

    /// Where the provider lists its models.
    pub(super) fn models_url(&self, version: Option<&str>) -> Url {
        let path = match self.wire {
            WireFormat::Ollama => "api/tags",
            WireFormat::Anthropic | WireFormat::OpenAi { .. } | WireFormat::Gemini => "models",
        };
        self.at(&[version.unwrap_or_default(), path].concat())
    }

    pub(super) fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    pub(super) fn wire(&self) -> WireFormat {
        self.wire
    }

    /// Where the provider is asked, below this version of the interface if the operator's address names none.
    pub(super) fn chat_url(&self, stream: bool, version: Option<&str>) -> Url {
        let path = match (self.wire, stream) {
            (WireFormat::Anthropic, _) => "messages".to_owned(),
            (WireFormat::OpenAi { .. }, _) => "chat/completions".to_owned(),
            (WireFormat::Ollama, _) => "api/chat".to_owned(),
            (WireFormat::Gemini, false) => format!("models/{}:generateContent", self.model),
            (WireFormat::Gemini, true) => format!("models/{}:streamGenerateContent", self.model),
        };
        let mut url = self.at(&[version.unwrap_or_default(), &path].concat());
        if stream && self.wire == WireFormat::Gemini {
            url.query_pairs_mut().append_pair("alt", "sse");
        }
        url
    }

    /// The version to try if nothing is at the operator's address: people give it with and without.
    pub(super) fn other_version(&self) -> Option<&'static str> {
        let version = match self.wire {
            WireFormat::Anthropic | WireFormat::OpenAi { .. } => "v1/",
            WireFormat::Gemini => "v1beta/",
            // Its address has none.
            WireFormat::Ollama => return None,
        };
        let is_version = |part: &str| {
            part.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        };
        let last = self.base.path().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        (!is_version(last)).then_some(version)
    }

    /// Below the base. A query of the operator's stays, as gateways that want `?api-version=` need it.
    fn at(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{path}", self.base.path()));
        url
    }
}

fn base_url(settings: &Settings) -> Result<Url, Problem> {
    let model = &settings.model;
    let Some(address) = settings.base_url.as_deref().or(settings.provider.default_address()) else {
        return Err(Problem::config(format!("nothing says where the model '{model}' is"))
            .hint("give its server as 'base_url', such as \"http://localhost:8080/v1\""));
    };
    let mut url = enact_http::base_url(&format!("the model '{model}'"), address)?;
    let path = url.path().trim_end_matches('/');
    // Tutorials give Ollama's address with `/v1`, where it imitates OpenAI; here its own format is used.
    let path = match settings.provider {
        Provider::Ollama => path.strip_suffix("/v1").unwrap_or(path),
        _ => path,
    };
    let path = format!("{path}/");
    url.set_path(&path);
    Ok(url)
}

fn headers(settings: &Settings) -> Result<HeaderMap, Problem> {
    let (provider, model) = (settings.provider, &settings.model);
    let mut headers = HeaderMap::new();
    if let Some(key) = &settings.key {
        let scheme = match provider {
            Provider::Anthropic => AuthScheme::Header("x-api-key"),
            Provider::Gemini => AuthScheme::Header("x-goog-api-key"),
            _ => AuthScheme::Bearer,
        };
        headers.extend([auth_header(&format!("the model '{model}'"), key, scheme)?]);
    } else if let (Some(variable), None) = (provider.key_variable(), &settings.base_url) {
        // Behind another address there may be a gateway that has the key.
        return Err(missing_key(&format!("the model '{model}' of {}", provider.as_str()), variable));
    }
    if provider == Provider::Anthropic {
        headers.insert("anthropic-version", ANTHROPIC_VERSION);
    }
    // The operator has the last word.
    for extra in &settings.headers {
        let (name, value) = extra.header()?;
        headers.insert(name, value);
    }
    Ok(headers)
}

#[cfg(test)]
mod tests;
