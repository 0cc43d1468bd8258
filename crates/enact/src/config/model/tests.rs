use enact_models::{Effort, Thinking};
use expect_test::expect;

use crate::config::tests::{check, check_lines, read_config};

#[test]
fn effort_and_thinking_are_words_or_a_number_that_fits() {
    let read = |lines: &str| {
        let text = format!("[models.lead]\nprovider = \"anthropic\"\nmodel = \"m\"\n{lines}\n");
        read_config(&text).unwrap().models[0].settings.clone()
    };
    assert_eq!(read("effort = \"xhigh\"").effort, Some(Effort::ExtraHigh));
    assert_eq!(read("thinking = \"off\"").thinking, Some(Thinking::Off));
    assert_eq!(read("thinking = 2048").thinking, Some(Thinking::Budget(2048)));
    check_lines(
        &["effort = \"hgh\"", "thinking = \"a lot\"", "thinking = 12", "thinking = 2048\nmax_tokens = 2048"],
        expect![[r#"
            effort = "hgh"
            => line 4, column 10: models.lead.effort must be minimal, low, medium, high, xhigh or max, found "hgh"
            hint: did you mean 'high'?
            thinking = "a lot"
            => line 4, column 12: models.lead.thinking must be "off", "on" or a whole number of tokens up to 200000, found "a lot"
            thinking = 12
            => line 4, column 12: anthropic takes no fewer than 1024 tokens to think, found 12
            hint: "off", "on", or a whole number from 1024 to 200000
            thinking = 2048
            max_tokens = 2048
            => line 4, column 12: thinking (2048) must be less than max_tokens (2048)
            hint: max_tokens counts what is thought and what is said
        "#]],
    );
    // Gemini takes smaller numbers, and none at all.
    let gemini = |tokens: u32| {
        read_config(&format!("[models.lead]\nprovider = \"gemini\"\nmodel = \"m\"\nthinking = {tokens}\n"))
            .map(|config| config.models[0].settings.thinking)
    };
    assert_eq!(gemini(128), Ok(Some(Thinking::Budget(128))));
    assert_eq!(gemini(0), Ok(Some(Thinking::Off)));
    check(
        "[models.lead]\nprovider = \"gemini\"\nmodel = \"m\"\nthinking = 127\n",
        expect![[r#"
            line 4, column 12: gemini takes no fewer than 128 tokens to think, found 127
            hint: "off", "on", or a whole number from 128 to 200000
        "#]],
    );
    check(
        "[models.lead]\nprovider = \"openai\"\nmodel = \"m\"\nthinking = 2048\n",
        expect![[r#"
            line 4, column 12: openai takes no number of tokens to think
            hint: "off", "on", or effort
        "#]],
    );
    check(
        "[models.lead]\nprovider = \"openai\"\nmodel = \"m\"\nmax_parallel = 2\n",
        expect![[r#"
            line 4, column 16: max_parallel means nothing to openai
            hint: it limits how many processes of claude-code run at once; remove it
        "#]],
    );
}

#[test]
fn sampling_headers_and_body_are_checked() {
    let read = |provider: &str, lines: &str| {
        read_config(&format!("[models.lead]\nprovider = \"{provider}\"\nmodel = \"m\"\n{lines}\n"))
    };
    let settings = read(
        "openai",
        "top_p = 0.9\nstop = [\"END\"]\nseed = 7\nheaders = { X-Title = \"enact\", x-gateway = \"Token $MY_TOKEN\" }\n\
         body = { top_k = 4, metadata = { user_id = \"u\" } }",
    )
    .unwrap()
    .models[0]
        .settings
        .clone();
    assert_eq!(
        (settings.top_p, settings.seed, &settings.stop[..]),
        (Some(0.9), Some(7), &["END".to_owned()][..])
    );
    let names: Vec<&str> = settings.headers.iter().map(|header| header.name()).collect();
    assert_eq!(names, ["x-title", "x-gateway"]);
    assert_eq!(settings.headers[1].variables().collect::<Vec<_>>(), ["MY_TOKEN"]);
    assert_eq!(
        serde_json::Value::Object(settings.body),
        serde_json::json!({"top_k": 4, "metadata": {"user_id": "u"}})
    );
    check_lines(
        &[
            "top_p = 2",
            "topp = 1",
            "stop_sequences = ['a']",
            "stop = 'END'",
            "stop = []",
            "seeds = 1",
            "header = { a = 'b' }",
            "headers = 'Bearer sk-123456789'",
            "headers = { Host = 'x' }",
            "headers = { Authorization = 'Bearer sk-123456789' }",
            "body = { stream = true }",
            "[models.lead.body]\noptions = { num_predict = 3 }",
            "seed = 7",
        ],
        expect![[r#"
            top_p = 2
            => line 4, column 9: models.lead.top_p must be a number from 0 to 1, found 2
            topp = 1
            => line 4, column 1: unknown key 'topp'
            hint: did you mean 'top_p'?
            stop_sequences = ['a']
            => line 4, column 1: unknown key 'stop_sequences'
            hint: did you mean 'stop'?
            stop = 'END'
            => line 4, column 8: models.lead.stop must be a list of 1 to 16 texts, found 'END'
            stop = []
            => line 4, column 8: models.lead.stop must be a list of 1 to 16 texts, found []
            seeds = 1
            => line 4, column 1: unknown key 'seeds'
            hint: did you mean 'seed'?
            header = { a = 'b' }
            => line 4, column 1: unknown key 'header'
            hint: did you mean 'headers'?
            headers = 'Bearer sk-123456789'
            => line 4, column 11: models.lead.headers must be keys with values, found text
            headers = { Host = 'x' }
            => line 4, column 20: the header 'Host' cannot be set
            hint: it follows from 'base_url'
            headers = { Authorization = 'Bearer sk-123456789' }
            => line 4, column 29: the header 'Authorization' carries a secret, and secrets are never written into this file
            hint: put the secret into an environment variable and name that: "$MY_SECRET"
            body = { stream = true }
            => line 4, column 1: body cannot set 'stream'
            hint: streams are asked for where they are read
            [models.lead.body]
            options = { num_predict = 3 }
            => line 4, column 14: body cannot set 'options.num_predict'
            hint: say it with the key 'max_tokens', which budgets go by
            seed = 7
            => line 4, column 8: seed means nothing to anthropic
            hint: its answers cannot be made to repeat themselves; remove it
        "#]],
    );
    let told = read("claude-code", "headers = { a = 'b' }").unwrap_err().message;
    assert_eq!(told, "headers means nothing to claude-code");
}
