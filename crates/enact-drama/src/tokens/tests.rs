//! The estimate against what real tokenizers make of the same texts.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::Deserialize;

use super::tokens_in;

/// The estimate may be this much above the most wasteful tokenizer. What is put aside and not used is released
/// with the answer, so that being too high costs far less than being too low.
const MOST_TIMES_TOO_HIGH: f64 = 1.7;

#[derive(Deserialize)]
struct KnownCount {
    name: String,
    text: String,
    tokens: BTreeMap<String, u64>,
}

fn known_counts() -> Vec<KnownCount> {
    serde_saphyr::from_str(include_str!("known_counts.yaml")).unwrap()
}

#[test]
fn no_known_text_is_estimated_too_low_or_far_too_high() {
    let texts = known_counts();
    for kind in ["english", "german", "japanese", "json", "code"] {
        assert!(texts.iter().any(|known| known.name == kind), "{kind} is in the table");
    }
    for KnownCount { name, text, tokens } in texts {
        let (estimate, most) = (tokens_in(text.trim_end()), *tokens.values().max().unwrap());
        assert!(estimate >= most, "{name}: {estimate} of {most} tokens");
        assert!(estimate as f64 <= most as f64 * MOST_TIMES_TOO_HIGH, "{name}: {estimate} of {most} tokens");
    }
}

#[test]
fn what_scenes_are_mostly_made_of_is_estimated_closely() {
    for KnownCount { name, text, tokens } in known_counts() {
        if ["english", "reply", "sheet", "german"].contains(&name.as_str()) {
            let (estimate, most) = (tokens_in(text.trim_end()), *tokens.values().max().unwrap());
            assert!(estimate * 100 <= most * 125, "{name}: {estimate} of {most} tokens");
        }
    }
}

proptest! {
    /// Parts of a prompt are estimated one by one: that never gives less than the whole.
    #[test]
    fn a_text_has_no_more_tokens_than_its_parts(one in "\\PC{0,60}", other in "\\PC{0,60}") {
        let whole = tokens_in(&format!("{one}{other}"));
        prop_assert!(whole <= tokens_in(&one) + tokens_in(&other) + 1);
    }
}
