//! What a goal is about, and whether a line touches it.

use crate::{
    acts::inflection::stem,
    judge::{
        Act, Goal,
        acts::Sign,
        line::HeardLine,
        line_traits::LineTraits,
        words::{Text, WordKind},
    },
};

/// The words that a line has to touch.
#[derive(Debug)]
pub(super) struct Topic {
    act: Option<Act>,
    stems: Vec<String>,
}

impl Topic {
    /// Endings differ ("late", "lateness"; "missing", "missed"), so stems are compared by how they begin.
    const STEM: usize = 4;

    pub(super) fn of(goal: &Goal) -> Topic {
        let about = Text::read(goal.about.as_deref().unwrap_or_default()).words;
        // "Explains why he was late": the reason need not say again what it is a reason for.
        let asks_why = goal.act == Some(Act::Explain)
            && about.first().is_some_and(|word| matches!(&*word.text, "why" | "how" | "what"));
        let own = if asks_why { &[][..] } else { &about[..] };
        let telling =
            own.iter().filter(|word| word.text.chars().count() >= Self::STEM && !word.is(WordKind::Vague));
        let stems = telling.map(|word| stem(&word.text).chars().take(Self::STEM).collect()).collect();
        Topic { act: goal.act, stems }
    }

    /// Whether a line that does the act does it about this.
    pub(super) fn fits(&self, line: &HeardLine<'_>) -> bool {
        let acts = &line.traits.acts;
        match self.act {
            Some(Act::Ask) => self.is_touched(line.traits),
            Some(Act::Admit) => acts.shows(Sign::Guilt) || self.is_near(line),
            Some(Act::Explain | Act::Refuse | Act::Agree) => self.is_near(line),
            // A promise may leave unsaid what it is for, but not promise some other deed.
            Some(Act::Promise) => !acts.proposes() || self.is_near(line),
            _ => true,
        }
    }

    /// Whether the line or what it answers touches the topic.
    fn is_near(&self, line: &HeardLine<'_>) -> bool {
        self.is_touched(line.traits) || line.answers().any(|earlier| self.is_touched(earlier))
    }

    fn is_touched(&self, line: &LineTraits) -> bool {
        let touches = |word: &str| self.stems.iter().any(|stem| word.starts_with(stem.as_str()));
        self.stems.is_empty() || line.stems().any(|stem| touches(&stem.text))
    }
}
