//! What of a text is said aloud.

use proptest::prelude::*;

use super::words::Words;

#[test]
fn what_is_only_done_is_not_said() {
    let said = |text: &str| match Words::of(text).all() {
        said if said.is_empty() => "-".to_owned(),
        said => said,
    };
    for (text, expected) in [
        ("Fine.", "Fine."),
        ("*sighs* Fine. *leaves*", "Fine."),
        ("I am *so* sorry, **really**.", "I am so sorry, really."),
        ("(quietly) No. I was there (sort of) with you.", "No. I was there (sort of) with you."),
        ("Well [laughs] that is it [", "Well that is it"),
        ("*waves*", "-"),
        ("  What \n now?", "What now?"),
        ("*unclosed words", "unclosed words"),
    ] {
        assert_eq!(said(text), expected, "{text}");
    }
}

#[test]
fn cuts_leave_whole_words() {
    let cut = |heard: &str, rest: &str| {
        let text = format!("{heard}{rest}");
        match Words::of(&text).until(heard.len()) {
            None => "nothing".to_owned(),
            Some((heard, None)) => heard,
            Some((heard, Some(unheard))) => format!("{heard} | {unheard}"),
        }
    };
    for (heard, rest, expected) in [
        ("I can explain", " it all.", "I can explain | it all."),
        ("I can expl", "ain it all.", "I can | explain it all."),
        ("I don", "'t know.", "I | don't know."),
        ("Wai", "t!", "Wai | t!"),
        ("That is all", ".", "That is all"),
        ("*shru", "gs* Fine.", "nothing"),
        ("你在说", "什么呢", "你在说 | 什么呢"),
    ] {
        assert_eq!(cut(heard, rest), expected, "{heard}|{rest}");
    }
}

proptest! {
    #[test]
    fn nothing_after_a_cut_is_heard(text in "[a-z*(\\[ é话\\]).']{0,40}", at in 0_usize..60) {
        let words = Words::of(&text);
        if let Some((heard, unheard)) = words.until(at) {
            let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
            let both = letters(&heard) + &letters(&unheard.unwrap_or_default());
            prop_assert_eq!(both, letters(&words.all()));
            prop_assert!(letters(&heard).len() <= letters(&text[..text.floor_char_boundary(at)]).len());
        }
    }
}
