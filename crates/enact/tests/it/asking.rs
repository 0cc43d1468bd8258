//! Models of `enact.toml`, really asked: a server on this machine answers as the providers do.

use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader},
    process::Stdio,
};

use expect_test::expect;
use fake_provider::{Api, Builder, FakeProvider, Fault, PlannedResponse};

use crate::project::{Project, Ran};

const SCENE: &str = "---
name: late-again
characters: [alice, bob]
maxBeats: 3
---
Bob apologizes to Alice for being late. Alice accepts.
";

const SECRET: &str = "sk-secret-words";

fn start(builder: Builder) -> FakeProvider {
    start_keyless(builder.key(SECRET))
}

/// One that wants no key, as gateways do that have one.
fn start_keyless(builder: Builder) -> FakeProvider {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(builder.start())
}

/// A project whose models `lead` (Anthropic's way) and `quick` (OpenAI's way) are this server's.
fn project(server: &FakeProvider) -> Project {
    let project = Project::new();
    project.write("scene.md", SCENE);
    let config = format!(
        r#"default = "lead"

[models.lead]
provider = "anthropic"
model = "claude-of-the-day"
base_url = "{}"
key_env = "STAGE_KEY"
retries = 0
price = {{ input = 3.0, output = 15.0 }}

[models.quick]
provider = "openai-compatible"
model = "llama"
base_url = "{}"
key_env = "STAGE_KEY"
retries = 0
"#,
        server.base_url_for(Api::Anthropic),
        server.base_url_for(Api::OpenAi)
    );
    project.write("enact.toml", config);
    project
}

fn run(project: &Project, key: &str, args: &[&str]) -> Ran {
    let ran: Ran = project.command(args).env("STAGE_KEY", key).output().unwrap().into();
    for text in [&ran.stdout, &ran.stderr] {
        assert!(!text.contains(key), "the key was told: {text}");
    }
    ran
}

fn models_asked(server: &FakeProvider) -> BTreeSet<String> {
    let asked = server.seen().into_iter().filter(|seen| seen.method == "POST");
    asked.filter_map(|seen| seen.body["model"].as_str().map(str::to_owned)).collect()
}

#[test]
fn each_model_is_called_once_and_says_ok() {
    let server = start(FakeProvider::builder().script(|_| PlannedResponse::text("OK")));
    let project = project(&server);
    let ran = run(&project, SECRET, &["models", "--check"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    let checks: Vec<&str> = ran.stdout.lines().filter(|line| line.starts_with("    check  ")).collect();
    let [lead, quick] = checks[..] else { panic!("{}", ran.stdout) };
    assert!(lead.starts_with("    check  ok in ") && lead.contains(", $0.00"), "{lead}");
    assert!(quick.starts_with("    check  ok in ") && quick.ends_with(", cost unknown"), "{quick}");
    assert_eq!(server.seen().iter().filter(|seen| seen.method == "POST").count(), 2);
    assert_eq!(models_asked(&server), BTreeSet::from(["claude-of-the-day".into(), "llama".into()]));
}

#[test]
fn a_model_that_does_not_answer_fails_the_check() {
    let server = start(FakeProvider::builder().script(|seen| match seen.api {
        Api::Anthropic => PlannedResponse::text("OK"),
        _ => PlannedResponse::fault(Fault::Status(500, None)),
    }));
    let project = project(&server);
    let ran = run(&project, SECRET, &["models", "--check", "--json"]);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    let listed = ran.json();
    let check = |name: &str| {
        let models = listed["models"].as_array().unwrap();
        models.iter().find(|model| model["name"] == name).unwrap()["check"].clone()
    };
    assert_eq!((&check("lead")["ok"], &check("quick")["ok"]), (&true.into(), &false.into()), "{listed:#}");
    assert!(check("quick")["error"].as_str().unwrap().contains("500"), "{listed:#}");

    let ran = run(&project, "sk-wrong", &["models", "--check"]);
    assert_eq!(ran.code, 1);
    let hints = ran.stdout.lines().filter(|line| line.contains("hint: ") && line.contains("STAGE_KEY"));
    assert_eq!(hints.count(), 2, "{}", ran.stdout);
}

#[test]
fn two_models_play_one_scene() {
    let server = start(FakeProvider::builder());
    let project = project(&server);
    let play = ["run", "scene.md", "--model", "bob=quick", "--judge", "none", "--json"];
    let ran = run(&project, SECRET, &play);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    assert_eq!(models_asked(&server), BTreeSet::from(["claude-of-the-day".into(), "llama".into()]));
    for seen in server.seen().iter().filter(|seen| seen.method == "POST") {
        let of_bob = seen.body.to_string().contains("Optimistic about time");
        assert_eq!(of_bob, seen.body["model"] == "llama", "everyone has the sheet of who it plays");
    }
    for file in project.files() {
        let bytes = std::fs::read(project.path().join(&file)).unwrap();
        let told = bytes.windows(SECRET.len()).any(|window| window == SECRET.as_bytes());
        assert!(!told, "{file} holds the key");
    }
}

#[test]
fn a_wrong_key_fails_before_anything_is_played() {
    let server = start(FakeProvider::builder());
    let project = project(&server);
    let ran = run(&project, "sk-wrong", &["run", "scene.md"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("refused") && ran.stderr.contains("STAGE_KEY"), "{}", ran.stderr);
    assert!(models_asked(&server).is_empty());
    assert!(!project.files().iter().any(|file| file.contains("scenes/late-again")), "{:?}", project.files());
}

#[test]
fn a_run_finds_its_models_again() {
    let server = start(FakeProvider::builder());
    let project = project(&server);
    // Slow enough to be killed after its first line.
    let mut child = project
        .command(&["run", "scene.md", "--pace", "5"])
        .env("STAGE_KEY", SECRET)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.as_mut().unwrap()).lines().map_while(Result::ok);
    assert!(lines.into_iter().any(|line| line.starts_with("Alice [") || line.starts_with("Bob [")));
    child.kill().unwrap();
    child.wait().unwrap();

    let away = project.write("elsewhere.toml", "");
    let ran = run(&project, SECRET, &["run", "--resume", "latest", "--config", away.to_str().unwrap()]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("this run is played by the model 'lead'"), "{}", ran.stderr);

    // The same name, and another model behind it.
    let other = project.read("enact.toml").replace("claude-of-the-day", "claude-of-tomorrow");
    let other = project.write("other.toml", other);
    let before = project.run(&["runs", "--json"]).stdout;
    let ran = run(&project, SECRET, &["run", "--resume", "latest", "--config", other.to_str().unwrap()]);
    assert_eq!(ran.code, 2);
    expect![[r#"
        error[INVALID_CONFIG]: this run was begun with anthropic's 'claude-of-the-day' as 'lead', which is anthropic's 'claude-of-tomorrow' here
          hint: resume it with the enact.toml it was begun with (--config)
    "#]]
    .assert_eq(&ran.stderr);
    assert_eq!(project.run(&["runs", "--json"]).stdout, before, "nothing was appended");

    let ran = run(&project, SECRET, &["run", "--resume", "latest", "--json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    assert_eq!(ran.json()["success"], true);
}

/// Nobody on stage notices a judge that fails, so the end of the run says it.
#[test]
fn advisers_that_never_answer_are_told_of() {
    let server = start(FakeProvider::builder().script(|seen| match seen.api {
        Api::Anthropic => PlannedResponse::reply(),
        _ => PlannedResponse::fault(Fault::Status(500, None)),
    }));
    let project = project(&server);
    // Long enough for the judge to be asked and to fail, whatever the rules see.
    let play = ["run", "scene.md", "--judge", "quick", "--max-beats", "8"];
    let ran = run(&project, SECRET, &play);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let notes: Vec<&str> = ran.stderr.lines().collect();
    for (note, who, instead) in [
        (notes[0], "the judge 'quick'", "the rules judged alone"),
        (notes[1], "the event writer 'quick'", "the rules chose the events"),
    ] {
        assert!(note.starts_with(&format!("note: {who} never answered: ")), "{}", ran.stderr);
        assert!(note.ends_with(&format!("; {instead}")), "{}", ran.stderr);
    }
    assert_eq!(notes.len(), 2, "{}", ran.stderr);

    let ran = run(&project, SECRET, &[&play[..], &["--json"]].concat());
    assert_eq!(ran.stderr, "");
    let judge = &ran.json()["metadata"]["advice"]["judge"];
    assert_eq!((&judge["model"], &judge["answered"]), (&"quick".into(), &0.into()), "{judge:#}");
    assert!(judge["asked"].as_u64() >= Some(1) && judge["failed"].as_u64() >= Some(1), "{judge:#}");
    assert!(judge["lastError"].as_str().unwrap().contains("500"), "{judge:#}");
    let transcript = ran.json()["transcript"].as_str().unwrap().to_owned();
    assert!(transcript.contains(" failed: "), "{transcript}");
}

#[test]
fn a_gateway_that_has_the_key_is_asked_without_one() {
    let server = start_keyless(FakeProvider::builder());
    let project = Project::new();
    project.write("scene.md", SCENE);
    let config = format!(
        "default = \"lead\"\n[models.lead]\nprovider = \"anthropic\"\nmodel = \"m\"\nbase_url = \"{}\"\n",
        server.base_url_for(Api::Anthropic)
    );
    project.write("enact.toml", &config);
    let keys = |variable: Option<&str>| {
        let mut command = project.command(&["run", "scene.md", "--quiet"]);
        command.envs(variable.map(|key| ("ANTHROPIC_API_KEY", key)));
        let ran: Ran = command.output().unwrap().into();
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let sent = server.seen().into_iter().filter_map(|seen| seen.headers.get("x-api-key").cloned());
        sent.collect::<BTreeSet<String>>()
    };
    assert_eq!(keys(None), BTreeSet::new());
    assert_eq!(keys(Some(SECRET)), BTreeSet::from([SECRET.to_owned()]), "on this machine it may be sent");
    let listed = project.run(&["models"]).stdout;
    assert!(listed.contains("key    ANTHROPIC_API_KEY, not set, not needed at this address"), "{listed}");
}

#[test]
fn the_header_says_who_does_what() {
    let server = start(FakeProvider::builder());
    let project = project(&server);
    let header = |args: &[&str]| {
        let play = ["run", "scene.md", "--max-beats", "1"];
        let ran = run(&project, SECRET, &[&play[..], args].concat());
        let lines = ran.stdout.lines().filter(|line| line.contains(" by: "));
        lines.map(|line| format!("{}\n", line.trim_start())).collect::<String>()
    };
    expect![[r#"
        played, judged and events written by: claude-of-the-day (anthropic)
    "#]]
    .assert_eq(&header(&["--judge", "lead"]));
    expect![[r#"
        played by: claude-of-the-day (anthropic)
        judged and events written by: llama (openai-compatible)
    "#]]
    .assert_eq(&header(&["--judge", "quick", "--events", "quick"]));
    expect![[r#"
        played and events written by: claude-of-the-day (anthropic), as Alice
        played and judged by: llama (openai-compatible), as Bob
    "#]]
    .assert_eq(&header(&["--model", "bob=quick", "--judge", "quick", "--events", "lead"]));
}
