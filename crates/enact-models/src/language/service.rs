//! Where a provider is and what it wants to see at the door.

use enact_drama::Problem;
use genai::{
    Headers, ModelIden, ServiceTarget,
    adapter::AdapterKind,
    resolver::{AuthData, Endpoint},
};
use reqwest::{Url, header::HeaderValue};

use crate::{Provider, Settings};

/// The version of Anthropic's interface that is spoken here. It has not changed since.
const ANTHROPIC_VERSION: &str = "2023-06-01";

/// A provider's address and credentials.
#[derive(Clone)]
pub(super) struct Service {
    wire: Wire,
    model: String,
    /// Ends in a slash.
    base: Url,
    headers: Vec<(&'static str, String)>,
}

/// The languages that are spoken over HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wire {
    Anthropic,
    OpenAi { max_tokens: MaxTokens },
    Gemini,
    Ollama,
}

/// What a limit on the answer is called among those who speak like OpenAI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MaxTokens {
    /// `max_tokens`, which every server understands.
    Old,
    /// `max_completion_tokens`, without which OpenAI's newer models refuse.
    New,
}

impl Service {
    pub(super) fn of(settings: &Settings) -> Result<Service, Problem> {
        Ok(Service {
            wire: wire(settings)?,
            model: settings.model.clone(),
            base: base_url(settings)?,
            headers: headers(settings)?,
        })
    }

    /// The server, without anything that may be private: for messages.
    pub(super) fn origin(&self) -> String {
        self.base.origin().ascii_serialization()
    }

    /// Where the provider lists its models.
    pub(super) fn models_url(&self) -> Url {
        match self.wire {
            Wire::Ollama => self.at("api/tags"),
            Wire::Anthropic | Wire::OpenAi { .. } | Wire::Gemini => self.at("models"),
        }
    }

    pub(super) fn headers(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.headers.iter().map(|(name, value)| (*name, value.as_str()))
    }

    /// What `genai` is told. Address and headers are said outright, so that it looks for neither in the environment;
    /// the model's name is a stand-in, because it takes real ones apart: `-high` at the end would become a reasoning
    /// effort, and `x::` at the beginning would be dropped. The real name travels in the address or in the body
    /// (see [`named_in_body`]).
    pub(super) fn target(&self) -> ServiceTarget {
        let (kind, stand_in) = self.stand_in();
        let headers: Vec<(String, String)> =
            self.headers.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        ServiceTarget {
            endpoint: Endpoint::from_owned(self.base.as_str()),
            auth: AuthData::RequestOverride { url: self.chat_url().into(), headers: Headers::from(headers) },
            model: ModelIden::new(kind, stand_in),
        }
    }

    fn stand_in(&self) -> (AdapterKind, String) {
        match self.wire {
            Wire::Anthropic => (AdapterKind::Anthropic, "claude".into()),
            Wire::Gemini => (AdapterKind::Gemini, "gemini".into()),
            // The only adapter that does not look at the end of names, and that cannot be given another in the body;
            // an empty namespace protects those that contain one.
            Wire::Ollama => (AdapterKind::Ollama, format!("::{}", self.model)),
            // All that follows from these names is what the limit on tokens is called.
            Wire::OpenAi { max_tokens: MaxTokens::New } => (AdapterKind::OpenAI, "gpt-5".into()),
            Wire::OpenAi { max_tokens: MaxTokens::Old } => (AdapterKind::OpenAI, "chat".into()),
        }
    }

    fn chat_url(&self) -> Url {
        match self.wire {
            Wire::Anthropic => self.at("messages"),
            Wire::OpenAi { .. } => self.at("chat/completions"),
            Wire::Ollama => self.at("api/chat"),
            Wire::Gemini => {
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
pub(super) fn named_in_body(provider: Provider) -> bool {
    !matches!(provider, Provider::Gemini | Provider::Ollama)
}

fn wire(settings: &Settings) -> Result<Wire, Problem> {
    // Behind a gateway there may be one of OpenAI's own that refuses the old name.
    let newer =
        |model: &str| ["gpt-5", "gpt-6", "o1", "o3", "o4"].iter().any(|family| model.starts_with(family));
    match settings.provider {
        Provider::Anthropic => Ok(Wire::Anthropic),
        Provider::Gemini => Ok(Wire::Gemini),
        Provider::Ollama => Ok(Wire::Ollama),
        Provider::OpenAiCompatible if !newer(&settings.model) => {
            Ok(Wire::OpenAi { max_tokens: MaxTokens::Old })
        }
        Provider::OpenAi | Provider::OpenAiCompatible => Ok(Wire::OpenAi { max_tokens: MaxTokens::New }),
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
    // The address is not repeated: somebody may have put a password into it.
    let bad = |what: &str| Problem::config(format!("the base_url of the model '{model}' {what}"));
    let mut url = Url::parse(address.trim()).map_err(|error| {
        bad(&format!("is not an address: {error}")).hint("write it like \"https://example.com/v1\"")
    })?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(
            bad(&format!("begins with {}:", url.scheme())).hint("only http:// and https:// are spoken")
        );
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(bad("contains a user name or password").hint("name an environment variable as 'key_env'"));
    }
    url.set_fragment(None);
    let path = url.path().trim_end_matches('/');
    // Tutorials give Ollama's address with `/v1`, where it imitates OpenAI; here its own language is spoken.
    let path = match settings.provider {
        Provider::Ollama => path.strip_suffix("/v1").unwrap_or(path),
        _ => path,
    };
    let path = format!("{path}/");
    url.set_path(&path);
    Ok(url)
}

fn headers(settings: &Settings) -> Result<Vec<(&'static str, String)>, Problem> {
    let provider = settings.provider;
    let mut headers = Vec::new();
    if let Some(key) = settings.key.as_ref().map(|key| key.reveal()) {
        if HeaderValue::from_str(key).is_err() {
            let message = format!("the key for the model '{}' cannot be sent as it is", settings.model);
            return Err(Problem::config(message).hint("is there a line break in it?"));
        }
        headers.push(match provider {
            Provider::Anthropic => ("x-api-key", key.to_owned()),
            Provider::Gemini => ("x-goog-api-key", key.to_owned()),
            _ => ("authorization", format!("Bearer {key}")),
        });
    } else if let (Some(variable), None) = (provider.key_variable(), &settings.base_url) {
        // Behind another address there may be a gateway that has the key.
        let message = format!("the model '{}' of {} needs a key", settings.model, provider.as_str());
        return Err(Problem::config(message).hint(format!("put it into the environment as {variable}")));
    }
    if provider == Provider::Anthropic {
        headers.push(("anthropic-version", ANTHROPIC_VERSION.to_owned()));
    }
    Ok(headers)
}

#[cfg(test)]
mod tests;
