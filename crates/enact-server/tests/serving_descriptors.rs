//! A machine that has no descriptor left. In a process of its own, because the limit is one of the process.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![cfg(unix)]

#[path = "serving/server.rs"]
#[allow(dead_code, reason = "the other tests use the rest of it")]
mod server;

use std::{env, process::Command};

use enact_server::Limits;
use tokio::net::TcpStream;

use crate::server::{Server, patiently};

/// Set in the process that has few descriptors.
const FEW: &str = "ENACT_TEST_FEW_DESCRIPTORS";

#[test]
fn a_server_without_descriptors_waits_for_some() {
    if env::var_os(FEW).is_some() {
        return run_out();
    }
    let itself = env::current_exe().unwrap();
    let output = Command::new("sh")
        .args(["-c", "ulimit -n 64 && exec \"$0\" --nocapture"])
        .arg(itself)
        .env(FEW, "1")
        .output();
    let output = output.unwrap();
    assert!(output.status.success(), "{output:?}");
}

fn run_out() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let server = Server::start(Limits::default()).await;
        assert_eq!(server.get("/look").await.status, 200);
        let mut clients = Vec::new();
        let error = loop {
            match TcpStream::connect(server.address).await {
                Ok(client) => clients.push(client),
                Err(error) => break error,
            }
        };
        assert!(error.to_string().contains("Too many open files"), "{error}");
        // The last ones were connected by the kernel and could not be accepted. They are answered once others have left.
        let waiting = clients.pop().unwrap();
        clients.truncate(4);
        let mut waiting = server::Client(waiting);
        waiting.send("GET /look HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").await;
        assert!(waiting.rest().await.ends_with("local true"));
        assert_eq!(patiently(server.get("/look")).await.status, 200);
    });
}
