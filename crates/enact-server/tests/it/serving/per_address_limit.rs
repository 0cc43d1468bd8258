//! Many connections at once.

use enact_server::Limits;
use enact_testkit::in_time;

use super::server::{Client, Server};

#[tokio::test]
async fn more_connections_than_there_may_be_wait_for_their_turn() {
    let server = Server::start(Limits { connections: 2, ..Limits::default() }).await;
    let first = follow(&server).await;
    let second = follow(&server).await;
    let mut third = server.connect().await;
    third.send("GET /look HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").await;
    drop(first);
    assert!(third.rest().await.ends_with("local true"));
    drop(second);
}

#[tokio::test]
async fn one_address_cannot_have_all_connections() {
    let server = Server::start(Limits { connections_per_peer: 2, ..Limits::default() }).await;
    let first = follow(&server).await;
    let _second = follow(&server).await;
    assert_eq!(server.raw("GET /look HTTP/1.1\r\nhost: localhost\r\n\r\n").await, "");
    drop(first);
    let answered = async { while server.get("/look").await.status != 200 {} };
    in_time(answered).await;
}

async fn follow(server: &Server) -> Client {
    let mut reader = server.connect().await;
    reader.send("GET /events HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
    reader.until("data: first").await;
    reader
}
