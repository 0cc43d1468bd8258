use expect_test::expect;
use serde_json::json;

use super::*;
use crate::Provider;

fn told(model: &str, schema: Option<&Schema>) -> String {
    let arguments = arguments(model, schema, Path::new("system.txt"));
    arguments.iter().map(|argument| format!("{}\n", argument.display())).collect()
}

#[test]
fn a_question_is_one_turn_without_tools_or_a_session() {
    expect![[r#"
        -p
        --output-format
        stream-json
        --verbose
        --include-partial-messages
        --model
        sonnet
        --system-prompt-file
        system.txt
        --max-turns
        1
        --setting-sources
        user
        --tools

        --strict-mcp-config
        --disable-slash-commands
        --no-session-persistence
    "#]]
    .assert_eq(&told("sonnet", None));
}

#[test]
fn a_structured_answer_has_its_schema_and_turns_to_hand_it_in() {
    let schema = Schema { name: "verdict", json: json!({"type": "object"}), exact: true };
    let told = told("sonnet", Some(&schema));
    assert!(told.contains("--max-turns\n2\n--json-schema\n{\"type\":\"object\"}\n"), "{told}");
}

#[test]
fn without_a_model_the_command_plays_its_own() {
    assert!(!told("", None).contains("--model"));
}

#[test]
fn the_surroundings_keep_everything_else_out() {
    let dir = CallDir::create("You are Alice.").unwrap();
    let settings = Settings { max_tokens: Some(500), ..Settings::new(Provider::ClaudeCode, "haiku") };
    let line = Request { max_tokens: 1024, ..Request::default() };
    let command = make(Path::new(NAME), &settings, &line, &dir);
    let command = command.as_std();
    let set = |name: &str| command.get_envs().find(|(key, _)| *key == name).map(|(_, value)| value);
    assert_eq!(set("CLAUDECODE"), Some(None));
    assert_eq!(set("CLAUDE_CODE_DISABLE_ATTACHMENTS"), Some(Some("1".as_ref())));
    assert_eq!(set("CLAUDE_CODE_MAX_OUTPUT_TOKENS"), Some(Some("500".as_ref())));
    assert_eq!(set("CLAUDE_CODE_MAX_RETRIES"), Some(Some("2".as_ref())));
    assert_eq!(set("CLAUDE_CODE_DISABLE_REFUSAL_RETRY"), Some(Some("1".as_ref())));
    assert_eq!(set("CLAUDE_CODE_EFFORT_LEVEL"), Some(Some("low".as_ref())));
    assert_eq!(command.get_current_dir(), Some(dir.empty().as_path()));
    assert!(!format!("{command:?}").contains("Alice"));
}

#[test]
fn the_operators_variable_names_the_program() {
    for (variable, program) in [(None, "claude"), (Some(""), "claude"), (Some("/opt/claude"), "/opt/claude")]
    {
        assert_eq!(named(variable.map(OsString::from)), Path::new(program));
    }
}

#[test]
fn only_names_without_a_folder_are_left_to_the_search_path() {
    assert_eq!(absolute(Path::new("claude")), Path::new("claude"));
    assert!(absolute(Path::new("./claude")).is_absolute());
    assert!(absolute(Path::new("bin/claude")).is_absolute());
}

/// The command itself would ask for as much as the model can write.
#[test]
fn every_call_has_a_longest_answer() {
    let dir = CallDir::create("You are Alice.").unwrap();
    let schema = Schema { name: "verdict", json: json!({"type": "object"}), exact: true };
    let line = Request { max_tokens: 1024, ..Request::default() };
    let verdict = Request { max_tokens: 2048, schema: Some(schema.into()), ..Request::default() };
    for (own, request, longest) in [
        (None, &line, "1024"),
        (Some(500), &line, "500"),
        (Some(5_000), &line, "1024"),
        (Some(500), &verdict, "2048"),
    ] {
        let settings = Settings { max_tokens: own, ..Settings::new(Provider::ClaudeCode, "haiku") };
        let command = make(Path::new(NAME), &settings, request, &dir);
        let set = |name: &str| command.as_std().get_envs().find(|(key, _)| *key == name)?.1;
        assert_eq!(set("CLAUDE_CODE_MAX_OUTPUT_TOKENS"), Some(longest.as_ref()), "{own:?}");
        assert_eq!(
            set("MAX_THINKING_TOKENS"),
            Some("0".as_ref()),
            "a budget for thinking could be more than all"
        );
    }
}

/// The command does not say beforehand what it tries again for: it may be what is billed.
#[test]
fn the_command_tries_again_no_more_often_than_may_be_paid() {
    let dir = CallDir::create("You are Alice.").unwrap();
    for (retries, paid_tries, said) in [
        (2, None, "2"),
        (2, Some(3), "2"),
        (2, Some(2), "1"),
        (2, Some(1), "0"),
        (0, Some(3), "0"),
        (2, Some(0), "0"),
    ] {
        let settings = Settings { retries, ..Settings::new(Provider::ClaudeCode, "haiku") };
        let request = Request { paid_tries, ..Request::default() };
        let command = make(Path::new(NAME), &settings, &request, &dir);
        let set = command.as_std().get_envs().find(|(key, _)| *key == MAX_RETRIES).and_then(|(_, set)| set);
        assert_eq!(set, Some(said.as_ref()), "{retries} {paid_tries:?}");
    }
}

/// A budget for thinking that is not below the tokens allowed is refused by the provider.
#[test]
fn what_may_be_thought_is_less_than_what_may_be_said() {
    for (thinking, max_tokens, budget) in [
        (None, 4_096, 0),
        (Some(Thinking::Off), 4_096, 0),
        (Some(Thinking::On), 4_096, 2_048),
        (Some(Thinking::On), 1_024, 0),
        (Some(Thinking::Budget(3_000)), 4_024, 3_000),
        (Some(Thinking::Budget(3_000)), 2_000, 1_999),
        (Some(Thinking::Budget(3_000)), 1_000, 0),
    ] {
        let settings = Settings { thinking, ..Settings::new(Provider::ClaudeCode, "claude-sonnet-4-5") };
        let request = Request { max_tokens, ..Request::default() };
        assert_eq!(thinking_budget(&settings, &request), budget, "{thinking:?} of {max_tokens}");
    }
}

#[test]
fn lines_take_little_effort_unless_the_operator_wants_more() {
    let dir = CallDir::create("You are Alice.").unwrap();
    let schema = Schema { name: "verdict", json: json!({"type": "object"}), exact: true };
    let verdict = Request { schema: Some(schema.into()), ..Request::default() };
    for (model, effort, request, said) in [
        ("sonnet", None, Request::default(), Some("low")),
        ("sonnet", Some(Effort::Minimal), Request::default(), Some("low")),
        ("sonnet", Some(Effort::ExtraHigh), Request::default(), Some("xhigh")),
        ("sonnet", None, verdict.clone(), None),
        ("sonnet", Some(Effort::Max), verdict, Some("max")),
        ("claude-haiku-4-5", None, Request::default(), None),
    ] {
        let settings = Settings { effort, ..Settings::new(Provider::ClaudeCode, model) };
        let command = make(Path::new(NAME), &settings, &request, &dir);
        let set = command.as_std().get_envs().find(|(key, _)| *key == EFFORT).and_then(|(_, value)| value);
        assert_eq!(set, said.map(AsRef::as_ref), "{model} {effort:?}");
    }
}
