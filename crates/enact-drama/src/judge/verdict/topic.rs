//! What a goal is about, and whether a line touches it.

use std::sync::LazyLock;

use super::spoken::SpokenLine;
use crate::judge::{
    Act, Goal,
    acts::Sign,
    word_lists::{WordList, word_list},
    words::Text,
};

/// The words that a line has to touch.
#[derive(Debug)]
pub(super) struct Topic {
    act: Option<Act>,
    stems: Vec<String>,
}

impl Topic {
    /// Endings differ ("late", "lateness"; "missing", "missed"), so words are compared by how they begin.
    const STEM: usize = 4;

    pub(super) fn of(goal: &Goal) -> Topic {
        let about = Text::read(goal.about.as_deref().unwrap_or_default()).words;
        // "Explains why he was late": the reason need not say again what it is a reason for.
        let asks_why = goal.act == Some(Act::Explain)
            && about.first().is_some_and(|word| matches!(&*word.text, "why" | "how" | "what"));
        let own = if asks_why { &[][..] } else { &about[..] };
        let telling = |word: &&str| word.chars().count() >= Self::STEM && !VAGUE.contains(word);
        let stems = own.iter().map(|word| &*word.text).filter(telling).map(stem).collect();
        Topic { act: goal.act, stems }
    }

    /// Whether a line that does the act does it about this.
    pub(super) fn fits(&self, line: &SpokenLine<'_>) -> bool {
        match self.act {
            Some(Act::Ask) => self.is_touched(line.heard.content),
            Some(Act::Admit) => line.heard.acts.shows(Sign::Guilt) || self.is_near(line),
            Some(Act::Explain | Act::Refuse | Act::Agree) => self.is_near(line),
            // A promise may leave unsaid what it is for, but not promise some other deed.
            Some(Act::Promise) => !line.heard.acts.proposes() || self.is_near(line),
            _ => true,
        }
    }

    /// Whether the line or what it answers touches the topic.
    fn is_near(&self, line: &SpokenLine<'_>) -> bool {
        self.is_touched(line.heard.content) || line.answers().any(|content| self.is_touched(content))
    }

    fn is_touched(&self, content: &str) -> bool {
        let touches = |word: &str| self.stems.iter().any(|stem| word.starts_with(stem.as_str()));
        self.stems.is_empty() || Text::read(content).words.iter().any(|word| touches(&word.text))
    }
}

fn stem(word: &str) -> String {
    word.chars().take(Topic::STEM).collect()
}

/// Words that stand for anything.
static VAGUE: WordList = LazyLock::new(|| word_list("vague words"));
