use super::*;

#[test]
fn every_kind_of_answer_has_its_form() {
    let some = |text: &str| Some(text.to_owned());
    let cases = [
        (
            ImprovisedReply::Speak {
                to: some("Bob"),
                tone: "calm".into(),
                gesture: some("nods"),
                words: "Yes.".into(),
            },
            r#"[TO: Bob, TONE: calm, *nods*] "Yes.""#,
        ),
        (
            ImprovisedReply::Speak {
                to: some("Bob, the Elder"),
                tone: "calm".into(),
                gesture: None,
                words: "A \"B\".".into(),
            },
            r#"[TONE: calm] "A 'B'.""#,
        ),
        (
            ImprovisedReply::Interrupt { after: "I don't".into(), tone: "sharp".into(), words: "No.".into() },
            r#"[INTERRUPT after "I don't", TONE: sharp] "No.""#,
        ),
        (
            ImprovisedReply::React { tone: "uneasy".into(), gesture: "winces".into() },
            "[REACT, TONE: uneasy, *winces*]",
        ),
        (ImprovisedReply::Silent { gesture: some("waits") }, "[SILENT, *waits*]"),
        (ImprovisedReply::Silent { gesture: None }, "[SILENT]"),
    ];
    for (reply, expected) in cases {
        assert_eq!(reply.render(), expected);
    }
}
