//! `enact serve` on a disk that is full for a while.

use std::time::{Duration, Instant};

use enact_testkit::{run_on_small_disk, waiting::blocking};

use crate::{
    server::Server,
    serving::{command, long_scene, slow_project},
};

/// How soon everything is written again once there is room.
const BACK_AFTER: Duration = Duration::from_secs(5);

#[test]
fn a_server_on_a_full_disk_says_so_and_plays_on_by_itself_once_there_is_room() {
    let test = "full_disk::a_server_on_a_full_disk_says_so_and_plays_on_by_itself_once_there_is_room";
    let Some(disk) = run_on_small_disk("16m", test) else { return };
    let (project, _provider) = slow_project(20);
    let data = disk.folder().join("data");
    let server = Server::start(command(&project, &["--data-dir", data.to_str().unwrap()]));
    let run = server.begin(&long_scene(1_000));
    let events = || server.get(&format!("/v1/runs/{run}")).json()["events"].as_u64().unwrap();
    for round in 0..2 {
        blocking::until(|| health(&server) == 200);
        let filled = Instant::now();
        disk.fill();
        blocking::until(|| health(&server) == 503);
        println!("round {round}: the full disk was told after {:?}", filled.elapsed());
        // Whenever something cannot be written, health says so. Small things may still find room in the
        // write-ahead log.
        let mut refused = 0;
        for _ in 0..20 {
            if server.post("/v1/scenes", &config()).status != 202 {
                assert_eq!(health(&server), 503);
                refused += 1;
            }
        }
        assert!(refused > 0, "the disk is not full");

        disk.empty();
        let began = Instant::now();
        blocking::until(|| server.post("/v1/scenes", &config()).status == 202);
        let taken = began.elapsed();
        let before = events();
        blocking::until(|| events() > before);
        let played = began.elapsed();
        blocking::until(|| health(&server) == 200);
        let told = began.elapsed();
        println!("round {round}: once there was room, a scene was taken after {taken:?},");
        println!("the other was played on after {played:?}, and health said so after {told:?}");
        assert!(began.elapsed() < BACK_AFTER, "{:?}", began.elapsed());
    }
}

fn config() -> serde_json::Value {
    serde_json::json!({ "config": long_scene(2) })
}

fn health(server: &Server) -> u16 {
    server.get("/v1/health").status
}
