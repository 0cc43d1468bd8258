//! Transcripts from outside: what was said in a scene, read back from a `transcript.txt` or from JSON.

mod json;
mod text;

#[cfg(test)]
mod tests;

use super::{Acts, Heard, names};
use crate::{Problem, reply::Action};

/// A transcript, read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Transcript {
    /// Those the header names, where there is one.
    pub characters: Vec<String>,
    /// The header's goal line.
    pub goal: Option<String>,
    pub lines: Vec<TranscriptLine>,
}

/// One line of a transcript: a [`Heard`] that owns what it says.
#[derive(Debug, Clone, PartialEq)]
pub struct TranscriptLine {
    /// As written; empty for world events and system lines.
    pub speaker: String,
    pub content: String,
    pub tone: Option<String>,
    pub action: Action,
    pub target: Option<String>,
    /// Whose line it cut off, if it cut one.
    pub cuts: Option<String>,
    acts: Acts,
}

/// An interruption hits what was said just now: within a beat of the largest cast there can be.
const CUT_REACH: usize = 12;

const EXAMPLE: &str = r#"give the text of a transcript.txt, lines like `Bob: I'm sorry.`, or JSON like [{"speaker": "Bob", "content": "I'm sorry."}]"#;

impl Transcript {
    /// Reads a transcript in any of its forms: JSON `[{speaker, content, tone?, action?, target?}]`, the text
    /// of a `transcript.txt`, or plain `Alice: …` lines.
    pub fn read(text: &str) -> Result<Transcript, Problem> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if text.trim().is_empty() {
            return Err(Problem::config("The transcript is empty").hint(EXAMPLE));
        }
        if json::looks_like(text) { json::read(text) } else { text::read(text) }
    }

    /// The lines as the judge takes them.
    pub fn heard(&self) -> Vec<Heard<'_>> {
        self.lines.iter().map(TranscriptLine::heard).collect()
    }

    /// The cast's display names, for a scene whose sheets are not at hand: those that the header names or, without one,
    /// its characters' plain names, capitalised; and everybody else who speaks.
    pub fn cast(&self, characters: &[String]) -> Vec<String> {
        let mut cast = self.characters.clone();
        let named = characters.iter().map(|name| display(name));
        let speakers =
            self.lines.iter().map(|line| &line.speaker).filter(|speaker| !speaker.trim().is_empty()).cloned();
        for name in named.filter(|_| self.characters.is_empty()).chain(speakers) {
            if !cast.iter().any(|known| names::same_person(known, &name)) {
                cast.push(name);
            }
        }
        cast
    }
}

impl TranscriptLine {
    fn heard(&self) -> Heard<'_> {
        Heard {
            speaker: &self.speaker,
            content: &self.content,
            tone: self.tone.as_deref(),
            action: self.action,
            target: self.target.as_deref(),
            cuts: self.cuts.as_deref(),
            acts: &self.acts,
        }
    }
}

/// What the readers of the two forms gather.
#[derive(Debug, Default)]
struct Raw {
    speaker: String,
    content: String,
    tone: Option<String>,
    action: Option<Action>,
    target: Option<String>,
    interrupt_after: Option<String>,
}

fn lines(raw: Vec<Raw>) -> Vec<TranscriptLine> {
    let mut lines: Vec<TranscriptLine> = Vec::with_capacity(raw.len());
    for line in raw {
        let action = line.action.unwrap_or(Action::Speak);
        let cuts = (action == Action::Interrupt).then(|| victim(&lines, &line)).flatten();
        let acts = Acts::of(&line.content);
        let (speaker, content, tone, target) = (line.speaker, line.content, line.tone, line.target);
        lines.push(TranscriptLine { speaker, content, tone, action, target, cuts, acts });
    }
    lines
}

/// Whose line an interruption cut: the newest one by somebody else that breaks off or holds the phrase.
fn victim(earlier: &[TranscriptLine], line: &Raw) -> Option<String> {
    let phrase = line.interrupt_after.as_deref().map(letters).filter(|phrase| !phrase.is_empty());
    let is_cut = |earlier: &&TranscriptLine| {
        let by_other = !earlier.speaker.is_empty() && !names::same_person(&earlier.speaker, &line.speaker);
        let holds = || phrase.as_ref().is_some_and(|phrase| letters(&earlier.content).contains(phrase));
        by_other && (earlier.content.trim_end().ends_with(['—', '–']) || holds())
    };
    earlier.iter().rev().take(CUT_REACH).find(is_cut).map(|earlier| earlier.speaker.clone())
}

/// A text without what people get wrong when they quote: case, punctuation, spacing.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// "mary-ann" on disk is Mary Ann on stage.
fn display(name: &str) -> String {
    let capital = |word: &str| {
        let mut chars = word.chars();
        chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
    };
    name.split(['-', '_', ' ']).filter(|word| !word.is_empty()).map(capital).collect::<Vec<_>>().join(" ")
}
