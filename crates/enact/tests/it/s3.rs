//! Audio in an S3-compatible store: `scripts/s3` starts one.

use std::{env, fs, net::SocketAddr, process::Command};

use enact_testkit::waiting::blocking;
use serde_json::{Value, json};

use crate::{
    project::Project,
    server::{Server, client::call},
};

/// A bucket of its own.
struct TestBucket {
    endpoint: SocketAddr,
    name: String,
}

impl TestBucket {
    fn new(name: &str) -> TestBucket {
        let endpoint =
            env::var("ENACT_TEST_S3").expect("scripts/s3 cargo test … starts a store for this test");
        let bucket = TestBucket { endpoint: endpoint.parse().unwrap(), name: name.to_owned() };
        assert_eq!(call(bucket.endpoint, "PUT", &format!("/{name}"), &[], "").unwrap().status, 200);
        bucket
    }

    /// The keys of everything in it.
    fn keys(&self) -> Vec<String> {
        let listed =
            call(self.endpoint, "GET", &format!("/{}?list-type=2", self.name), &[], "").unwrap().body;
        let keys = listed.split("<Key>").skip(1).filter_map(|rest| rest.split("</Key>").next());
        keys.map(str::to_owned).collect()
    }

    /// A server that shares its audio there.
    fn command(&self, project: &Project, more: &[&str]) -> Command {
        let place = format!("s3://{}/kiosk", self.name);
        let args = [&["serve", "--bind", "127.0.0.1:0", "--artifacts", &place], more].concat();
        let mut command = project.command(&args);
        for (name, value) in [
            ("AWS_ENDPOINT", format!("http://{}", self.endpoint).as_str()),
            ("AWS_ALLOW_HTTP", "true"),
            ("AWS_REGION", "us-east-1"),
            ("AWS_ACCESS_KEY_ID", "test"),
            ("AWS_SECRET_ACCESS_KEY", "test"),
        ] {
            command.env(name, value);
        }
        command
    }
}

/// What is announced of a chorus of two: its session, and the paths of its recordings.
fn sing(server: &Server) -> (String, Vec<String>) {
    let slots = json!([{"slotId": 1, "agentId": "gpt-4o"}, {"slotId": 2, "agentId": "gemini-3"}]);
    let answer = server.post("/v1/chat", &json!({"message": "Good morning", "slots": slots}));
    let heard = answer.body.split("event: slot.audio\ndata: ").skip(1);
    let heard: Vec<Value> =
        heard.map(|rest| serde_json::from_str(rest.lines().next().unwrap()).unwrap()).collect();
    assert_eq!(heard.len(), 6, "{}", answer.body);
    let path = |data: &Value| data["audioPath"].as_str().unwrap().to_owned();
    (heard[0]["sessionId"].as_str().unwrap().to_owned(), heard.iter().map(path).collect())
}

#[test]
fn what_one_node_has_said_another_serves() {
    let (project, bucket) = (Project::empty(), TestBucket::new("shared"));
    let server = Server::start(bucket.command(&project, &[]));
    let (session, paths) = sing(&server);
    let mut kept: Vec<String> = paths.iter().map(|path| format!("kiosk/{path}")).collect();
    kept.push(format!("kiosk/tts/sessions/{session}/session.json"));
    kept.sort();
    let mut keys = bucket.keys();
    keys.sort();
    assert_eq!(keys, kept, "the recordings, their list, and nothing that was only on its way");
    let whole: Vec<Vec<u8>> = paths
        .iter()
        .map(|path| fs::read(project.path().join("data/artifacts").join(path)).unwrap())
        .collect();
    server.stop();

    // Another machine has the same runs and none of the files.
    fs::remove_dir_all(project.path().join("data/artifacts")).unwrap();
    let server = Server::start(bucket.command(&project, &[]));
    let listed = server.get(&format!("/v1/audio/tts/sessions/{session}/session.json")).json();
    assert_eq!(listed["turns"]["turn_1"].as_array().unwrap().len(), 2);
    for (path, whole) in paths.iter().zip(&whole) {
        let head = call(server.address(), "HEAD", &format!("/v1/audio/{path}"), &[], "").unwrap();
        assert_eq!((head.status, head.header("content-type")), (200, Some("audio/wav")));
        assert!(fs::read(project.path().join("data/artifacts").join(path)).unwrap() == *whole, "{path}");
    }
    // What is deleted is deleted everywhere.
    let deleted = call(server.address(), "DELETE", &format!("/v1/runs/{session}"), &[], "").unwrap();
    assert_eq!((deleted.status, bucket.keys()), (204, vec![]));
    server.stop();
}

#[test]
fn old_audio_leaves_the_store_too() {
    let (project, bucket) = (Project::empty(), TestBucket::new("old-audio"));
    let server = Server::start(bucket.command(&project, &["--keep-audio", "6s"]));
    let (session, _) = sing(&server);
    let manifest = format!("tts/sessions/{session}/session.json");
    blocking::until(|| bucket.keys() == [format!("kiosk/{manifest}")]);
    let listed = server.get(&format!("/v1/audio/{manifest}")).json();
    let entry = &listed["turns"]["turn_1"][0];
    assert!(entry["text"].is_string() && entry["audioError"].is_string(), "{listed}");
    assert!(entry["audioPath"].is_null(), "{listed}");
    server.stop();
}

#[test]
fn a_store_that_takes_nothing_is_known_at_once() {
    let (project, bucket) = (Project::empty(), TestBucket::new("there"));
    let bucket = TestBucket { name: "not-there".to_owned(), ..bucket };
    let output = bucket.command(&project, &[]).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("audio cannot be kept at 's3://not-there/kiosk'"), "{told}");
    assert_eq!(output.status.code(), Some(2), "{told}");
}
