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
            => line 4, column 12: models.lead.thinking must be "off", "on" or a whole number of tokens from 1024 to 200000, found "a lot"
            thinking = 12
            => line 4, column 12: models.lead.thinking must be "off", "on" or a whole number of tokens from 1024 to 200000, found 12
            thinking = 2048
            max_tokens = 2048
            => line 4, column 12: thinking (2048) must be less than max_tokens (2048)
            hint: max_tokens counts what is thought and what is said
        "#]],
    );
    check(
        "[models.lead]\nprovider = \"openai\"\nmodel = \"m\"\nthinking = 2048\n",
        expect![[r#"
            line 4, column 12: openai takes no number of tokens to think
            hint: "off", "on", or effort
        "#]],
    );
}

#[test]
fn calls_at_once_and_in_a_minute_are_limited_for_every_provider() {
    for provider in ["openai", "claude-code"] {
        let text = format!(
            "[models.lead]\nprovider = \"{provider}\"\nmodel = \"m\"\nmax_parallel = 2\nrequests_per_minute = 50\n"
        );
        let settings = read_config(&text).unwrap().models[0].settings.clone();
        assert_eq!((settings.max_parallel, settings.requests_per_minute), (Some(2), Some(50)));
    }
    check_lines(
        &["requests_per_minute = 0", "max_parallel = \"two\""],
        expect![[r#"
            requests_per_minute = 0
            => line 4, column 23: models.lead.requests_per_minute must be a whole number from 1 to 100000, found 0
            max_parallel = "two"
            => line 4, column 16: models.lead.max_parallel must be a whole number from 1 to 1000, found "two"
        "#]],
    );
}
