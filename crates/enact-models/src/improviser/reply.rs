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
mod tests;
