use expect_test::expect;

use super::*;
use crate::judge::{Goal, goals_of, judge};

/// The requirements' example transcript, word for word, wrapped as it is there.
const OFFICE: &str = r#"
SCENE: Office Confrontation
CHARACTERS: Alice, Bob, Charlie
GOAL: Bob apologizes, Alice accepts, agree on next steps
GENERATED: 2025-10-03 14:32:18

---

[SCENE START]
[Setting: Office conference room, afternoon]

Alice [TO: Bob, TONE: angry] "We need to talk about the Henderson project. Now."

Bob [TONE: defensive, *leans back in chair*] "Look, I can explain what happened—"

Alice [INTERRUPT after "explain", TONE: furious] "I don't want excuses! We lost the client!"

Charlie [TONE: nervous, *glances between them*] "Maybe we should all just..."

[EVENT: Phone rings loudly on conference table]

Bob [TONE: frustrated, *silences phone*] "Can we please just discuss this calmly?"

Alice [TO: Bob, TONE: stern but controlled] "Fine. Tell me what happened."

Bob [TO: Alice, TONE: remorseful, *makes eye contact*] "I underestimated the complexity.
I should have asked for help earlier. I'm genuinely sorry."

Alice [TONE: softening, *sits down*] "I appreciate you saying that. But we need a plan
to prevent this from happening again."

Bob [TO: Alice, TONE: earnest] "Agreed. I'll set up weekly check-ins with you and
document all project timelines. No more surprises."

Alice [TONE: accepting, *nods*] "Okay. Let's do that. Charlie, can you help Bob set
up the new process?"

Charlie [TONE: relieved] "Absolutely. I'll get a framework together by tomorrow."

[SCENE END - Goal: Achieved]

---

STATISTICS:
- Duration: 12 beats
- Processing time: 47.3s
- Total tokens: ~15,200
- Estimated cost: $0.08 USD
"#;

fn show(transcript: &Transcript) -> String {
    let row = |line: &TranscriptLine| {
        let mut row = format!("{}|{:?}", line.speaker, line.action);
        for (mark, part) in [("tone", &line.tone), ("to", &line.target), ("cuts", &line.cuts)] {
            if let Some(part) = part {
                row += &format!(" {mark}={part}");
            }
        }
        row + "|" + &line.content
    };
    transcript.lines.iter().map(row).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_seeds_transcript_is_read() {
    let transcript = Transcript::read(OFFICE).unwrap();
    assert_eq!(transcript.characters, ["Alice", "Bob", "Charlie"]);
    assert_eq!(transcript.goal.as_deref(), Some("Bob apologizes, Alice accepts, agree on next steps"));
    expect![[r#"
        Alice|Speak tone=angry to=Bob|We need to talk about the Henderson project. Now.
        Bob|Speak tone=defensive|Look, I can explain what happened—
        Alice|Interrupt tone=furious cuts=Bob|I don't want excuses! We lost the client!
        Charlie|Speak tone=nervous|Maybe we should all just...
        |Speak|Phone rings loudly on conference table
        Bob|Speak tone=frustrated|Can we please just discuss this calmly?
        Alice|Speak tone=stern but controlled to=Bob|Fine. Tell me what happened.
        Bob|Speak tone=remorseful to=Alice|I underestimated the complexity. I should have asked for help earlier. I'm genuinely sorry.
        Alice|Speak tone=softening|I appreciate you saying that. But we need a plan to prevent this from happening again.
        Bob|Speak tone=earnest to=Alice|Agreed. I'll set up weekly check-ins with you and document all project timelines. No more surprises.
        Alice|Speak tone=accepting|Okay. Let's do that. Charlie, can you help Bob set up the new process?
        Charlie|Speak tone=relieved|Absolutely. I'll get a framework together by tomorrow."#]].assert_eq(&show(&transcript));
}

#[test]
fn the_seeds_transcript_is_complete() {
    let transcript = Transcript::read(OFFICE).unwrap();
    let prompt = "Alice confronts Bob about missing the Henderson project deadline.
           Charlie is present as a witness. Scene goal: Bob apologizes sincerely,
           Alice accepts and they agree on next steps.";
    let cast = transcript.cast(&["alice".into(), "bob".into(), "charlie".into()]);
    let cast: Vec<&str> = cast.iter().map(String::as_str).collect();
    for prompt in [prompt, &format!("Goal: {}", transcript.goal.as_deref().unwrap())] {
        let goals: Vec<Goal> =
            goals_of(&[], prompt, &cast).iter().map(|text| Goal::read(text, &cast)).collect();
        let verdict = judge(&goals, &cast, &transcript.heard());
        assert!(verdict.complete && verdict.closure && verdict.positions, "{verdict:#?}");
        let evidence: Vec<_> =
            verdict.goals.iter().map(|goal| (goal.by.as_deref(), goal.evidence.as_deref())).collect();
        let shown = format!("{evidence:#?}");
        assert_eq!(evidence.len(), 3);
        for (goal, (by, says)) in evidence.iter().zip([
            ("Bob", "I'm genuinely sorry"),
            ("Alice", "I appreciate you saying that"),
            ("Bob", "weekly check-ins"),
        ]) {
            assert!(goal.0 == Some(by) && goal.1.is_some_and(|line| line.contains(says)), "{shown}");
        }
        // Nothing before the last lines was enough.
        let half = &transcript.heard()[..9];
        assert!(!judge(&goals, &cast, half).complete);
    }
}

#[test]
fn plain_lines_are_read() {
    let text = "**Alice:** You're late!\nBob: \"I'm sorry.\nThe note said: five.\"\n\nDr. Chen: [TONE: calm] \"Well.\"\nalice: ok\n";
    expect![[r#"
        Alice|Speak|You're late!
        Bob|Speak|I'm sorry. The note said: five.
        Dr. Chen|Speak tone=calm|Well.
        alice|Speak|ok"#]]
    .assert_eq(&show(&Transcript::read(text).unwrap()));
}

#[test]
fn json_is_read() {
    let text = r#" [
        {"speaker": "Bob", "content": "Look, I can explain everything", "beat": 3},
        {"speaker": "Alice", "content": "No!", "action": "interrupt", "interruptAfter": "CAN explain", "tone": "furious"},
        {"type": "event", "content": "Thunder"},
        {"speaker": "Alice", "content": "", "action": "react", "target": null}
    ]"#;
    expect![[r#"
        Bob|Speak|Look, I can explain everything
        Alice|Interrupt tone=furious cuts=Bob|No!
        |Speak|Thunder
        Alice|React|"#]]
    .assert_eq(&show(&Transcript::read(text).unwrap()));
    assert_eq!(Transcript::read("[]").unwrap().lines, []);
    assert_eq!(Transcript::read("[SCENE START]\n\n[SCENE END - Stalled]").unwrap().lines, []);
}

#[test]
fn what_is_wrong_is_said() {
    let rows = [
        "",
        "  \n ",
        "{\"speaker\": \"Bob\"}",
        "[{\"speaker\": \"Bob\"}]",
        "[\n  {\"speaker\": \"Bob\", \"content\": 3}]",
        "[{\"speaker\": \"Bob\", \"content\": \"x\"},]",
        "[\"Bob: hello\"]",
        "[{\"speaker\": \"Bob\", \"content\": \"x\", \"action\": \"dance\"}]",
        "Once upon a time there was a scene.",
    ];
    let told: Vec<String> = rows.iter().map(|row| Transcript::read(row).unwrap_err().to_string()).collect();
    expect![[r#"
        The transcript is empty
        The transcript is empty
        line 1, column 1: The transcript is not a list of lines: invalid type: map, expected a sequence
        line 1, column 19: The transcript is not a list of lines: missing field `content`
        line 2, column 33: The transcript is not a list of lines: invalid type: integer `3`, expected a string
        line 1, column 37: The transcript is not a list of lines: trailing comma
        line 1, column 13: The transcript is not a list of lines: invalid type: string "Bob: hello", expected a line like {"speaker": "Bob", "content": "I'm sorry."}
        line 1, column 53: The transcript is not a list of lines: unknown variant `dance`, expected one of `speak`, `interrupt`, `silent`, `react`
        line 1, column 1: No lines were found in the transcript"#]].assert_eq(&told.join("\n"));
}

#[test]
fn the_cast_is_the_scene_and_whoever_speaks() {
    let transcript = Transcript::read("Alice: hi\nBOB: hi\nThe Waiter: menu?\nMary Ann: hello").unwrap();
    let characters = ["alice".to_owned(), "bob".to_owned(), "mary-ann".to_owned()];
    assert_eq!(transcript.cast(&characters), ["Alice", "Bob", "Mary Ann", "The Waiter"]);
}

proptest::proptest! {
    #[test]
    fn any_text_is_read_or_told_off(text in "(SCENE:|---|\\[EVENT: |Alice |Bob: |\\[TO: Bob\\] |\"|\n|\\{|\\]|\\PC){0,60}") {
        let _ = Transcript::read(&text).map(|transcript| transcript.heard().len());
    }
}
