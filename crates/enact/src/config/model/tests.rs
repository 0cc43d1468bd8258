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
