//! Answers, written in the reply format.

/// What the improviser does with its beat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reply {
    Speak { to: Option<String>, tone: String, gesture: Option<String>, words: String },
    Interrupt { after: String, tone: String, words: String },
    React { tone: String, gesture: String },
    Silent { gesture: Option<String> },
}

impl Reply {
    pub(super) fn render(&self) -> String {
        match self {
            Reply::Speak { to, tone, gesture, words } => {
                let to = to.as_deref().filter(|name| fits_a_bracket(name));
                let to = to.map_or(String::new(), |name| format!("TO: {name}, "));
                let gesture = gesture.as_ref().map_or(String::new(), |gesture| format!(", *{gesture}*"));
                format!("[{to}TONE: {tone}{gesture}] \"{}\"", quotable(words))
            }
            Reply::Interrupt { after, tone, words } => {
                format!("[INTERRUPT after \"{after}\", TONE: {tone}] \"{}\"", quotable(words))
            }
            Reply::React { tone, gesture } => format!("[REACT, TONE: {tone}, *{gesture}*]"),
            Reply::Silent { gesture: Some(gesture) } => format!("[SILENT, *{gesture}*]"),
            Reply::Silent { gesture: None } => "[SILENT]".to_owned(),
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
                Reply::Speak {
                    to: some("Bob"),
                    tone: "calm".into(),
                    gesture: some("nods"),
                    words: "Yes.".into(),
                },
                r#"[TO: Bob, TONE: calm, *nods*] "Yes.""#,
            ),
            (
                Reply::Speak {
                    to: some("Bob, the Elder"),
                    tone: "calm".into(),
                    gesture: None,
                    words: "A \"B\".".into(),
                },
                r#"[TONE: calm] "A 'B'.""#,
            ),
            (
                Reply::Interrupt { after: "I don't".into(), tone: "sharp".into(), words: "No.".into() },
                r#"[INTERRUPT after "I don't", TONE: sharp] "No.""#,
            ),
            (
                Reply::React { tone: "uneasy".into(), gesture: "winces".into() },
                "[REACT, TONE: uneasy, *winces*]",
            ),
            (Reply::Silent { gesture: some("waits") }, "[SILENT, *waits*]"),
            (Reply::Silent { gesture: None }, "[SILENT]"),
        ];
        for (reply, expected) in cases {
            assert_eq!(reply.render(), expected);
        }
    }
}
