use super::*;

#[test]
fn letters_from_elsewhere_are_spelled() {
    for (written, said) in [
        ("Plain, isn't it?", Some("Plain, isn't it?")),
        ("Café Zürich, Ångström", Some("Cafe Zuerich, Angstroem")),
        ("“Don’t” – she said…", Some("\"Don't\",  she said... ")),
        ("Łódź, Škoda, Đorđe", Some("Lodz, Shkoda, Dorde")),
        ("Привет, мир", Some("Privet, mir")),
        ("Щука", Some("Shchuka")),
        ("Ёлка, Київ, Њујорк", Some("Yolka, Kiyiv, Nyuyork")),
        ("Καλημέρα", Some("Kalimera")),
        ("R&D at 10% #1", Some("R and D at 10 percent  number 1")),
        ("20°", Some("20 degrees ")),
        ("ＡＢＣ＆", Some("ABC and ")),
        ("e\u{301}te\u{301}", Some("ete")),
        // One name in a sentence may get lost, the sentence may not.
        ("The name is 東京 in Japan", Some("The name is  in Japan")),
        ("私は Rust が好きです", None),
        ("你好", None),
        ("שלום", None),
        ("…", None),
    ] {
        assert_eq!(to_english(written).as_deref(), said, "{written:?}");
    }
}
