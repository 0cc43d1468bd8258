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
