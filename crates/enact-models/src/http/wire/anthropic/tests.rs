//! Blocks that are open at the same time, which no server is known to send.

use serde_json::json;

use super::*;

fn feed(answer: &mut IncomingAnswer, frame: Value) {
    read(frame.to_string().as_bytes(), answer).unwrap();
}

fn open(answer: &mut IncomingAnswer, index: usize, kind: &str) {
    feed(answer, json!({"type": "content_block_start", "index": index, "content_block": {"type": kind}}));
}

fn say(answer: &mut IncomingAnswer, index: usize, text: &str) {
    let delta = json!({"type": "text_delta", "text": text});
    feed(answer, json!({"type": "content_block_delta", "index": index, "delta": delta}));
}

#[test]
fn what_waits_for_a_block_that_never_ends_is_said_at_the_end() {
    let stop = json!({"type": "message_stop"});
    let reason = json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}});
    for last in [stop, reason] {
        let mut answer = IncomingAnswer::default();
        for index in 0..3 {
            open(&mut answer, index, if index == 1 { "thinking" } else { "text" });
        }
        say(&mut answer, 2, " third");
        say(&mut answer, 1, " second");
        say(&mut answer, 0, "first");
        assert_eq!(answer.text, "first");
        feed(&mut answer, last.clone());
        assert_eq!(answer.text, "first third", "{last}");
    }
}

#[test]
fn what_waits_counts_as_said() {
    let mut answer = IncomingAnswer::default();
    open(&mut answer, 0, "text");
    open(&mut answer, 1, "text");
    let long = "word ".repeat(1_000);
    let said = (0..1_000).find(|_| {
        say(&mut answer, 1, &long);
        answer.check_length().is_err()
    });
    assert!(said.is_some_and(|said| said < 250), "{said:?}");
}

#[test]
fn only_so_many_blocks_are_open_at_once() {
    let mut answer = IncomingAnswer::default();
    for index in 0..10_000 {
        open(&mut answer, index, "text");
        say(&mut answer, index, "a");
    }
    assert!(answer.blocks.open.len() <= MOST_OPEN_BLOCKS, "{}", answer.blocks.open.len());
    feed(&mut answer, json!({"type": "message_stop"}));
    assert_eq!(answer.text, "a".repeat(10_000));
}
