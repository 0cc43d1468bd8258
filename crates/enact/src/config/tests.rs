use std::path::Path;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

mod wrong_values;

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
                out.push_str(&format!("{}, key {:?}\n", entry.name, entry.key_variable));
                out.push_str(&format!("{:#?}\n", entry.settings));
            }
            out
        }
    }
}

pub(super) fn read_config(text: &str) -> Result<Config, Problem> {
    read::read(Path::new("enact.toml"), text)
}

pub(super) fn check(text: &str, expected: Expect) {
    expected.assert_eq(&shown(read_config(text)));
}

/// Each of these as a whole file, and what is said about it.
fn check_files(files: &[&str], expected: Expect) {
    let outcomes = files.iter().map(|text| format!("{text}=> {}", shown(read_config(text))));
    expected.assert_eq(&outcomes.collect::<String>());
}

/// Each of these as a line of a model that is otherwise fine, and what is said about it.
pub(super) fn check_lines(lines: &[&str], expected: Expect) {
    let outcomes = lines.iter().map(|line| {
        let text = format!("[models.lead]\nprovider = \"anthropic\"\nmodel = \"m\"\n{line}\n");
        let outcome = shown(read_config(&text));
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
base_url = "https://gateway.example/v1/"
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
    check(
        WHOLE,
        expect![[r#"
            default Some("lead"), judge Some("quick"), events Some("anthropic:claude-haiku-4-5"), otlp Some("http://127.0.0.1:4318")
            lead, key Some("MY_KEY")
            Settings {
                provider: Anthropic,
                model: "claude-sonnet-4-5",
                base_url: Some(
                    "https://gateway.example/v1/",
                ),
                key: None,
                temperature: Some(
                    0.9,
                ),
                top_p: None,
                stop: [],
                seed: None,
                headers: [],
                body: {},
                max_tokens: Some(
                    400,
                ),
                effort: None,
                thinking: None,
                timeout: Some(
                    30s,
                ),
                retries: 1,
                max_parallel: None,
                requests_per_minute: None,
                price: Some(
                    Price {
                        uncached: 3000,
                        cache_read: 300,
                        cache_write: 3750,
                        output: 15000,
                    },
                ),
                published: None,
                context: Window,
                cache: OneHour,
                thread_tokens: Some(
                    24000,
                ),
                fallback: [],
            }
            quick, key None
            Settings {
                provider: Ollama,
                model: "llama3.2:3b",
                base_url: None,
                key: None,
                temperature: None,
                top_p: None,
                stop: [],
                seed: None,
                headers: [],
                body: {},
                max_tokens: None,
                effort: None,
                thinking: None,
                timeout: None,
                retries: 2,
                max_parallel: None,
                requests_per_minute: None,
                price: Some(
                    Price {
                        uncached: 38,
                        cache_read: 38,
                        cache_write: 38,
                        output: 0,
                    },
                ),
                published: None,
                context: Thread,
                cache: FiveMinutes,
                thread_tokens: None,
                fallback: [],
            }
        "#]],
    );
    check(
        "",
        expect![[r#"
        default None, judge None, events None, otlp None
    "#]],
    );
}

#[test]
fn what_is_missing_is_named() {
    check(
        "[models.lead]\nmodel = \"m\"\n",
        expect![[r#"
        line 1, column 9: models.lead has no 'provider'
        hint: for example: provider = "anthropic"
    "#]],
    );
    check(
        "[models.lead]\nprovider = \"gemini\"\n",
        expect![[r#"
        line 1, column 9: models.lead has no 'model'
        hint: for example: model = "gemini-3.8-flash"
    "#]],
    );
    check(
        "[models.lead]\nprovider = \"openai-compatible\"\nmodel = \"m\"\n",
        expect![[r#"
        line 1, column 9: models.lead has no 'base_url'
        hint: for example: base_url = "http://127.0.0.1:8080/v1/"
    "#]],
    );
    check(
        "models = 3\n",
        expect![[r#"
        line 1, column 10: models must be keys with values, found 3
    "#]],
    );
    check(
        "[models]\nlead = \"anthropic:m\"\n",
        expect![[r#"
        line 2, column 8: models.lead must be keys with values, found text
    "#]],
    );
    // A key that was pasted one level too high is not repeated.
    for file in
        ["[models]\nanthropic = \"hunter2\"\n", "[voices]\nstudio = \"hunter2\"\n", "tokens = \"hunter2\"\n"]
    {
        let shown = shown(read_config(file));
        assert!(shown.contains(" must be ") && !shown.contains("hunter2"), "{shown}");
    }
}

#[test]
fn names_that_mean_nothing() {
    check_files(
        &[
            "[model.lead]\n",
            "[telemetry]\nurl = \"http://x\"\n",
            "[telemetry]\notlp = \"localhost:4318\"\n",
            "default = \"lead\"\n",
            "default = \"leed\"\n[models.lead]\nprovider = \"ollama\"\nmodel = \"m\"\n",
            "judge = \"improviser\"\n",
            "events = \"antropic:m\"\n",
            "default = \"script:x.txt\"\n",
            "default = \"anthropic\"\n",
            "default = \"sonnet\"\n",
            "default = 3\n",
            "[models.\"a b\"]\n",
            "[models.improviser]\n",
            "default = \"lead\n",
        ],
        expect![[r#"
            [model.lead]
            => line 1, column 2: unknown key 'model'
            hint: did you mean 'models'?
            [telemetry]
            url = "http://x"
            => line 2, column 1: unknown key 'url'
            hint: did you mean 'otlp'?
            [telemetry]
            otlp = "localhost:4318"
            => line 2, column 8: telemetry.otlp must be a URL that begins with http:// or https://
            hint: for example "http://127.0.0.1:4318"
            default = "lead"
            => line 1, column 11: default: unknown model 'lead'
            hint: no models are configured: add [models.NAME] to enact.toml, or write 'PROVIDER:MODEL'
            default = "leed"
            [models.lead]
            provider = "ollama"
            model = "m"
            => line 1, column 11: default: unknown model 'leed'
            hint: did you mean 'lead'?
            judge = "improviser"
            => line 1, column 9: judge must be a language model, found the improviser
            hint: without one the rules do it
            events = "antropic:m"
            => line 1, column 10: events: unknown provider in 'antropic:m'
            hint: did you mean 'anthropic:m'?
            default = "script:x.txt"
            => line 1, column 11: default cannot be a script or a recording
            hint: give those on the command line, for one run: --model
            default = "anthropic"
            => line 1, column 11: default: unknown model 'anthropic'
            hint: say which of its models: 'anthropic:MODEL'
            default = "sonnet"
            => line 1, column 11: default: unknown model 'sonnet'
            hint: no models are configured: add [models.NAME] to enact.toml, or write 'PROVIDER:MODEL'
            default = 3
            => line 1, column 11: default must be text, found 3
            hint: put it in quotes to make it text
            [models."a b"]
            => line 1, column 9: a model cannot be called 'a b'
            hint: use letters, digits, '-', '_' and '.', starting with a letter or digit, at most 64
            [models.improviser]
            => line 1, column 9: a model cannot be called 'improviser'
            hint: that name means something already; choose another one
            default = "lead
            => line 1, column 16: not valid TOML: invalid basic string, expected `"`
        "#]],
    );
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
        expect![[r#"
            key = 'sk-ant-123'
            => line 4, column 1: 'key': keys are never written into this file
            hint: put the key into an environment variable and name that: key_env = "MY_KEY"
            api_key = 'sk-ant-123'
            => line 4, column 1: 'api_key': keys are never written into this file
            hint: put the key into an environment variable and name that: key_env = "MY_KEY"
            API_KEY = 'sk-ant-123'
            => line 4, column 1: 'API_KEY': keys are never written into this file
            hint: put the key into an environment variable and name that: key_env = "MY_KEY"
            key_env = 'sk-ant-123'
            => line 4, column 11: models.lead.key_env must be the name of an environment variable, not a key
            hint: capital letters, digits and '_', for example "MY_KEY"
            base_url = 'https://me:sk-ant-123@example.com/'
            => line 4, column 12: models.lead.base_url must not hold a name or a password
            hint: keys come from the environment: name the variable with key_env
        "#]],
    );
}

#[test]
fn names_stand_for_models() {
    let config = read_config(WHOLE).unwrap();
    let outcome = |name: &str| match config.refer(name) {
        Ok(Reference::Language(entry)) => {
            let ModelEntry { name, settings, key_variable, .. } = *entry;
            format!("{name}: {} {} {key_variable:?}", settings.provider.as_str(), settings.model)
        }
        Ok(other) => format!("{other:?}"),
        Err(problem) => format!("{problem} ({})", problem.hint.as_deref().unwrap_or("-")),
    };
    let names = [
        "improviser",
        "lead",
        "script:a:b.txt",
        "recorded:latest",
        "anthropic:claude-sonnet-4-5",
        "ollama:llama3.2:3b",
        "claude-code:opus",
        "openrouter:deepseek/deepseek-v4-flash:free",
        "grok:grok-4.7",
        "mistral",
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
    expect![[r#"
        "improviser" => Improviser
        "lead" => lead: anthropic claude-sonnet-4-5 Some("MY_KEY")
        "script:a:b.txt" => Script("a:b.txt")
        "recorded:latest" => Recorded("latest")
        "anthropic:claude-sonnet-4-5" => anthropic:claude-sonnet-4-5: anthropic claude-sonnet-4-5 Some("ANTHROPIC_API_KEY")
        "ollama:llama3.2:3b" => ollama:llama3.2:3b: ollama llama3.2:3b None
        "claude-code:opus" => claude-code:opus: claude-code opus None
        "openrouter:deepseek/deepseek-v4-flash:free" => openrouter:deepseek/deepseek-v4-flash:free: openrouter deepseek/deepseek-v4-flash:free Some("OPENROUTER_API_KEY")
        "grok:grok-4.7" => unknown provider in 'grok:grok-4.7' (did you mean 'groq:grok-4.7'?)
        "mistral" => unknown model 'mistral' (say which of its models: 'mistral:MODEL')
        "openai-compatible:m" => 'openai-compatible:m' does not say where its server is (configure it in enact.toml, with its base_url)
        "openai:" => 'openai:' does not say which model (write 'openai:MODEL')
        "opnai:gpt" => unknown provider in 'opnai:gpt' (did you mean 'openai:gpt'?)
        "acme:m" => unknown provider in 'acme:m' (the providers are: anthropic, openai, gemini, ollama, openai-compatible, claude-code, deepseek, groq, llamacpp, mistral, openrouter, xai)
        "openai" => unknown model 'openai' (say which of its models: 'openai:MODEL')
        "Lead" => unknown model 'Lead' (did you mean 'lead'?)
        "nobody" => unknown model 'nobody' (there are: improviser, human, lead, quick)
        "inherit" => unknown model 'inherit' (there are: improviser, human, lead, quick)
        "\u{1b}[31m" => unknown model '\u{1b}[31m' (there are: improviser, human, lead, quick)
    "#]].assert_eq(&table);
}

#[test]
fn the_nearest_file_wins() {
    let project = tempfile::tempdir().unwrap();
    let inner = project.path().join("a/b");
    std::fs::create_dir_all(&inner).unwrap();
    let user = project.path().join("user/enact.toml");
    std::fs::create_dir_all(user.parent().unwrap()).unwrap();
    let find = || find_file(&inner, Some(user.clone()));
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
        let _ = shown(read_config(&text));
    }
}
