//! Checks a model before its first call, without spending tokens.

use std::time::Duration;

use enact_drama::Problem;
use enact_http::{BodyRead, Error as HttpError, read_body};
use serde_json::Value;

use super::{classify::ModelErrors, endpoint::ProviderEndpoint, error::Error, optional::OmittedParameters};
use crate::Provider;

/// A list of models takes a moment; a slower server is found out at its first call.
const LONGEST_CHECK: Duration = Duration::from_secs(10);

/// Thousands of models.
const LONGEST_LIST: usize = 1024 * 1024;

/// Asks for the provider's list of models. Only what is sure to fail is a problem: a key that is wrong, and
/// an Ollama that does not run or has no such model. A key that may not list models may still be good for
/// asking them.
pub(super) async fn check(
    http: &reqwest::Client,
    endpoint: &ProviderEndpoint,
    errors: &ModelErrors,
) -> Result<(), Problem> {
    let settings = &errors.settings;
    let request =
        http.get(endpoint.models_url(None)).headers(endpoint.headers().clone()).timeout(LONGEST_CHECK);
    let ollama = settings.provider == Provider::Ollama;
    let response = match request.send().await {
        Ok(response) => response,
        Err(error) if ollama && error.is_connect() => {
            let message = format!("Ollama cannot be reached at {}", errors.http.origin());
            return Err(Problem::config(message).hint("is `ollama serve` running?"));
        }
        Err(_) => return Ok(()),
    };
    let (status, headers) = (response.status(), response.headers().clone());
    let Ok(BodyRead::Complete(body)) = read_body(response, LONGEST_LIST).await else { return Ok(()) };
    if status.is_success() {
        return if ollama { is_pulled(&body, errors) } else { Ok(()) };
    }
    match errors.classify_status(status.as_u16(), &body, &headers, OmittedParameters::default()) {
        Error::Http(HttpError::KeyRefused { status, .. }) if errors.is_about_permission(status, &body) => {
            Ok(())
        }
        Error::Http(HttpError::KeyRefused { hint, .. }) => {
            let (model, provider) = (&settings.model, settings.provider.as_str());
            let message = format!("the key for model '{model}' was refused by {provider}");
            Err(Problem::config(message).hint(hint))
        }
        _ => Ok(()),
    }
}

fn is_pulled(body: &[u8], errors: &ModelErrors) -> Result<(), Problem> {
    let list: Value = serde_json::from_slice(body).unwrap_or(Value::Null);
    let Some(models) = list.get("models").and_then(Value::as_array) else { return Ok(()) };
    let wanted = &errors.settings.model;
    let named = |model: &Value, key: &str| {
        model.get(key).and_then(Value::as_str).is_some_and(|name| same(name, wanted))
    };
    if models.iter().any(|model| named(model, "name") || named(model, "model")) {
        return Ok(());
    }
    let message = format!("Ollama has no model '{wanted}'");
    Err(Problem::config(message).hint(format!("get it with `ollama pull {wanted}`")))
}

/// Ollama ignores case, and a name without a tag means its latest.
fn same(pulled: &str, wanted: &str) -> bool {
    let tagged = |name: &str| {
        let last = name.rsplit('/').next().unwrap_or(name);
        let name = if last.contains(':') { name.to_owned() } else { format!("{name}:latest") };
        name.to_lowercase()
    };
    tagged(pulled) == tagged(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_understood() {
        for (pulled, wanted, is) in [
            ("llama3.2:latest", "llama3.2", true),
            ("llama3.2:3b", "llama3.2", false),
            ("llama3.2:3b", "llama3.2:3b", true),
            ("hf.co/some/model-GGUF:Q4_K_M", "hf.co/Some/Model-GGUF:Q4_K_M", true),
            ("localhost:5000/a/b:latest", "localhost:5000/a/b", true),
        ] {
            assert_eq!(same(pulled, wanted), is, "{pulled} {wanted}");
        }
    }
}
