//! What providers send, read through the adapter.

use std::{fs, path::Path};

use enact_drama::usage::Usage;
use enact_models::{Provider, connect};
use expect_test::expect;

use super::{Delivery, KEY, raw_server::RawServer, request, settings};

/// Serves one file and tells what becomes of it. The status is in the name of an error.
async fn told(provider: Provider, file: &Path) -> String {
    let body = fs::read_to_string(file).unwrap();
    let name = file.file_stem().unwrap().to_str().unwrap();
    let answer = match name.strip_prefix("error_") {
        Some(error) => RawServer::json(error[..3].parse().unwrap(), &body),
        None if file.extension().is_some_and(|kind| kind == "ndjson") => RawServer::lines(&body),
        None => RawServer::stream(&body),
    };
    let server = RawServer::start(vec![answer]).await;
    let model = connect(settings(provider, server.base_url())).unwrap();
    let (said, usage) = match Delivery::Streamed.ask(&*model, request()).await {
        Ok(answer) => (answer.text, answer.usage),
        Err(failure) => (format!("! {}", failure.error), failure.usage),
    };
    assert!(!said.contains(KEY), "{said}");
    let used = match usage.filter(|usage| !usage.tells_nothing()) {
        Some(Usage { uncached, cache_read, cache_write, output, .. }) => {
            format!("\n    {uncached} + {cache_read} read + {cache_write} written -> {output}")
        }
        None => String::new(),
    };
    format!("{}: {said}{used}\n", file.file_name().unwrap().to_str().unwrap())
}

async fn all(provider: Provider) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(provider.as_str());
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let mut all = String::new();
    for file in files {
        all += &told(provider, &file).await;
    }
    all
}

#[tokio::test]
async fn anthropic() {
    expect![[r#"
        broken_overloaded.sse: ! anthropic: overloaded (529), try again later
            21 + 2239 read + 0 written -> 2
        error_400_context.json: ! anthropic: the request is longer than the model can read; lower 'thread_tokens', or take another model
            0 + 0 read + 0 written -> 0
        error_400_credit.json: ! anthropic: the account has no credit left
            0 + 0 read + 0 written -> 0
        error_401_key.json: ! anthropic: the key was refused (401); check ANTHROPIC_API_KEY
            0 + 0 read + 0 written -> 0
        error_404_model.json: ! anthropic: there is no model 'test-model' (404); check 'model'
            0 + 0 read + 0 written -> 0
        error_429_limit.json: ! anthropic: too many requests (429), try again later
            0 + 0 read + 0 written -> 0
        error_529_overloaded.json: ! anthropic: overloaded (529), try again later
            0 + 0 read + 0 written -> 0
        success.sse: [TO: Bob, TONE: disappointed] "You had three weeks – naïve of me."
            21 + 2051 read + 188 written -> 24
        success_thinking.sse: [SILENT, *looks away*]
            40 + 0 read + 0 written -> 31
    "#]].assert_eq(&all(Provider::Anthropic).await);
}

#[tokio::test]
async fn openai() {
    expect![[r#"
        broken_error.sse: ! openai: server error (500), try again later
        broken_refusal.sse: ! openai: the model refused to answer
            80 + 0 read + 0 written -> 11
        error_400_context.json: ! openai: the request is longer than the model can read; lower 'thread_tokens', or take another model
            0 + 0 read + 0 written -> 0
        error_401_key.json: ! openai: the key was refused (401); check OPENAI_API_KEY
            0 + 0 read + 0 written -> 0
        error_404_model.json: ! openai: there is no model 'test-model' (404); check 'model'
            0 + 0 read + 0 written -> 0
        error_429_limit.json: ! openai: too many requests (429), try again later
            0 + 0 read + 0 written -> 0
        error_429_quota.json: ! openai: the account has no credit left
            0 + 0 read + 0 written -> 0
        error_503_overloaded.json: ! openai: overloaded (503), try again later
            0 + 0 read + 0 written -> 0
        success.sse: [TO: Bob, TONE: disappointed] "You had three weeks – naïve of me."
            86 + 1920 read + 0 written -> 24
    "#]].assert_eq(&all(Provider::OpenAi).await);
}

#[tokio::test]
async fn gemini() {
    expect![[r#"
        broken_blocked.sse: ! gemini: the model refused to answer
            80 + 0 read + 0 written -> 0
        broken_safety.sse: ! gemini: the model refused to answer
            80 + 0 read + 0 written -> 3
        error_400_context.json: ! gemini: the request is longer than the model can read; lower 'thread_tokens', or take another model
            0 + 0 read + 0 written -> 0
        error_400_key.json: ! gemini: the key was refused (400); check GEMINI_API_KEY
            0 + 0 read + 0 written -> 0
        error_404_model.json: ! gemini: there is no model 'test-model' (404); check 'model'
            0 + 0 read + 0 written -> 0
        error_429_limit.json: ! gemini: too many requests (429), asked to wait 34s
            0 + 0 read + 0 written -> 0
        error_503_overloaded.json: ! gemini: overloaded (503), try again later
            0 + 0 read + 0 written -> 0
        success.sse: [TO: Bob, TONE: disappointed] "You had three weeks – naïve of me."
            506 + 1500 read + 0 written -> 118
    "#]].assert_eq(&all(Provider::Gemini).await);
}

#[tokio::test]
async fn ollama() {
    expect![[r#"
        broken_error.ndjson: ! ollama: server error (500), try again later
        error_404_model.json: ! ollama: there is no model 'test-model' (404); try `ollama pull test-model`
            0 + 0 read + 0 written -> 0
        error_500_runner.json: ! ollama: server error (500), try again later
            0 + 0 read + 0 written -> 0
        success.ndjson: [TO: Bob, TONE: disappointed] "You had three weeks – naïve of me."
            206 + 0 read + 0 written -> 24
    "#]]
    .assert_eq(&all(Provider::Ollama).await);
}
