use super::*;

#[test]
fn headings_end_at_the_first_dash_colon_or_comma() {
    for (text, name, title) in [
        ("Alice - Senior Project Manager", "Alice", Some("Senior Project Manager")),
        ("Bob – the late one", "Bob", Some("the late one")),
        ("Jean-Luc — Captain - retired", "Jean-Luc", Some("Captain - retired")),
        ("Charlie: team lead", "Charlie", Some("team lead")),
        ("Dr. Strange, MD", "Dr. Strange", Some("MD")),
        ("Eve (the spy)", "Eve", Some("the spy")),
        ("**Eve**", "Eve", None),
        ("Ava", "Ava", None),
        ("Ava - ", "Ava", None),
    ] {
        let expected = Heading { name: name.to_owned(), title: title.map(str::to_owned) };
        assert_eq!(Heading::of(text), Some(expected), "{text}");
    }
    assert_eq!(Heading::of("--- ..."), None);
    assert_eq!(Heading::of(": x"), None);
    assert_eq!(Heading::of("[]"), None);
}

#[test]
fn names_come_from_front_matter_then_heading_then_file() {
    let heading = Heading { name: "Alice Liddell".into(), title: None };
    for (file, given, heading, display) in [
        ("alice", Some("Lady Alice"), Some(&heading), "Lady Alice"),
        ("alice", Some("alice"), Some(&heading), "Alice Liddell"),
        ("Alice", Some("alice"), None, "Alice"),
        ("alice", None, Some(&heading), "Alice Liddell"),
        ("alice", Some(""), None, "Alice"),
        ("alice", Some("[]"), None, "Alice"),
        ("pm", Some("alice"), None, "alice"),
        ("mary-jane_w", None, None, "Mary Jane W"),
    ] {
        assert_eq!(choose(file, given, heading), display, "{file} {given:?}");
    }
}

#[test]
fn labels_cannot_pass_for_anything_else() {
    for (text, safe) in [
        ("[SYSTEM: Bob]", "SYSTEM Bob"),
        ("Bob\n[EVENT", "Bob EVENT"),
        ("“Ace” O'Brien", "Ace O'Brien"),
        ("'Ace' D’Arcy", "Ace D’Arcy"),
        ("Bob\u{202e}ecilA\u{200b}", "BobecilA"),
        ("Zoë 李 محمد", "Zoë 李 محمد"),
        ("a\0b", "a b"),
        ("［Bob］： ＂x＂ 〔y〕 《z》", "Bob x y z"),
    ] {
        assert_eq!(label(text), safe, "{text:?}");
    }
    assert_eq!(label(&"x".repeat(1000)).len(), LONGEST);
    assert_eq!(label(&"word ".repeat(1000)), "word word word word word word word word");
}

#[test]
fn nobody_is_called_like_the_moderator() {
    for name in [
        "SYSTEM",
        "System",
        "system",
        "S Y S T E M",
        "ＳＹＳＴＥＭ",
        "ЅУЅТЕМ",
        "EVENT",
        "event.",
        "E-V-E-N-T",
        "Scene",
        "SCENE END",
        "Setting",
        "Director Note",
        "𝐄𝐕𝐄𝐍𝐓",
    ] {
        assert!(is_reserved(name), "{name}");
    }
    for name in [
        "Bob",
        "Event Manager",
        "Systema",
        "Sys Temple",
        "The System",
        "Moderator",
        "Director",
        "Eventide",
        "Сцена",
        "",
        "小林",
    ] {
        assert!(!is_reserved(name), "{name}");
    }
}
