use super::*;

#[test]
fn what_only_eyes_want_is_not_said() {
    for (written, said) in [
        ("Hello there.", "Hello there."),
        ("  two\n\nlines\t here ", "two lines here"),
        ("**Bold** and *it* and __this__ and `code`", "Bold and it and this and code"),
        ("~~old~~ new ~5", "old new ~5"),
        ("snake_case stays two words", "snake case stays two words"),
        ("3*4 is 12", "3 times 4 is 12"),
        ("# A heading\nText", "A heading. Text"),
        ("#hashtag", "#hashtag"),
        ("- one\n- two,\n* three!", "one. two. three!"),
        ("- [x] done", "done."),
        ("> quoted\n>> twice", "quoted twice"),
        ("1. first\n2. second", "1. first 2. second"),
        ("a\n---\nb", "a b"),
        ("```rust\nlet x = 1;\n```", "let x = 1;"),
        ("| a | b |\n|---|---|\n| c | d |", ", a , b. , c , d."),
        ("see [the docs](https://example.com/a?b=c) now", "see the docs now"),
        ("![a **cat**](cat.png)", "a cat"),
        ("[not a link] (really)", "[not a link] (really)"),
        ("at https://www.example.com/a/b?c=d#e, or", "at example dot com, or"),
        ("WWW.Example.org.", "Example dot org."),
        ("<https://example.com>", "example dot com"),
        ("a <b>bold</b> move<br/>here", "a bold move here"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("smile 😀👍🏽 ❤️ → done ✅", "smile done"),
        ("zero\u{200b}width and soft\u{ad}hyphen", "zerowidth and softhyphen"),
        ("bell\u{7} and\u{0}null", "bell and null"),
        ("\\*not bold\\*", "not bold"),
        ("Café, naïve — 日本", "Café, naïve — 日本"),
        ("$5 & 10%", "$5 & 10%"),
        ("", ""),
        ("***", ""),
        ("😀", ""),
    ] {
        assert_eq!(spoken(written), said, "{written:?}");
    }
}

#[test]
fn words_are_told_from_marks() {
    for (text, is) in [("a", true), ("7", true), ("日", true), ("?! … —", false), ("", false)] {
        assert_eq!(has_words(text), is, "{text:?}");
    }
}

#[test]
fn long_text_is_parted_where_one_would_breathe() {
    for (text, longest, expected) in [
        ("", 5, vec![]),
        ("short", 10, vec!["short"]),
        ("One two. Three four.", 12, vec!["One two.", "Three four."]),
        ("One two. Three four.", 8, vec!["One two.", "Three", "four."]),
        ("one, two three", 10, vec!["one,", "two three"]),
        ("aaaaaa", 4, vec!["aaaa", "aa"]),
        ("ééé ééé", 3, vec!["ééé", "ééé"]),
        ("a", 0, vec!["a"]),
    ] {
        assert_eq!(split(text, longest), expected, "{text:?} {longest}");
    }
}

mod properties {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_text_can_be_read(text in "[\\PC\\n\\t<>\\[\\]()!*_`#|-]{0,200}") {
            let said = spoken(&text);
            prop_assert!(!said.contains(['\n', '\t', '`', '\u{200b}']), "{said:?}");
            prop_assert!(!said.contains("  ") && said.trim() == said, "{said:?}");
            prop_assert_eq!(has_words(&spoken(&said)), has_words(&said), "{:?}", said);
        }

        #[test]
        fn parts_are_the_text(text in "[a-c .,é]{0,200}", longest in 1_usize..50) {
            let parts = split(&text, longest);
            let plain = |text: &str| text.replace(' ', "");
            prop_assert_eq!(plain(&parts.concat()), plain(&text));
            prop_assert!(parts.iter().all(|part| !part.is_empty() && part.chars().count() <= longest));
        }
    }
}
