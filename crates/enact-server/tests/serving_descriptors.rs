//! A machine that has no descriptor left. In a process of its own, because the limit is one of the process.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![cfg(unix)]

#[path = "serving/server.rs"]
#[allow(dead_code, reason = "the other tests use the rest of it")]
mod server;

use std::{env, fs::File, io, process::Command, sync::Arc};

use enact_server::Limits;
use tokio::sync::Notify;

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
    let said = Said(Arc::new(Notify::new()));
    let writer = said.clone();
    let subscriber = tracing_subscriber::fmt().with_writer(move || writer.clone()).finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let server = Server::start(Limits::default()).await;
        assert_eq!(server.get("/look").await.status, 200);
        let mut files = Vec::new();
        while let Ok(file) = File::open("/dev/null") {
            files.push(file);
        }
        // One for the client's end of a connection, and none for the server's.
        drop(files.pop());
        let mut client = server.connect().await;
        client.send("GET /look HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").await;
        patiently(said.0.notified()).await;
        drop(files);
        assert!(client.rest().await.ends_with("local true"), "it has waited and is answered");
        assert_eq!(server.get("/look").await.status, 200);
    });
}

/// Hears what the server complains about.
#[derive(Clone)]
struct Said(Arc<Notify>);

impl io::Write for Said {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if String::from_utf8_lossy(bytes).contains("cannot accept connections for now") {
            self.0.notify_one();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
