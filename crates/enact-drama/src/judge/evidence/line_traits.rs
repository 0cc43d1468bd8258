//! A line as the evidence takes it: what can be said of it before it is weighed for a goal.

use std::sync::{Arc, LazyLock};

use super::{
    plain,
    sentences::{self, LinePart},
};
use crate::{
    acts::{
        ActKind,
        heard::{HEARD, HeardAs, Showing},
        inflection::stem,
        is_empty_word,
    },
    english::{
        phrase::{Found, is_join},
        word_lists::{WordList, word_list},
        words::{Text, Word},
    },
    judge::names,
};

#[derive(Debug, Clone)]
pub(in crate::judge) struct LineTraits {
    pub(super) who: Option<usize>,
    /// The stems of its telling words.
    pub(super) stems: Arc<[String]>,
    pub(super) parts: Arc<[PartTraits]>,
    pub(super) hits: Arc<[Hit]>,
    /// Who is called by name, or named as the one it is said to.
    pub(super) called: Arc<[usize]>,
    /// Who of the cast is named at all, the speaker aside.
    pub(super) named: Arc<[usize]>,
    /// The acts that are said in the very words of the tables, and whether those words have a content.
    pub(super) plain: Arc<[(ActKind, bool)]>,
    /// How it begins, as an answer.
    pub(super) begins: Option<Showing>,
}

#[derive(Debug)]
pub(super) struct PartTraits {
    pub(super) stems: Vec<String>,
    pub(super) asks: bool,
    pub(super) gesture: bool,
    pub(super) cut: bool,
    pub(super) conditional: bool,
    /// Said of what is or was, and not of what will, could or should be.
    pub(super) is_deed: bool,
    pub(super) is_statement: bool,
    /// "it", "them": what was just spoken of.
    pub(super) points: bool,
    /// Said of another than the speaker: "you", "he".
    pub(super) of_others: bool,
}

/// A phrase of an act in a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hit {
    pub(super) means: HeardAs,
    pub(super) part: usize,
    pub(super) stands: Stands,
}

/// Whether words do what they say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stands {
    Meant,
    /// In a question.
    Asked,
    /// Denied, imagined, or in somebody else's mouth.
    NotMeant,
    /// Bound to a condition.
    Conditional,
    /// Broken off at these words.
    Cut,
}

impl LineTraits {
    /// Reads a line. Only the acts that are wanted are looked for.
    pub(in crate::judge) fn of(
        content: &str,
        target: Option<&str>,
        who: Option<usize>,
        cast: &[String],
        wanted: &[ActKind],
    ) -> LineTraits {
        let parts = sentences::parts(content);
        let words = || parts.iter().flat_map(|part| &part.words).map(|word| &*word.text);
        LineTraits {
            who,
            stems: words().filter(|word| !is_empty_word(word)).map(stem).collect(),
            hits: hits(&parts, wanted).into(),
            called: addressed(content, target, cast).into(),
            named: named(&parts, who, cast).into(),
            plain: plain::acts_in(&parts).into(),
            begins: beginning(&parts),
            parts: parts.iter().map(PartTraits::of).collect(),
        }
    }

    pub(in crate::judge) fn is_by(&self, who: Option<usize>) -> bool {
        self.who == who
    }

    /// The parts that show something of one of the acts, in order.
    pub(super) fn showing(&self, acts: &[ActKind], shows: Showing) -> impl Iterator<Item = &Hit> {
        let of_act = move |hit: &&Hit| match hit.means.act {
            Some(act) => acts.contains(&act),
            None => false,
        };
        self.hits.iter().filter(move |hit| hit.means.shows == shows).filter(of_act)
    }

    /// Whether something holds that does for every act.
    pub(super) fn shows_any(&self, shows: Showing) -> bool {
        self.hits.iter().any(|hit| hit.means.act.is_none() && hit.means.shows == shows)
    }

    pub(super) fn spoken(&self) -> impl DoubleEndedIterator<Item = &PartTraits> {
        self.parts.iter().filter(|part| !part.gesture)
    }
}

impl PartTraits {
    fn of(part: &LinePart<'_>) -> PartTraits {
        let has = |set: &[&str]| part.words.iter().any(|word| set.contains(&&*word.text));
        PartTraits {
            stems: part.words.iter().map(|word| stem(&word.text)).collect(),
            asks: part.asks,
            gesture: part.gesture,
            cut: part.cut,
            conditional: is_conditional(part),
            is_deed: !part.asks && !has(&NO_DEED),
            is_statement: !part.asks && !part.gesture && !part.cut && !has(&NO_STATEMENT),
            points: has(&["it", "them", "one", "this", "these", "that"]),
            of_others: has(&["you", "he", "she", "they", "has"]),
        }
    }
}

fn hits(parts: &[LinePart<'_>], wanted: &[ActKind]) -> Vec<Hit> {
    let is_wanted = |means: HeardAs| means.act.is_none_or(|act| wanted.contains(&act));
    let mut hits = Vec::new();
    for (place, part) in parts.iter().enumerate() {
        let found: Vec<Found<HeardAs>> =
            (0..part.words.len()).flat_map(|at| HEARD.wanted_at(&part.words, at, is_wanted)).collect();
        let is_excepted = |one: &Found<HeardAs>| {
            let excepts = |other: &&Found<HeardAs>| {
                other.means.shows == Showing::Not
                    && other.means.act == one.means.act
                    && other.from < one.to
                    && one.from < other.to
            };
            found.iter().any(|other| excepts(&other))
        };
        for one in &found {
            let Some(stands) = stands(one, part).filter(|_| !is_excepted(one)) else { continue };
            hits.push(Hit { means: one.means, part: place, stands });
        }
    }
    hits
}

/// How a phrase stands in its sentence; nothing where it shows nothing there.
fn stands(found: &Found<HeardAs>, part: &LinePart<'_>) -> Option<Stands> {
    let asked = part.asks && !found.means.may_ask;
    match found.means.shows {
        Showing::Shown => part.gesture.then_some(Stands::Meant),
        Showing::Against => (part.gesture || !asked).then_some(Stands::Meant),
        Showing::Answered | Showing::Refuted => (!part.gesture && !asked).then_some(Stands::Meant),
        Showing::Ironic => (!part.gesture).then_some(Stands::Meant),
        Showing::Does | Showing::Hints if part.gesture => None,
        Showing::Does | Showing::Hints => Some(match () {
            () if asked => Stands::Asked,
            () if is_not_meant(&part.words, found.from) => Stands::NotMeant,
            () if is_conditional(part) && !found.means.may_ask => Stands::Conditional,
            () if part.cut && found.to + 1 >= part.words.len() => Stands::Cut,
            () => Stands::Meant,
        }),
        Showing::Not | Showing::Yes | Showing::No => None,
    }
}

/// Denied or imagined by what stands before them in their clause, or said by somebody else.
fn is_not_meant(words: &[Word<'_>], from: usize) -> bool {
    let mut start = from;
    while start > 0 && !words[start].opens && !is_join(&words[start - 1].text) {
        start -= 1;
    }
    let before = &words[start..from];
    let has = |words: &[Word<'_>], name: &str| words.iter().any(|word| word.text == name);
    let reported = before.iter().rposition(|word| SAYING.contains(&&*word.text)).is_some_and(|says| {
        let subject = &before[..says];
        let own = has(subject, "i") || has(subject, "let") && has(subject, "me");
        !own || ["you", "he", "she", "they", "we", "who"].into_iter().any(|name| has(subject, name))
    });
    reported || before.iter().any(|word| UNREAL.contains(&&*word.text))
}

fn is_conditional(part: &LinePart<'_>) -> bool {
    part.words.iter().enumerate().any(|(at, word)| {
        CONDITIONS.contains(&&*word.text) && (word.opens || at > 0 && is_join(&part.words[at - 1].text))
    })
}

/// Whether a line begins like a yes or like a no.
fn beginning(parts: &[LinePart<'_>]) -> Option<Showing> {
    let first = parts.iter().find(|part| !part.gesture)?;
    let start = first.words.iter().take_while(|word| matches!(&*word.text, "oh" | "well")).count();
    let found =
        HEARD.wanted_at(&first.words, start, |means| matches!(means.shows, Showing::Yes | Showing::No));
    // "I will not" begins like "I will"; the longer one counts.
    let longest = found.max_by_key(|found| found.to)?.means.shows;
    (!first.asks || longest == Showing::No).then_some(longest)
}

fn addressed(content: &str, target: Option<&str>, cast: &[String]) -> Vec<usize> {
    match target {
        Some(target) => (0..cast.len()).filter(|who| names::names(target, &cast[*who])).collect(),
        None => names::called(&Text::spoken(content), cast),
    }
}

fn named(parts: &[LinePart<'_>], speaker: Option<usize>, cast: &[String]) -> Vec<usize> {
    let mut named = Vec::new();
    for part in parts {
        for at in 0..part.words.len() {
            if let Some((who, _)) = names::mention(&part.words, at, cast)
                && Some(who) != speaker
                && !named.contains(&who)
            {
                named.push(who);
            }
        }
    }
    named
}

static UNREAL: WordList = LazyLock::new(|| word_list("words that do nothing"));

static SAYING: WordList = LazyLock::new(|| word_list("saying"));

/// Words by which a deed is not done: denied, planned, imagined or wanted.
static NO_DEED: WordList = LazyLock::new(|| word_list("no deed"));

static NO_STATEMENT: WordList = LazyLock::new(|| word_list("no statement"));

static CONDITIONS: WordList = LazyLock::new(|| word_list("conditions"));
