//! The story of a scene: who did, is, wants and hides what, as its author wrote it, and how each of the cast says it.
//!
//! [`StoryPeople`] are the cast with their names, roles and pronouns. [`StoryFact`]s are read from prompt, setting and sheets
//! ([`SceneStory::public`] is what all know, [`SceneStory::own`] what only one does), and a fact turns into a sentence in somebody's
//! mouth: person, possessives and verbs follow who speaks to whom ([`Saying`]). `sentence` and `lexicon` (with its
//! text files) read words, `clause` tells apart who is meant, `mouth` says it, `proof` looks at what came out, `things`
//! finds what can be pointed at.
//! [`GoalWords`] are what a goal is about, from its doer's mouth.

mod clause;
mod fact;
mod goal_words;
mod lexicon;
mod mouth;
mod people;
mod proof;
mod sentence;
mod things;

#[cfg(test)]
mod tests;

pub use fact::{FactKind, FactSource, SheetMaterial, StoryFact};
pub use goal_words::GoalWords;
pub use lexicon::{content_words, is_person_noun};
pub use mouth::{Saying, capitalised, contracted};
pub use people::{Pronoun, StoryPeople, StoryPerson};
pub use proof::reads_well;

use crate::sheet::Sheet;

/// What one of the cast knows of the story when the scene begins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SceneStory {
    pub people: StoryPeople,
    /// What everybody knows, in the order it is written.
    pub public: Vec<StoryFact>,
    /// What only this one knows, and how it talks.
    pub own: SheetMaterial,
    /// What can be spoken of: noun phrases of the prompt.
    pub things: Vec<String>,
}

impl SceneStory {
    /// Reads what `me`, by place in the cast, knows. `goals` only tell about people.
    pub fn read(
        displays: &[&str],
        prompt: &str,
        setting: Option<&str>,
        goals: &[&str],
        me: usize,
        sheet: &Sheet,
    ) -> SceneStory {
        let prompt = without_goals(prompt);
        let mut texts = vec![prompt.as_str()];
        texts.extend(setting);
        texts.extend(goals);
        let mut people = StoryPeople::read(displays, &texts);
        let pronoun = fact::pronoun_in(sheet, &people, me);
        people.learn(me, pronoun, sheet.title.as_deref());
        let mut public = fact::told_to_all(&prompt, FactSource::Prompt, &people);
        let things = things::things(&prompt, &people);
        if let Some(setting) = setting {
            public.extend(fact::told_to_all(setting, FactSource::Setting, &people));
        }
        public.retain(|fact| fact.known_to.is_none_or(|owner| owner == me));
        // What a goal asks for has not happened yet.
        let goals: Vec<Vec<String>> = goals.iter().map(|goal| content_words(goal)).collect();
        public.retain(|fact| {
            let asked = |goal: &Vec<String>| fact.about.iter().filter(|word| goal.contains(word)).count();
            !goals.iter().any(|goal| asked(goal) * 10 >= fact.about.len() * 9)
        });
        let own = fact::told_to_one(sheet, me, &people);
        SceneStory { people, public, own, things }
    }

    /// What an event of the world tells.
    pub fn of_event(&self, text: &str) -> Vec<StoryFact> {
        fact::told_to_all(text, FactSource::Event, &self.people)
    }

    /// The noun phrases of a text.
    pub fn things_in(&self, text: &str) -> Vec<String> {
        things::things(text, &self.people)
    }
}

/// A prompt without the parts that say of themselves that they are goals.
fn without_goals(prompt: &str) -> String {
    const LABELS: [&str; 7] = [
        "scene goal",
        "goal:",
        "goals:",
        "what must happen",
        "by the end",
        "the scene ends",
        "the scene is over",
    ];
    let paragraphs = prompt.split("\n\n").filter(|paragraph| {
        let lower = paragraph.trim_start_matches(['#', '*', ' ']).to_lowercase();
        !LABELS.iter().any(|label| lower.starts_with(label))
    });
    let kept: Vec<String> = paragraphs
        .map(|paragraph| {
            let lower = paragraph.to_lowercase();
            let end = LABELS.iter().filter_map(|label| lower.find(label)).min().unwrap_or(paragraph.len());
            paragraph.get(..end).unwrap_or(paragraph).to_owned()
        })
        .collect();
    kept.join("\n\n")
}
