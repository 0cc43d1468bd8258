//! Who judges: the cheapest of the language models that play, asked over HTTP, unless somebody says otherwise.

use std::time::Duration;

use fake_provider::{Api, FakeProvider, PlannedResponse, Seen};
use serde_json::{Value, json};

use crate::{
    project::{Project, Ran},
    server::{Server, client::call},
    serving,
};

/// The rules cannot read its goal.
const SCENE: &str = "---
name: rain
characters: [alice, bob]
maxBeats: 12
goals: [The mood between them brightens]
---
Alice and Bob wait for the bus.
";

const REACHED: &str = "It is forgotten, Alice.";

fn is_judge(seen: &Seen) -> bool {
    seen.body.to_string().contains("You watch a scene that others play")
}

fn is_writer(seen: &Seen) -> bool {
    seen.body.to_string().contains("You make something happen")
}

fn opinion(met: bool) -> PlannedResponse {
    let evidence = if met { REACHED } else { "" };
    PlannedResponse::text(
        json!({
            "goals": [{"goal": 1, "met": met, "evidence": evidence}], "closure": met, "positionsExpressed": met,
            "leftToExplore": !met, "confidence": if met { 0.9 } else { 0.1 }, "characters": [], "note": "",
        })
        .to_string(),
    )
}

/// Bob says three lines, the last of which reaches the goal, and then no more; Alice says nothing at all. The judge is
/// quicker than they are, so that its opinion comes within the beat.
fn two_say_little(seen: &Seen) -> PlannedResponse {
    let body = seen.body.to_string();
    if is_judge(seen) {
        return opinion(body.contains(REACHED));
    }
    if is_writer(seen) {
        return PlannedResponse::text(r#"{"event": "A bus drives past"}"#);
    }
    let says = |words: &str| format!(r#"[TO: Alice, TONE: calm] "{words}""#);
    let reply = match () {
        () if seen.model != "llama" || body.contains(REACHED) => "[SILENT]".to_owned(),
        () if body.contains("Number two") => says(REACHED),
        () if body.contains("Number one") => says("Number two, and no bus."),
        () => says("Number one, and no bus."),
    };
    PlannedResponse::text(reply).after(Duration::from_millis(50))
}

fn start(script: impl Fn(&Seen) -> PlannedResponse + Send + Sync + 'static) -> (Project, FakeProvider) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let server = runtime.block_on(FakeProvider::builder().script(script).start());
    let project = Project::new();
    project.write("scene.md", SCENE);
    let config = format!(
        r#"default = "lead"

[models.lead]
provider = "anthropic"
model = "claude-of-the-day"
base_url = "{}"
price = {{ input = 3.0, output = 15.0 }}

[models.quick]
provider = "openai-compatible"
model = "llama"
base_url = "{}"
price = {{ input = 0.2, output = 0.6 }}
"#,
        server.base_url_for(Api::Anthropic),
        server.base_url_for(Api::OpenAi)
    );
    project.write("enact.toml", config);
    (project, server)
}

fn run(project: &Project, more: &[&str]) -> Ran {
    project.run(&[&["run", "scene.md", "--model", "bob=quick"][..], more].concat())
}

fn count(server: &FakeProvider, is_one: fn(&Seen) -> bool) -> usize {
    server.seen().iter().filter(|seen| seen.method == "POST" && is_one(seen)).count()
}

#[test]
fn the_cheaper_of_two_judges_and_the_scene_ends_soon() {
    let (project, server) = start(two_say_little);
    let ran = run(&project, &["--json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let metadata = &ran.json()["metadata"];
    assert_eq!(metadata["reason"], "goal_achieved", "{metadata:#}");
    // It was reached in beat 2, the third.
    assert!(metadata["totalBeats"].as_u64().unwrap() <= 5, "{metadata:#}");
    assert_eq!(metadata["goals"][0]["evidence"], REACHED);
    assert_eq!(metadata["goals"][0]["by"], "Bob");
    let judged: Vec<Seen> = server.seen().into_iter().filter(is_judge).collect();
    assert!(judged.iter().all(|seen| seen.model == "llama"), "the cheaper one");
    assert!((1..=3).contains(&judged.len()), "once for each of three lines at most: {}", judged.len());
    // The ledger names it.
    let (costs, advice) = (&metadata["costs"]["byPurpose"]["judge"], &metadata["advice"]["judge"]);
    assert_eq!((&costs["calls"], &advice["model"]), (&judged.len().into(), &"quick".into()), "{metadata:#}");
    assert!(costs["estimatedUSD"].as_f64().unwrap() > 0.0, "{costs:#}");
    // And so do summary and transcript.
    let shown = run(&project, &[]).stdout;
    assert!(
        shown.contains("\n  met: The mood between them brightens (Bob: \"It is forgotten, Alice.\")\n"),
        "{shown}"
    );
    assert!(shown.contains("\nJudged by quick: "), "{shown}");
    assert!(project.read("data/scenes/rain/transcript.txt").contains("- Of these, judge: "));
}

/// Alice says one thing in the first beat, and then all are silent.
#[test]
fn a_beat_without_news_is_not_judged() {
    let (project, server) = start(|seen| match is_judge(seen) {
        true => opinion(false),
        false if seen.model == "llama" || seen.body.to_string().contains("Hm, rain") => {
            PlannedResponse::text("[SILENT]")
        }
        false => PlannedResponse::text(r#"[TONE: calm] "Hm, rain.""#),
    });
    let ran = run(&project, &["--max-beats", "3", "--json"]);
    assert_eq!(ran.json()["metadata"]["totalBeats"], 3, "{}", ran.stderr);
    assert_eq!(count(&server, is_judge), 1);
}

#[test]
fn none_is_not_asked() {
    let flag: (fn(&Project), &[&str]) = (|_| {}, &["--judge", "none"]);
    let scene: (fn(&Project), &[&str]) =
        (|project| _ = project.write("scene.md", SCENE.replace("goals:", "judge: none\ngoals:")), &[]);
    let config: (fn(&Project), &[&str]) = (
        |project| {
            _ = project.write("enact.toml", format!("judge = \"none\"\n{}", project.read("enact.toml")))
        },
        &[],
    );
    for (prepare, args) in [flag, scene, config] {
        let (project, server) = start(two_say_little);
        prepare(&project);
        let ran = run(&project, &[args, &["--json"]].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let metadata = &ran.json()["metadata"];
        assert_eq!((count(&server, is_judge), count(&server, is_writer)), (0, 0), "{args:?}");
        assert_eq!(metadata["goals"][0]["why"], "it names nobody of the cast", "{metadata:#}");
        assert!(metadata["advice"].is_null(), "{metadata:#}");
        assert!(metadata["counts"]["events"].as_u64() > Some(0), "the built-in deck stirs it: {metadata:#}");
    }
    // A scene cannot choose who is paid.
    let (project, _server) = start(two_say_little);
    project.write("scene.md", SCENE.replace("goals:", "judge: lead\ngoals:"));
    let ran = run(&project, &[]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("judge must be none, found \"lead\""), "{}", ran.stderr);
    assert!(ran.stderr.contains("--judge"), "{}", ran.stderr);
}

/// Who has stalled is stirred by an event that fits, not by one of the built-in deck.
#[test]
fn what_judges_writes_events_too() {
    let (project, server) = start(|seen| match seen {
        seen if is_judge(seen) => opinion(false),
        seen if is_writer(seen) => PlannedResponse::text(r#"{"event": "A bus drives past"}"#),
        _ => PlannedResponse::text("[SILENT]"),
    });
    let ran = run(&project, &["--max-beats", "8", "--json"]);
    let transcript = ran.json()["transcript"].as_str().unwrap().to_owned();
    assert!(transcript.contains("[EVENT: A bus drives past]"), "{transcript}");
    assert!(server.seen().iter().filter(|seen| is_writer(seen)).all(|seen| seen.model == "llama"));
}

#[test]
fn served_scenes_are_judged_the_same_way() {
    let (project, server) = start(two_say_little);
    let served = Server::start(serving::command(&project, &[]));
    let scene = |judge: Value| {
        let mut config = json!({
            "name": "rain", "characters": ["alice", "bob"], "prompt": "Alice and Bob wait for the bus.",
            "goals": ["The mood between them brightens"], "models": {"bob": "quick"}, "maxBeats": 5,
        });
        if !judge.is_null() {
            config["judge"] = judge;
        }
        json!({ "config": config })
    };
    let check = |judge: Value| {
        let headers = [("Content-Type", "application/json")];
        let answer =
            call(served.address(), "POST", "/v1/check", &headers, &scene(judge).to_string()).unwrap();
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.json()
    };
    assert_eq!(check(Value::Null)["judge"], "quick");
    let unread = &check(json!("none"));
    assert_eq!(unread["judge"], Value::Null);
    assert!(
        unread["goals"][0]["reading"].as_str().unwrap().contains("it names nobody of the cast"),
        "{unread:#}"
    );
    assert_eq!(count(&server, is_judge), 0);
}

/// A run and its transcript are judged alike, also where people are called otherwise than their sheets.
#[test]
fn a_run_is_judged_like_its_transcript() {
    let project = Project::new();
    project.write(".claude/agents/alice.md", "---\nname: Dr. Alice Vale\n---\n# Alice\n\nA doctor.\n");
    project.write(
        "scene.md",
        "---\nname: late\ncharacters: [alice, bob]\n---\nBob apologizes to Dr. Alice Vale for being late. \
         Dr. Alice Vale forgives Bob. The evening is saved.\n",
    );
    project.write(
        "play.txt",
        "beat 0\nbob: [TO: Dr. Alice Vale, TONE: sorry] \"I'm sorry that I am late.\"\n\
         beat 1\nalice: [TO: Bob, TONE: warm] \"I forgive you, Bob.\"\n",
    );
    let ran = project.run(&["run", "scene.md", "--model", "script:play.txt", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let id = ran.json()["metadata"]["runId"].as_str().unwrap().to_owned();
    let transcript = "data/scenes/late/transcript.txt";
    let of_transcript = project.run(&["judge", "--scene", "scene.md", "--transcript", transcript]);
    for wanted in ["latest", "late", id.as_str()] {
        let of_run = project.run(&["judge", wanted]);
        assert_eq!(of_run.code, 0, "{}", of_run.stderr);
        assert_eq!(of_run.json()["goals"], of_transcript.json()["goals"], "{wanted}");
    }
    let goals = &of_transcript.json()["goals"];
    assert_eq!(goals[0]["by"], "Bob", "{goals:#}");
    assert_eq!(goals[1]["by"], "Dr. Alice Vale", "{goals:#}");
    assert_eq!(goals[1]["reading"], "forgive, by Dr. Alice Vale, to Bob", "{goals:#}");
    assert_eq!(project.run(&["judge"]).code, 2);
    assert_eq!(project.run(&["judge", "late", "--scene", "scene.md", "--transcript", transcript]).code, 2);
    assert_eq!(project.run(&["judge", "nothing-like-it"]).code, 2);
}

#[test]
fn a_model_can_be_asked_about_a_run_and_about_a_transcript() {
    let (project, server) = start(two_say_little);
    let ran = run(&project, &["--judge", "none", "--max-beats", "4", "--json"]);
    assert_eq!(ran.json()["metadata"]["goals"][0]["met"], Value::Null, "{}", ran.stdout);
    let transcript = "data/scenes/rain/transcript.txt";
    for args in [&["judge", "latest"][..], &["judge", "--scene", "scene.md", "--transcript", transcript]] {
        let before = count(&server, is_judge);
        let asked = project.run(&[args, &["--judge", "lead"]].concat());
        assert_eq!(asked.code, 0, "{}", asked.stderr);
        assert_eq!(count(&server, is_judge), before + 1);
        let (judged, model) = (asked.json(), &asked.json()["model"]);
        assert_eq!(judged["goals"][0]["met"], Value::Null, "{judged:#}");
        let differs = &model["differs"][0];
        assert_eq!(differs["goal"], "The mood between them brightens", "{judged:#}");
        assert_eq!(differs["rules"]["why"], "it names nobody of the cast", "{judged:#}");
        assert_eq!(
            (&differs["model"]["met"], &differs["model"]["evidence"]),
            (&true.into(), &REACHED.into())
        );
        assert_eq!((&model["name"], &differs["model"]["by"]), (&"lead".into(), &"Bob".into()), "{judged:#}");
        assert!(model["estimatedUSD"].as_f64().unwrap() > 0.0, "{judged:#}");
    }
}
