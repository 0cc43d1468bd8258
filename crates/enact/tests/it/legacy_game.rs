//! A strict imitation of the game that exists: HTTP with server-sent events, `Accepted` or nothing in answer to a
//! POST, protocol 2024-11-05 exactly, several calls under way, the first text of a result and nothing else.

use std::{
    collections::HashMap,
    io::{BufRead, BufReader, Write},
    net::{SocketAddr, TcpStream},
};

use enact_testkit::PATIENCE;
use serde_json::{Value, json};

use crate::{
    project::Project,
    server::{Server, client::call},
};

fn serve(project: &Project) -> Server {
    Server::start(project.command(&["mcp", "--port", "0"]))
}

/// The game's client.
struct Game {
    address: SocketAddr,
    endpoint: String,
    events: BufReader<TcpStream>,
    next: u64,
    /// Answers that came before they were asked for.
    early: HashMap<u64, Value>,
}

impl Game {
    fn connect(address: SocketAddr) -> Game {
        let mut socket = TcpStream::connect(address).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        let port = address.port();
        write!(socket, "GET /sse HTTP/1.0\r\nHost: localhost:{port}\r\nAccept: text/event-stream\r\n\r\n")
            .unwrap();
        let mut events = BufReader::new(socket);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert_ne!(events.read_line(&mut head).unwrap(), 0, "{head}");
        }
        assert!(head.starts_with("HTTP/1.0 200") && head.contains("text/event-stream"), "{head}");
        assert!(head.contains("x-accel-buffering: no"), "proxies must not keep events back: {head}");
        let mut game = Game { address, endpoint: String::new(), events, next: 0, early: HashMap::new() };
        let (name, data) = game.event();
        assert_eq!(name, "endpoint");
        game.endpoint = data;
        let hello = json!({
            "protocolVersion": "2024-11-05", "capabilities": {},
            "clientInfo": { "name": "Godot NPC Client (Proxy)", "version": "1.0" },
        });
        let id = game.send("initialize", hello);
        assert_eq!(game.result(id)["protocolVersion"], "2024-11-05", "any other is an exception");
        game.post(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        game
    }

    fn event(&mut self) -> (String, String) {
        let (mut name, mut data) = (String::new(), String::new());
        loop {
            let mut line = String::new();
            assert_ne!(self.events.read_line(&mut line).unwrap(), 0, "the stream must not end");
            match line.trim_end().split_once(": ") {
                Some(("event", value)) => name = value.to_owned(),
                Some(("data", value)) => data = value.to_owned(),
                _ if !name.is_empty() => return (name, data),
                // Comments keep the connection alive.
                _ => {}
            }
        }
    }

    fn post(&self, message: &Value) {
        let headers = [("Content-Type", "application/json; charset=utf-8")];
        let answer = call(self.address, "POST", &self.endpoint, &headers, &message.to_string()).unwrap();
        assert!((200..300).contains(&answer.status), "{}", answer.body);
        assert!(answer.body.is_empty() || answer.body.eq_ignore_ascii_case("accepted"), "{:?}", answer.body);
    }

    fn send(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        self.post(&json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params }));
        self.next
    }

    fn result(&mut self, id: u64) -> Value {
        loop {
            if let Some(result) = self.early.remove(&id) {
                return result;
            }
            let (name, data) = self.event();
            assert_eq!(name, "message");
            let message: Value = serde_json::from_str(&data).unwrap();
            self.early.insert(message["id"].as_u64().unwrap(), message["result"].clone());
        }
    }

    fn begin(&mut self, tool: &str, arguments: Value) -> u64 {
        self.send("tools/call", json!({ "name": tool, "arguments": arguments }))
    }

    /// Only the first text of a result is read, and it must be JSON.
    fn text(&mut self, id: u64) -> Value {
        let result = self.result(id);
        serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap()
    }

    fn tool(&mut self, tool: &str, arguments: Value) -> Value {
        let id = self.begin(tool, arguments);
        self.text(id)
    }

    fn info(&mut self, agent: &str) -> Value {
        let id = self.send("resources/read", json!({ "uri": format!("agent://{agent}/info") }));
        let result = self.result(id);
        serde_json::from_str(result["contents"][0]["text"].as_str().unwrap()).unwrap()
    }
}

fn observation(hunger: u32) -> String {
    format!(
        "# Current Status\n\n## Position\nYou are at position (2,2).\n\n## Position\nYou are at position (2,2).\n\n\
         ## Controller State\n- State: IDLE\n\n## Needs\n- Hunger: {hunger}%\n- Fun: 90%\n\n## Visible Items\n\n\
         ### Apple (at position (2,3))\nInteractions:\n- **eat**: Eat it Effects: Hunger (+)\n\n# Environment\n"
    )
}

fn ask(agent: &str, hunger: u32) -> Value {
    json!({ "agent_id": agent, "observation": observation(hunger), "available_actions": [] })
}

const AGENT: &str = "entity_6f1c";

#[test]
fn the_existing_game_is_answered_as_it_wants() {
    let project = Project::new();
    let server = serve(&project);
    let health = server.get("/health").json();
    assert_eq!((&health["status"], &health["version"]), (&json!("healthy"), &json!("1.0")));
    let mut game = Game::connect(server.address());
    let config = json!({
        "traits": ["curious", "active"], "initial_working_memory": "I am a new NPC in this world.",
        "initial_long_term_memories": [],
    });
    for _ in 0..2 {
        let made = game.tool("create_agent", json!({ "agent_id": AGENT, "config": config }));
        assert_eq!(made, json!({ "status": "created", "agent_id": AGENT }), "called again, it is harmless");
    }
    assert_eq!(game.info(AGENT)["working_memory"], "I am a new NPC in this world.");
    let answer = game.tool("process_observation", ask(AGENT, 5));
    let eat = json!({ "entity_name": "Apple", "interaction_name": "eat" });
    assert_eq!(answer, json!({ "action": "interact_with", "parameters": eat }));
    let info = game.info(AGENT);
    assert_eq!(info["status"], "active", "or the action is lost");
    assert!(info["working_memory"].is_string(), "an object throws in the client");
    let logs = server.get("/logs?limit=1").json();
    let line = logs["logs"][0]["message"].as_str().unwrap();
    assert!(line.starts_with(&format!("[{AGENT}] interact_with")), "{line}");
    assert_eq!(server.get("/logs?limit=x").status, 400);
    assert_eq!(server.post("/health", &json!({})).status, 405);
}

#[test]
fn an_agent_that_is_not_known_is_adopted_and_survives_a_kill() {
    let project = Project::new();
    let server = serve(&project);
    let mut game = Game::connect(server.address());
    assert_eq!(game.tool("process_observation", ask(AGENT, 5))["action"], "interact_with");
    assert_eq!(game.tool("cleanup_agent", json!({ "agent_id": AGENT }))["status"], "removed");
    assert_eq!(
        game.tool("process_observation", ask(AGENT, 5))["action"],
        "interact_with",
        "it is adopted again"
    );
    server.kill();
    let server = serve(&project);
    let mut game = Game::connect(server.address());
    assert_eq!(game.info(AGENT)["status"], "active", "it is known from its log");
    assert_eq!(game.tool("process_observation", ask(AGENT, 5))["action"], "interact_with");
    let minds = server.get("/v1/minds").json();
    assert_eq!(minds["minds"].as_array().unwrap().len(), 1, "{minds}");
}

#[test]
fn of_calls_under_way_the_newest_is_answered_and_the_others_go_on() {
    let project = Project::new();
    let server = serve(&project);
    let mut game = Game::connect(server.address());
    game.tool("process_observation", ask(AGENT, 90));
    for _ in 0..20 {
        // It began to eat the last time, so that it is not in vain to try again.
        let text = format!("{}Interaction started: eat\n", observation(5));
        let asked = json!({ "agent_id": AGENT, "observation": text, "available_actions": [] });
        let ids: Vec<u64> = (0..3).map(|_| game.begin("process_observation", asked.clone())).collect();
        let actions: Vec<Value> = ids.iter().map(|id| game.text(*id)["action"].clone()).collect();
        assert_eq!(actions[2], "interact_with", "{actions:?}");
        assert!(
            actions.iter().all(|action| action == "interact_with" || action == "continue"),
            "{actions:?}"
        );
    }
    // Every call is in the log, answered once.
    let run = server.get("/v1/minds").json()["minds"][0]["runId"].as_str().unwrap().to_owned();
    let metadata = server.get(&format!("/v1/runs/{run}")).json()["metadata"].clone();
    assert_eq!(metadata["observations"], 61, "{metadata}");
}

#[test]
fn a_call_that_is_wrong_gets_a_result_and_no_failure_in_transport() {
    let project = Project::new();
    let server = serve(&project);
    let mut game = Game::connect(server.address());
    for (tool, arguments) in [
        ("process_observation", json!({})),
        ("process_observation", json!({ "agent_id": "", "observation": "x" })),
        ("create_agent", json!({ "agent_id": 7 })),
        ("decide_action", json!({ "mind_id": "unknown", "observation": {} })),
        ("create_mind", json!({ "mind_id": "m" })),
    ] {
        let answer = game.tool(tool, arguments.clone());
        assert_eq!(answer["status"], "error", "{tool} {arguments}: {answer}");
    }
    let answer = game
        .tool("process_observation", json!({ "agent_id": AGENT, "observation": "\u{1F600} no sense\n###" }));
    assert_eq!(answer["action"], "continue");
    let gone =
        call(server.address(), "POST", "/sse/?session_id=0", &[("Content-Type", "application/json")], "{}");
    assert_eq!(gone.unwrap().status, 400, "no message of MCP");
}

#[test]
fn the_door_is_for_this_machine_and_opt_in() {
    let project = Project::new();
    let ran = project.run(&["serve", "--bind", "0.0.0.0:0", "--legacy-mcp"]);
    assert_ne!(ran.code, 0);
    let server = Server::start(project.command(&["serve", "--bind", "127.0.0.1:0"]));
    for path in ["/sse", "/health", "/logs"] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    drop(server);
    let server = serve(&project);
    let port = server.address().port();
    for host in ["evil.example", "evil.example:3000"] {
        let answer = call(server.address(), "GET", "/sse", &[("Host", host)], "").unwrap();
        assert!(answer.status >= 400, "two hosts are none: {}", answer.status);
    }
    let foreign =
        call(server.address(), "POST", "/mcp", &[("Origin", "https://evil.example")], "{}").unwrap();
    assert_eq!(foreign.status, 403, "{}", foreign.body);
    // `localhost` may be either address. A machine without the second has no other to listen on.
    let second = SocketAddr::from((std::net::Ipv6Addr::LOCALHOST, port));
    if TcpStream::connect(second).is_ok() {
        let mut game = Game::connect(second);
        assert_eq!(game.tool("process_observation", ask(AGENT, 5))["action"], "interact_with");
    } else {
        assert!(
            std::net::TcpListener::bind("[::1]:0").is_err(),
            "there is a second address, and nothing listens"
        );
    }
}
