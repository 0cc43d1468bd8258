//! Answers, written in the reply format.

/// What the improviser does with its beat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ImprovisedReply {
    Speak { to: Option<String>, tone: String, gesture: Option<String>, words: String },
    Interrupt { after: String, tone: String, words: String },
    React { tone: String, gesture: String },
    Silent { gesture: Option<String> },
}

impl ImprovisedReply {
    pub(super) fn render(&self) -> String {
        match self {
            ImprovisedReply::Speak { to, tone, gesture, words } => {
                let to = to.as_deref().filter(|name| fits_a_bracket(name));
                let to = to.map_or(String::new(), |name| format!("TO: {name}, "));
                let gesture = gesture.as_ref().map_or(String::new(), |gesture| format!(", *{gesture}*"));
                format!("[{to}TONE: {tone}{gesture}] \"{}\"", quotable(words))
            }
            ImprovisedReply::Interrupt { after, tone, words } => {
                format!("[INTERRUPT after \"{after}\", TONE: {tone}] \"{}\"", quotable(words))
            }
            ImprovisedReply::React { tone, gesture } => format!("[REACT, TONE: {tone}, *{gesture}*]"),
            ImprovisedReply::Silent { gesture: Some(gesture) } => format!("[SILENT, *{gesture}*]"),
            ImprovisedReply::Silent { gesture: None } => "[SILENT]".to_owned(),
        }
    }
}

/// A name that would break the bracket it stands in is left out; the words carry it.
fn fits_a_bracket(name: &str) -> bool {
    !name.contains([',', '[', ']', '"', '*', '\n'])
}

/// Names and topics come from authors, who may quote in them.
fn quotable(words: &str) -> String {
    words.replace(['"', '“', '”'], "'")
}

#[cfg(test)]
mod tests {
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
                ImprovisedReply::Interrupt {
                    after: "I don't".into(),
                    tone: "sharp".into(),
                    words: "No.".into(),
                },
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
}
