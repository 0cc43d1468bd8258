//! Commands over HTTP to scenes that are just ending: each one that was accepted is in the log, and each other
//! was refused. `ENACT_COMMANDS=10000 cargo test -p enact --test it late_commands -- --nocapture` posts that
//! many and prints the numbers.

use std::{collections::BTreeSet, thread};

use serde_json::json;

use crate::{
    server::Server,
    serving::{command, long_scene, slow_project},
};

/// How many are posted, unless the environment says otherwise.
const COMMANDS: usize = 300;
/// Who post to one scene at the same time.
const CLIENTS: usize = 2;
/// A scene takes 32 notes between two beats and leaves no trace of more, so fewer are posted to each.
const NOTES_EACH: usize = 12;
/// How many scenes are played at once.
const SCENES_AT_ONCE: usize = 4;
/// How long actors take: the scene ends while notes are still coming.
const ANSWER_MS: u64 = 25;

#[derive(Default)]
struct Posted {
    accepted: usize,
    refused: usize,
}

#[test]
fn every_command_is_in_the_log_or_refused() {
    let wanted: usize =
        std::env::var("ENACT_COMMANDS").ok().and_then(|count| count.parse().ok()).unwrap_or(COMMANDS);
    let (project, _provider) = slow_project(ANSWER_MS);
    let server = Server::start(command(&project, &[]));
    let mut all = Posted::default();
    while all.accepted + all.refused < wanted {
        thread::scope(|scope| {
            let playing: Vec<_> =
                (0..SCENES_AT_ONCE).map(|_| scope.spawn(|| post_until_refused(&server))).collect();
            for posted in playing {
                let posted = posted.join().unwrap();
                all.accepted += posted.accepted;
                all.refused += posted.refused;
            }
        });
    }
    println!(
        "{} commands: {} accepted, {} refused, none lost",
        all.accepted + all.refused,
        all.accepted,
        all.refused
    );
    assert!(all.accepted > 0 && all.refused > 0, "no scene ended meanwhile");
}

/// Posts notes to a scene of one beat until it is over, and compares its log with what was answered.
fn post_until_refused(server: &Server) -> Posted {
    let run = server.begin(&long_scene(1));
    let path = format!("/v1/runs/{run}/commands");
    let post = |client: usize| {
        let (mut accepted, mut refused) = (Vec::new(), Vec::new());
        for number in 0..NOTES_EACH {
            let text = format!("note {number} of client {client}");
            let answer = server.post(&path, &json!({ "command": "note", "text": text }));
            match answer.status {
                202 => accepted.push(text),
                _ => {
                    let code = answer.json()["error"]["code"].clone();
                    assert!(code == "RUN_ENDED" || code == "INBOX_FULL", "{}", answer.body);
                    refused.push(text);
                }
            }
        }
        (accepted, refused)
    };
    let answered: Vec<_> = thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS).map(|client| scope.spawn(move || post(client))).collect();
        clients.into_iter().map(|client| client.join().unwrap()).collect()
    });
    let events = server.events(&run);
    let noted = events.iter().filter(|event| event.kind == "noted").map(|event| {
        let record: serde_json::Value = serde_json::from_str(&event.data).unwrap();
        record["body"]["text"].as_str().unwrap_or_default().to_owned()
    });
    let noted: Vec<String> = noted.filter(|text| text.starts_with("note ")).collect();
    let (accepted, refused): (Vec<_>, Vec<_>) = answered.into_iter().unzip();
    let accepted: BTreeSet<String> = accepted.into_iter().flatten().collect();
    assert_eq!(noted.len(), noted.iter().collect::<BTreeSet<_>>().len(), "taken twice: {noted:?}");
    assert_eq!(noted.into_iter().collect::<BTreeSet<_>>(), accepted, "{run}");
    Posted { accepted: accepted.len(), refused: refused.iter().map(Vec::len).sum() }
}
