//! The format as it should be sent.

use crate::reply::parse;

#[test]
fn show() {
    for raw in [
        "[TO: Bob, TONE: angry] \"Why did you do that?\"",
        "[INTERRUPT after \"I want to\", TONE: furious] \"No!\"",
        "[SILENT, *crosses arms*]",
    ] {
        println!("{}", serde_json::to_string(&parse(raw)).unwrap());
    }
}
