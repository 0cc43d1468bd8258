//! `enact serve` as a process: what is played over HTTP is what `enact run` plays, and nothing that happens
//! to the process is seen by those who follow.

use std::{io::Write, net::TcpStream, process::Command};

use enact_testkit::waiting::blocking;
use fake_provider::{Api, FakeProvider, PlannedResponse};
use serde_json::{Value, json};

use crate::{
    project::{Project, Ran, lines},
    server::{
        Server,
        client::{Following, call},
    },
};

const SCENE: &str = "---
name: apology
characters: [alice, bob, charlie]
initialSpeaker: alice
seed: 5
---
Alice confronts Bob about a missed deadline. Charlie mediates.
Scene goal: Bob apologizes, Alice accepts, they agree on next steps.
";

fn config() -> Value {
    json!({
        "name": "apology",
        "characters": ["alice", "bob", "charlie"],
        "initialSpeaker": "alice",
        "seed": 5,
        "prompt": "Alice confronts Bob about a missed deadline. Charlie mediates.\n\
                   Scene goal: Bob apologizes, Alice accepts, they agree on next steps.",
    })
}

fn serve(project: &Project) -> Server {
    Server::start(command(project, &[]))
}

pub(crate) fn command(project: &Project, more: &[&str]) -> Command {
    let mut command = project.command(&["serve"]);
    if !more.contains(&"--bind") {
        command.args(["--bind", "127.0.0.1:0"]);
    }
    command.args(more);
    for variable in ["ENACT_TOKEN", "ENACT_DATABASE", "ENACT_LOG"] {
        command.env_remove(variable);
    }
    command
}

/// What is said of a server that does not start.
fn refused(project: &Project, more: &[&str]) -> String {
    let ran: Ran = command(project, more).output().unwrap().into();
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
    ran.stderr
}

/// A project whose default model answers after a while, so that its runs can be interrupted; and how to ask
/// it.
pub(crate) fn slow_project(answer_ms: u64) -> (Project, FakeProvider) {
    let lively = move |seen: &fake_provider::Seen| {
        let number = seen.number;
        PlannedResponse::text(format!(
            "[TONE: tense] \"Number {number}, and have you thought of {}?\"",
            number * 7919 % 10_007
        ))
        .after(std::time::Duration::from_millis(answer_ms))
    };
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let provider = runtime.block_on(FakeProvider::builder().script(lively).start());
    let project = Project::new();
    let model = format!(
        "default = \"slow\"\n[models.slow]\nprovider = \"openai-compatible\"\nmodel = \"m\"\nbase_url = \"{}\"\n",
        provider.base_url_for(Api::OpenAi)
    );
    project.write("enact.toml", model);
    (project, provider)
}

/// One that goes on until its beats are used up.
pub(crate) fn long_scene(beats: u32) -> Value {
    json!({
        "name": "talk",
        "characters": ["alice", "bob", "charlie"],
        "maxBeats": beats,
        "prompt": "They talk about the weather.",
        "goals": ["Charlie hands Bob the seventh golden key"],
    })
}

#[test]
fn a_scene_over_http_is_the_scene_that_run_plays() {
    let project = Project::new();
    project.write("scene.md", SCENE);
    let played = project.run(&["run", "scene.md", "--json", "--data-dir", "elsewhere"]);
    let server = serve(&project);
    assert!(server.greeting.ends_with(" (store: data/enact.db)"), "{}", server.greeting);
    let run = server.begin(&config());
    let events = server.events(&run);
    assert_eq!(lines(&server.transcript(&run)), played.lines());
    // What is followed is the log: every record as the file of the run has it.
    let log = project.run(&["export", &run, "--format", "jsonl"]).stdout;
    let records: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let followed: Vec<Value> =
        events.iter().map(|event| serde_json::from_str(&event.data).unwrap()).collect();
    assert_eq!(followed, records);
    let (status, logged) = server.stop();
    assert!(status.success(), "{status}: {logged}");
    // The command line sees what the server played.
    assert_eq!(lines(&project.run(&["replay", &run]).stdout), played.lines());
    assert!(project.run(&["runs"]).stdout.contains(&run));
}

#[test]
fn killed_and_started_again_it_plays_on_and_followers_miss_nothing() {
    let (project, provider) = slow_project(20);
    let mut server = serve(&project);
    let run = server.begin(&long_scene(20));
    let mut following = Following::default();
    for kill in 0..4u64 {
        // Somewhere in the middle: each time after some more events.
        let mut events = server.follow(&run, following.last());
        let until = following.events.len() + 11;
        while following.events.len() < until {
            following.see(events.next().expect("the run goes on").unwrap());
        }
        server.kill();
        // What was on its way when the process died may still arrive.
        for event in events.map_while(Result::ok) {
            following.see(event);
        }
        assert!(!following.ended, "the run was over before kill {kill}");
        server = serve(&project);
    }
    following.read(server.follow(&run, following.last())).unwrap();
    assert!(following.ended);
    assert_eq!(following.events, server.events(&run), "who followed through it all has seen the log");
    let resumed = following.events.iter().filter(|event| event.kind == "resumed").count();
    assert_eq!(resumed, 4);
    let said = lines(&server.transcript(&run));
    let mut once = said.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), said.len(), "nothing is said twice: {said:#?}");
    drop(provider);
}

#[test]
fn asked_to_stop_it_tells_followers_and_plays_on_at_the_next_start() {
    let (project, _provider) = slow_project(20);
    let server = serve(&project);
    let run = server.begin(&long_scene(12));
    let mut events = server.follow(&run, None);
    let mut following = Following::default();
    for _ in 0..8 {
        following.see(events.next().unwrap().unwrap());
    }
    let (status, logged) = server.stop();
    assert_eq!(status.code(), Some(0), "{logged}");
    let rest: Vec<_> = events.map(Result::unwrap).collect();
    assert_eq!(rest.last().unwrap().kind, "closing", "{rest:#?}");
    for event in rest {
        following.see(event);
    }
    let server = serve(&project);
    following.read(server.follow(&run, following.last())).unwrap();
    assert!(following.ended);
    assert_eq!(following.events, server.events(&run));
}

#[test]
fn two_servers_share_a_folder_and_one_takes_over_from_the_other() {
    let (project, _provider) = slow_project(20);
    let first = serve(&project);
    let run = first.begin(&long_scene(1_000));
    let mut following = Following::default();
    let mut events = first.follow(&run, None);
    for _ in 0..6 {
        following.see(events.next().unwrap().unwrap());
    }
    // The second plays nothing that the first plays, and serves it all the same.
    let second = serve(&project);
    assert_eq!(second.status(&run), "playing");
    let mut elsewhere = Following::default();
    let mut events = second.follow(&run, None);
    while elsewhere.events.len() < following.events.len() + 6 {
        elsewhere.see(events.next().unwrap().unwrap());
    }
    first.kill();
    // The connection to the second one is still the same: it only sees the run going on.
    while elsewhere.events.last().unwrap().kind != "resumed" {
        elsewhere.see(events.next().unwrap().unwrap());
    }
    assert_eq!(second.post(&format!("/v1/runs/{run}/cancel"), &json!({})).status, 202);
    elsewhere.read(events).unwrap();
    assert!(elsewhere.ended);
    assert_eq!(elsewhere.events.iter().filter(|event| event.kind == "resumed").count(), 1);
    assert_eq!(elsewhere.events, second.events(&run));
}

#[test]
fn a_second_signal_ends_it_at_once() {
    let (project, provider) = slow_project(60_000);
    let mut server = serve(&project);
    let run = server.begin(&long_scene(3));
    blocking::until(|| provider.in_flight() > 0);
    // An unfinished request delays the graceful shutdown of the first signal.
    let mut slow = TcpStream::connect(server.address()).unwrap();
    write!(slow, "POST /v1/scenes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n")
        .unwrap();
    write!(slow, "Content-Length: 100\r\n\r\n{{").unwrap();
    server.signal("INT");
    server.wait_for_log("stopping:");
    server.signal("INT");
    assert_eq!(server.wait().code(), Some(130));
    assert_eq!(project.run(&["runs", "--json"]).json()[0]["run"], run.as_str());
}

#[test]
fn without_a_token_it_stays_on_this_machine() {
    let project = Project::new();
    let said = refused(&project, &["--bind", "0.0.0.0:0"]);
    assert!(said.contains("without a token") && said.contains("ENACT_TOKEN"), "{said}");

    let token = "a-token-that-is-long-enough";
    let mut command = command(&project, &[]);
    command.env("ENACT_TOKEN", token);
    let server = Server::start(command);
    let bearer = format!("Bearer {token}");
    for (headers, status) in [
        (vec![], 401),
        (vec![("Authorization", "Bearer another-token-of-that-length")], 401),
        (vec![("Authorization", bearer.as_str())], 200),
    ] {
        let answer = call(server.address(), "GET", "/v1/runs", &headers, "").unwrap();
        assert_eq!(answer.status, status, "{headers:?}: {}", answer.body);
    }
    let logged = server.kill();
    assert!(!logged.contains(token), "{logged}");
}

#[test]
fn tokens_have_scopes() {
    let project = Project::new();
    project.write(
        "enact.toml",
        "[tokens.page]\nvariable = \"PAGE_TOKEN\"\nscopes = [\"read\"]\n\
         [tokens.game]\nvariable = \"GAME_TOKEN\"\nscopes = [\"read\", \"run\"]\n",
    );
    // A file that came with a story does not let anybody in.
    let said = refused(&project, &[]);
    assert!(said.contains("it was only found, not named") && said.contains("--config"), "{said}");
    let missing = refused(&project, &["--config", "enact.toml"]);
    assert!(missing.contains("tokens.page: PAGE_TOKEN is not set"), "{missing}");

    let (page, game) = ("page-token-page-token", "game-token-game-token");
    let mut command = command(&project, &["--config", "enact.toml"]);
    command.env("PAGE_TOKEN", page).env("GAME_TOKEN", game);
    let server = Server::start(command);
    let body = json!({ "config": config() }).to_string();
    for (token, method, path, status) in [
        (page, "GET", "/v1/runs", 200),
        (page, "POST", "/v1/scenes", 403),
        (game, "POST", "/v1/scenes", 202),
        (game, "GET", "/v1/runs", 200),
    ] {
        let bearer = format!("Bearer {token}");
        let headers = [("Authorization", bearer.as_str()), ("Content-Type", "application/json")];
        let body = if method == "POST" { body.as_str() } else { "" };
        let answer = call(server.address(), method, path, &headers, body).unwrap();
        assert_eq!(answer.status, status, "{token} {method} {path}: {}", answer.body);
    }
}

#[test]
fn what_keeps_it_from_starting_is_said() {
    let project = Project::new();
    let server = serve(&project);
    let taken = server.address().to_string();
    let said = refused(&project, &["--bind", &taken]);
    assert!(said.contains(&format!("cannot listen on {taken}")) && said.contains("--bind"), "{said}");

    for (flags, expected) in [
        (vec!["--bind", "here"], "expected an address and a port, such as 127.0.0.1:8000"),
        (vec!["--bind", "127.0.0.1"], "expected an address and a port, such as 127.0.0.1:8000"),
        (vec!["--max-runs", "0"], "expected a whole number from 1 to"),
        (vec!["--database", "mysql://user:hunter2@db/enact"], "expected the address of a Postgres database"),
        (
            vec!["--database", "postgres://user:hunter2@127.0.0.1:1/enact"],
            "the database 127.0.0.1:1/enact cannot be used",
        ),
        (vec!["--allow-origin", "*"], "--allow-origin"),
        (vec!["--cast-dir", "nowhere"], "nowhere"),
    ] {
        let said = refused(&project, &flags);
        assert!(said.contains(expected), "{flags:?}: {said}");
        assert!(!said.contains("hunter2"), "{flags:?}: {said}");
    }
    project.write("file", "not a folder");
    let said = refused(&project, &["--data-dir", "file"]);
    assert!(said.contains("the data folder 'file' cannot be used"), "{said}");
}

#[test]
fn bad_requests_are_told_what_is_wrong_and_nothing_of_this_machine() {
    let project = Project::new();
    let server = serve(&project);
    let mut unknown = config();
    unknown["characters"] = json!(["alice", "bobb"]);
    let mut scripted = config();
    scripted["models"] = json!({"bob": "script:/etc/passwd"});
    for (config, code, hint) in [
        (unknown, "CHARACTER_LOAD_ERROR", "did you mean 'bob'?"),
        (scripted, "INVALID_CONFIG", "there are: improviser, human"),
    ] {
        let answer = server.post("/v1/scenes", &json!({ "config": config }));
        assert!((400..500).contains(&answer.status), "{}", answer.body);
        let error = &answer.json()["error"];
        assert_eq!((&error["code"], &error["context"]["hint"]), (&code.into(), &hint.into()));
        let folder = project.path().to_string_lossy().into_owned();
        assert!(!answer.body.contains(&folder), "{}", answer.body);
    }
}
