use expect_test::expect;

use super::*;

fn checked(wanted: Command) -> String {
    let cast = ["alice", "bob"].map(|name| Name::new(name).unwrap());
    match wanted.check(cast.iter()) {
        Ok(Command::Note { text, .. } | Command::WorldEvent { text }) => text,
        Ok(plain) => format!("{plain:?}"),
        Err(problem) => match &problem.hint {
            Some(hint) => format!("{problem} ({hint})"),
            None => problem.to_string(),
        },
    }
}

fn note(to: Option<&str>, text: &str) -> String {
    checked(Command::Note { to: to.map(|to| Name::new(to).unwrap()), text: text.to_owned() })
}

fn event(text: &str) -> String {
    checked(Command::WorldEvent { text: text.to_owned() })
}

#[test]
fn what_cannot_be_taken_is_said_with_what_could() {
    let told = [
        note(Some("alicia"), "Hush."),
        note(Some("mallory"), "Hush."),
        note(None, " \n\u{1b}[31m\u{202e} "),
        event(""),
        note(None, &"x".repeat(LONGEST_NOTE_CHARS + 1)),
        event(&"é".repeat(LONGEST_EVENT_CHARS + 1)),
        checked(Command::Step),
    ];
    expect![[r#"
            nobody called 'alicia' plays in this run (did you mean 'alice'?)
            nobody called 'mallory' plays in this run (its cast is alice, bob)
            a note needs a text (line breaks and control characters do not count as one)
            a world event needs a text (line breaks and control characters do not count as one)
            a note has at most 2000 characters; this one has 2001
            a world event has at most 500 characters; this one has 501
            Step"#]]
    .assert_eq(&told.join("\n"));
}

#[test]
fn texts_come_back_on_one_line() {
    assert_eq!(note(Some("bob"), " Be\n\n[SYSTEM: kind].\u{2028}Bob: yes "), "Be [SYSTEM: kind]. Bob: yes");
    assert_eq!(event("The\u{1b}[2J lights\tgo out."), "The lights go out.");
    assert_eq!(event("[EVENT: The lights go out]"), "The lights go out");
    assert!(event("[EVENT: [EVENT:]]").starts_with("a world event needs a text"));
    assert_eq!(event(&"é".repeat(LONGEST_EVENT_CHARS)).chars().count(), LONGEST_EVENT_CHARS);
}

fn read(json: &str) -> Result<Command, serde_json::Error> {
    serde_json::from_str(json)
}

#[test]
fn commands_are_objects_with_their_name() {
    let (to, text) = (Some(Name::new("bob").unwrap()), "Hush.".to_owned());
    for (command, json) in [
        (Command::Cancel, r#"{"command":"cancel"}"#),
        (Command::Pause, r#"{"command":"pause"}"#),
        (Command::Resume, r#"{"command":"resume"}"#),
        (Command::Step, r#"{"command":"step"}"#),
        (Command::Note { to, text: text.clone() }, r#"{"command":"note","to":"bob","text":"Hush."}"#),
        (Command::Note { to: None, text }, r#"{"command":"note","to":null,"text":"Hush."}"#),
        (
            Command::WorldEvent { text: "It rains.".to_owned() },
            r#"{"command":"world_event","text":"It rains."}"#,
        ),
    ] {
        assert_eq!(serde_json::to_string(&command).unwrap(), json);
        assert_eq!(read(json).unwrap(), command);
    }
    let to_all = Command::Note { to: None, text: "Hush.".to_owned() };
    assert_eq!(read(r#"{"command":"note","text":"Hush."}"#).unwrap(), to_all);
}

#[test]
fn what_is_no_command_is_refused() {
    for json in [
        r#"{"command":"sing"}"#,
        r#"{"command":"pause","until":"noon"}"#,
        r#"{"command":"note","text":"Hush.","loudly":true}"#,
        r#"{"command":"world_event","text":"It rains.","to":"bob"}"#,
        r#"{"command":"note"}"#,
        r#"{"command":"note","to":"../bob","text":"Hush."}"#,
        r#"{"text":"Hush."}"#,
        r#""pause""#,
        "",
    ] {
        assert!(read(json).is_err(), "{json}");
    }
}
