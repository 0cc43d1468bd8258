use std::time::Instant;

use serde_json::json;
use tokio::net::TcpListener;

use super::*;

/// Answers one request with these bytes; without any it never answers.
async fn server(answer: Option<String>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let (mut client, _) = listener.accept().await.unwrap();
        let mut request = [0; 1024];
        let _ = client.read(&mut request).await;
        match answer {
            Some(answer) => client.write_all(answer.as_bytes()).await.unwrap(),
            None => std::future::pending().await,
        }
    });
    address
}

fn ok(body: &Value) -> Option<String> {
    Some(format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{body}"))
}

#[test]
fn ports_are_those_of_the_providers() {
    let usual: Vec<String> =
        default_addresses().iter().map(|(provider, at)| format!("{} {at}", provider.as_str())).collect();
    assert_eq!(usual, ["ollama 127.0.0.1:11434", "llamacpp 127.0.0.1:8080"]);
}

#[tokio::test]
async fn servers_are_noticed_and_what_else_listens_is_not() {
    let llamacpp = Provider::named("llamacpp").unwrap();
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let looked = vec![
        (
            Provider::Ollama,
            server(ok(&json!({"models": [{"name": "llama3.2:latest"}, {"name": "qwen3"}]}))).await,
        ),
        (llamacpp, server(ok(&json!({"object": "list", "data": [{"id": "gemma"}]}))).await),
        // Nothing pulled, something else, an error, nothing there, nothing said.
        (Provider::Ollama, server(ok(&json!({"models": []}))).await),
        (llamacpp, server(ok(&json!({"data": [{"id": 7}]}))).await),
        (llamacpp, server(Some("HTTP/1.1 404 Not Found\r\n\r\n<html>".to_owned())).await),
        (Provider::Ollama, closed),
        (Provider::Ollama, server(None).await),
    ];
    let (began, most) = (Instant::now(), LOOK_TIMEOUT * 20);
    let found = look_for(looked.clone()).await;
    assert!(began.elapsed() < most, "{:?}", began.elapsed());
    let found: Vec<(Provider, SocketAddr, Vec<String>)> =
        found.into_iter().map(|server| (server.provider, server.address, server.models)).collect();
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    assert_eq!(
        found,
        [
            (Provider::Ollama, looked[0].1, names(&["llama3.2:latest", "qwen3"])),
            (llamacpp, looked[1].1, names(&["gemma"])),
        ]
    );
}
