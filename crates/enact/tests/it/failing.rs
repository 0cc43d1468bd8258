//! What an operator sees of models, voices and disks that fail: a line each, and a number.

use std::fs;

use serde_json::json;

use crate::{project::Project, server::Server};

const CONFIG: &str = "
[chorus]
voice = ['gone', 'embedded']

[[chorus.agents]]
id = 'silent'
model = 'claude'

[[chorus.agents]]
id = 'one'
model = 'improviser'

[voices.gone]
kind = 'command'
command = 'enact-tests-never-install-this'

[models.claude]
provider = 'anthropic'
model = 'claude-sonnet-4-5'
";

#[test]
fn what_keeps_failing_leaves_one_line_and_a_number() {
    let project = Project::empty();
    let config = project.write("enact.toml", CONFIG);
    let args = ["serve", "--bind", "127.0.0.1:0", "--config", config.to_str().unwrap()];
    let server = Server::start(project.command(&args));
    let chat = || {
        let agents = [(1, "silent"), (2, "one"), (3, "one"), (4, "silent")];
        let slots = agents.map(|(slot, agent)| json!({"slotId": slot, "agentId": agent}));
        let answer = server.post("/v1/chat", &json!({"message": "Good morning", "slots": slots}));
        assert!(answer.body.contains("\"completedSlots\":2"), "{}", answer.body);
    };
    chat();
    let metrics = server.get("/metrics").body;
    // Slots that say nothing are asked no further; the others speak in three turns, each time with the voice
    // that stands behind the one that cannot.
    assert!(metrics.contains("enact_model_failures_total{model=\"claude\",kind=\"other\"} 2\n"), "{metrics}");
    assert!(metrics.contains("enact_voice_failures_total{voice=\"gone\"} 6\n"), "{metrics}");
    assert!(metrics.contains("enact_artifact_failures_total 0\n"), "{metrics}");

    // A disk that takes nothing any more.
    let artifacts = project.path().join("data/artifacts");
    fs::remove_dir_all(&artifacts).unwrap();
    fs::write(&artifacts, "in the way").unwrap();
    chat();
    assert!(!server.get("/metrics").body.contains("enact_artifact_failures_total 0\n"));
    let (_, log) = server.stop();
    for line in ["a model failed", "a voice failed", "audio could not be written"] {
        let lines: Vec<&str> = log.lines().filter(|logged| logged.contains(line)).collect();
        assert_eq!(lines.len(), 1, "{line}: {log}");
        assert!(lines[0].contains("WARN"), "{}", lines[0]);
    }
}
