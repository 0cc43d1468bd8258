use std::path::Path;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

fn shown(read: Result<Config, Problem>) -> String {
    match read {
        Err(problem) => match &problem.hint {
            Some(hint) => format!("{problem}\nhint: {hint}\n"),
            None => format!("{problem}\n"),
        },
        Ok(config) => {
            let mut out = format!(
                "default {:?}, judge {:?}, events {:?}, otlp {:?}\n",
                config.default, config.judge, config.events, config.otlp
            );
            for entry in config.models {
                out.push_str(&format!("{} at {:?}, key {:?}\n", entry.name, entry.place, entry.key_variable));
                out.push_str(&format!("{:#?}\n", entry.settings));
            }
            out
        }
    }
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&shown(read::read(text)));
}

/// Each of these as a line of a model that is otherwise fine, and what is said about it.
fn check_lines(lines: &[&str], expected: Expect) {
    let outcomes = lines.iter().map(|line| {
        let text = format!("[models.lead]\nprovider = \"anthropic\"\nmodel = \"m\"\n{line}\n");
        let outcome = shown(read::read(&text));
        assert!(!outcome.contains("sk-"), "a key was repeated: {outcome}");
        format!("{line}\n=> {outcome}")
    });
    expected.assert_eq(&outcomes.collect::<String>());
}

const WHOLE: &str = r#"
default = "lead"
judge = "quick"
events = "anthropic:claude-haiku-4-5"

[models.lead]
provider = "anthropic"
model = "claude-sonnet-4-5"
temperature = 0.9
max_tokens = 400
timeout_seconds = 30
retries = 1
base_url = "https://proxy.example/v1/"
key_env = "MY_KEY"
context = "window"
cache = "1h"
thread_tokens = 24000
price = { input = 3, output = 15.0, cache_read = 0.3, cache_write = 3.75 }

[models.quick]
provider = "ollama"
model = "llama3.2:3b"
price = { input = 0.0375, output = 0 }

[telemetry]
otlp = "http://127.0.0.1:4318"
"#;

#[test]
fn a_file_with_every_key() {
    check(WHOLE, expect![[""]]);
    check("", expect![[""]]);
}

#[test]
fn what_is_missing_is_named() {
    check("[models.lead]\nmodel = \"m\"\n", expect![[""]]);
    check("[models.lead]\nprovider = \"gemini\"\n", expect![[""]]);
    check("[models.lead]\nprovider = \"openai-compatible\"\nmodel = \"m\"\n", expect![[""]]);
    check("models = 3\n", expect![[""]]);
    check("[models]\nlead = \"anthropic:m\"\n", expect![[""]]);
}

#[test]
fn names_that_mean_nothing() {
    check("[model.lead]\n", expect![[""]]);
    check("[telemetry]\nurl = \"http://x\"\n", expect![[""]]);
    check("[telemetry]\notlp = \"localhost:4318\"\n", expect![[""]]);
    check("default = \"lead\"\n", expect![[""]]);
    check("default = \"leed\"\n[models.lead]\nprovider = \"ollama\"\nmodel = \"m\"\n", expect![[""]]);
    check("judge = \"improviser\"\n", expect![[""]]);
    check("events = \"antropic:m\"\n", expect![[""]]);
    check("default = \"script:x.txt\"\n", expect![[""]]);
    check("default = \"anthropic\"\n", expect![[""]]);
    check("default = \"sonnet\"\n", expect![[""]]);
    check("default = 3\n", expect![[""]]);
    check("[models.\"a b\"]\n", expect![[""]]);
    check("[models.improviser]\n", expect![[""]]);
    check("default = \"lead\n", expect![[""]]);
}

#[test]
fn values_that_make_no_sense() {
    check_lines(
        &[
            "temprature = 1",
            "timeout = 3",
            "flavour = 'sweet'",
            "temperature = 3",
            "temperature = 'hot'",
            "temperature = nan",
            "max_tokens = 0",
            "max_tokens = 1.5",
            "max_tokens = 99999999999999999999",
            "timeout_seconds = 0",
            "retries = -1",
            "thread_tokens = 10",
            "context = 'thred'",
            "cache = '2h'",
            "price = 3",
            "price = { input = 3 }",
            "price = { input = 3, output = -1 }",
            "price = { in = 3, output = 1 }",
            "base_url = 'ftp://x/'",
            "base_url = 'http://'",
            "base_url = 'http://a b/'",
        ],
        expect![[""]],
    );
    check("[models.lead]\nprovider = \"antrhopic\"\n", expect![[""]]);
    check("[models.lead]\nprovider = \"acme\"\n", expect![[""]]);
    check("[models.lead]\nprovider = \"openai\"\nmodel = \" \"\n", expect![[""]]);
    check("[models.cc]\nprovider = \"claude-code\"\nmodel = \"sonnet\"\nkey_env = \"X\"\n", expect![[""]]);
}

#[test]
fn keys_are_refused_and_not_repeated() {
    check_lines(
        &[
            "key = 'sk-ant-123'",
            "api_key = 'sk-ant-123'",
            "API_KEY = 'sk-ant-123'",
            "key_env = 'sk-ant-123'",
            "base_url = 'https://me:sk-ant-123@example.com/'",
        ],
        expect![[""]],
    );
}

#[test]
fn names_stand_for_models() {
    let config = read::read(WHOLE).unwrap();
    let outcome = |name: &str| match config.refer(name) {
        Ok(Reference::Language(entry)) => {
            let Entry { name, settings, key_variable, .. } = *entry;
            format!("{name}: {} {} {key_variable:?}", settings.provider.as_str(), settings.model)
        }
        Ok(other) => format!("{other:?}"),
        Err(problem) => format!("{problem} ({})", problem.hint.unwrap_or_default()),
    };
    let names = [
        "improviser",
        "lead",
        "script:a:b.txt",
        "recorded:latest",
        "anthropic:claude-sonnet-4-5",
        "ollama:llama3.2:3b",
        "claude-code:opus",
        "openai-compatible:m",
        "openai:",
        "opnai:gpt",
        "acme:m",
        "openai",
        "Lead",
        "nobody",
        "inherit",
        "\u{1b}[31m",
    ];
    let table: String = names.iter().map(|name| format!("{name:?} => {}\n", outcome(name))).collect();
    expect![[""]].assert_eq(&table);
}

#[test]
fn the_nearest_file_wins() {
    let project = tempfile::tempdir().unwrap();
    let inner = project.path().join("a/b");
    std::fs::create_dir_all(&inner).unwrap();
    let user = project.path().join("user/enact.toml");
    std::fs::create_dir_all(user.parent().unwrap()).unwrap();
    let find = || find::find(&inner, Some(user.clone()));
    assert_eq!(find(), None);
    for file in [user.clone(), project.path().join("enact.toml"), inner.join("enact.toml")] {
        std::fs::write(&file, "").unwrap();
        assert_eq!(find(), Some(file));
    }
}

#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("enact.toml");
    let load = |path: &Path| {
        let home = format!("{}/", folder.path().display());
        Config::load(Some(path), Path::new(".")).unwrap_err().to_string().replace(&home, "")
    };
    assert_eq!(load(&file), "enact.toml: there is no such file");
    std::fs::write(&file, b"a = '\xff'").unwrap();
    assert_eq!(load(&file), "enact.toml: it is not UTF-8 text: byte 5 belongs to no character");
    std::fs::write(&file, vec![b'#'; 1024 * 1024 + 1]).unwrap();
    assert_eq!(load(&file), "enact.toml: it is larger than 1024 KiB");
    assert!(load(folder.path()).ends_with(": it is not a file"));
}

proptest! {
    #[test]
    fn any_text_reads_or_is_refused(
        text in "((default|judge|\\[models\\.[a-z]\\]|provider|model|price|key_env) ?=? ?(\"[a-z:]{0,9}\"|[0-9.]{1,4}|\\{|\\})?\n){0,8}|\\PC{0,80}",
    ) {
        let _ = shown(read::read(&text));
    }
}
