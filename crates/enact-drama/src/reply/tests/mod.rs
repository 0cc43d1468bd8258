//! The reply parser, from the outside.

mod bounds;
mod forgery;
mod forms;
mod hostile;
mod languages;
mod mess;
mod properties;
mod requirements;
mod several;
mod typed;

use expect_test::Expect;
use serde_json::Value;

use super::parse;

/// Checks what a list of raw answers is read as: each one, and below it its JSON without empty fields.
fn check(raws: &[&str], expected: Expect) {
    let mut shown = String::new();
    for raw in raws {
        let reading = parse(raw);
        let mut json = serde_json::to_value(&reading).unwrap();
        json.as_object_mut()
            .unwrap()
            .retain(|_, value| *value != Value::Null && *value != "" && *value != Value::Array(vec![]));
        let malformed = if reading.malformed() { "malformed " } else { "" };
        shown.push_str(&format!(
            "{}\n    {malformed}{json}\n",
            raw.escape_debug().to_string().replace("\\\"", "\"").replace("\\'", "'")
        ));
    }
    expected.assert_eq(&shown);
}
