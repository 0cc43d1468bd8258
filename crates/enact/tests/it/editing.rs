//! Sheets and scenes written over HTTP: by those who may, one version at a time.

use serde_json::{Value, json};

use crate::{
    project::Project,
    server::{
        Server,
        client::{Answer, call},
    },
};

const ALICE: &str = "/v1/project/sheets/alice";
const TOKENS: &str = "[tokens.page]\nvariable = \"PAGE_TOKEN\"\nscopes = [\"run\"]\n\
                      [tokens.writer]\nvariable = \"WRITER_TOKEN\"\nscopes = [\"edit\"]\n";

fn put(server: &Server, path: &str, text: &str, headers: &[(&str, &str)]) -> Answer {
    let headers = [&[("Content-Type", "application/json")], headers].concat();
    call(server.address(), "PUT", path, &headers, &json!({ "text": text }).to_string()).unwrap()
}

fn code(answer: &Answer) -> Value {
    answer.json()["error"]["code"].clone()
}

#[test]
fn new_files_are_as_private_as_the_operator_says() {
    use std::os::unix::fs::PermissionsExt as _;
    let project = Project::new();
    let serve = project.command(&["serve", "--bind", "127.0.0.1:0", "--edit"]);
    let mut private = std::process::Command::new("sh");
    private.args(["-c", "umask 077 && exec \"$0\" \"$@\""]).arg(serve.get_program()).args(serve.get_args());
    private.current_dir(project.path());
    for (name, value) in serve.get_envs() {
        match value {
            Some(value) => private.env(name, value),
            None => private.env_remove(name),
        };
    }
    let server = Server::start(private);
    assert_eq!(put(&server, "/v1/project/sheets/eve", "# Eve\n", &[]).status, 201);
    let about = std::fs::metadata(project.path().join(".claude/agents/eve.md")).unwrap();
    assert_eq!(about.permissions().mode() & 0o777, 0o600);
}

#[test]
fn names_that_are_no_text_are_refused_in_json() {
    let project = Project::new();
    let server = Server::start(project.command(&["serve", "--bind", "127.0.0.1:0", "--edit", "--games"]));
    let run = uuid::Uuid::nil();
    for path in [
        "/v1/project/sheets/%FF".to_owned(),
        "/v1/share/%FF".to_owned(),
        "/page/%FF".to_owned(),
        format!("/v1/fields/{run}/entities/%FF"),
    ] {
        let answer = server.get(&path);
        assert!(
            answer.status == 404 && code(&answer).is_string(),
            "{path}: {} {}",
            answer.status,
            answer.body
        );
    }
}

#[test]
fn a_file_is_replaced_by_those_who_know_what_they_replace() {
    let project = Project::new();
    let server = Server::start(project.command(&["serve", "--bind", "127.0.0.1:0", "--edit"]));
    let read = server.get(ALICE);
    let etag = read.header("etag").expect("a version").to_owned();
    assert_eq!(read.json()["text"], project.read(".claude/agents/alice.md"));

    let new = "# Alice - Pilot\n";
    assert_eq!(code(&put(&server, ALICE, new, &[])), "IF_MATCH_REQUIRED");
    assert_eq!(put(&server, ALICE, new, &[]).status, 428);
    assert_eq!(put(&server, ALICE, new, &[("If-Match", "\"other\"")]).status, 412);
    assert_eq!(put(&server, ALICE, new, &[("If-None-Match", "*")]).status, 412);
    let written = put(&server, ALICE, new, &[("If-Match", &etag)]);
    assert_eq!(written.status, 200, "{}", written.body);
    assert_eq!(project.read(".claude/agents/alice.md"), new);
    assert_eq!(
        put(&server, ALICE, "# Again\n", &[("If-Match", &etag)]).status,
        412,
        "it is another version now"
    );

    let scene = "/v1/project/scenes/the-harbour";
    assert_eq!(server.get(scene).status, 404);
    let bad = put(&server, scene, "---\ncharacters: [alice, bob]\nmaxBeats: many\n---\nThey talk.\n", &[]);
    assert_eq!((bad.status, &bad.json()["error"]["context"]["line"]), (422, &json!(3)), "{}", bad.body);
    let made =
        put(&server, scene, "---\ncharacters: [alice, bob]\n---\nThey talk.\n", &[("If-None-Match", "*")]);
    assert_eq!(made.status, 201, "{}", made.body);
    assert!(project.read("scenes/the-harbour.md").contains("They talk."));
    let offered = server.get("/v1/project").json();
    assert!(offered["scenes"].as_array().unwrap().iter().any(|one| one["config"]["name"] == "the-harbour"));

    let large = "x".repeat(300 * 1024);
    assert_eq!(put(&server, "/v1/project/sheets/eve", &large, &[]).status, 413);
    for path in ["/v1/project/sheets/..%2Fx", "/v1/project/sheets/.x", "/v1/project/sheets/a%20b"] {
        assert_eq!(put(&server, path, "# X\n", &[]).status, 404, "{path}");
    }
    assert_eq!(code(&server.get("/v1/project/models/x")), "NO_SUCH_ROUTE");
}

#[test]
fn nobody_else_edits() {
    let project = Project::new();
    let closed = Server::start(project.command(&["serve", "--bind", "127.0.0.1:0"]));
    assert_eq!(code(&closed.get(ALICE)), "EDITING_OFF");
    assert_eq!(code(&put(&closed, ALICE, "# X\n", &[])), "EDITING_OFF");
    assert_eq!(closed.get("/v1/project").json()["editable"], false);
    drop(closed);

    let config = project.write("enact.toml", TOKENS);
    let mut command =
        project.command(&["--config", config.to_str().unwrap(), "serve", "--bind", "127.0.0.1:0", "--edit"]);
    command.env("PAGE_TOKEN", "a-token-that-may-run").env("WRITER_TOKEN", "a-token-that-may-edit");
    let server = Server::start(command);
    let with = |token: &str| {
        let header = format!("Bearer {token}");
        call(server.address(), "GET", ALICE, &[("Authorization", &header)], "").unwrap()
    };
    assert_eq!(with("a-token-that-may-run").status, 403);
    assert_eq!(with("a-token-that-may-edit").status, 200);
    assert_eq!(server.get(ALICE).status, 401);
}
