//! What readers cost who have stopped reading. In a process of its own, because it measures the whole
//! process.

use enact_drama::{Record, RunId, Seq};
use enact_engine::{Store, log::NewRun, node::NodeLimits};
use enact_server::ServerOptions;
use enact_testkit::{memory_kib, run_in_own_process, until};
use serde_json::value::RawValue;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
};
use uuid::Uuid;

use crate::api::server::Server;

const READERS: usize = 818;
/// The log: one long record, as a scene with many sheets begins, and many short ones.
const LONG_BYTES: usize = 600 * 1024;
const SHORT: usize = 100;
const SHORT_BYTES: usize = 1024;
/// What all of them together may cost the process, both ends of each connection included.
const MOST_MIB: usize = 100;

#[tokio::test]
async fn readers_who_have_stopped_reading_share_what_they_were_sent() {
    if run_in_own_process("stalled_readers::readers_who_have_stopped_reading_share_what_they_were_sent") {
        return;
    }
    let server = Server::with(NodeLimits::default(), ServerOptions::default()).await;
    let run = long_run(&*server.log).await;
    drop(stalled(&server, run).await);
    until(async || counted(&server, "enact_event_readers ").await == 0).await;
    let served = counted(&server, "enact_events_served_total ").await;
    let before = memory_kib("self", "VmRSS").unwrap();
    let mut crowd = Vec::new();
    for _ in 0..READERS {
        crowd.push(stalled(&server, run).await);
    }
    // Each has been sent as much as fits, and what follows is made ready.
    until(async || counted(&server, "enact_events_served_total ").await >= served + READERS).await;
    let after = memory_kib("self", "VmRSS").unwrap();
    let mib = after.saturating_sub(before) / 1024;
    println!("{READERS} stalled readers: {mib} MiB");
    assert!(mib < MOST_MIB, "{READERS} stalled readers hold {mib} MiB");

    // Those who read get everything.
    let text = server.get(&format!("/v1/runs/{run}/events")).await.text().await.unwrap();
    assert!(text.len() > LONG_BYTES + SHORT * SHORT_BYTES && text.contains("\nevent: end\n"));
    drop(crowd);
}

/// A reader who has read the beginning of the answer.
async fn stalled(server: &Server, run: RunId) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let address = server.base.strip_prefix("http://").unwrap().parse().unwrap();
    let mut reader = socket.connect(address).await.unwrap();
    let head = format!("GET /v1/runs/{run}/events HTTP/1.1\r\nhost: localhost\r\n\r\n");
    reader.write_all(head.as_bytes()).await.unwrap();
    reader.read_exact(&mut [0; 512]).await.unwrap();
    reader
}

async fn counted(server: &Server, what: &str) -> usize {
    let metrics = server.get("/metrics").await.text().await.unwrap();
    let line = metrics.lines().find_map(|line| line.strip_prefix(what));
    line.unwrap_or_else(|| panic!("{metrics}")).trim().parse().unwrap()
}

async fn long_run(store: &dyn Store) -> RunId {
    let run = RunId(Uuid::now_v7());
    let record = |seq: usize, bytes: usize| {
        let body = RawValue::from_string(format!("\"{}\"", "x".repeat(bytes))).unwrap();
        Record { seq: Seq(seq as u64), at: 0, kind: "noted".to_owned(), v: 1, body }
    };
    let mut records = vec![record(0, LONG_BYTES)];
    records.extend((1..=SHORT).map(|seq| record(seq, SHORT_BYTES)));
    let about = NewRun {
        run,
        production: "scene",
        name: "long".to_owned(),
        at: 0,
        parent: None,
        account: String::new(),
    };
    store.import(about, records, Vec::new(), Some("goal".to_owned())).await.unwrap();
    run
}
