//! Fields through the real binary: in the terminal, over HTTP, and after a kill.

use std::{
    io::{BufRead, BufReader},
    process::Stdio,
};

use enact_testkit::waiting::blocking::until_some;
use fake_provider::{Api, FakeProvider, Fault, PlannedResponse};
use serde_json::{Value, json};

use crate::{
    project::{Project, Ran},
    server::{Server, client::call},
};

const SNUG: &str = "---
title: The Snug
minutes: 3
needs: { fun: [40, 60], energy: [10, 20] }
things:
  S: { name: stool, offers: [sit] }
  T: { name: table, solid: true }
people:
  a: alice
  b: bob
  c: { name: old-tom, about: Has been here all day. }
---
Rain outside. Three regulars wait for it to stop.

```map
##########
#a..T..b.#
#..S..S..#
#...c....#
##########
```
";

fn snug() -> Project {
    let project = Project::new();
    project.write("field.md", SNUG);
    project
}

fn example(name: &str) -> String {
    format!("{}/../../examples/{name}/field.md", env!("CARGO_MANIFEST_DIR"))
}

fn spoken(ran: &Ran) -> Vec<(Value, Value)> {
    let document = ran.json();
    let lines = document["lines"].as_array().unwrap().iter().filter(|line| line["kind"] == "line");
    lines.map(|line| (line["speaker"].clone(), line["content"].clone())).collect()
}

#[test]
fn the_examples_are_played_and_come_to_the_same_for_the_same_seed() {
    for (name, minutes) in [("tavern", "10"), ("lighthouse", "5"), ("market", "6")] {
        let file = example(name);
        let args = ["field", &file, "--headless", "--json", "--seed", "7", "--minutes", minutes];
        let (project, other) = (Project::empty(), Project::empty());
        let (ran, again) = (project.run(&args), other.run(&args));
        assert_eq!(ran.code, 0, "{name}: {}", ran.stderr);
        assert!(spoken(&ran).len() > 10, "{name}: {:?}", spoken(&ran));
        assert_eq!(spoken(&ran), spoken(&again), "{name}");
        let metadata = &ran.json()["metadata"];
        let conversations = metadata["conversations"].as_array().unwrap();
        assert!(conversations.len() > 1, "{name}: {metadata}");
        let verified = project.run(&["field", "--verify", "latest"]);
        assert!(verified.stdout.contains("comes to the same"), "{name}: {}", verified.stdout);
        let longest = conversations.iter().max_by_key(|one| one["lines"].as_u64()).unwrap();
        let id = longest["id"].as_str().unwrap();
        let alone = project.run(&["export", "latest", "--conversation", id, "--format", "txt"]);
        assert!(alone.stdout.contains("begin to talk"), "{name}: {}", alone.stdout);
        let whole = project.run(&["replay", "latest"]);
        assert!(whole.stdout.len() > alone.stdout.len() && whole.stdout.contains("FIELD END"), "{name}");
    }
}

#[test]
fn twelve_people_in_a_tavern_sit_eat_cook_play_and_talk() {
    let project = Project::empty();
    let ran = project.run(&["field", &example("tavern"), "--headless", "--json", "--seed", "3"]);
    let done = &ran.json()["metadata"]["interactions"];
    for kind in ["sit", "eat", "cook", "drink", "cards", "conversation", "nod"] {
        assert!(done[kind].as_u64().unwrap_or(0) > 0, "{kind}: {done}");
    }
}

#[test]
fn a_field_that_was_killed_goes_on_to_the_same_lines() {
    let whole = snug().run(&["field", "field.md", "--headless", "--json", "--seed", "5"]);
    let project = snug();
    let mut command = project.command(&["field", "field.md", "--speed", "60", "--seed", "5"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    // Some of it was told, and so it is stored.
    let told = BufReader::new(child.stdout.take().unwrap()).lines().take(8).count();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(told, 8, "it had begun");
    assert_ne!(project.run(&["runs", "--json"]).json()[0]["status"], "finished");
    let resumed = project.run(&["field", "--resume", "latest", "--headless", "--json"]);
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    assert!(spoken(&whole).len() > 5, "people talk");
    assert_eq!(spoken(&resumed), spoken(&whole));
    assert!(project.run(&["field", "--verify", "latest"]).stdout.contains("comes to the same"));
    let fork = project.run(&["fork", "latest", "--at", "60"]);
    assert_eq!(fork.code, 0, "{}", fork.stderr);
}

#[test]
fn field_files_are_checked_and_what_is_wrong_is_said() {
    let project = snug();
    let checked = project.run(&["check", "field.md"]);
    assert!(checked.stdout.contains("is a field: The Snug"), "{}{}", checked.stdout, checked.stderr);
    project.write("field.md", SNUG.replace("offers: [sit]", "offers: [sitt]"));
    for args in [&["check", "field.md"][..], &["check"], &["field", "field.md"]] {
        let ran = project.run(args);
        assert_ne!(ran.code, 0, "{args:?}");
        assert!(ran.stderr.contains("did you mean 'sit'?"), "{args:?}: {}", ran.stderr);
    }
    project.write("field.md", SNUG.replace("a: alice", "a: nobody"));
    assert!(project.run(&["field", "field.md"]).stderr.contains("nobody"));
    assert!(project.run(&["field", "missing.md"]).stderr.contains("missing.md"));
    let played = snug();
    played.run(&["field", "field.md", "--headless", "-q"]);
    let ran = played.run(&["export", "latest", "--conversation", "conv_9999", "--format", "txt"]);
    assert!(ran.stderr.contains("there is no conversation 'conv_9999'"), "{}", ran.stderr);
}

#[test]
fn a_field_over_http_is_drawn_steered_and_followed() {
    let project = snug();
    let server = Server::start(project.command(&["serve", "--bind", "127.0.0.1:0"]));
    let fields = server.get("/v1/fields").json();
    assert_eq!(fields["fields"][0]["title"], "The Snug", "{fields}");
    let name = fields["fields"][0]["name"].clone();
    let begun = server.post("/v1/fields", &json!({"field": name, "speed": 1, "seed": 5, "minutes": 20}));
    assert_eq!(begun.status, 202, "{}", begun.body);
    let run = begun.json()["runId"].as_str().unwrap().to_owned();
    let command = |command: Value| server.post(&format!("/v1/runs/{run}/commands"), &command);
    assert_eq!(command(json!({"command": "pause"})).status, 202);
    let paused = until_some(|| {
        let shown = server.get(&format!("/v1/fields/{run}")).json();
        (shown["paused"] == true).then_some(shown)
    });
    assert_eq!(paused["map"].as_array().unwrap().len(), 5);
    for wanted in [
        json!({"command": "step", "ticks": 20}),
        json!({"command": "world_event", "text": "The lamp goes out."}),
        json!({"command": "place", "person": "Dot", "x": 5, "y": 2}),
        json!({"command": "remove", "entity": "Dot"}),
        json!({"command": "speed", "factor": 0}),
        json!({"command": "resume"}),
    ] {
        assert_eq!(command(wanted.clone()).status, 202, "{wanted}");
    }
    for (wrong, hint) in [
        (json!({"command": "place", "thing": "tabel", "x": 5, "y": 2}), "did you mean 'table'?"),
        (json!({"command": "remove", "entity": "Alicia"}), "did you mean 'Alice'?"),
        (json!({"command": "watch", "entity": "Bobb"}), "did you mean 'Bob'?"),
    ] {
        let refused = command(wrong);
        assert_eq!((refused.status, &refused.json()["error"]["code"]), (400, &json!("INVALID_COMMAND")));
        assert!(refused.body.contains(hint), "{}", refused.body);
    }
    let events = format!("/v1/fields/{run}/events");
    let followed = server.get(&format!("{events}?from=0")).body;
    for name in
        ["snapshot", "delta", "world_event", "placed", "removed", "interaction_started", "line", "done"]
    {
        assert!(followed.contains(&format!("event: {name}\n")), "{name}");
    }
    let alice = server.get(&format!("/v1/fields/{run}/entities/alice")).json();
    assert_eq!((&alice["name"], &alice["needs"]["fun"].is_u64()), (&json!("Alice"), &true), "{alice}");
    assert!(alice["memory"]["seen"].is_array(), "{alice}");
    assert_eq!(server.get(&format!("/v1/fields/{run}/entities/nobody")).status, 404);
    // Those who come later hear the same, also where the log is told from a checkpoint on.
    let told: Vec<&str> = followed.split_inclusive("\n\n").collect();
    let id_of = |at: usize| told[at]["id: ".len()..].split('\n').next().unwrap();
    let tick_of = |at: usize| -> u32 { id_of(at).split('.').next().unwrap().parse().unwrap() };
    assert!((1..told.len()).all(|at| tick_of(at - 1) <= tick_of(at)), "ids are ticks");
    assert!(server.get(&format!("/v1/runs/{run}")).json()["events"].as_u64() > Some(500), "too few");
    let after = |id: &str| call(server.address(), "GET", &events, &[("Last-Event-ID", id)], "").unwrap();
    let mut within_a_tick = 0;
    for seen in [0, 1, 2, 10, told.len() / 2, told.len() / 2 + 1, told.len() - 20, told.len() - 1] {
        within_a_tick += usize::from(id_of(seen).contains('.'));
        assert_eq!(after(id_of(seen)).body, told[seen + 1..].concat(), "after event {}", id_of(seen));
    }
    assert!(within_a_tick > 0, "some tick has more than one event");
    let tick = tick_of(told.len() / 2);
    let first = (0..told.len()).find(|at| tick_of(*at) >= tick).unwrap();
    assert_eq!(server.get(&format!("{events}?from={tick}")).body, told[first..].concat(), "from tick {tick}");
    for wrong in ["99999999", "-1", "12.x", "NaN", "1.2.3"] {
        assert_eq!(after(wrong).json()["error"]["code"], "INVALID_CURSOR", "{wrong}");
    }
    // Who has seen nothing is told how it stands: it is over.
    let now = server.get(&events).body;
    let names: Vec<&str> = now.lines().filter_map(|line| line.strip_prefix("event: ")).collect();
    assert_eq!(names, ["snapshot", "done"]);
    assert_eq!(server.get(&format!("/v1/fields/{run}")).json()["lastEventId"], id_of(told.len() - 1));
    assert_eq!(server.post("/v1/fields", &json!({"field": "nowhere"})).status, 422);
    assert_eq!(server.post("/v1/fields", &json!({"field": name, "speed": 99})).status, 422);
}

#[test]
fn readers_of_a_field_share_what_is_told_and_begin_with_how_it_stands() {
    let project = snug();
    let server = Server::start(project.command(&["serve", "--bind", "127.0.0.1:0"]));
    let name = server.get("/v1/fields").json()["fields"][0]["name"].clone();
    let body = json!({"field": name, "speed": 60, "seed": 5, "minutes": 3});
    let run = server.post("/v1/fields", &body).json()["runId"].as_str().unwrap().to_owned();
    let path = format!("/v1/fields/{run}/events");
    until_some(|| {
        (server.get(&format!("/v1/fields/{run}")).json()["tick"].as_u64() > Some(100)).then_some(())
    });
    let followed: Vec<String> = std::thread::scope(|threads| {
        let readers: Vec<_> = (0..3).map(|_| threads.spawn(|| server.get(&path).body)).collect();
        readers.into_iter().map(|reader| reader.join().unwrap()).collect()
    });
    let whole = server.get(&format!("{path}?from=0")).body;
    for told in &followed {
        let (snapshot, rest) = told.split_once("\n\n").unwrap();
        assert!(snapshot.contains("event: snapshot\n") && !snapshot.starts_with("id: 0\n"), "{snapshot}");
        assert!(whole.ends_with(rest) && rest.contains("event: done\n"), "what follows is what all are told");
    }
}

/// A language model with a price that decides, and plays everyone.
fn configure(project: &Project, provider: &FakeProvider, more: &str) {
    let base = provider.base_url_for(Api::OpenAi);
    project.write(
        "enact.toml",
        format!(
            "{more}[models.lead]\nprovider = \"openai-compatible\"\nmodel = \"llama\"\nbase_url = \"{base}\"\n\
             retries = 0\nprice = {{ input = 3.0, output = 15.0 }}\n"
        ),
    );
}

fn model() -> FakeProvider {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let answer = r#"{"action":"wander","entity_name":null,"interaction_name":null,"x":null,"y":null,"bid_id":null,"accept":null,"reason":"bored"}"#;
    runtime.block_on(FakeProvider::builder().script(move |_| PlannedResponse::text(answer)).start())
}

#[test]
fn over_http_a_model_decides_for_those_near_somebody_watched() {
    let (project, provider) = (snug(), model());
    configure(&project, &provider, "");
    let server = Server::start(project.command(&["serve", "--bind", "127.0.0.1:0", "--minds", "lead"]));
    let name = server.get("/v1/fields").json()["fields"][0]["name"].clone();
    let begin = |more: Value| {
        let mut body = json!({"field": name, "speed": 0, "seed": 5, "minutes": 2});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        server.post("/v1/fields", &body)
    };
    let run_of = |begun: crate::server::client::Answer| begun.json()["runId"].as_str().unwrap().to_owned();
    let calls = |run: &str| {
        server.get(&format!("/v1/fields/{run}/events"));
        let metadata = server.get(&format!("/v1/runs/{run}")).json()["metadata"].clone();
        metadata["costs"]["byPurpose"]["decision"]["calls"].as_u64().unwrap_or(0)
    };
    let alone = run_of(begin(json!({})));
    assert_eq!(calls(&alone), 0, "nobody is watched, and nobody costs a call");
    let watched = run_of(begin(json!({"watch": "Alice"})));
    let asked = calls(&watched);
    assert!((5..=40).contains(&asked), "{asked} calls in two minutes");
    assert_eq!(provider.seen().len() as u64, asked);
    let shown = server.get(&format!("/v1/fields/{watched}")).json();
    assert_eq!((&shown["minds"], shown["watched"].is_string()), (&json!(true), true), "{shown}");
    let refused = begin(json!({"watch": "Alicia"}));
    assert_eq!(refused.status, 422);
    assert!(refused.body.contains("did you mean 'Alice'?"), "{}", refused.body);
}

#[test]
fn fallbacks_speak_in_a_field_and_decide_for_minds() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let broken = runtime.block_on(
        FakeProvider::builder().script(|_| PlannedResponse::fault(Fault::Status(500, None))).start(),
    );
    let (project, second) = (snug(), model());
    let entry = |name: &str, provider: &FakeProvider, more: &str| {
        let base = provider.base_url_for(Api::OpenAi);
        format!(
            "[models.{name}]\nprovider = \"openai-compatible\"\nmodel = \"llama\"\nbase_url = \"{base}\"\n\
             retries = 0\n{more}\n"
        )
    };
    let lead = entry("lead", &broken, "fallback = [\"improviser\", \"second\"]");
    project.write("enact.toml", format!("{lead}{}", entry("second", &second, "")));
    let ran = project.run(&["field", "field.md", "--headless", "--json", "--seed", "5", "--model", "lead"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(spoken(&ran).len() > 5, "the improviser speaks: {:?}", spoken(&ran));
    assert!(spoken(&ran)[0].0.as_str().unwrap().ends_with("(improviser)"), "{:?}", spoken(&ran)[0]);
    let fallbacks = &ran.json()["metadata"]["fallbacks"];
    assert!(fallbacks["alice"]["improviser"].as_u64() > Some(0), "{fallbacks}");

    let server = Server::start(project.command(&["serve", "--bind", "127.0.0.1:0", "--minds", "lead"]));
    let mind = json!({"mind_id": "ada", "entity_id": "npc_1", "config": {"traits": ["curious"]}});
    assert_eq!(server.post("/v1/minds", &mind).status, 201);
    let idle = json!({"observation": {"entity_id": "npc_1", "status": {"position": [2, 3], "activity_state": {"state_name": "idle"}}}});
    let told = server.post("/v1/minds/ada/decide", &idle).json();
    assert_eq!(
        (&told["action"]["action"], &told["telemetry"]["model"]),
        (&json!("wander"), &json!("second"))
    );
    assert_eq!(told["telemetry"]["model_calls"], 2, "{told}");
}

#[test]
fn people_remember_earlier_fields() {
    let project = Project::new();
    project.write("field.md", SNUG.replace("minutes: 3", "minutes: 3\nremember: true"));
    let play = |seed: &str| project.run(&["field", "field.md", "--headless", "--json", "--seed", seed]);
    assert_eq!(play("5").code, 0);
    let memory = project.run(&["memory", "alice"]);
    assert!(memory.stdout.contains("stands with  bob"), "{}{}", memory.stdout, memory.stderr);
    assert_eq!(play("6").code, 0);
    let log = project.run(&["export", "latest", "--format", "jsonl"]).stdout;
    let first: Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
    let remembered = &first["body"]["setup"]["remembered"]["alice"];
    assert!(remembered["relationships"]["bob"]["tone"].is_string(), "{remembered}");
    // A scene with the same people knows of it, and a field that does not remember brings nothing along.
    project.write("field.md", SNUG);
    assert_eq!(play("7").code, 0);
    let log = project.run(&["export", "latest", "--format", "jsonl"]).stdout;
    assert!(!log.lines().next().unwrap().contains("\"remembered\""));
}

#[test]
fn a_program_decides_for_somebody_in_a_field_over_http() {
    let project = snug();
    let server = Server::start(project.command(&["serve", "--bind", "127.0.0.1:0"]));
    let name = server.get("/v1/fields").json()["fields"][0]["name"].clone();
    let begun = server.post("/v1/fields", &json!({"field": name, "speed": 1, "seed": 5, "minutes": 20}));
    let run = begun.json()["runId"].as_str().unwrap().to_owned();
    let command = |command: Value| server.post(&format!("/v1/runs/{run}/commands"), &command);
    assert_eq!(command(json!({"command": "pause"})).status, 202);
    let move_to = json!({"action": "move_to", "parameters": {"x": 8, "y": 3}});
    let too_early = command(json!({"command": "act", "entity": "alice", "decision": move_to}));
    assert!(too_early.status == 400 && too_early.body.contains("'drive'"), "{}", too_early.body);
    assert_eq!(command(json!({"command": "drive", "entity": "alice"})).status, 202);
    assert_eq!(command(json!({"command": "step", "ticks": 40})).status, 202);
    assert_eq!(command(json!({"command": "act", "entity": "alice", "decision": move_to})).status, 202);
    assert_eq!(command(json!({"command": "step", "ticks": 2})).status, 202);
    let alice = until_some(|| {
        let alice = server.get(&format!("/v1/fields/{run}/entities/alice")).json();
        (alice["walksTo"] == json!({"x": 8, "y": 3})).then_some(alice)
    });
    assert_eq!(alice["state"], "MOVING", "{alice}");
    assert_eq!(command(json!({"command": "cancel"})).status, 202);
    let told = server.get(&format!("/v1/fields/{run}/events?from=0")).body;
    assert!(told.contains("event: driven\n") && told.contains("event: decision_wanted\n"), "{told}");
}

#[test]
fn a_server_s_budget_holds_for_fields_and_minds() {
    let (project, provider) = (snug(), model());
    configure(&project, &provider, "[serve]\nbudget = 0.03\n\n");
    let server = Server::start(project.command(&["serve", "--bind", "127.0.0.1:0", "--minds", "lead"]));
    let name = server.get("/v1/fields").json()["fields"][0]["name"].clone();
    let body = json!({"field": name, "speed": 0, "seed": 5, "minutes": 10, "watch": "Alice"});
    let run = server.post("/v1/fields", &body).json()["runId"].as_str().unwrap().to_owned();
    server.get(&format!("/v1/fields/{run}/events"));
    let metadata = server.get(&format!("/v1/runs/{run}")).json()["metadata"].clone();
    let spent = metadata["costs"]["estimatedUSD"].as_f64().unwrap();
    assert!(spent > 0.003 && spent <= 0.03, "{metadata}");
    let log = server.get(&format!("/v1/runs/{run}/log")).body;
    assert!(log.contains("the budget is used up"), "rules decide for the rest");

    let mind = json!({"mind_id": "ada", "entity_id": "npc_1", "config": {"traits": ["curious"]}});
    assert_eq!(server.post("/v1/minds", &mind).status, 201);
    let idle = json!({"observation": {"entity_id": "npc_1", "status": {"position": [2, 3], "activity_state": {"state_name": "idle"}}}});
    let told: Vec<Value> = (0..30).map(|_| server.post("/v1/minds/ada/decide", &idle).json()).collect();
    let asked = told.iter().filter(|one| one["telemetry"]["model_calls"] == 1).count();
    assert!((2..30).contains(&asked), "{asked} questions");
    assert_eq!(told[29]["telemetry"]["model_calls"], 0, "rules decide in the end");
}
