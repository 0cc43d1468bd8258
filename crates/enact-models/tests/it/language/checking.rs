//! What is found out before a run begins.

use enact_models::{ApiKey, Provider, Settings, connect};
use fake_provider::FakeProvider;

use super::{KEY, PROVIDERS, model_at, raw_server::RawServer, settings};

#[tokio::test]
async fn a_good_key_passes() {
    let server = FakeProvider::builder().key(KEY).models(["test-model"]).start().await;
    for provider in PROVIDERS {
        assert_eq!(model_at(&server, provider).check().await, Ok(()));
        assert_eq!(server.seen().pop().unwrap().method, "GET", "nothing is spent");
    }
}

#[tokio::test]
async fn a_wrong_key_fails_at_the_start() {
    let server = FakeProvider::builder().key("another").start().await;
    for (provider, api) in PROVIDERS {
        let problem = model_at(&server, (provider, api)).check().await.unwrap_err();
        let name = provider.as_str();
        assert_eq!(problem.message, format!("the key for model 'test-model' was refused by {name}"));
        let hint = match provider.key_variable() {
            Some(variable) => format!("check {variable}"),
            None => "check the variable that 'key_env' names".to_owned(),
        };
        assert_eq!(problem.hint, Some(hint));
        assert!(!format!("{problem:?}").contains(KEY));
    }
}

#[tokio::test]
async fn what_cannot_be_told_passes() {
    // No such path, and no server at all.
    let server = FakeProvider::start().await;
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for base_url in [format!("http://{}/elsewhere/", server.address()), format!("http://{address}/v1/")] {
        for (provider, _) in PROVIDERS {
            if provider != Provider::Ollama {
                let model = connect(settings(provider, base_url.clone())).unwrap();
                assert_eq!(model.check().await, Ok(()), "{provider:?} {base_url}");
            }
        }
    }
}

/// Keys can be limited to asking models.
#[tokio::test]
async fn a_key_that_may_not_list_models_passes() {
    let scopes =
        r#"{"error":{"message":"You have insufficient permissions. Missing scopes: api.model.read"}}"#;
    let wrong = r#"{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}"#;
    for (status, body, passes) in
        [(403, "{}", true), (401, scopes, true), (401, wrong, false), (401, "", false)]
    {
        let server = RawServer::start(vec![RawServer::json(status, body)]).await;
        let model = connect(settings(Provider::OpenAi, server.base_url())).unwrap();
        assert_eq!(model.check().await.is_ok(), passes, "{status} {body}");
    }
}

#[tokio::test]
async fn ollama_runs_and_has_the_model() {
    let ollama = |base_url: String, model: &str| {
        let settings =
            Settings { model: model.to_owned(), key: None, ..settings(Provider::Ollama, base_url) };
        connect(settings).unwrap()
    };
    let server = FakeProvider::builder().models(["llama3.2:latest"]).start().await;
    let base_url = format!("http://{}", server.address());
    assert_eq!(ollama(base_url.clone(), "llama3.2").check().await, Ok(()));
    let problem = ollama(base_url, "qwen3").check().await.unwrap_err();
    assert_eq!(problem.message, "Ollama has no model 'qwen3'");
    assert_eq!(problem.hint.as_deref(), Some("get it with `ollama pull qwen3`"));

    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let problem = ollama(format!("http://{address}"), "qwen3").check().await.unwrap_err();
    assert_eq!(problem.message, format!("Ollama cannot be reached at http://{address}"));
    assert_eq!(problem.hint.as_deref(), Some("is `ollama serve` running?"));
}

#[test]
fn what_cannot_work_is_refused_before_anything_is_sent() {
    for (base_url, message) in [
        ("ftp://h/v1", "the base_url of the model 'test-model' begins with ftp:"),
        ("h/v1", "the base_url of the model 'test-model' is not an address: relative URL without a base"),
    ] {
        for (provider, _) in PROVIDERS {
            assert_eq!(connect(settings(provider, base_url)).unwrap_err().message, message);
        }
    }
    let keyless = Settings::new(Provider::Anthropic, "m");
    assert_eq!(
        connect(keyless).unwrap_err().hint.as_deref(),
        Some("put it into the environment as ANTHROPIC_API_KEY")
    );
    let broken = Settings { key: Some(ApiKey::new("a\nb")), ..Settings::new(Provider::OpenAi, "m") };
    assert!(connect(broken).is_err());
}
