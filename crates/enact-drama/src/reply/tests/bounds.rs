//! Fields have a longest length.

use crate::reply::{
    MAX_CONTENT_CHARS, MAX_NONVERBAL_CHARS, MAX_PHRASE_CHARS, MAX_TARGET_CHARS, MAX_TONE_CHARS, parse,
};

#[test]
fn long_speech_is_cut_at_a_word_end_and_said_so() {
    let reading = parse(&format!("[TONE: sad] \"{}\"", "word ".repeat(2_000)));
    assert_eq!(reading.reply.content.chars().count(), MAX_CONTENT_CHARS - 1);
    assert!(reading.reply.content.ends_with("word word"));
    assert_eq!(reading.warnings.len(), 1, "{:?}", reading.warnings);

    let reading = parse(&format!("[TONE: sad] 「{}」", "話".repeat(10_000)));
    assert_eq!(reading.reply.content.chars().count(), MAX_CONTENT_CHARS);
}

#[test]
fn speech_of_just_the_longest_length_is_kept() {
    let words = "é".repeat(MAX_CONTENT_CHARS);
    let reading = parse(&format!("[TONE: sad] \"{words}\""));
    assert_eq!(reading.reply.content, words);
    assert!(reading.warnings.is_empty(), "{:?}", reading.warnings);
}

#[test]
fn attributes_are_bounded() {
    let long = "very ".repeat(500);
    let reply =
        parse(&format!("[INTERRUPT after \"{long}\", TO: {long}, TONE: {long}, *{long}*] \"Hi.\"")).reply;
    let lengths = [reply.interrupt_after, reply.target, Some(reply.tone), reply.nonverbal]
        .map(|field| field.unwrap().len());
    let bounds = [MAX_PHRASE_CHARS, MAX_TARGET_CHARS, MAX_TONE_CHARS, MAX_NONVERBAL_CHARS];
    assert!(
        lengths.iter().zip(bounds).all(|(length, most)| (most - 10..=most).contains(length)),
        "{lengths:?}"
    );
}
