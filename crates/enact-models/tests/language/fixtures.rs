//! What providers send, read through the adapter.

use std::{fs, path::Path};

use enact_drama::usage::Usage;
use enact_models::{Provider, connect};
use expect_test::expect;

use super::{KEY, raw_server::RawServer, request, settings};

/// Serves one file and tells what becomes of it. The status is in the name of an error.
async fn told(provider: Provider, file: &Path) -> String {
    let body = fs::read_to_string(file).unwrap();
    let name = file.file_stem().unwrap().to_str().unwrap();
    let answer = match name.strip_prefix("error_") {
        Some(error) => RawServer::json(error[..3].parse().unwrap(), &body),
        None => RawServer::stream(&body),
    };
    let server = RawServer::start(vec![answer]).await;
    let model = connect(settings(provider, server.base_url())).unwrap();
    let (said, usage) = match model.answer(request()).await {
        Ok(answer) => (answer.text, answer.usage),
        Err(failure) => (format!("! {}", failure.error), failure.usage),
    };
    assert!(!said.contains(KEY), "{said}");
    let used = match usage {
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
    expect![[""]].assert_eq(&all(Provider::Anthropic).await);
}

#[tokio::test]
async fn openai() {
    expect![[""]].assert_eq(&all(Provider::OpenAi).await);
}

#[tokio::test]
async fn gemini() {
    expect![[""]].assert_eq(&all(Provider::Gemini).await);
}

#[tokio::test]
async fn ollama() {
    expect![[""]].assert_eq(&all(Provider::Ollama).await);
}
