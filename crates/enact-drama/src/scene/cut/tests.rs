use super::*;

fn heard(phrase: &str, text: &str) -> Option<String> {
    end_of(&Folded::new(phrase), text).map(|end| text[..end].to_owned())
}

#[test]
fn phrases_are_found_whatever_their_case_punctuation_and_spacing() {
    let cases = [
        ("explain", "Look, I can explain what happened.", Some("Look, I can explain")),
        ("I CAN, explain!", "Look, I can explain what happened.", Some("Look, I can explain")),
        ("I don't", "But I don’t see why.", Some("But I don’t")),
        ("dont", "But I don't see why.", Some("But I don't")),
        ("I", "Did it. I think so.", Some("Did it. I")),
        ("art", "Smart art party", Some("Smart art")),
        ("I can expl", "I can explain", Some("I can expl")),
        ("mart", "Smart", None),
        ("nothing", "I can explain", None),
        ("什么", "你在说什么呢", Some("你在说什么")),
        ("שלום", "אמרתי שלום לכולם", Some("אמרתי שלום")),
        ("wait 🙂 please", "Wait, please don't", Some("Wait, please")),
        ("straße", "Die STRASSE", None),
        ("the end", "This is the end.", Some("This is the end")),
        ("longer than the text", "short", None),
    ];
    for (phrase, text, expected) in cases {
        assert_eq!(heard(phrase, text).as_deref(), expected, "{phrase} in {text}");
    }
}
