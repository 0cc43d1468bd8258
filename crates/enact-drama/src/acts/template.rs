//! How an act is said: a sentence with slots.

/// What stands in a template for words of the scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slot {
    /// Whom it is said to, as they are called: `{to}`.
    To,
    /// What it is about, as a noun phrase: `{thing}`, "the broken window".
    Thing,
    /// The same as something being done: `{doing}`, "breaking the window".
    Doing,
    /// The same as something to be done: `{deed}`, "mend the window".
    Deed,
    /// The same as a whole clause, from the speaker's mouth: `{fact}`, "I broke the window".
    Fact,
}

impl Slot {
    const ALL: [(Slot, &str); 5] = [
        (Slot::To, "{to}"),
        (Slot::Thing, "{thing}"),
        (Slot::Doing, "{doing}"),
        (Slot::Deed, "{deed}"),
        (Slot::Fact, "{fact}"),
    ];
}

/// One way to say an act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActTemplate {
    text: String,
    slots: Vec<Slot>,
}

impl ActTemplate {
    /// # Panics
    /// If it names a slot that there is none of.
    pub(super) fn read(text: &str) -> ActTemplate {
        let slots: Vec<Slot> =
            Slot::ALL.iter().filter(|(_, name)| text.contains(name)).map(|(slot, _)| *slot).collect();
        let rest = Slot::ALL.iter().fold(text.to_owned(), |text, (_, name)| text.replace(name, ""));
        assert!(!rest.contains(['{', '}']), "'{text}' has a slot that is none");
        ActTemplate { text: text.to_owned(), slots }
    }

    /// As it is written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What has to be known to say it.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// The sentence, if there are words for all of its slots. What begins a sentence is capitalised.
    pub fn fill(&self, mut words: impl FnMut(Slot) -> Option<String>) -> Option<String> {
        let mut text = self.text.clone();
        for slot in &self.slots {
            let (_, name) = Slot::ALL.iter().find(|(known, _)| known == slot)?;
            text = text.replace(name, &words(*slot)?);
        }
        Some(capitalised(&text))
    }
}

fn capitalised(text: &str) -> String {
    let mut begins = true;
    let mut ended = false;
    let letter = |c: char| {
        let big = begins && c.is_alphabetic();
        if big || c.is_alphanumeric() {
            (begins, ended) = (false, false);
        }
        ended |= matches!(c, '.' | '!' | '?');
        begins |= ended && c.is_whitespace();
        if big { c.to_uppercase().collect::<String>() } else { c.to_string() }
    };
    text.chars().map(letter).collect()
}
