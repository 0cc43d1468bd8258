//! What a goal is about, and whether a line touches it.

use crate::{
    acts::{inflection::stem, related::WordStem},
    judge::{
        Act, Goal,
        acts::Sign,
        line::HeardLine,
        line_traits::LineTraits,
        names,
        words::{Text, WordKind},
    },
};

/// The words that a line has to touch.
#[derive(Debug)]
pub(super) struct Topic {
    act: Option<Act>,
    stems: Vec<String>,
    /// What is to be done: "to *sell* the desk".
    head: Option<WordStem>,
}

impl Topic {
    /// Endings differ ("late", "lateness"; "missing", "missed"), so stems are compared by how they begin.
    const STEM: usize = 4;

    pub(super) fn of(goal: &Goal, cast: &[String]) -> Topic {
        let about = Text::read(goal.about.as_deref().unwrap_or_default()).words;
        // "Explains why he was late": the reason need not say again what it is a reason for.
        let asks_why = goal.act == Some(Act::Explain)
            && about.first().is_some_and(|word| matches!(&*word.text, "why" | "how" | "what"));
        let own = if asks_why { &[][..] } else { &about[..] };
        // Names tell nothing of what it is about, and owning up says that something was wrong.
        let owns_up = goal.act == Some(Act::Admit);
        let is_telling = |at: &usize| {
            let word = &own[*at];
            word.text.chars().count() >= Self::STEM
                && !word.is(WordKind::Vague)
                && !(owns_up && word.is(WordKind::Misdeed))
                && names::mention(own, *at, cast).is_none()
        };
        let telling = (0..own.len()).filter(is_telling).map(|at| stem(&own[at].text));
        let stems = telling.map(|stem| stem.chars().take(Self::STEM).collect()).collect();
        let head = about.get(1).filter(|_| about[0].text == "to").map(|word| WordStem::of(&word.text));
        Topic { act: goal.act, stems, head: head.filter(|head| head.tells) }
    }

    /// Whether a line that does the act does it about this.
    pub(super) fn fits(&self, line: &HeardLine<'_>) -> bool {
        let acts = &line.traits.acts;
        match self.act {
            Some(Act::Ask) => self.is_touched(line.traits),
            // "It was me" owns up to what was spoken of.
            Some(Act::Admit) => {
                let spoken_of = || line.before().any(|earlier| self.is_touched(earlier));
                // At the very beginning there is nothing else that it could be.
                let alone = || line.before().next().is_none() && line.traits.spoken().count() == 1;
                self.is_near(line) || acts.shows(Sign::Guilt) && (spoken_of() || alone())
            }
            Some(Act::Explain | Act::Refuse | Act::Agree) => self.is_near(line),
            // A promise may leave unsaid what it is for, but not promise some other deed.
            Some(Act::Promise) => !acts.proposes() || self.is_near(line),
            _ => true,
        }
    }

    /// Whether what is to be done is named in the line or just before it; also where the goal does not say it.
    pub(super) fn is_head_near(&self, line: &HeardLine<'_>) -> bool {
        /// Lines that say what an agreement is about.
        const REACH: usize = 4;
        let Some(head) = &self.head else { return true };
        let names_it =
            |line: &LineTraits| line.stems().any(|stem| head.is_same(stem) || head.is_related(stem));
        names_it(line.traits) || line.before().take(REACH).any(names_it)
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
