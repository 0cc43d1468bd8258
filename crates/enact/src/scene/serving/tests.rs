use enact_drama::model_card::ModelCard;
use enact_engine::{Artifacts, ResourceProvider as _};
use enact_models::{Provider, Settings};
use expect_test::{Expect, expect};

use super::*;
use crate::config::ModelEntry;

fn entry(name: &str, provider: Provider) -> ModelEntry {
    ModelEntry {
        name: name.to_owned(),
        settings: Settings::new(provider, "m"),
        key_variable: Some("ENACT_TESTS_NEVER_SET_THIS".to_owned()).filter(|_| provider != Provider::Ollama),
        key_optional: false,
    }
}

/// A project with sheets for Alice and Bob, and models `local` and `keyed`.
fn project(default: Option<&str>) -> (tempfile::TempDir, SceneCaster) {
    let folder = tempfile::tempdir().unwrap();
    let cast_dir = folder.path().join("agents");
    std::fs::create_dir(&cast_dir).unwrap();
    std::fs::write(cast_dir.join("alice.md"), "# Alice\n").unwrap();
    std::fs::write(cast_dir.join("bob.md"), "---\nmodel: ollama:tiny\n---\n# Bob\n").unwrap();
    std::fs::write(folder.path().join("secret.md"), "# Secret\n").unwrap();
    let config = Config {
        models: vec![entry("local", Provider::Ollama), entry("keyed", Provider::Anthropic)],
        default: default.map(str::to_owned),
        trusted: true,
        ..Config::default()
    };
    let artifacts = Artifacts::in_folder(folder.path().join("artifacts"));
    let project = Arc::new(ServedProject::new(config, crate::productions(), artifacts));
    (folder, SceneCaster::new(project, Some(cast_dir), ScenePrompts::default()))
}

fn scene(characters: &[&str]) -> SceneConfig {
    SceneConfig {
        name: "late".into(),
        prompt: "Bob apologizes to Alice. Alice accepts.".into(),
        characters: characters.iter().map(|name| (*name).to_owned()).collect(),
        ..SceneConfig::default()
    }
}

fn sheet(name: &str, text: &str) -> (Name, String) {
    (Name::new(name).unwrap(), text.to_owned())
}

async fn outcome(project: &SceneCaster, scene: SceneConfig, sheets: &[(&str, &str)]) -> String {
    let sheets = sheets.iter().map(|(name, text)| sheet(name, text)).collect();
    match project.cast(scene, sheets, Budget::default()).await {
        Ok(setup) => {
            let roles = setup.cast.iter().map(|role| {
                format!("{}: {} by {}", role.name, role.sheet.lines().last().unwrap(), role.model)
            });
            roles.collect::<Vec<_>>().join(", ")
        }
        Err(problem) => format!("{problem} [{}]", problem.hint.as_deref().unwrap_or_default()),
    }
}

async fn check(asked: &[(SceneConfig, &[(&str, &str)])], expected: Expect) {
    let (folder, project) = project(None);
    let mut outcomes = String::new();
    for (scene, sheets) in asked {
        outcomes.push_str(&outcome(&project, scene.clone(), sheets).await);
        outcomes.push('\n');
    }
    assert!(!outcomes.contains(&*folder.path().to_string_lossy()), "where it lies is told: {outcomes}");
    expected.assert_eq(&outcomes);
}

fn with_model(who: &str, model: &str) -> SceneConfig {
    let mut scene = scene(&["alice", "bob"]);
    scene.models.insert(who.to_owned(), model.into());
    scene
}

#[tokio::test]
async fn sheets_come_with_the_request_or_out_of_the_folder() {
    check(
        &[
            (scene(&["alice", "bob"]), &[]),
            (scene(&["alice", "bob"]), &[("bob", "# Bob\n\n- Another one")]),
            (scene(&["dora", "emil"]), &[("dora", "# Dora"), ("emil", "# Emil")]),
            (scene(&["alicia", "bob"]), &[]),
            (scene(&["alice", "zed"]), &[]),
            (scene(&["alice", "../secret"]), &[]),
            (scene(&["alice", "bob"]), &[("bo", "# Bo")]),
            (scene(&["alice", "bob"]), &[("bob", "---\nmodel: [\n---\n# Bob")]),
        ],
        expect![[r#"
            alice: # Alice by improviser, bob: # Bob by ollama:tiny
            alice: # Alice by improviser, bob: - Another one by improviser
            dora: # Dora by improviser, emil: # Emil by improviser
            Character 'alicia' not found. Ensure .claude/agents/alicia.md exists. [did you mean 'alice'?]
            Character 'zed' not found. Ensure .claude/agents/zed.md exists. [in '.claude/agents' there are: alice, bob]
            character name '../secret' is not a plain name: use letters, digits, '-' and '_', starting with a letter or digit, at most 64 []
            sheets: 'bo' is not in the cast (alice, bob) [did you mean 'bob'?]
            line 2, column 8: Failed to load character 'bob': the front matter is not valid YAML: unclosed bracket '[' []
        "#]],
    )
    .await;
}

#[tokio::test]
async fn requests_name_models_of_the_operator_s_only() {
    let from_sheet = |model: &str| format!("---\nmodel: {model}\n---\n# Bob");
    let sheets: Vec<String> = ["local", "inherit", "sonnet", "script:/etc/passwd", "openai:gpt-5-mini"]
        .iter()
        .map(|model| from_sheet(model))
        .collect();
    let cast = ["alice", "bob"];
    check(
        &[
            (with_model("bob", "local"), &[]),
            (with_model("bob", "improviser"), &[]),
            (with_model("bob", "inherit"), &[]),
            (with_model("bob", "locall"), &[]),
            (with_model("bob", "script:/etc/passwd"), &[]),
            (with_model("bob", "recorded:latest"), &[]),
            (with_model("bob", "ollama:tiny"), &[]),
            (with_model("bob", "keyed"), &[]),
            (with_model("zed", "local"), &[]),
            (scene(&cast), &[("bob", &sheets[0])]),
            (scene(&cast), &[("bob", &sheets[1])]),
            (scene(&cast), &[("bob", &sheets[2])]),
            (scene(&cast), &[("bob", &sheets[3])]),
            (scene(&cast), &[("bob", &sheets[4])]),
        ],
        expect![[r#"
            alice: # Alice by improviser, bob: # Bob by local
            alice: # Alice by improviser, bob: # Bob by improviser
            alice: # Alice by improviser, bob: # Bob by improviser
            models: bob: there is no model 'locall' here [did you mean 'local'?]
            models: bob: there is no model 'script:/etc/passwd' here [there are: improviser, human, local, keyed]
            models: bob: there is no model 'recorded:latest' here [there are: improviser, human, local, keyed]
            models: bob: there is no model 'ollama:tiny' here [there are: improviser, human, local, keyed]
            the model 'keyed', which plays bob, needs a key: ENACT_TESTS_NEVER_SET_THIS is not set [put the key into the environment variable ENACT_TESTS_NEVER_SET_THIS, or choose another model]
            models: 'zed' is not in the cast (alice, bob) []
            alice: # Alice by improviser, bob: # Bob by local
            alice: # Alice by improviser, bob: # Bob by improviser
            alice: # Alice by improviser, bob: # Bob by improviser
            the sheet of 'bob': there is no model 'script:/etc/passwd' here [there are: improviser, human, local, keyed]
            the sheet of 'bob': there is no model 'openai:gpt-5-mini' here [there are: improviser, human, local, keyed]
        "#]],
    )
    .await;
}

#[tokio::test]
async fn all_runs_share_a_model() {
    let (_folder, project) = project(Some("local"));
    let first = project.cast(scene(&["alice", "bob"]), Vec::new(), Budget::default()).await.unwrap();
    let second = project.cast(scene(&["alice", "bob"]), Vec::new(), Budget::default()).await.unwrap();
    let (first, second) = (
        project.project.models(&first.players()).await.unwrap(),
        project.project.models(&second.players()).await.unwrap(),
    );
    assert_eq!(first.keys().collect::<Vec<_>>(), ["local", "ollama:tiny"]);
    for (name, model) in first {
        assert!(Arc::ptr_eq(&model, &second[&name]), "{name}");
    }
}

#[tokio::test]
async fn a_missing_key_is_known_before_the_first_request() {
    for (default, expected) in [(None, 0), (Some("local"), 0), (Some("keyed"), 1)] {
        let (_folder, project) = project(default);
        assert_eq!(problems(&project.project).await.len(), expected, "{default:?}");
    }
}

#[tokio::test]
async fn what_reads_files_is_not_played_for_others() {
    let (_folder, project) = project(None);
    let mut setup = project.cast(scene(&["alice", "bob"]), Vec::new(), Budget::default()).await.unwrap();
    let card = setup.models["improviser"].clone();
    setup.models.insert("script:/etc/passwd".to_owned(), card);
    setup.event_writer = Some("script:/etc/passwd".to_owned());
    let problem = project.project.models(&setup.players()).await.unwrap_err();
    expect!["it is played by 'script:/etc/passwd': scripts and recordings are only for the command line"]
        .assert_eq(&problem.to_string());
}

/// With a file that was named or merely found, in a folder whose name says something.
fn configured(text: &str, named: bool) -> (tempfile::TempDir, SceneCaster) {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home of the operator");
    std::fs::create_dir(&home).unwrap();
    std::fs::write(home.join("enact.toml"), text).unwrap();
    let file = home.join("enact.toml");
    let config = Config::load(named.then_some(&*file), &home).unwrap();
    let artifacts = Artifacts::in_folder(folder.path().join("artifacts"));
    let project = Arc::new(ServedProject::new(config, crate::productions(), artifacts));
    (folder, SceneCaster::new(project, None, ScenePrompts::default()))
}

#[tokio::test]
async fn where_the_operator_s_files_lie_is_not_told() {
    let missing =
        "[models.lead]\nprovider = \"anthropic\"\nmodel = \"m\"\nkey_env = \"ENACT_TESTS_NEVER_SET_THIS\"\n";
    let elsewhere = format!("{missing}base_url = \"https://elsewhere.example/v1/\"\n");
    let mut told = String::new();
    for (text, named) in [(missing, true), (&elsewhere, false)] {
        let (folder, project) = configured(text, named);
        let mut scene = scene(&["dora", "emil"]);
        scene.models.insert("dora".to_owned(), "lead".into());
        let cast = outcome(&project, scene, &[("dora", "# Dora"), ("emil", "# Emil")]).await;
        let sheets = || vec![sheet("dora", "# Dora"), sheet("emil", "# Emil")];
        // A run that waits since there was a key, and is stuck now.
        let mut waits =
            project.cast(self::scene(&["dora", "emil"]), sheets(), Budget::default()).await.unwrap();
        let card = ModelCard {
            provider: Some("anthropic".to_owned()),
            model: Some("m".to_owned()),
            ..waits.models["improviser"].clone()
        };
        waits.models.insert("lead".to_owned(), card);
        waits.event_writer = Some("lead".to_owned());
        let stuck = project.project.models(&waits.players()).await.unwrap_err();
        let stuck = format!("{stuck} [{}]", stuck.hint.as_deref().unwrap_or_default());
        for text in [&cast, &stuck] {
            assert!(
                !text.contains("operator") && !text.contains(&*folder.path().to_string_lossy()),
                "{text}"
            );
        }
        told += &format!("{cast}\n{stuck}\n");
    }
    expect![[r#"
        enact.toml:1:9: the model 'lead', which plays dora, needs a key: ENACT_TESTS_NEVER_SET_THIS is not set [put the key into the environment variable ENACT_TESTS_NEVER_SET_THIS, or choose another model]
        enact.toml:1:9: the model 'lead', which writes events, needs a key: ENACT_TESTS_NEVER_SET_THIS is not set [put the key into the environment variable ENACT_TESTS_NEVER_SET_THIS, or choose another model]
        enact.toml:1:9: the model 'lead' would send the key in ENACT_TESTS_NEVER_SET_THIS to https://elsewhere.example, and this file was only found, not named [if you trust it, name it: --config enact.toml; or move the model to ~/.config/enact/enact.toml]
        enact.toml:1:9: the model 'lead' would send the key in ENACT_TESTS_NEVER_SET_THIS to https://elsewhere.example, and this file was only found, not named [if you trust it, name it: --config enact.toml; or move the model to ~/.config/enact/enact.toml]
    "#]].assert_eq(&told);
}

/// Otherwise a client with the scope to play could read any file of the operator through a sheet.
#[cfg(unix)]
#[tokio::test]
async fn sheets_that_are_links_out_of_the_project_are_not_read() {
    let (folder, project) = project(None);
    let link = |to: &str, name: &str| {
        std::os::unix::fs::symlink(to, folder.path().join("agents").join(name)).unwrap();
    };
    link("../secret.md", "eve.md");
    link("alice.md", "ann.md");
    let told = outcome(&project, scene(&["alice", "eve"]), &[]).await;
    let expected = ".claude/agents/eve.md: Failed to load character 'eve': a link leads out of the project \
                    [put the sheet itself there]";
    assert_eq!(told, expected);
    let told = outcome(&project, scene(&["alice", "ann"]), &[]).await;
    assert!(!told.contains("link"), "{told}");
}
