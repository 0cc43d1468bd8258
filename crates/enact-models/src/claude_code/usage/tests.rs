use proptest::prelude::*;
use serde_json::json;

use super::*;

const MESSAGE: Usage = Usage { uncached: 10, output: 4, ..Usage::NONE };

#[test]
fn a_message_is_counted_once_however_often_it_is_told() {
    let mut usage = StreamUsage::default();
    assert_eq!(usage.so_far(), None);
    usage.begin("m1", Some(Usage { output: 1, ..MESSAGE }));
    usage.count("m1", Usage { output: 1, ..MESSAGE });
    assert_eq!(usage.so_far(), Some(Usage { output: 1, partial: true, ..MESSAGE }));
    usage.count_current(Usage { output: 4, ..Usage::NONE });
    usage.end();
    assert_eq!(usage.so_far(), Some(MESSAGE));
    usage.begin("m2", Some(MESSAGE));
    assert_eq!(usage.so_far(), Some(Usage { uncached: 20, output: 8, partial: true, ..Usage::NONE }));
}

#[test]
fn a_result_that_leaves_something_out_is_not_believed_to_be_all() {
    let mut streamed = StreamUsage::default();
    streamed.begin("m1", Some(MESSAGE));
    let broken = Some(Usage { partial: true, billed: Some(NanoUsd(0)), ..MESSAGE });
    let model = |input: u64| json!({"inputTokens": input, "outputTokens": 4});
    let quiet = StreamUsage::default();
    for (stream, result, expected) in [
        (&quiet, json!({}), None),
        (
            &quiet,
            json!({"modelUsage": {"a": model(10), "b": model(10)}}),
            Some(Usage { uncached: 20, output: 8, ..MESSAGE }),
        ),
        (
            &quiet,
            json!({"usage": {"input_tokens": 0, "output_tokens": 0}, "modelUsage": {"a": model(10)}}),
            Some(MESSAGE),
        ),
        (
            &quiet,
            json!({"usage": {"input_tokens": 10, "output_tokens": 4}, "modelUsage": {"a": model(3)}}),
            Some(MESSAGE),
        ),
        (
            &quiet,
            json!({"usage": {"input_tokens": 10, "output_tokens": 4}, "modelUsage": "odd"}),
            Some(MESSAGE),
        ),
        (&streamed, json!({"usage": {"input_tokens": 0, "output_tokens": 0}, "total_cost_usd": 0}), broken),
    ] {
        assert_eq!(stream.with_result(&result), expected, "{result}");
    }
}

proptest! {
    #[test]
    fn any_cost_at_all_can_be_told(usd in proptest::num::f64::ANY) {
        let told = nano_usd(usd);
        prop_assert_eq!(told.is_some(), usd.is_finite() && usd >= 0.0);
    }
}
