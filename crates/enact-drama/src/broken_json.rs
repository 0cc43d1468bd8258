//! JSON that models break: cut off, in single quotes, with bare keys, with quotes that are not escaped.

mod quotes;

use jsonrepair_rs::RepairOptions;
use serde_json::Value;

/// Real answers are far shorter, also those of models that repeat what they were told.
const LONGEST_MENDED_BYTES: usize = 32 * 1024;

/// The value that a text is meant to be. `is_key` knows the names of all keys there can be: only by them it
/// can be told whether `"yes", "no"` is one text or two.
pub(crate) fn mend(broken: &str, is_key: fn(&str) -> bool) -> Option<Value> {
    let repaired = |text: &str| -> Option<Value> {
        let options = RepairOptions::default().with_max_input_bytes(LONGEST_MENDED_BYTES);
        let mended = jsonrepair_rs::jsonrepair_with_options(text, options).ok()?;
        serde_json::from_str(&mended).ok()
    };
    repaired(broken).or_else(|| repaired(&quotes::escaped(broken, is_key)))
}
