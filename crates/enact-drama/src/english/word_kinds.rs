//! Which lists of words a word stands in, looked up once when a text is taken apart.

use std::{collections::HashMap, sync::LazyLock};

use super::word_lists::word_list;

/// A list of words. What each is for stands where it is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WordKind {
    /// Words that only strengthen or soften.
    Padding,
    Interjection,
    /// Adverbs that turn what they stand by into something else.
    Doubt,
    /// What "'s" is short for "is" after; elsewhere it may as well show a possession.
    IsHost,
    /// Denied, imagined or doubted: "I don't think I accept", "I wish I could say I forgive you".
    Unreal,
    /// The same where a line is weighed: "when" and "until" bind it, but it is said.
    DoesNothing,
    /// Before a phrase that begins with "I", these make it a question: "should I apologize".
    Auxiliary,
    Saying,
    /// After "sorry", these only ask to hear something again.
    Pardon,
    /// Deeds that leave something behind: afterwards one can see whether they were done.
    Deed,
    /// Words that make something definite: when, how often, in which form.
    When,
    /// Words by which a deed is not done: denied, planned, imagined or wanted.
    NoDeed,
    NoStatement,
    Condition,
    /// Words that stand for anything.
    Vague,
    /// "it", "them": what was just spoken of.
    Pointer,
    /// "you", "he": another than the speaker.
    Other,
    /// "I", "my": the speaker.
    Own,
    /// Words that deny.
    Denial,
    /// "mistake", "fault": whatever it was.
    Misdeed,
}

const LISTS: [(&str, WordKind); 20] = [
    ("padding", WordKind::Padding),
    ("interjections", WordKind::Interjection),
    ("doubts", WordKind::Doubt),
    ("before a short is", WordKind::IsHost),
    ("unreal", WordKind::Unreal),
    ("words that do nothing", WordKind::DoesNothing),
    ("auxiliaries", WordKind::Auxiliary),
    ("saying", WordKind::Saying),
    ("asking to hear it again", WordKind::Pardon),
    ("deeds", WordKind::Deed),
    ("times and forms", WordKind::When),
    ("no deed", WordKind::NoDeed),
    ("no statement", WordKind::NoStatement),
    ("conditions", WordKind::Condition),
    ("vague words", WordKind::Vague),
    ("pointers", WordKind::Pointer),
    ("others", WordKind::Other),
    ("one's own", WordKind::Own),
    ("denials", WordKind::Denial),
    ("misdeeds", WordKind::Misdeed),
];

/// The lists a word stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct WordKinds(u32);

impl WordKinds {
    /// Of a word in lower case.
    pub(crate) fn of(word: &str) -> WordKinds {
        let listed = KINDS.get(word).copied().unwrap_or_default();
        // "Truly", "deeply"; not "only".
        let adverb = word.len() > 4 && word.ends_with("ly") && !listed.has(WordKind::Doubt);
        if adverb { listed.with(WordKind::Padding) } else { listed }
    }

    pub(crate) fn has(self, kind: WordKind) -> bool {
        self.0 & 1 << kind as u32 != 0
    }

    fn with(self, kind: WordKind) -> WordKinds {
        WordKinds(self.0 | 1 << kind as u32)
    }
}

static KINDS: LazyLock<HashMap<&'static str, WordKinds>> = LazyLock::new(|| {
    let mut kinds: HashMap<&str, WordKinds> = HashMap::new();
    for (list, kind) in LISTS {
        for word in word_list(list) {
            let known = kinds.entry(word).or_default();
            *known = known.with(kind);
        }
    }
    kinds
});
