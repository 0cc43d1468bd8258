//! How serving ends.

use std::time::Duration;

use enact_server::{Limits, serve::Stopped};

use super::server::Server;

#[tokio::test]
async fn what_has_begun_is_finished_and_no_connection_is_accepted() {
    let mut server = Server::start(Limits::default()).await;
    let mut idle = server.connect().await;
    idle.send("GET /look HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
    idle.until("local true").await;
    let mut held = server.connect().await;
    held.send("GET /held HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
    server.arrived.notified().await;
    let mut reader = server.connect().await;
    reader.send("GET /events HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
    reader.until("data: first").await;

    server.ask_to_stop();
    assert_eq!(idle.rest().await, "", "a connection that asks nothing is closed");
    let refused = tokio::net::TcpStream::connect(server.address).await;
    assert!(refused.is_err(), "the port is free again");

    server.release.notify_waiters();
    let answer = held.rest().await;
    assert!(answer.ends_with("at last"), "{answer}");
    assert!(answer.contains("connection: close"), "{answer}");
    assert!(reader.rest().await.contains("data: last"));
    assert_eq!(server.stopped().await, Stopped { cut_off: 0 });
}

#[tokio::test]
async fn what_does_not_finish_is_cut_off() {
    let mut server = Server::start(Limits { grace: Duration::from_millis(100), ..Limits::default() }).await;
    let mut hanging = Vec::new();
    for path in ["/events", "/events", "/endless"] {
        let mut client = server.connect().await;
        client.send(format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n")).await;
        client.until("\r\n\r\n").await;
        hanging.push(client);
    }
    server.ask_to_stop();
    assert_eq!(server.stopped().await, Stopped { cut_off: 3 });
    for mut client in hanging {
        client.rest().await;
    }
}
