//! What providers offer (`enact models --remote`), and servers on this machine that are noticed.

use std::{
    io::{Read, Write},
    net::TcpListener,
    thread,
};

use fake_provider::{Api, FakeProvider};
use serde_json::json;

use crate::project::{Project, Ran};

const SCENE: &str =
    "---\nname: late-again\ncharacters: [alice, bob]\n---\nBob apologizes to Alice for being late.\n";

const KEY: &str = "sk-offers-must-not-tell-this";

fn provider(models: &[&str]) -> FakeProvider {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(FakeProvider::builder().key(KEY).models(models.iter().copied()).start())
}

#[test]
fn each_provider_is_asked_once_and_failures_are_a_line() {
    let server = provider(&["gpt-5", "gpt-of-tomorrow"]);
    let project = Project::new();
    let (openai, gemini) = (server.base_url_for(Api::OpenAi), server.base_url_for(Api::Gemini));
    project.write(
        "enact.toml",
        format!(
            "[models.lead]\nprovider = \"openai\"\nmodel = \"gpt-5\"\nbase_url = \"{openai}\"\n\
             [models.other]\nprovider = \"openai\"\nmodel = \"gpt-of-tomorrow\"\nbase_url = \"{openai}\"\n\
             [models.far]\nprovider = \"gemini\"\nmodel = \"m\"\nbase_url = \"{gemini}\"\nkey_env = \"WRONG_KEY\"\n"
        ),
    );
    // The usual address of OpenAI, for which a key is set as well, is not one for tests.
    let mut command = project.command(&["models", "--remote", "--config", "enact.toml", "--json"]);
    let ran: Ran = command.env("WRONG_KEY", "another-key").output().unwrap().into();
    let told = ran.json();
    let remote = told["remote"].as_array().unwrap();
    assert_eq!(remote.len(), 2, "{told:#}");
    assert_eq!((&remote[0]["provider"], &remote[0]["models"]), (&json!("openai"), &json!([])));
    assert!(remote[0]["error"].as_str().unwrap().starts_with("the key was refused (401)"), "{told:#}");

    project.write(
        "enact.toml",
        format!(
            "[models.lead]\nprovider = \"openai-compatible\"\nmodel = \"gpt-5\"\nbase_url = \"{openai}\"\n\
             key_env = \"OFFERS_KEY\"\n[models.far]\nprovider = \"gemini\"\nmodel = \"m\"\nbase_url = \"{gemini}\"\n\
             key_env = \"WRONG_KEY\"\n"
        ),
    );
    project.write("prices.toml", "[openai-compatible]\n\"gpt-5\" = { input = 1.25, output = 10 }\n");
    let run = |args: &[&str]| -> Ran {
        let mut command =
            project.command(&[&["models", "--remote", "--config", "enact.toml"], args].concat());
        let ran: Ran = command.env("OFFERS_KEY", KEY).env("WRONG_KEY", "another").output().unwrap().into();
        assert!(!format!("{}{}", ran.stdout, ran.stderr).contains(KEY), "the key was told");
        ran
    };
    let ran = run(&[]);
    let shown = ran.stdout.replace(&openai, "OPENAI/").replace(&gemini, "GEMINI/");
    let (_, offers) = shown.split_once("openai-compatible (OPENAI/)").unwrap();
    assert!(
        offers
            .starts_with(" offers 2 models\n    gpt-5            1.25 in, 10.00 out\n    gpt-of-tomorrow\n"),
        "{shown}"
    );
    assert!(shown.contains("\ngemini (GEMINI/): the key was refused"), "{shown}");
    assert_eq!(ran.code, 1, "a provider failed");
    let told = run(&["--json"]).json();
    assert_eq!(told["remote"][0]["models"][0]["price"]["output"], 10.0, "{told:#}");
    assert_eq!(told["remote"][0]["models"][1], json!({"model": "gpt-of-tomorrow", "price": null}));
}

/// Something that answers as Ollama lists its models, as often as it is asked.
fn ollama() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        for client in listener.incoming() {
            let mut client = client.unwrap();
            let _ = client.read(&mut [0; 1024]);
            let body = r#"{"models":[{"name":"llama3.2:latest"}]}"#;
            let _ = write!(client, "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len());
        }
    });
    address
}

#[test]
fn a_server_on_this_machine_is_noticed_and_not_used() {
    let address = ollama();
    let project = Project::new();
    project.write("scene.md", SCENE);
    let run = |args: &[&str]| -> Ran {
        let mut command = project.command(args);
        command.env("ENACT_LOCAL_SERVERS", format!("ollama={address}")).output().unwrap().into()
    };
    let listed = run(&["models"]);
    let noticed = format!("Ollama runs on this machine (http://{address}) with llama3.2:latest");
    assert!(listed.stdout.contains(&noticed), "{}", listed.stdout);
    assert_eq!(run(&["models", "--json"]).json()["local"][0]["models"], json!(["llama3.2:latest"]));

    let played = run(&["run", "scene.md", "--max-beats", "1"]);
    assert_eq!(played.code, 0, "{}", played.stderr);
    assert!(
        played.stderr.contains(&noticed) && played.stderr.contains("provider = \"ollama\""),
        "{}",
        played.stderr
    );
    let quiet = run(&["run", "scene.md", "--max-beats", "1", "--json"]);
    assert_eq!((quiet.code, quiet.stderr.as_str()), (0, ""));
    assert!(quiet.stdout.contains("improviser"), "it plays nobody unasked");
    // Who names a model needs no hint.
    let named = run(&["run", "scene.md", "--max-beats", "1", "--model", "improviser"]);
    assert!(!named.stderr.contains("runs on this machine"), "{}", named.stderr);
}

#[test]
fn where_no_provider_can_be_asked_it_is_said() {
    let project = Project::new();
    let ran: Ran = project.command(&["models", "--remote"]).output().unwrap().into();
    assert_eq!(ran.code, 0);
    assert!(ran.stdout.ends_with("is set (ANTHROPIC_API_KEY and its like)\n"), "{}", ran.stdout);
}
