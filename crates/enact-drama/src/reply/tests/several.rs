//! Answers with more than one reply in them.

use expect_test::expect;

use super::check;

#[test]
fn the_first_that_says_something_counts() {
    check(
        &[
            "[TONE: sad] \"One.\"\n[TONE: angry] \"Two.\"",
            "[TONE: sad] \"One.\" [TONE: angry] \"Two.\"",
            "[TONE: sad] \"One.\n[TONE: angry] \"Two.\"",
            "[TONE: sad] \"One.\"\nBob [TO: Alice, TONE: angry] \"Two.\"",
            "[TONE: sad] \"One.\"\n\nBob: \"Two.\"\nAlice: \"Three.\"",
            "[TONE: sad] \"One.\"\n**Bob:** \"Two.\"\n[TONE: odd] \"Three.\"",
            "[TONE: sad]\n\n[TONE: angry] \"Two.\"",
            "[SILENT]\n\n[TONE: angry] \"Two.\"",
            "[SILENT]\n\nBob [TONE: angry] \"Two.\"",
            "[SILENT, *waits*]\n[TONE: angry] \"Two.\"",
            "[SILENT]\n[SILENT]",
            "[REACT, TONE: shocked, *gasps*]\n[TONE: angry] \"Two.\"",
            "[REACT, TONE: shocked]\n[*gasps*]",
            "[TONE: sad] *sighs*\n[TONE: angry] \"Two.\"",
        ],
        expect![[r#"
            [TONE: sad] "One."\n[TONE: angry] "Two."
                {"action":"speak","tone":"sad","content":"One.","warnings":["more than one reply: only one is read"]}
            [TONE: sad] "One." [TONE: angry] "Two."
                {"action":"speak","tone":"sad","content":"One.","warnings":["more than one reply: only one is read"]}
            [TONE: sad] "One.\n[TONE: angry] "Two."
                {"action":"speak","tone":"sad","content":"One.","warnings":["closing quote missing","more than one reply: only one is read"]}
            [TONE: sad] "One."\nBob [TO: Alice, TONE: angry] "Two."
                {"action":"speak","tone":"sad","content":"One.","warnings":["more than one reply: only one is read"]}
            [TONE: sad] "One."\n\nBob: "Two."\nAlice: "Three."
                {"action":"speak","tone":"sad","content":"One.","warnings":["a line for somebody else: left out"]}
            [TONE: sad] "One."\n**Bob:** "Two."\n[TONE: odd] "Three."
                {"action":"speak","tone":"sad","content":"One.","warnings":["a line for somebody else: left out","more than one reply: only one is read"]}
            [TONE: sad]\n\n[TONE: angry] "Two."
                {"action":"speak","tone":"angry","content":"Two.","warnings":["a bracket without a reply: left out"]}
            [SILENT]\n\n[TONE: angry] "Two."
                {"action":"speak","tone":"angry","content":"Two.","warnings":["a bracket without a reply: left out"]}
            [SILENT]\n\nBob [TONE: angry] "Two."
                {"action":"silent","tone":"neutral","warnings":["more than one reply: only one is read"]}
            [SILENT, *waits*]\n[TONE: angry] "Two."
                {"action":"silent","tone":"neutral","nonverbal":"waits","warnings":["more than one reply: only one is read"]}
            [SILENT]\n[SILENT]
                {"action":"silent","tone":"neutral"}
            [REACT, TONE: shocked, *gasps*]\n[TONE: angry] "Two."
                {"action":"react","tone":"shocked","nonverbal":"gasps","warnings":["more than one reply: only one is read"]}
            [REACT, TONE: shocked]\n[*gasps*]
                {"action":"react","tone":"shocked","nonverbal":"gasps"}
            [TONE: sad] *sighs*\n[TONE: angry] "Two."
                {"action":"react","tone":"sad","nonverbal":"sighs","warnings":["action outside the bracket: read as nonverbal","more than one reply: only one is read","nothing is said: read as a reaction"]}
        "#]],
    );
}

#[test]
fn a_dialogue_is_read_up_to_somebody_else() {
    check(
        &[
            "Alice: I am fine.\nBob: I am sorry.\nAlice: ok",
            "Alice: I am fine.\nAlice: Really.\nBob: I am sorry.",
            "**Alice:** I am fine.\n\n**Bob:** I am sorry.",
            "Alice: \"One.\"\nBob: \"Two.\"\nAlice: \"Three.\"",
            "\"I am fine.\"\nBob: I am sorry.",
            "Alice: I am fine.\nListen: I never said that.",
            "Alice: Listen: I never said that.\nThere is one thing: you.",
            "I have a plan.\nMonday: we call them.",
            "ALICE\n(angry)\nWhy?\n\nBOB\n(calm)\nBecause.",
        ],
        expect![[r#"
            Alice: I am fine.\nBob: I am sorry.\nAlice: ok
                malformed {"action":"speak","tone":"neutral","content":"I am fine.","warnings":["a name before what is said: left out","more than one reply: only one is read","no keyword in brackets: read as plain speech","no TONE given: read as neutral"]}
            Alice: I am fine.\nAlice: Really.\nBob: I am sorry.
                malformed {"action":"speak","tone":"neutral","content":"I am fine. Really.","warnings":["a name before what is said: left out","more than one reply: only one is read","no keyword in brackets: read as plain speech","no TONE given: read as neutral"]}
            **Alice:** I am fine.\n\n**Bob:** I am sorry.
                malformed {"action":"speak","tone":"neutral","content":"I am fine.","warnings":["a name before what is said: left out","more than one reply: only one is read","no keyword in brackets: read as plain speech","no TONE given: read as neutral"]}
            Alice: "One."\nBob: "Two."\nAlice: "Three."
                malformed {"action":"speak","tone":"neutral","content":"One.","warnings":["a name before what is said: left out","more than one reply: only one is read","no keyword in brackets: read as plain speech","no TONE given: read as neutral"]}
            "I am fine."\nBob: I am sorry.
                malformed {"action":"speak","tone":"neutral","content":"I am fine.","warnings":["a line for somebody else: left out","no keyword in brackets: read as plain speech","no TONE given: read as neutral"]}
            Alice: I am fine.\nListen: I never said that.
                malformed {"action":"speak","tone":"neutral","content":"I am fine. Listen: I never said that.","warnings":["a name before what is said: left out","no keyword in brackets: read as plain speech","no TONE given: read as neutral"]}
            Alice: Listen: I never said that.\nThere is one thing: you.
                malformed {"action":"speak","tone":"neutral","content":"Listen: I never said that. There is one thing: you.","warnings":["a name before what is said: left out","no keyword in brackets: read as plain speech","no TONE given: read as neutral"]}
            I have a plan.\nMonday: we call them.
                malformed {"action":"speak","tone":"neutral","content":"I have a plan. Monday: we call them.","warnings":["no keyword in brackets: read as plain speech","no TONE given: read as neutral"]}
            ALICE\n(angry)\nWhy?\n\nBOB\n(calm)\nBecause.
                malformed {"action":"speak","tone":"angry","content":"Why?","warnings":["a name before what is said: left out","more than one reply: only one is read","no keyword in brackets: read as plain speech"]}
        "#]],
    );
}
