//! What thousands of readers cost. In a process of its own, because it measures the whole process.

use std::time::Instant;

use enact_server::Limits;
use enact_testkit::{memory_kib, run_in_own_process};
use futures::future::join_all;

use crate::serving::server::{Client, Server};

/// Connections held open at once; both ends of each are descriptors of this process.
const CROWD: usize = 2_000;
/// What one reader may cost the process, both ends and hyper's two buffers of 8 KiB together.
const MOST_KIB_EACH: usize = 48;

#[tokio::test]
async fn thousands_of_readers_stay_small_and_leave_room_for_others() {
    if run_in_own_process("serving_memory::thousands_of_readers_stay_small_and_leave_room_for_others") {
        return;
    }
    let server = Server::start(Limits::default()).await;
    assert_eq!(
        server.get("/look").await.status,
        200,
        "so that everything is loaded before memory is measured"
    );
    let before = memory_kib("self", "VmRSS");
    let began = Instant::now();
    let mut readers: Vec<Client> = Vec::new();
    // In groups, because a listener's queue is shorter than the crowd.
    while readers.len() < CROWD {
        readers.extend(join_all((0..100).map(|_| follow(&server))).await);
    }
    let took = began.elapsed();
    let each =
        before.zip(memory_kib("self", "VmRSS")).map(|(before, after)| after.saturating_sub(before) / CROWD);
    println!("{CROWD} readers in {took:?}, {each:?} KiB each");
    if let Some(each) = each {
        assert!(each <= MOST_KIB_EACH, "{each} KiB for each reader");
    }
    assert_eq!(server.get("/look").await.status, 200);
    server.release.notify_waiters();
    for mut reader in readers {
        reader.until("data: last").await;
    }
}

async fn follow(server: &Server) -> Client {
    let mut reader = server.connect().await;
    reader.send("GET /events HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
    reader.until("data: first").await;
    reader
}
