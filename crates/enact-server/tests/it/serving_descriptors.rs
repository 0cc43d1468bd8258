//! A machine that has no descriptor left. In a process of its own, because the limit is one of the process.

use std::{fs::File, process::Command};

use enact_server::Limits;
use enact_testkit::{listen_for, run_in_own_process_through};

use crate::serving::server::Server;

#[test]
fn a_server_without_descriptors_waits_for_some() {
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -n 64 && exec \"$0\" \"$@\""]);
    if run_in_own_process_through(shell, "serving_descriptors::a_server_without_descriptors_waits_for_some") {
        return;
    }
    let complaint = listen_for("cannot accept connections for now");
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
        complaint.written().await;
        drop(files);
        assert!(client.rest().await.ends_with("local true"), "it has waited and is answered");
        assert_eq!(server.get("/look").await.status, 200);
    });
}
