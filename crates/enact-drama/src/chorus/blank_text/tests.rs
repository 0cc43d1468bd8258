use super::*;

#[test]
fn what_can_be_heard_and_what_can_be_seen() {
    for (text, silent, invisible) in [
        ("", true, true),
        (" \n\u{7}", true, true),
        ("\u{200b}", true, true),
        ("\u{ad}\u{2060}\u{feff}", true, true),
        ("…", true, false),
        ("?!", true, false),
        ("「」。", true, false),
        ("a", false, false),
        ("7", false, false),
        ("雨", false, false),
        ("👍\u{fe0f}", false, false),
        ("♪", false, false),
    ] {
        assert_eq!((is_silent(text), is_invisible(text)), (silent, invisible), "{text:?}");
    }
}
