//! Minds for other people's games, through the real binary: over HTTP, and after a kill.

use std::time::Duration;

use enact_testkit::waiting::blocking;
use fake_provider::{Api, FakeProvider, PlannedResponse};
use serde_json::{Value, json};

use crate::{project::Project, server::Server};

fn serve(project: &Project) -> Server {
    Server::start(project.command(&["serve", "--bind", "127.0.0.1:0"]))
}

/// A hungry body beside an apple, idle.
fn hungry(entity: &str) -> Value {
    json!({
        "entity_id": entity,
        "current_simulation_time": 60,
        "status": {
            "position": [2, 3], "movement_locked": false, "current_interaction": {},
            "activity_state": { "state_name": "idle" },
        },
        "needs": { "needs": { "hunger": 12.0, "fun": 80.0 }, "max_value": 100.0 },
        "vision": { "visible_entities": [
            { "entity_id": "apple_1", "display_name": "Apple", "position": [2, 4], "interactions": {
                "eat": { "name": "eat", "description": "Eat it", "needs_filled": ["hunger"], "needs_drained": [] },
            }},
        ]},
    })
}

fn create(server: &Server, mind: &str) -> Value {
    let config = json!({ "traits": ["curious"], "initial_long_term_memories": ["I was a miller."] });
    let made = server.post("/v1/minds", &json!({ "mind_id": mind, "entity_id": "npc_1", "config": config }));
    assert_eq!(made.status, 201, "{}", made.body);
    made.json()
}

#[test]
fn a_mind_decides_over_http_is_listed_and_survives_a_kill() {
    let project = Project::new();
    let server = serve(&project);
    let made = create(&server, "ada");
    assert_eq!((&made["status"], &made["entity_id"]), (&json!("created"), &json!("npc_1")));
    let ask = json!({ "observation": hungry("npc_1"), "request_id": "first" });
    let decided = server.post("/v1/minds/ada/decide", &ask).json();
    assert_eq!(decided["status"], "success", "{decided}");
    assert_eq!(decided["action"]["action"], "interact_with");
    assert_eq!(decided["action"]["parameters"], json!({ "entity_id": "apple_1", "interaction_name": "eat" }));
    assert_eq!(decided["telemetry"]["model_calls"], 0);
    assert_eq!(decided["telemetry"]["provenance"], "metered");

    server.kill();
    let server = serve(&project);
    // A call that is repeated gets the answer that it got before, from the log.
    let again = server.post("/v1/minds/ada/decide", &ask).json();
    assert_eq!(again["action"], decided["action"]);
    assert_eq!(again["request_id"], "first");
    let state = server.get("/v1/minds/ada").json();
    assert_eq!(state["entity_id"], "npc_1");
    assert_eq!(state["long_term_memory_count"], 1);
    let listed = server.get("/v1/minds").json();
    assert_eq!(listed["minds"][0]["mindId"], "ada", "{listed}");
    let run = made["run_id"].as_str().unwrap();
    assert_eq!(server.get(&format!("/v1/runs/{run}")).json()["production"], "mind");
    let costs = server.get(&format!("/v1/runs/{run}/costs"));
    assert_eq!(costs.status, 200, "{}", costs.body);
    let told = server.get(&format!("/v1/runs/{run}/transcript?format=txt")).body;
    assert!(told.contains("interact_with"), "{told}");
}

/// What an open store leaves beside its database: its log, and the lock of whoever has it open.
fn left_open(project: &Project) -> Vec<String> {
    let left = |file: &String| {
        file.ends_with("-wal") || (file.contains("owners/") && !file.ends_with("owners/opening"))
    };
    project.files().into_iter().filter(left).collect()
}

#[test]
fn a_server_that_stops_closes_its_store_also_with_minds_in_memory() {
    let project = Project::new();
    let server = serve(&project);
    create(&server, "ada");
    assert!(!left_open(&project).is_empty(), "{:?}", project.files());
    let (status, log) = server.stop();
    assert!(status.success(), "{log}");
    assert_eq!(left_open(&project), [""; 0], "{log}");
    assert!(!log.contains("store was not closed"), "{log}");
}

#[test]
fn the_server_on_standard_input_closes_its_store_as_well() {
    let project = Project::new();
    let asks = [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" },
        }}),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
            "name": "create_mind", "arguments": { "mind_id": "ada", "entity_id": "npc_1" },
        }}),
    ];
    let asked: String = asks.iter().map(|ask| format!("{ask}\n")).collect();
    let ran = project.run_with_input(&["mcp"], asked.as_bytes());
    assert!(ran.stdout.contains("created"), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(left_open(&project), [""; 0], "{}", ran.stderr);
}

#[test]
fn a_mind_is_released_relinked_and_forgotten() {
    let project = Project::new();
    let server = serve(&project);
    assert_eq!(server.post("/v1/minds/bob/decide", &json!({ "observation": {} })).status, 404);
    create(&server, "bob");
    let finished = json!({ "event_type": "INTERACTION_FINISHED", "payload": { "interaction_name": "sit" } });
    let ask = json!({ "observation": hungry("npc_1"), "events": [finished] });
    assert_eq!(server.post("/v1/minds/bob/decide", &ask).status, 200);
    let wrong = json!({ "observation": hungry("npc_2") });
    assert_eq!(server.post("/v1/minds/bob/decide", &wrong).status, 422, "misrouted");

    let kept = server.post("/v1/minds/bob/consolidate", &json!({})).json();
    assert_eq!(kept, json!({ "status": "success", "consolidated_count": 1 }));
    let released = server.post("/v1/minds/bob/release", &json!({})).json();
    assert_eq!(released, json!({ "status": "released", "mind_id": "bob", "entity_id": "npc_1" }));
    assert_eq!(server.post("/v1/minds/bob/decide", &ask).status, 404);
    let linked = server.post("/v1/minds/bob/relink", &json!({ "entity_id": "npc_2" }));
    assert_eq!(linked.json()["status"], "relinked");
    assert_eq!(server.post("/v1/minds/bob/decide", &wrong).status, 200);
    // Made again, it is the one that it was.
    create(&server, "bob");
    assert_eq!(server.get("/v1/minds/bob").json()["long_term_memory_count"], 2);

    let forget =
        || crate::server::client::call(server.address(), "DELETE", "/v1/minds/bob", &[], "").unwrap();
    assert_eq!(forget().status, 204);
    assert_eq!(forget().status, 404);
    assert_eq!(server.get("/v1/minds").json()["minds"], json!([]));
}

fn configure(project: &Project, provider: &FakeProvider) {
    let base = provider.base_url_for(Api::OpenAi);
    project.write(
        "enact.toml",
        format!("[models.lead]\nprovider = \"openai-compatible\"\nmodel = \"llama\"\nbase_url = \"{base}\"\nretries = 0\n"),
    );
}

fn provider(answer: &'static str, after: Duration) -> FakeProvider {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let builder = FakeProvider::builder().script(move |_| PlannedResponse::text(answer).after(after));
    runtime.block_on(builder.start())
}

#[test]
fn a_model_decides_is_billed_and_what_it_may_not_do_is_not_done() {
    for (answer, action, complaints) in [
        (r#"{"action":"wander","reason":"bored"}"#, "wander", 0),
        (r#"{"action":"cancel_interaction"}"#, "continue", 1),
        ("no JSON", "continue", 1),
    ] {
        let project = Project::new();
        let provider = provider(answer, Duration::ZERO);
        configure(&project, &provider);
        let server = Server::start(project.command(&["serve", "--bind", "127.0.0.1:0", "--minds", "lead"]));
        let run = create(&server, "ada")["run_id"].as_str().unwrap().to_owned();
        let decided = server.post("/v1/minds/ada/decide", &json!({ "observation": hungry("npc_1") })).json();
        assert_eq!(decided["action"]["action"], action, "{decided}");
        let telemetry = &decided["telemetry"];
        assert_eq!(
            (&telemetry["model_calls"], &telemetry["model"]),
            (&json!(1), &json!("lead")),
            "{telemetry}"
        );
        assert!(telemetry["prompt_tokens"].as_u64().unwrap() > 0, "{telemetry}");
        let metadata = server.get(&format!("/v1/runs/{run}")).json()["metadata"].clone();
        assert_eq!(metadata["complaints"].as_array().unwrap().len(), complaints, "{metadata}");
        let costs = &metadata["costs"];
        assert_eq!(costs["byPurpose"]["mind_decision"]["calls"], 1, "{costs}");
        // Whoever walks is not thought about.
        let mut walking = hungry("npc_1");
        walking["status"]["activity_state"]["state_name"] = json!("moving");
        let decided = server.post("/v1/minds/ada/decide", &json!({ "observation": walking })).json();
        assert_eq!(decided["telemetry"]["model_calls"], 0, "{decided}");
        assert_eq!(provider.seen().len(), 1);
    }
}

#[test]
fn a_call_that_is_sent_twice_has_the_same_answer_and_holds_up_no_other() {
    let project = Project::new();
    let provider = provider(r#"{"action":"wander"}"#, Duration::from_secs(1));
    configure(&project, &provider);
    let server = Server::start(project.command(&["serve", "--bind", "127.0.0.1:0", "--minds", "lead"]));
    create(&server, "ada");
    let ask = |request: &str| {
        let told = json!({ "observation": hungry("npc_1"), "request_id": request });
        server.post("/v1/minds/ada/decide", &told).json()
    };
    std::thread::scope(|scope| {
        let first = scope.spawn(|| ask("r-1"));
        blocking::until(|| !provider.seen().is_empty());
        let again = ask("r-1");
        let first = first.join().unwrap();
        assert_eq!(first["action"]["action"], "wander", "{first}");
        assert_eq!(again["action"], first["action"], "{again}");
    });
    assert_eq!(ask("r-1")["action"]["action"], "wander");
    assert_eq!(ask("r-2")["action"]["action"], "wander");
    assert_eq!(provider.seen().len(), 2, "each was thought about once");
}

#[test]
fn while_a_model_thinks_the_older_call_goes_on_and_the_newest_is_answered() {
    let project = Project::new();
    let provider = provider(r#"{"action":"wander"}"#, Duration::from_secs(1));
    configure(&project, &provider);
    let server = Server::start(project.command(&["serve", "--bind", "127.0.0.1:0", "--minds", "lead"]));
    create(&server, "ada");
    let ask = || server.post("/v1/minds/ada/decide", &json!({ "observation": hungry("npc_1") })).json();
    std::thread::scope(|scope| {
        let older = scope.spawn(ask);
        blocking::until(|| !provider.seen().is_empty());
        let newest = ask();
        assert_eq!(newest["action"]["action"], "wander", "{newest}");
        let older = older.join().unwrap();
        assert_eq!(older["action"]["action"], "continue", "{older}");
        assert_eq!(older["telemetry"]["model_calls"], 0, "{older}");
    });
    assert_eq!(provider.seen().len(), 1, "it was asked once");
}
