//! Files that are no TOML, and values that cannot be meant.

use expect_test::expect;

use super::{check, check_files, check_lines, read_config};

#[test]
fn text_that_is_not_toml() {
    let deep = format!("default = {}{}\n", "[".repeat(40), "]".repeat(40));
    check_files(
        &[
            "default = \"a\"\ndefault = \"b\"\n",
            "[models.lead]\nmodel = 'm'\n[models.lead]\n",
            "[models\nx = 1\n",
            "é = 1\n",
            "default = lead\n",
            "default: lead\n",
            "just words\n",
            &deep,
            "\u{feff}default = 'é' = 3\n",
        ],
        expect![[r#"
            default = "a"
            default = "b"
            => line 2, column 1: not valid TOML: duplicate key
            [models.lead]
            model = 'm'
            [models.lead]
            => line 3, column 9: not valid TOML: duplicate key
            [models
            x = 1
            => line 1, column 8: not valid TOML: unclosed table, expected `]`
            é = 1
            => line 1, column 1: not valid TOML: invalid unquoted key, expected letters, numbers, `-`, `_`
            default = lead
            => line 1, column 11: not valid TOML: string values must be quoted, expected literal string
            default: lead
            => line 1, column 10: not valid TOML: key with no value, expected `=`
            just words
            => line 1, column 6: not valid TOML: key with no value, expected `=`
            default = [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
            => line 1, column 11: default must be text, found a list
            ﻿default = 'é' = 3
            => line 1, column 15: not valid TOML: unexpected key or value, expected newline, `#`
        "#]],
    );
    let endless = format!("a = {}", "[".repeat(100_000));
    assert_eq!(
        read_config(&endless).unwrap_err().to_string(),
        "line 1, column 85: not valid TOML: cannot recurse further; max recursion depth met"
    );
}

#[test]
fn values_of_another_shape() {
    check_files(
        &[
            "models = []\n",
            "models.lead = ['anthropic', 'm']\n",
            "chorus = [[]]\n",
            "serve = ['127.0.0.1:1']\n",
            "default = 2025-01-01\n",
            "[models.lead]\nprovider = { anthropic = 1 }\n",
            "[models.lead]\nmodel = \"\"\"a\nb\"\"\"\n",
            "[models.lead]\nmodel = 'm'\nprice = [3, 15]\n",
        ],
        expect![[r#"
            models = []
            => line 1, column 10: models must be keys with values, found a list
            models.lead = ['anthropic', 'm']
            => line 1, column 15: models.lead must be keys with values, found a list
            chorus = [[]]
            => line 1, column 10: chorus must be keys with values, found a list
            serve = ['127.0.0.1:1']
            => line 1, column 9: serve must be keys with values, found a list
            default = 2025-01-01
            => line 1, column 11: default must be text, found 2025-01-01
            [models.lead]
            provider = { anthropic = 1 }
            => line 2, column 12: models.lead.provider must be anthropic, openai, gemini, ollama, openai-compatible, claude-code, deepseek, groq, llamacpp, mistral, openrouter or xai, found { anthropic = 1 }
            [models.lead]
            model = """a
            b"""
            => line 2, column 9: models.lead.model must be what the provider calls the model, found """a b"""
            [models.lead]
            model = 'm'
            price = [3, 15]
            => line 3, column 9: models.lead.price must be keys with values, found a list
            hint: for example: price = { input = 3.0, output = 15.0 }, in USD for a million tokens
        "#]],
    );
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
        expect![[r#"
            temprature = 1
            => line 4, column 1: unknown key 'temprature'
            hint: did you mean 'temperature'?
            timeout = 3
            => line 4, column 1: unknown key 'timeout'
            hint: did you mean 'timeout_seconds'?
            flavour = 'sweet'
            => line 4, column 1: unknown key 'flavour'
            hint: the keys are: provider, model, temperature, top_p, stop, seed, headers, body, max_tokens, effort, thinking, timeout_seconds, retries, max_parallel, requests_per_minute, base_url, key_env, context, cache, thread_tokens, fallback, price
            temperature = 3
            => line 4, column 15: models.lead.temperature must be a number from 0 to 2, found 3
            temperature = 'hot'
            => line 4, column 15: models.lead.temperature must be a number from 0 to 2, found 'hot'
            temperature = nan
            => line 4, column 15: models.lead.temperature must be a number from 0 to 2, found nan
            max_tokens = 0
            => line 4, column 14: models.lead.max_tokens must be a whole number from 1 to 200000, found 0
            max_tokens = 1.5
            => line 4, column 14: models.lead.max_tokens must be a whole number from 1 to 200000, found 1.5
            max_tokens = 99999999999999999999
            => line 4, column 14: models.lead.max_tokens must be a whole number from 1 to 200000, found 99999999999999999999
            timeout_seconds = 0
            => line 4, column 19: models.lead.timeout_seconds must be a number from 0.001 to 3600, found 0
            retries = -1
            => line 4, column 11: models.lead.retries must be a whole number from 0 to 10, found -1
            thread_tokens = 10
            => line 4, column 17: models.lead.thread_tokens must be a whole number from 1000 to 10000000, found 10
            context = 'thred'
            => line 4, column 11: models.lead.context must be thread or window, found 'thred'
            hint: did you mean 'thread'?
            cache = '2h'
            => line 4, column 9: models.lead.cache must be 5m, 1h or off, found '2h'
            hint: did you mean '1h'?
            price = 3
            => line 4, column 9: models.lead.price must be keys with values, found 3
            hint: for example: price = { input = 3.0, output = 15.0 }, in USD for a million tokens
            price = { input = 3 }
            => line 4, column 9: models.lead.price has no 'output'
            hint: for example: price = { input = 3.0, output = 15.0 }, in USD for a million tokens
            price = { input = 3, output = -1 }
            => line 4, column 31: models.lead.price.output must be a number from 0 to 100000, found -1
            price = { in = 3, output = 1 }
            => line 4, column 11: unknown key 'in'
            hint: did you mean 'input'?
            base_url = 'ftp://x/'
            => line 4, column 12: models.lead.base_url must be a URL that begins with http:// or https://
            hint: for example "http://127.0.0.1:8080/v1/"
            base_url = 'http://'
            => line 4, column 12: models.lead.base_url must be a URL that begins with http:// or https://
            hint: for example "http://127.0.0.1:8080/v1/"
            base_url = 'http://a b/'
            => line 4, column 12: models.lead.base_url must be a URL that begins with http:// or https://
            hint: for example "http://127.0.0.1:8080/v1/"
        "#]],
    );
    check(
        "[models.lead]\nprovider = \"antrhopic\"\n",
        expect![[r#"
            line 2, column 12: models.lead.provider must be anthropic, openai, gemini, ollama, openai-compatible, claude-code, deepseek, groq, llamacpp, mistral, openrouter or xai, found "antrhopic"
            hint: did you mean 'anthropic'?
        "#]],
    );
    check(
        "[models.lead]\nprovider = \"acme\"\n",
        expect![[r#"
            line 2, column 12: models.lead.provider must be anthropic, openai, gemini, ollama, openai-compatible, claude-code, deepseek, groq, llamacpp, mistral, openrouter or xai, found "acme"
        "#]],
    );
    check(
        "[models.lead]\nprovider = \"openai\"\nmodel = \" \"\n",
        expect![[r#"
            line 3, column 9: models.lead.model must be what the provider calls the model, found " "
        "#]],
    );
    check(
        "[models.cc]\nprovider = \"claude-code\"\nmodel = \"sonnet\"\nkey_env = \"X\"\n",
        expect![[r#"
            line 4, column 11: key_env means nothing to claude-code
            hint: the claude command has a login and an address of its own; remove it
        "#]],
    );
}
