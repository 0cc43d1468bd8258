use expect_test::expect;
use proptest::prelude::*;

use super::*;

/// What is left of a text, or `=` where it may stay.
fn left(text: &str, sentences: usize, chars: usize) -> String {
    match shorten(text, LengthLimit { sentences, chars }) {
        Some(Shorter { text, why }) => format!("{text} ({why})"),
        None => "=".to_owned(),
    }
}

#[test]
fn sentences_are_counted_as_people_do() {
    let table = [
        ("One. Two. Three.", 3),
        ("One. Two. Three. Four.", 3),
        ("One is red. Two is blue. Three is green. Four is grey.", 3),
        ("No end", 1),
        ("Dr. Mead met Mr. J. Smith at 3.5 km. He said hello.", 1),
        ("So do I. Then we agree.", 1),
        ("We take bread, e.g. rye, and salt. Then we go.", 1),
        ("\"Really?\" she asked. \"Yes.\" He nodded.", 1),
        ("(It rains.) It pours.", 1),
        ("Wait... what? Oh!", 1),
        ("Well… maybe. Perhaps.", 1),
        ("雨は手紙のようだ。静かだ。終わり。", 2),
        ("這是雨聲！你聽見了嗎？", 1),
        ("यह बारिश है। सुनो।", 1),
        ("What?! No way!!! Yes.", 2),
        ("Read enact.toml. Then run it.", 1),
    ];
    let told: Vec<String> = table.iter().map(|(text, most)| left(text, *most, 400)).collect();
    expect![[r#"
        =
        =
        One is red. Two is blue. Three is green. (4 sentences instead of 3: shortened)
        =
        Dr. Mead met Mr. J. Smith at 3.5 km. (2 sentences instead of 1: shortened)
        So do I. (2 sentences instead of 1: shortened)
        We take bread, e.g. rye, and salt. (2 sentences instead of 1: shortened)
        "Really?" she asked. (2 sentences instead of 1: shortened)
        =
        =
        =
        雨は手紙のようだ。静かだ。 (3 sentences instead of 2: shortened)
        這是雨聲！ (2 sentences instead of 1: shortened)
        =
        =
        ="#]]
    .assert_eq(&told.join("\n"));
}

#[test]
fn nothing_is_cut_down_to_an_exclamation_or_an_abbreviation() {
    let whole = [
        "Hmm... I love how you hear tin in it.",
        "Ha! I love how you hear tin in it.",
        "Ha! Oh! I love how you hear tin in it.",
        "Oh my god! I love how you hear tin in it.",
        "Oh. You heard tin where I heard rain.",
        "You heard tin where I heard rain. Ha!",
        "J.R.R. Tolkien would have liked that.",
        "The U.S. Army band played it louder.",
        "At 5 p.m. London sounds like that.",
        "Mt. Fuji hears it too.",
        "We all know Mt. Fuji hears it too.",
        "This is rule no. 5 of mine.",
        "1. Rain is loud.",
        "「雨だ。」と彼は言った。",
        "「雨だ。雨が降る。」と彼は言った。",
        "ああ！雨の音が聞こえる。",
        "I'd have \"Rain… Only softer than that\" embroidered, GPT.",
        "I would have “Rain is loud. Tin is louder.” embroidered, GPT.",
        "Is that so? I never heard it like that.",
    ];
    for text in whole {
        assert_eq!(left(text, 1, 200), "=", "{text}");
    }
    let cut = [
        ("I say no. Never again. Not once.", "I say no."),
        ("What a lovely thought you have! I hear tin.", "What a lovely thought you have!"),
        ("I would rather wait for it… Then it comes to me.", "I would rather wait for it…"),
        ("He said \"it is raining.\" She laughed at that.", "He said \"it is raining.\""),
        ("「雨が降る。」「そうだね、本当に。」", "「雨が降る。」"),
    ];
    for (text, kept) in cut {
        assert_eq!(left(text, 1, 200), format!("{kept} (2 sentences instead of 1: shortened)"));
    }
}

#[test]
fn what_is_too_long_ends_with_a_sentence_or_with_a_word() {
    let table = [
        ("Short one. And a second that does not fit any more.", 20),
        ("Oh. A second sentence, and it has all that is worth hearing", 40),
        ("A single sentence that goes on and on without an end", 20),
        ("A single, sentence that goes on", 10),
        ("Donaudampfschifffahrtsgesellschaft", 10),
        ("雨の音は誰かが手紙を開ける音に似ている", 10),
        ("Hi 雨の音は誰かが手紙を開ける音に似ている", 12),
        ("cafe\u{301}s and teas", 5),
        ("👩\u{200d}👩\u{200d}👧 and more words", 4),
        ("exactly ten", 11),
        ("", 5),
    ];
    let told: Vec<String> = table.iter().map(|(text, most)| left(text, 3, *most)).collect();
    expect![[r#"
        Short one. And a… (51 characters instead of 20: shortened)
        Oh. A second sentence, and it has all… (59 characters instead of 40: shortened)
        A single sentence… (52 characters instead of 20: shortened)
        A single… (31 characters instead of 10: shortened)
        Donaudamp… (34 characters instead of 10: shortened)
        雨の音は誰かが手紙… (19 characters instead of 10: shortened)
        Hi 雨の音は誰かが手… (22 characters instead of 12: shortened)
        caf… (15 characters instead of 5: shortened)
        … (20 characters instead of 4: shortened)
        =
        ="#]]
    .assert_eq(&told.join("\n"));
}

proptest! {
    #[test]
    fn nothing_is_ever_longer_than_its_measure(text in r"(\PC| |[.!?。…]|[a-zA-Z]){0,300}", turn in 1u8..=3) {
        let measure = LengthLimit::of(Turn::try_from(turn).unwrap());
        let text = crate::text::one_line(&text);
        let now = shorten(&text, measure).map_or_else(|| text.clone(), |shorter| shorter.text);
        prop_assert!(now.chars().count() <= measure.chars);
        prop_assert!(sentence_ends(&now).len() <= measure.sentences, "{:?}", now);
        prop_assert!(text.starts_with(now.trim_end_matches('…')));
        prop_assert!(now.is_empty() == text.is_empty());
        prop_assert_eq!(shorten(&now, measure), None, "once is enough");
    }
}
