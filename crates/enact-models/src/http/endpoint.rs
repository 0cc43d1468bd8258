//! A provider's address, headers and wire format.

use enact_drama::Problem;
use enact_http::{AuthScheme, auth_header, missing_key};
use genai::{
    Headers, ModelIden, ServiceTarget,
    adapter::AdapterKind,
    resolver::{AuthData, Endpoint},
};
use reqwest::{
    Url,
    header::{HeaderMap, HeaderValue},
};

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

/// Wire formats of providers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WireFormat {
    Anthropic,
    OpenAi { max_tokens: MaxTokens },
    Gemini,
    Ollama,
}

/// The name of the token limit in OpenAI's format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MaxTokens {
    /// `max_tokens`, which every server understands.
    Old,
    /// `max_completion_tokens`, without which OpenAI's newer models refuse.
    New,
}

impl ProviderEndpoint {
    pub(super) fn of(settings: &Settings) -> Result<ProviderEndpoint, Problem> {
        Ok(ProviderEndpoint {
            wire: wire(settings)?,
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
    pub(super) fn models_url(&self) -> Url {
        match self.wire {
            WireFormat::Ollama => self.at("api/tags"),
            WireFormat::Anthropic | WireFormat::OpenAi { .. } | WireFormat::Gemini => self.at("models"),
        }
    }

    pub(super) fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// What `genai` is told. Address and headers are said outright, so that it looks for neither in the
    /// environment; the model's name is a stand-in, because it takes real ones apart: `-high` at the end
    /// would become a reasoning effort, and `x::` at the beginning would be dropped. The real name travels in
    /// the address or in the body (see [`sends_model_in_body`]).
    pub(super) fn target(&self) -> ServiceTarget {
        let (kind, placeholder_model) = self.placeholder_model();
        let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let headers: Vec<(String, String)> =
            self.headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect();
        ServiceTarget {
            endpoint: Endpoint::from_owned(self.base.as_str()),
            auth: AuthData::RequestOverride { url: self.chat_url().into(), headers: Headers::from(headers) },
            model: ModelIden::new(kind, placeholder_model),
        }
    }

    fn placeholder_model(&self) -> (AdapterKind, String) {
        match self.wire {
            WireFormat::Anthropic => (AdapterKind::Anthropic, "claude".into()),
            WireFormat::Gemini => (AdapterKind::Gemini, "gemini".into()),
            // The only adapter that does not look at the end of names, and that cannot be given another in
            // the body; an empty namespace protects those that contain one.
            WireFormat::Ollama => (AdapterKind::Ollama, format!("::{}", self.model)),
            // All that follows from these names is what the limit on tokens is called.
            WireFormat::OpenAi { max_tokens: MaxTokens::New } => (AdapterKind::OpenAI, "gpt-5".into()),
            WireFormat::OpenAi { max_tokens: MaxTokens::Old } => (AdapterKind::OpenAI, "chat".into()),
        }
    }

    fn chat_url(&self) -> Url {
        match self.wire {
            WireFormat::Anthropic => self.at("messages"),
            WireFormat::OpenAi { .. } => self.at("chat/completions"),
            WireFormat::Ollama => self.at("api/chat"),
            WireFormat::Gemini => {
                let mut url = self.at(&format!("models/{}:streamGenerateContent", self.model));
                url.query_pairs_mut().append_pair("alt", "sse");
                url
            }
        }
    }

    /// Below the base. A query of the operator's stays, as gateways that want `?api-version=` need it.
    fn at(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{path}", self.base.path()));
        url
    }
}

/// Whether a request names its model in the body, rather than in the address or by the stand-in.
pub(super) fn sends_model_in_body(provider: Provider) -> bool {
    !matches!(provider, Provider::Gemini | Provider::Ollama)
}

fn wire(settings: &Settings) -> Result<WireFormat, Problem> {
    // Behind a gateway there may be one of OpenAI's own that refuses the old name.
    let newer =
        |model: &str| ["gpt-5", "gpt-6", "o1", "o3", "o4"].iter().any(|family| model.starts_with(family));
    match settings.provider {
        Provider::Anthropic => Ok(WireFormat::Anthropic),
        Provider::Gemini => Ok(WireFormat::Gemini),
        Provider::Ollama => Ok(WireFormat::Ollama),
        Provider::OpenAiCompatible if !newer(&settings.model) => {
            Ok(WireFormat::OpenAi { max_tokens: MaxTokens::Old })
        }
        Provider::OpenAi | Provider::OpenAiCompatible => {
            Ok(WireFormat::OpenAi { max_tokens: MaxTokens::New })
        }
        Provider::ClaudeCode => {
            Err(Problem::config(format!("{} is not reached over HTTP", settings.provider.as_str())))
        }
    }
}

fn usual_address(provider: Provider) -> Option<&'static str> {
    match provider {
        Provider::Anthropic => Some("https://api.anthropic.com/v1/"),
        Provider::OpenAi => Some("https://api.openai.com/v1/"),
        Provider::Gemini => Some("https://generativelanguage.googleapis.com/v1beta/"),
        Provider::Ollama => Some("http://localhost:11434/"),
        Provider::OpenAiCompatible | Provider::ClaudeCode => None,
    }
}

fn base_url(settings: &Settings) -> Result<Url, Problem> {
    let model = &settings.model;
    let Some(address) = settings.base_url.as_deref().or(usual_address(settings.provider)) else {
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
    Ok(headers)
}

#[cfg(test)]
mod tests;
