//! A run with hidden calls, given again from its log.

use std::time::Duration;

use fake_provider::{FakeProvider, PlannedResponse, Seen};

use crate::project::{Project, Ran};

const KEY: &str = "sk-test";

const SCENE: &str = "---
name: late-again
characters: [alice, bob]
initialSpeaker: bob
maxBeats: 8
---
Bob apologizes to Alice for being late. Alice accepts.
";

#[test]
fn a_recording_also_answers_for_the_judge_and_the_writer_of_events() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    // The judge is quicker than the actors, so that its opinion comes in the beat it was asked in: a
    // recording gives it then, whenever it came.
    let quick_judge = |seen: &Seen| match seen.body.get("output_config") {
        Some(_) => PlannedResponse::reply(),
        None => PlannedResponse::reply().after(Duration::from_millis(50)),
    };
    let server = runtime.block_on(FakeProvider::builder().key(KEY).script(quick_judge).start());
    let project = Project::new();
    project.write("scene.md", SCENE);
    let config = format!(
        "[models.lead]\nprovider = \"anthropic\"\nmodel = \"claude-sonnet-4-5\"\nbase_url = \"{}\"\n",
        server.base_url()
    );
    project.write("enact.toml", config);
    let play = |model: &str| -> Ran {
        let args = ["run", "scene.md", "--seed", "7", "--model", model, "--json"];
        project.command(&args).env("ANTHROPIC_API_KEY", KEY).output().unwrap().into()
    };
    let first = play("lead");
    let asked = server.arrivals();
    let again = play("recorded:latest");

    assert_eq!(server.arrivals(), asked, "a recording asks nobody");
    assert_eq!(again.lines(), first.lines());
    let judged = |ran: &Ran| {
        let metadata = ran.json()["metadata"].clone();
        let judge = metadata["costs"]["byPurpose"]["judge"].clone();
        assert!(judge["calls"].as_u64().is_some_and(|calls| calls > 0), "{metadata:#}");
        (judge["calls"].clone(), judge["usage"].clone(), metadata["goals"].clone(), metadata["drift"].clone())
    };
    assert_eq!(judged(&again), judged(&first));
}
