//! The run as a screenplay in Fountain, the plain-text format that screenwriting programs read.

use super::{BlockContent, Document, Format, Speech, time};
use crate::text::one_line;

/// What a scene heading may begin with to be one without being forced.
const HEADINGS: &[&str] = &["INT", "EXT", "EST", "I/E"];

/// What makes a line something other than plain text when it comes first: forced headings, action,
/// transitions, cues, lyrics, synopses, sections and parentheticals.
const LEADING_MARKS: &[char] = &['.', '!', '>', '@', '~', '=', '#', '('];

pub(super) fn fountain(document: &Document) -> String {
    let mut text = title_page(document);
    if !document.divided {
        text.push_str(&format!("\n{}\n", place(document)));
    }
    for block in &document.blocks {
        text.push_str(&format!("\n{}\n", element(&block.content)));
    }
    text.push_str(&format!("\n> {} <\n", plain(&document.end_text())));
    text
}

fn title_page(document: &Document) -> String {
    let mut page = format!("Title: {}\n", plain(&document.title));
    if let Some(credit) = &document.credit {
        page.push_str(&format!("Credit: played by\nAuthor: {credit}\n"));
    }
    page.push_str(&format!("Draft date: {}\n", time::day(document.started_at)));
    let notes = document.head_in(Format::Fountain);
    let notes: Vec<String> = notes.map(|field| format!("{}: {}", field.label, plain(&field.value))).collect();
    if !notes.is_empty() {
        page.push_str(&format!("Notes: {}\n", notes.join("; ")));
    }
    page
}

/// Where it plays, or what it is called.
fn place(document: &Document) -> String {
    let setting = document.setting.as_deref().and_then(heading);
    setting.or_else(|| heading(&document.title)).unwrap_or_default()
}

/// Forced, because people do not write `INT.` before a setting. Nothing if there is nothing in it to read.
fn heading(text: &str) -> Option<String> {
    let text = plain(text);
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    if text.is_empty() {
        return None;
    }
    // What stands between two `#` would be the scene's number.
    let text = text.replace('#', "").to_uppercase();
    Some(if reads_as_heading(&text) { text } else { format!(".{text}") })
}

fn element(content: &BlockContent) -> String {
    match content {
        BlockContent::Heading { title, .. } => heading(title).unwrap_or_default(),
        BlockContent::Speech(speech) => match speech.only_done() {
            Some(gesture) => action(&format!("{} {gesture}.", speech.who)),
            None => dialogue(speech),
        },
        BlockContent::Event { text, .. } => action(text),
        // Not part of the play: a note, which programs show beside it.
        BlockContent::System { text } => format!("[[{}]]", plain(text)),
    }
}

/// Action is always forced: then nothing in it can be taken for anything else.
fn action(text: &str) -> String {
    format!("!{}", plain(text))
}

/// A cue, a parenthetical and what is said. Nothing said, only a tone, gives a beat of silence, because a cue
/// without a line below it would be read as action.
fn dialogue(speech: &Speech) -> String {
    let (cue, words) = (cue(&speech.who), words(&speech.heard()));
    match parenthetical(speech) {
        Some(aside) => format!("{cue}\n({aside})\n{words}"),
        None => format!("{cue}\n{words}"),
    }
}

/// What is said, below a cue.
fn words(said: &str) -> String {
    let words = plain(said);
    match words.chars().next() {
        None => "…".to_owned(),
        Some(first) if LEADING_MARKS.contains(&first) => format!("\\{words}"),
        Some(_) => words,
    }
}

/// How it is said and what is done meanwhile, without parentheses of its own.
fn parenthetical(speech: &Speech) -> Option<String> {
    let parts: Vec<&str> = speech.manner.as_deref().into_iter().chain(speech.done()).collect();
    (!parts.is_empty()).then(|| plain(&parts.join(", ").replace(['(', ')'], "")))
}

/// A name in capitals. Names that would not be seen as a cue, or as something else, are forced to be one.
fn cue(name: &str) -> String {
    let name = plain(name).to_uppercase().replace('^', "");
    let plain_cue = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || " '-".contains(c))
        && !reads_as_heading(&name);
    if plain_cue { name } else { format!("@{name}") }
}

fn reads_as_heading(text: &str) -> bool {
    HEADINGS.iter().any(|heading| {
        text.strip_prefix(heading).is_some_and(|rest| rest.starts_with(['.', ' ', '/']) || rest.is_empty())
    })
}

/// Text without the marks that mean something anywhere in a line: emphasis, notes and comments.
fn plain(text: &str) -> String {
    let text = one_line(text).replace('\\', "\\\\").replace('*', "\\*").replace('_', "\\_");
    // Twice, since the last of three brackets would make another note with the second.
    (0..2).fold(text, |text, _| text.replace("[[", "[ [").replace("]]", "] ]"))
}
