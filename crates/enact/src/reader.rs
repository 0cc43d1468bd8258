//! A run in the form in which people read it on a terminal: names, manner and action set apart, prose in
//! quotation marks.

use std::{
    io::{self, IsTerminal},
    str::FromStr,
};

use anstyle::Style;
use enact_drama::report::{BlockContent, Document, Passage, ReaderForm};

use crate::screen::{BOLD, FAINT, colour};

const ITALIC: Style = Style::new().italic();

/// Longer lines are hard to read, however wide the terminal is.
const WIDEST: usize = 88;

/// What stands before the words, so that names stand out.
const INDENT: &str = "  ";

/// In which form a run is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextForm {
    /// For people.
    Reader,
    /// As it stands in transcripts, and is sent to models: `Alice [TO: Bob, TONE: angry] "Why?"`.
    Wire,
}

impl FromStr for TextForm {
    type Err = String;

    fn from_str(text: &str) -> Result<TextForm, String> {
        match text {
            "reader" => Ok(TextForm::Reader),
            "wire" => Ok(TextForm::Wire),
            _ => Err("use 'reader' or 'wire'; `enact export` has other formats".to_owned()),
        }
    }
}

impl TextForm {
    /// The form that was asked for or else, where a person reads along, the one for people.
    pub(crate) fn chosen(asked: Option<TextForm>) -> TextForm {
        asked.unwrap_or(if io::stdout().is_terminal() { TextForm::Reader } else { TextForm::Wire })
    }
}

/// How wide the text is set.
pub(crate) fn columns() -> usize {
    textwrap::termwidth().min(WIDEST)
}

/// A block, coloured and broken into lines. `place` gives its speaker's colour.
pub(crate) fn block(content: &BlockContent, place: usize, columns: usize) -> String {
    match content.for_reader() {
        ReaderForm::Heading(title) => format!("{BOLD}{title}{BOLD:#}"),
        ReaderForm::Speech { who, aside, words } => {
            let colour = colour(place).bold();
            let aside = aside.map(|aside| format!(" {FAINT}({aside}){FAINT:#}")).unwrap_or_default();
            let head = wrapped(&format!("{colour}{who}{colour:#}{aside}"), "", columns);
            match words {
                Some(words) => format!("{head}\n{}", wrapped(&words, INDENT, columns)),
                None => head,
            }
        }
        ReaderForm::Event(text) => {
            format!("{ITALIC}{}{ITALIC:#}", wrapped(&format!("· {text}"), INDENT, columns))
        }
        ReaderForm::Remark(text) => format!("{FAINT}{}{FAINT:#}", wrapped(&format!("({text})"), "", columns)),
    }
}

fn wrapped(text: &str, indent: &str, columns: usize) -> String {
    let options = textwrap::Options::new(columns).initial_indent(indent).subsequent_indent(INDENT);
    textwrap::fill(text, options)
}

/// The whole run in pieces, each with the time at which it came.
pub(crate) fn passages(document: &Document, columns: usize) -> Vec<Passage> {
    let mut speakers: Vec<String> = Vec::new();
    let mut shown = vec![Passage { at_ms: None, round: 0, text: opening(document, columns) }];
    for each in &document.blocks {
        let place = match &each.content {
            BlockContent::Speech(speech) => place_of(&speech.who, &mut speakers),
            _ => 0,
        };
        let text = format!("{}\n\n", block(&each.content, place, columns));
        let at_ms = (!matches!(each.content, BlockContent::Heading { .. })).then_some(each.at_ms);
        shown.push(Passage { at_ms, round: each.round, text });
    }
    // `SCENE END - Goal: Achieved`: that it is the end can be seen.
    let end = document.end.as_deref().map(|end| end.split_once(" - ").map_or(end, |(_, how)| how));
    let end = end.unwrap_or("This run has no end yet");
    let round = document.blocks.last().map_or(0, |last| last.round);
    shown.push(Passage { at_ms: None, round, text: format!("{FAINT}{end}{FAINT:#}\n") });
    shown
}

fn place_of(who: &str, speakers: &mut Vec<String>) -> usize {
    speakers.iter().position(|known| known == who).unwrap_or_else(|| {
        speakers.push(who.to_owned());
        speakers.len() - 1
    })
}

fn opening(document: &Document, columns: usize) -> String {
    let mut text = format!("{BOLD}{}{BOLD:#}\n", document.title);
    let setting = document.setting.as_deref().map(enact_drama::text::one_line);
    if let Some(setting) = setting.filter(|setting| !setting.is_empty()) {
        text.push_str(&format!("{FAINT}{}{FAINT:#}\n", wrapped(&setting, "", columns)));
    }
    text.push('\n');
    text
}
