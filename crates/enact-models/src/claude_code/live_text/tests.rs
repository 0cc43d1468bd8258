use std::sync::{Arc, Mutex};

use serde_json::json;

use super::*;

#[test]
fn words_are_passed_on_as_they_come_and_nothing_else() {
    let text = |text: &str| json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}});
    let thought =
        json!({"type": "content_block_delta", "delta": {"type": "thinking_delta", "thinking": "Hm"}});
    let begin = json!({"type": "message_start", "message": {}});
    for (events, shown) in [
        (vec![begin.clone(), thought, text("Well"), text(", then.")], "Well|, then."),
        (vec![text("\n "), text(" Well"), text(" \n"), text("then."), text("\n")], "Well| \nthen."),
        (vec![begin.clone(), text("We"), begin, text("Well.")], "We"),
        (vec![json!(null), json!({"type": "content_block_delta"}), text("")], ""),
    ] {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let mut words = LiveWords::to(LiveText::to({
            let heard = heard.clone();
            move |text| heard.lock().unwrap().push(text.to_owned())
        }));
        events.iter().for_each(|event| words.event(event));
        assert_eq!(heard.lock().unwrap().join("|"), shown);
    }
}
