//! What is carried from session to session, who may see what a character thinks, and why an answer came.

use serde_json::{Value, json};

use crate::{project::Project, server::Server};

const FIRST: &str = "---\ntitle: The Bar\ncharacter: mina\nseries: nights\ncompletion_mode: turn_limited\nturn_budget: 2\n---\nA bar, late.\n";
const SECOND: &str = "---\ntitle: The Pier\ncharacter: mina\nseries: nights\ncompletion_mode: turn_limited\nturn_budget: 2\n---\nA pier at dawn.\n";
const THIRD: &str = "---\ntitle: The Quay\ncharacter: ada\nseries: nights\ncompletion_mode: turn_limited\nturn_budget: 2\n---\nA quay.\n";
const SERIES: &str = "---\ntitle: Nights\ntype: serial\nepisodes: [bar, pier, quay]\n---\nTwo nights.\n";
const SCRIPT: &str = r#"turn 1
mina: {"action": "", "dialogue": "Is that so?", "mood": "calm", "tension_shift": 0.1, "internal": "Never trust a sailor."}
turn 2
mina: {"action": "", "dialogue": "Good to know.", "mood": "calm", "tension_shift": 0.1, "internal": "A sailor indeed."}
"#;

fn story() -> Project {
    let project = Project::empty();
    project.write(".claude/agents/mina.md", "# Mina\nRuns the night bar.\n");
    project.write("episodes/bar.md", FIRST);
    project.write("episodes/pier.md", SECOND);
    project.write("episodes/quay.md", THIRD);
    project.write(".claude/agents/ada.md", "# Ada\nSells tickets.\n");
    project.write("series/nights.md", SERIES);
    project.write("mina.txt", SCRIPT);
    project
}

const SAID: &str = "I work at the harbour. I love rain.\nMy sister lives in Bergen. I have an exam.\n";

fn play(project: &Project, episode: &str, said: &str) {
    let args = ["play", episode, "--model", "script:mina.txt", "-q"];
    let ran = project.run_with_input(&args, said.as_bytes());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

/// The first fact of the newest run.
fn setup(project: &Project) -> Value {
    let log = project.run(&["export", "latest", "--format", "jsonl"]).stdout;
    let first: Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
    first["body"]["setup"].clone()
}

#[test]
fn a_character_remembers_in_the_next_session() {
    let project = story();
    play(&project, "bar", SAID);
    play(&project, "pier", "Back to the harbour?\nYes.\n");
    let setup = setup(&project);
    let remembered: Vec<&str> =
        setup["memories"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap()).collect();
    for text in ["I work at the harbour.", "I love rain.", "My sister lives in Bergen."] {
        assert!(remembered.contains(&text), "{text}: {remembered:?}");
    }
    assert!(setup["soFar"][0].as_str().unwrap().starts_with("The Bar: 2 exchanges with Mina."), "{setup}");
    assert_eq!(setup["context"]["hooks"][0]["text"], "I have an exam.");
    let insight = project.run(&["insight", "latest", "--turn", "1", "--json"]).json();
    assert_eq!(insight["turns"][0]["memories_used"], json!(["I work at the harbour."]));
    assert_eq!(insight["turns"][0]["internal"], "Never trust a sailor.");
    // Derived anew, the rows are the same.
    let before = project.run(&["memory", "mina", "--json"]).stdout;
    assert_eq!(project.run(&["reindex"]).code, 0);
    assert_eq!(project.run(&["memory", "mina", "--json"]).stdout, before);
}

#[test]
fn a_serial_goes_on_with_another_character_who_remembers_nothing() {
    let project = story();
    play(&project, "bar", SAID);
    play(&project, "pier", "Hello.\nYes.\n");
    let ran = project.run_with_input(&["play", "quay", "-q"], b"Hello.\n");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let setup = setup(&project);
    let so_far: Vec<&str> =
        setup["soFar"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    assert!(so_far[0].starts_with("The Bar:") && so_far[1].starts_with("The Pier:"), "{so_far:?}");
    assert!(setup.get("memories").is_none(), "{setup}");
    assert!(setup["context"].get("relationship").is_none(), "{setup}");
}

#[test]
fn memories_are_shown_corrected_and_forgotten() {
    let project = story();
    assert!(project.run(&["memory", "mina"]).code != 0, "nothing is kept here yet");
    play(&project, "bar", SAID);
    let shown = project.run(&["memory", "mina"]).stdout;
    assert!(shown.contains("I work at the harbour.") && shown.contains(", turn 1"), "{shown}");
    let numbered = |text: &str| {
        let memories = project.run(&["memory", "mina", "--json"]).json();
        let all = memories["memories"].as_array().unwrap().clone();
        all.iter().find(|one| one["text"] == text).map(|one| one["number"].to_string())
    };
    let edit = format!("{}=I work at the market.", numbered("I work at the harbour.").unwrap());
    let forget = numbered("I love rain.").unwrap();
    let ran = project.run(&["memory", "mina", "--edit", &edit, "--forget", &forget]);
    assert_eq!(ran.stdout, "2 corrected\n", "{}", ran.stderr);
    assert!(numbered("I work at the market.").is_some());
    assert!(numbered("I love rain.").is_none() && numbered("I work at the harbour.").is_none());
    assert_eq!(project.run(&["reindex"]).code, 0);
    play(&project, "pier", "Hello\nBye\n");
    let memories = setup(&project)["memories"].to_string();
    assert!(memories.contains("I work at the market.") && !memories.contains("rain"), "{memories}");
    // Bad input, and what is said of it.
    let cases: [(&[&str], &str); 4] = [
        (&["--forget", "99"], "there is no memory 99"),
        (&["--edit", "1"], "expected NUMBER=TEXT"),
        (&["--edit", "x=y"], "expected NUMBER=TEXT"),
        (&["--edit", "1="], "expected NUMBER=TEXT"),
    ];
    for (args, said) in cases {
        let ran = project.run(&[&["memory", "mina"], args].concat());
        assert!(ran.code != 0 && ran.stderr.contains(said), "{args:?}: {}", ran.stderr);
    }
    assert_eq!(project.run(&["memory", "mina", "--clear"]).code, 0);
    assert_eq!(project.run(&["memory", "mina"]).stdout, "mina remembers nothing yet.\n");
}

#[test]
fn what_is_thought_leaves_with_nothing_but_insight() {
    let project = story();
    play(&project, "bar", SAID);
    for format in ["jsonl", "debug", "prompts", "txt", "json", "md", "metadata"] {
        let exported = project.run(&["export", "latest", "--format", format]);
        assert_eq!(exported.code, 0, "{format}: {}", exported.stderr);
        assert!(!exported.stdout.contains("sailor"), "{format}: {}", exported.stdout);
    }
    let shown = project.run(&["insight", "latest"]).stdout;
    assert!(shown.contains("thought    Never trust a sailor.") && shown.contains("tension"), "{shown}");
    let ran = project.run(&["insight", "latest", "--turn", "7"]);
    assert!(ran.code != 0 && ran.stderr.contains("turns 1 to 2 have"), "{}", ran.stderr);
    let fork = project.run_with_input(&["fork", "latest", "--at", "1"], b"Hm.\n");
    assert!(!fork.stdout.contains("sailor"), "{}", fork.stdout);
    let branch = project.run(&["insight", "latest", "--turn", "1", "--json"]).stdout;
    assert!(!branch.contains("Never trust"), "a branch does not know what was thought: {branch}");
}

#[test]
fn a_session_over_http_is_carried_on_and_tells_its_owner_why() {
    let project = story();
    let server = Server::start(project.command(&["serve", "--bind", "127.0.0.1:0"]));
    let begin = |episode: &str| {
        let begun = server.post("/v1/sessions", &json!({ "episode": episode }));
        assert_eq!(begun.status, 201, "{}", begun.body);
        begun.json()["sessionId"].as_str().unwrap().to_owned()
    };
    let bar = begin("bar");
    for (at, text) in SAID.lines().enumerate() {
        let sent = server
            .post(&format!("/v1/sessions/{bar}/messages"), &json!({"id": at.to_string(), "text": text}));
        assert_eq!(sent.status, 200, "{}", sent.body);
    }
    let thought = server.get(&format!("/v1/sessions/{bar}/insight")).json();
    assert_eq!(thought["turns"].as_array().unwrap().len(), 2, "{thought}");
    let internal = thought["turns"][0]["internal"].as_str().unwrap_or_default().to_owned();
    assert!(!internal.is_empty(), "the improviser thinks: {thought}");
    assert!(thought["turns"][1]["tension"]["after"].is_number());
    for path in ["log", "transcript?format=debug", "transcript?format=json", "events"] {
        let shown = server.get(&format!("/v1/runs/{bar}/{path}"));
        assert_eq!(shown.status, 200, "{path}");
        assert!(!shown.body.contains(&internal), "{path}: {}", shown.body);
    }
    assert_eq!(server.get(&format!("/v1/sessions/{bar}/insight?turn=9")).status, 404);
    let pier = begin("pier");
    let log = server.get(&format!("/v1/runs/{pier}/log")).body;
    assert!(log.contains("My sister lives in Bergen.") && log.contains("The Bar: 2 exchanges"), "{log}");
}
