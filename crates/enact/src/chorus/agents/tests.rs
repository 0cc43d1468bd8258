use std::path::Path;

use expect_test::{Expect, expect};

use super::*;

fn check(file: Option<&str>, set: &[&str], expected: Expect) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("enact.toml");
    let config = match file {
        Some(text) => {
            std::fs::write(&path, text).unwrap();
            Config::load(Some(&path), Path::new(".")).unwrap()
        }
        None => Config::default(),
    };
    let environment = |name: &str| set.contains(&name).then(|| "secret".to_owned());
    let table: String = agents(&config, &environment)
        .into_iter()
        .map(|casting| {
            let Agent { id, name, provider, description, color } = casting.listed();
            let model = casting.model;
            format!("{id} | {name} | {provider} | {color} | {model}\n  {description}\n")
        })
        .collect();
    expected.assert_eq(&table);
}

#[test]
fn without_configuration_there_are_six() {
    check(
        None,
        &[],
        expect![[r#"
        claude-sonnet-4-5 | Claude Sonnet 4.5 | Anthropic | #cc785c | improviser
          Even and warm, and quick to the point. Played by the built-in improviser: ANTHROPIC_API_KEY is not set.
        claude-opus-4-5 | Claude Opus 4.5 | Anthropic | #8b5e83 | improviser
          Slow to answer, and worth the wait. Played by the built-in improviser: ANTHROPIC_API_KEY is not set.
        gpt-5.2 | GPT-5.2 | OpenAI | #10a37f | improviser
          Thinks in steps, and says which. Played by the built-in improviser: OPENAI_API_KEY is not set.
        gpt-5.1 | GPT-5.1 | OpenAI | #3d8b9e | improviser
          Plain words, friendly tone. Played by the built-in improviser: OPENAI_API_KEY is not set.
        gpt-4o | GPT-4o | OpenAI | #7fb069 | improviser
          Easy company, fast on its feet. Played by the built-in improviser: OPENAI_API_KEY is not set.
        gemini-3 | Gemini 3 | Google | #4285f4 | improviser
          Curious about everything at once. Played by the built-in improviser: GEMINI_API_KEY is not set.
    "#]],
    );
    check(
        None,
        &["OPENAI_API_KEY", "GEMINI_API_KEY"],
        expect![[r#"
        claude-sonnet-4-5 | Claude Sonnet 4.5 | Anthropic | #cc785c | improviser
          Even and warm, and quick to the point. Played by the built-in improviser: ANTHROPIC_API_KEY is not set.
        claude-opus-4-5 | Claude Opus 4.5 | Anthropic | #8b5e83 | improviser
          Slow to answer, and worth the wait. Played by the built-in improviser: ANTHROPIC_API_KEY is not set.
        gpt-5.2 | GPT-5.2 | OpenAI | #10a37f | openai:gpt-5.2
          Thinks in steps, and says which.
        gpt-5.1 | GPT-5.1 | OpenAI | #3d8b9e | openai:gpt-5.1
          Plain words, friendly tone.
        gpt-4o | GPT-4o | OpenAI | #7fb069 | openai:gpt-6.1-terra
          Easy company, fast on its feet. Played by gpt-6.1-terra, its successor.
        gemini-3 | Gemini 3 | Google | #4285f4 | gemini:gemini-3-pro-preview
          Curious about everything at once.
    "#]],
    );
}

#[test]
fn what_a_file_does_not_say_is_filled_in() {
    check(
        Some(
            "default = 'local'
[models.local]
provider = 'ollama'
model = 'llama3.2'
[models.dear]
provider = 'anthropic'
model = 'claude-opus-4-5'
key_env = 'DEAR_KEY'
[[chorus.agents]]
id = 'gpt-4o'
[[chorus.agents]]
id = 'dear'
[[chorus.agents]]
id = 'sage'
description = 'Has seen it all.'
[[chorus.agents]]
id = 'fool'
name = 'The Fool'
provider = 'House'
color = '#123456'
model = 'improviser'
",
        ),
        &[],
        expect![[r#"
            gpt-4o | GPT-4o | OpenAI | #7fb069 | local
              Easy company, fast on its feet. Played by the model 'local': OPENAI_API_KEY is not set.
            dear | dear | Anthropic | #10a37f | dear
              Cannot answer: DEAR_KEY is not set.
            sage | sage | Ollama | #4285f4 | local
              Has seen it all.
            fool | The Fool | House | #123456 | improviser
              Played by the built-in improviser.
        "#]],
    );
}

#[test]
fn seats_are_taken_in_order_and_round_again() {
    let castings = agents(&Config::default(), &|_| None);
    let seated = |chosen: &[&str], slots| {
        let chosen: Vec<String> = chosen.iter().map(|name| (*name).to_owned()).collect();
        seats(&castings[..2], &chosen, slots).map(|seats| format!("{seats:?}"))
    };
    let two = r#"[(1, "claude-sonnet-4-5"), (2, "claude-opus-4-5")"#;
    assert_eq!(seated(&[], None).unwrap(), format!("{two}]"));
    assert_eq!(seated(&[], Some(3)).unwrap(), format!(r#"{two}, (3, "claude-sonnet-4-5")]"#));
    assert_eq!(seated(&["x", "x"], None).unwrap(), r#"[(1, "x"), (2, "x")]"#);
    assert!(seated(&["x"; 7], None).is_err());
}
