//! `enact.toml`, and who plays whom because of it.

use expect_test::{Expect, expect};

use crate::project::{Project, Ran};

const SCENE: &str = "---
name: late-again
characters: [alice, bob]
initialSpeaker: bob
---
Bob apologizes to Alice for being late. Alice accepts.
";

const CONFIG: &str = r#"default = "lead"
judge = "local"

[models.lead]
provider = "anthropic"
model = "claude-sonnet-of-the-day"
key_env = "STAGE_KEY"
price = { input = 3.0, output = 15.0, cache_read = 0.3, cache_write = 3.75 }

[models.local]
provider = "openai-compatible"
model = "llama-3.3-70b"
base_url = "http://127.0.0.1:9/v1/"
context = "window"
"#;

const TELEMETRY: &str = "[telemetry]\notlp = \"http://127.0.0.1:9\"\n";

const SECRET: &str = "sk-secret-words";

fn project(config: &str) -> Project {
    let project = Project::new();
    project.write("scene.md", SCENE);
    project.write("enact.toml", config);
    project
}

/// Runs with a key in the environment, and sees to it that it stays there.
fn run_with_key(project: &Project, args: &[&str]) -> Ran {
    let mut command = project.command(args);
    let ran: Ran = command.env("STAGE_KEY", SECRET).output().unwrap().into();
    assert!(!ran.stdout.contains(SECRET) && !ran.stderr.contains(SECRET), "the key was told");
    ran
}

fn said(project: &Project, ran: &Ran) -> String {
    let home = format!("{}/", project.path().display());
    format!("{}{}", ran.stdout, ran.stderr).replace(&home, "")
}

/// What is said before anything is played; nothing is written.
fn refused(project: &Project, args: &[&str], expected: Expect) {
    let before = project.files();
    let ran = run_with_key(project, args);
    expected.assert_eq(&said(project, &ran));
    assert_eq!((ran.code, project.files()), (2, before));
}

#[test]
fn models_are_listed() {
    let project = project(&format!("{CONFIG}{TELEMETRY}"));
    let ran = run_with_key(&project, &["models"]);
    let shown = said(&project, &ran);
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    assert_eq!(ran.code, 0);
    expect![[r#"
        Config: enact.toml
        Traces: http://127.0.0.1:9
        Prices: USD per million tokens, as published on <date>

        NAME          PROVIDER           MODEL                      CONTEXT  USED AS
        improviser    built-in           rules, in English          window
        human         built-in           a person, in scenes        thread
        script:FILE   built-in           answers from a file        window
        recorded:RUN  built-in           answers of an earlier run  window
        lead          anthropic          claude-sonnet-of-the-day   thread   default
            price  3.00 in, 15.00 out, 0.30 cache read, 3.75 cache write
            key    STAGE_KEY, set
        local         openai-compatible  llama-3.3-70b              window   judge
            price  unknown
            key    none needed
    "#]]
    .assert_eq(&undated(&shown));

    let json = run_with_key(&project, &["models", "--json"]).json();
    let lead = json["models"].as_array().unwrap().iter().find(|model| model["name"] == "lead").unwrap();
    expect![[r#"
        {
          "name": "lead",
          "provider": "anthropic",
          "model": "claude-sonnet-of-the-day",
          "builtIn": false,
          "context": "thread",
          "price": {
            "input": 3.0,
            "output": 15.0,
            "cacheRead": 0.3,
            "cacheWrite": 3.75
          },
          "key": {
            "variable": "STAGE_KEY",
            "set": true
          },
          "usedAs": [
            "default"
          ]
        }"#]]
    .assert_eq(&format!("{lead:#}"));
    assert!(json["config"].as_str().unwrap().ends_with("enact.toml"));

    // Without its key, as the program finds it then.
    let ran = project.run(&["models"]);
    assert!(ran.stdout.contains("key    STAGE_KEY, not set"), "{}", ran.stdout);
}

#[test]
fn lists_for_programs_act_on_no_terminal() {
    let project = project("");
    project.write("odd\u{202e}/enact.toml", "");
    let ran = project.run(&["models", "--json", "--config", "odd\u{202e}/enact.toml"]);
    assert!(!ran.stdout.contains('\u{202e}'), "{:?}", ran.stdout);
    assert!(ran.stdout.contains(r"odd\u202e/enact.toml"), "{}", ran.stdout);
}

#[test]
fn without_a_file_the_improviser_plays() {
    let project = Project::new();
    expect![[r#"
        Config: none (no enact.toml here or above, nor in ~/.config/enact)
        Prices: USD per million tokens, as published on <date>

        NAME          PROVIDER  MODEL                      CONTEXT  USED AS
        improviser    built-in  rules, in English          window   default
        human         built-in  a person, in scenes        thread
        script:FILE   built-in  answers from a file        window
        recorded:RUN  built-in  answers of an earlier run  window
    "#]]
    .assert_eq(&undated(&project.run(&["models"]).stdout));
}

/// The day of the price table changes with the table.
fn undated(shown: &str) -> String {
    let line = |line: &str| match line.split_once(" published on ") {
        Some((before, _)) => format!("{before} published on <date>\n"),
        None => format!("{line}\n"),
    };
    shown.lines().map(line).collect()
}

#[test]
fn the_nearest_file_is_used_unless_one_is_named() {
    let project = Project::new();
    let used = |args: &[&str]| project.run(&[&["models", "--json"], args].concat()).json()["config"].clone();
    let ends = |value: serde_json::Value, end: &str| {
        let path = value.as_str().unwrap_or_default().to_owned();
        assert!(path.ends_with(end), "{path} instead of {end}");
    };
    assert!(used(&[]).is_null());
    project.write(".config/enact/enact.toml", "");
    ends(used(&[]), ".config/enact/enact.toml");
    project.write("enact.toml", "");
    ends(used(&[]), "enact.toml");
    project.write("other.toml", "");
    ends(used(&["--config", "other.toml"]), "other.toml");

    // Of a scene, the one that lies with it.
    project.write("story/scene.md", SCENE);
    project.write("story/enact.toml", "default = \"nobody\"\n");
    refused(
        &project,
        &["run", "story/scene.md"],
        expect![[r#"
        error[INVALID_CONFIG]: story/enact.toml:1:11: default: unknown model 'nobody'
          hint: no models are configured: add [models.NAME] to enact.toml, or write 'PROVIDER:MODEL'
    "#]],
    );
    assert_eq!(project.run(&["run", "story/scene.md", "--config", "other.toml"]).code, 0);
}

#[test]
fn bad_configs_are_pointed_at() {
    let with = |config: &str, expected: Expect| refused(&project(config), &["run", "scene.md"], expected);
    with(
        "[models.lead\n",
        expect![[r#"
        error[INVALID_CONFIG]: enact.toml:1:13: not valid TOML: unclosed table, expected `]`
    "#]],
    );
    with(
        "[models.lead]\nprovider = \"antropic\"\nmodel = \"m\"\n",
        expect![[r#"
        error[INVALID_CONFIG]: enact.toml:2:12: models.lead.provider must be anthropic, openai, gemini, ollama, openai-compatible, claude-code, deepseek, groq, llamacpp, mistral, openrouter or xai, found "antropic"
          hint: did you mean 'anthropic'?
    "#]],
    );
    with(
        "[models.lead]\nprovider = \"anthropic\"\nmodel = \"m\"\napi_key = \"sk-1\"\n",
        expect![[r#"
        error[INVALID_CONFIG]: enact.toml:4:1: 'api_key': keys are never written into this file
          hint: put the key into an environment variable and name that: key_env = "MY_KEY"
    "#]],
    );
    with(
        "default = \"led\"\n[models.lead]\nprovider = \"ollama\"\nmodel = \"m\"\n",
        expect![[r#"
        error[INVALID_CONFIG]: enact.toml:1:11: default: unknown model 'led'
          hint: did you mean 'lead'?
    "#]],
    );
    with(
        "default = \"lead\"\n[models.lead]\nprovider = \"openai\"\nmodel = \"m\"\n",
        expect![[r#"
        error[INVALID_CONFIG]: enact.toml:2:9: the model 'lead', which plays alice and bob, needs a key: OPENAI_API_KEY is not set
          hint: put the key into the environment variable OPENAI_API_KEY, or choose another model
    "#]],
    );
    refused(
        &project(""),
        &["run", "scene.md", "--config", "nowhere.toml"],
        expect![[r#"
        error[INVALID_CONFIG]: nowhere.toml: there is no such file
    "#]],
    );
}

#[test]
fn models_that_nobody_knows_are_pointed_at() {
    let project = project(CONFIG);
    refused(
        &project,
        &["run", "scene.md", "--model", "leed"],
        expect![[r#"
        error[INVALID_CONFIG]: unknown model 'leed'
          hint: did you mean 'lead'?
    "#]],
    );
    refused(
        &project,
        &["run", "scene.md", "--model", "alise=lead"],
        expect![[r#"
        error[INVALID_CONFIG]: --model: 'alise' is not in the cast (alice, bob)
          hint: did you mean 'alice'?
    "#]],
    );
    refused(
        &project,
        &["run", "scene.md", "--config", "enact.toml", "--judge", "improviser"],
        expect![[r#"
        error[INVALID_CONFIG]: --judge must be a language model, found the improviser
          hint: without one the rules do it
    "#]],
    );
    refused(
        &project,
        &["run", "scene.md", "--config", "enact.toml", "--events", "nobody"],
        expect![[r#"
            error[INVALID_CONFIG]: unknown model 'nobody'
              hint: there are: improviser, human, lead, local
        "#]],
    );
    project.write("scene.md", SCENE.replace("initialSpeaker: bob", "models: {alice: leed}"));
    refused(
        &project,
        &["run", "scene.md"],
        expect![[r#"
        error[INVALID_CONFIG]: scene.md:4:17: unknown model 'leed'
          hint: did you mean 'lead'?
    "#]],
    );
    project.write("scene.md", SCENE.replace("initialSpeaker: bob", "models: {alise: lead}"));
    refused(
        &project,
        &["run", "scene.md"],
        expect![[r#"
        error[INVALID_CONFIG]: scene.md:4:17: models: 'alise' is not in the cast (alice, bob)
          hint: did you mean 'alice'?
    "#]],
    );
    project.write("scene.md", SCENE);
    project.write(".claude/agents/bob.md", "---\nname: Bob\nmodel: leed\n---\n# Bob\n");
    refused(
        &project,
        &["run", "scene.md"],
        expect![[r#"
        error[INVALID_CONFIG]: .claude/agents/bob.md:3:8: unknown model 'leed'
          hint: did you mean 'lead'?
    "#]],
    );
}

#[test]
fn only_models_that_play_need_their_keys() {
    let project = project(CONFIG);
    let ran = project.run(&["run", "scene.md", "--model", "improviser", "--judge", "none"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let named = ["run", "scene.md", "--config", "enact.toml", "--model", "bob=improviser"];
    let ran = project.run(&named);
    expect![[r#"
        error[INVALID_CONFIG]: enact.toml:4:9: the model 'lead', which plays alice, needs a key: STAGE_KEY is not set
          hint: put the key into the environment variable STAGE_KEY, or choose another model
    "#]].assert_eq(&said(&project, &ran));
    assert_eq!(ran.code, 2);
}

#[test]
fn money_is_only_kept_account_of_where_prices_are_known() {
    let project = project(CONFIG);
    refused(
        &project,
        &["run", "scene.md", "--model", "local", "--budget", "0.5"],
        expect![[r#"
        error[INVALID_CONFIG]: the price of the model 'local' is unknown: a budget in USD cannot be kept
          hint: give its price in the configuration, or a budget in tokens
    "#]],
    );
    let ran =
        project.run(&["run", "scene.md", "--model", "improviser", "--judge", "none", "--budget", "0.5"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
}

#[test]
fn traces_go_where_the_file_says() {
    let ran = project(TELEMETRY).run(&["run", "scene.md"]);
    assert_eq!(ran.code, 0);
    assert!(ran.stderr.contains("127.0.0.1:9"), "nobody listens there, which is said: {}", ran.stderr);
}

#[test]
fn traces_of_a_comparison_go_where_its_scene_s_file_says() {
    let project = Project::new();
    project.write("story/scene.md", SCENE);
    project.write("story/enact.toml", TELEMETRY);
    let ran = project.run(&["compare", "story/scene.md", "--with", "improviser", "--runs", "1"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("127.0.0.1:9"), "nobody listens there, which is said: {}", ran.stderr);
}

/// What goes to a collector goes with the headers that the user's environment has for another one.
#[test]
fn a_file_that_was_only_found_sends_no_traces_elsewhere() {
    // An address that leads nowhere, in case they are sent all the same.
    let project = project("[telemetry]\notlp = \"http://collector.invalid:4318/deep\"\n");
    let note = "note: telemetry is off: enact.toml would send traces to http://collector.invalid:4318, \
                and it was only found, not named; if you trust it, name it: --config enact.toml\n";
    let ran = project.run(&["run", "scene.md"]);
    assert_eq!((ran.code, said(&project, &ran).ends_with(note)), (0, true), "{}", ran.stderr);
    assert!(said(&project, &project.run(&["models"])).contains("Traces: not sent: enact.toml would"));
    let ran = project.run(&["run", "scene.md", "--config", "enact.toml"]);
    assert!(ran.stderr.contains("did not reach the collector at collector.invalid:4318"), "{}", ran.stderr);
    // With the endpoint in the environment the warning about the file is not printed.
    let mut command = project.command(&["run", "scene.md"]);
    let ran: Ran = command.env("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9").output().unwrap().into();
    assert!(ran.stderr.contains("127.0.0.1:9") && !ran.stderr.contains("invalid"), "{}", ran.stderr);
}

#[test]
fn a_wish_that_is_passed_over_is_said_once() {
    let project = Project::new();
    project.write("scene.md", SCENE);
    for name in ["alice", "bob"] {
        project.write(&format!(".claude/agents/{name}.md"), format!("---\nmodel: sonnet\n---\n# {name}\n"));
    }
    expect![[r#"
        note: the sheets of alice and bob ask for 'sonnet', which is no model here; 'improviser' plays instead
    "#]]
    .assert_eq(&project.run(&["run", "scene.md"]).stderr);
    for quiet in ["--json", "--quiet"] {
        assert_eq!(project.run(&["run", "scene.md", quiet]).stderr, "");
    }
    assert_eq!(project.run(&["run", "scene.md", "--model", "improviser"]).stderr, "");
}

/// A story from somewhere else may bring an `enact.toml`; it does not get to send keys wherever it likes.
#[test]
fn a_file_that_was_only_found_sends_no_key_elsewhere() {
    let elsewhere = CONFIG.replace("key_env", "base_url = \"https://models.example.org/v1/\"\nkey_env");
    let project = project(&elsewhere);
    let ran = run_with_key(&project, &["run", "scene.md"]);
    expect![[r#"
        error[INVALID_CONFIG]: enact.toml:4:9: the model 'lead' would send the key in STAGE_KEY to https://models.example.org, and this file was only found, not named
          hint: if you trust it, name it: --config enact.toml; or move the model to ~/.config/enact/enact.toml
    "#]]
    .assert_eq(&said(&project, &ran));
    assert_eq!(ran.code, 2);
    // A key that may not be needed there is kept back, and the rest goes on.
    let keyless =
        elsewhere.replace("key_env = \"STAGE_KEY\"\n", "").replace("models.example.org", "models.invalid");
    project.write("enact.toml", keyless);
    let mut command = project.command(&["run", "scene.md", "--judge", "none", "--max-beats", "1"]);
    let ran: Ran = command.env("ANTHROPIC_API_KEY", SECRET).output().unwrap().into();
    let note = "note: the key in ANTHROPIC_API_KEY is not sent to https://models.invalid, where the model 'lead' is: enact.toml was only found";
    assert!(said(&project, &ran).contains(note), "{}", ran.stderr);
    project.write("enact.toml", &elsewhere);
    // Named, it is the user's own word. The model is only listed here, not asked.
    let ran = run_with_key(&project, &["models", "--config", "enact.toml"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

/// Nor does it get to choose which secret of the environment a provider is sent.
#[test]
fn a_file_that_was_only_found_names_no_key_of_its_own() {
    let project = project(CONFIG);
    refused(
        &project,
        &["run", "scene.md", "--judge", "none"],
        expect![[r#"
            error[INVALID_CONFIG]: enact.toml:4:9: the model 'lead' would use the key in STAGE_KEY instead of ANTHROPIC_API_KEY, and this file was only found, not named
              hint: if you trust it, name it: --config enact.toml; or move the model to ~/.config/enact/enact.toml
        "#]],
    );
}

#[test]
fn a_template_that_is_nearly_called_like_one_is_noted() {
    let project = Project::new();
    project.write("templates/turn3_replay.j2", "Never read: {{ nothing }}");
    project.write("templates/base.html.j2", "Of some other program.");
    let args = ["chorus", "Hello", "--slots", "1", "--voice", "none"];
    let said = project.run(&args).stderr;
    let note = "note: templates/turn3_replay.j2 is not read: did you mean 'turn3_reply.j2'?";
    assert!(said.starts_with(note) && !said.contains("base.html"), "{said}");
    let quiet = project.run(&[&args[..], &["--quiet"]].concat());
    assert!(!quiet.stderr.contains("turn3_replay"), "{}", quiet.stderr);
}
