//! A block as it is set for reading: who, how, and the words in quotation marks. What shows it chooses the
//! colours and the width.

use super::{BlockContent, Speech};
use crate::text::one_line;

/// One block, in its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReaderForm {
    Heading(String),
    Speech {
        who: String,
        /// How it is said, and what is done: `to Bob, angry; stands up`.
        aside: Option<String>,
        /// In quotation marks. Nothing where only something is done.
        words: Option<String>,
    },
    /// Something happens.
    Event(String),
    /// About the performance rather than part of it.
    Remark(String),
}

impl BlockContent {
    /// As it is set for reading.
    pub fn for_reader(&self) -> ReaderForm {
        match self {
            BlockContent::Heading { short, .. } => ReaderForm::Heading(one_line(short)),
            BlockContent::Speech(speech) => speech.for_reader(),
            BlockContent::Event { text, .. } => ReaderForm::Event(apostrophes(&one_line(text))),
            BlockContent::System { text } => ReaderForm::Remark(one_line(text)),
        }
    }
}

impl Speech {
    fn for_reader(&self) -> ReaderForm {
        let manner = self.manner.as_deref().map(one_line).filter(|manner| !manner.is_empty());
        let done = self.done().map(|gesture| apostrophes(&one_line(gesture)));
        let aside: Vec<String> = manner.into_iter().chain(done).collect();
        let heard = one_line(&self.heard());
        let words = (self.aloud && !heard.is_empty()).then(|| format!("“{}”", quoted(&heard)));
        ReaderForm::Speech {
            who: self.who.clone(),
            aside: (!aside.is_empty()).then(|| aside.join("; ")),
            words,
        }
    }
}

/// Words between quotation marks: marks of their own become single ones.
fn quoted(words: &str) -> String {
    apostrophes(&words.replace(['"', '“', '”', '„'], "'"))
}

/// Straight single marks as printers set them: one that opens a word is a quotation mark, any other an
/// apostrophe or the end of a quotation.
fn apostrophes(text: &str) -> String {
    let mut before = ' ';
    let set = |c: char| {
        let opens = before.is_whitespace() || matches!(before, '(' | '[' | '—' | '–' | '-' | '‘' | '“');
        before = c;
        match c {
            '\'' if opens => '‘',
            '\'' => '’',
            _ => c,
        }
    };
    text.chars().map(set).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_set_as_in_print() {
        for (written, set) in [
            ("I can't.", "I can’t."),
            (r#"He said "no" twice."#, "He said ‘no’ twice."),
            ("'No' was all.", "‘No’ was all."),
            ("the sisters' house — 'twice'", "the sisters’ house — ‘twice’"),
            ("", ""),
        ] {
            assert_eq!(quoted(written), set, "{written}");
        }
    }

    #[test]
    fn a_line_is_taken_apart() {
        let speech =
            Speech::new("Bob", "Look, I can explain that").manner("to Alice, hurried").doing("*stands up*");
        let mut cut = speech.clone();
        cut.cut = Some(19);
        let form = |speech: &Speech| BlockContent::Speech(speech.clone()).for_reader();
        let expected = |words: &str| ReaderForm::Speech {
            who: "Bob".to_owned(),
            aside: Some("to Alice, hurried; stands up".to_owned()),
            words: Some(words.to_owned()),
        };
        assert_eq!(form(&speech), expected("“Look, I can explain that”"));
        assert_eq!(form(&cut), expected("“Look, I can explain—”"));
        let silent = Speech::gesture("Bob", "looks away").remark("SILENT");
        let expected =
            ReaderForm::Speech { who: "Bob".to_owned(), aside: Some("looks away".to_owned()), words: None };
        assert_eq!(form(&silent), expected);
    }
}
