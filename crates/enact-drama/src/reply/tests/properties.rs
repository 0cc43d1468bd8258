//! What holds for every input.

use proptest::prelude::*;

use crate::reply::{
    Action, MAX_CONTENT_CHARS, MAX_NONVERBAL_CHARS, MAX_PHRASE_CHARS, MAX_TARGET_CHARS, MAX_TONE_CHARS,
    ParsedReply, Reply,
    bracket::{self, BracketReading},
    parse, quote,
};

/// What replies are made of, for inputs that nearly follow the format.
#[rustfmt::skip]
const TOKENS: [&str; 70] = [
    "[", "]", "[", "]", "\"", "\"", "“", "”", "«", "»", "「", "」", "【", "】", "'", "’", "*", "*", "**", ",",
    ":", "：", "=", "\n", "\n\n", " ", " ", "\t", "\r\n", "\0", "\u{1b}[31m", "\u{2028}", "TO", "TO:",
    "TONE", "TONE:", "tone:", "AFTER", "after", "INTERRUPT", "SILENT", "REACT", "EVENT:", "SYSTEM:",
    "SCENE END", "Setting:", "Bob", "Alice:", "angry", "I don't", "really", "sighs", "Hello.", "你好", "שלום",
    "😀", "```", "{", "}", "he said,", "(sighs)", "(calm):", "---", "OR", "\\", "</s>", "5'10", "ALICE", "Note:", "then",
];

fn messes() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&TOKENS[..]), 0..40).prop_map(|tokens| tokens.concat())
}

fn assert_clean(reading: &ParsedReply) {
    let Reply { action, target, tone, content, interrupt_after, nonverbal } = &reading.reply;
    let attributes = [
        (target.as_deref(), MAX_TARGET_CHARS),
        (Some(tone.as_str()), MAX_TONE_CHARS),
        (interrupt_after.as_deref(), MAX_PHRASE_CHARS),
        (nonverbal.as_deref(), MAX_NONVERBAL_CHARS),
    ];
    for (value, most_chars) in attributes {
        let Some(value) = value else { continue };
        assert!(!value.is_empty() && value.trim() == value, "{value:?}");
        assert!(value.chars().count() <= most_chars, "{value:?}");
        assert!(!value.contains(|c: char| c.is_control() || c == '*' || bracket::is_bracket(c)), "{value:?}");
        assert_eq!(quote::unquoted(value), value);
    }
    assert!(content.trim() == content && content.chars().count() <= MAX_CONTENT_CHARS, "{content:?}");
    assert!(!content.contains(|c: char| c.is_control() || (c.is_whitespace() && c != ' ')), "{content:?}");
    let mut from = 0;
    while let Some(found) = bracket::find(content, from) {
        assert!(found.closed && !bracket::is_forged(found.inner), "{content:?}");
        let reading = bracket::reading(found.inner);
        assert!(matches!(reading, BracketReading::Aside | BracketReading::BareHead), "{content:?}");
        from = found.end;
    }
    assert!(!quote::closes_early(content), "{content:?}");
    assert_eq!(content.is_empty(), matches!(action, Action::Silent | Action::React), "{reading:?}");
    assert!(interrupt_after.is_none() || *action == Action::Interrupt);
    assert!(!reading.malformed() || !reading.warnings.is_empty());
}

/// A reply written as the format wants it.
fn written(reply: &Reply) -> String {
    let mut head: Vec<String> = Vec::new();
    match (reply.action, &reply.interrupt_after) {
        (Action::Interrupt, Some(phrase)) => head.push(format!("INTERRUPT after \"{phrase}\"")),
        (Action::Silent, _) => head.push("SILENT".to_owned()),
        (Action::React, _) => head.push("REACT".to_owned()),
        _ => {}
    }
    head.extend(reply.target.iter().map(|target| format!("TO: {target}")));
    head.push(format!("TONE: {}", reply.tone));
    head.extend(reply.nonverbal.iter().map(|what| format!("*{what}*")));
    let head = head.join(", ");
    if reply.content.is_empty() { format!("[{head}]") } else { format!("[{head}] \"{}\"", reply.content) }
}

fn replies() -> impl Strategy<Value = Reply> {
    let name = "[A-Z][a-z]{1,8}( and [A-Z][a-z]{1,8})?";
    let tone = "[a-z]{3,8}( but [a-z]{3,8})?";
    // Words with apostrophes, commas and quotations inside.
    let words = "[A-Za-z]{1,8}( [a-z]{1,8}('t)?,?){0,6}( \"[a-z]{1,6}\" [a-z]{1,6})?[.!?]";
    let phrase = "[A-Z][a-z]{0,8}( [a-z]{1,8}('t)?,?){0,3} [a-z]{1,8}";
    let actions =
        prop::sample::select(&[Action::Speak, Action::Interrupt, Action::Silent, Action::React][..]);
    (actions, prop::option::of(name), tone, words, phrase, "[a-z]{3,8}( [a-z]{1,8}){0,4}", any::<bool>())
        .prop_map(|(action, target, tone, words, phrase, gesture, acts)| {
            let speaks = matches!(action, Action::Speak | Action::Interrupt);
            Reply {
                action,
                target,
                tone,
                content: if speaks { words } else { String::new() },
                interrupt_after: (action == Action::Interrupt).then_some(phrase),
                nonverbal: (acts || action == Action::React).then_some(gesture),
            }
        })
}

proptest! {
    #[test]
    fn any_text_gives_clean_fields(raw in any::<String>()) {
        assert_clean(&parse(&raw));
    }

    #[test]
    fn near_misses_give_clean_fields(raw in messes()) {
        assert_clean(&parse(&raw));
    }

    #[test]
    fn json_gives_clean_fields(content in messes(), tone in messes(), target in any::<String>(), nonverbal in messes()) {
        let raw = serde_json::json!({ "content": content, "tone": tone, "to": target, "nonverbal": nonverbal });
        assert_clean(&parse(&raw.to_string()));
    }

    #[test]
    fn a_reply_written_down_is_read_back(reply in replies()) {
        let reading = parse(&written(&reply));
        prop_assert!(reading.warnings.is_empty(), "{}: {:?}", written(&reply), reading.warnings);
        prop_assert_eq!(reading.reply, reply);
    }
}
