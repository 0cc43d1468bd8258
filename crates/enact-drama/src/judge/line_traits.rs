//! What a line does: the one place where its text is taken apart and read.
//!
//! [`Acts`] hold for any scene and are read once for each line; the rest is read for the acts that goals want.

use super::{
    Acts, Heard,
    acts::meant::{clause_start, is_conditional, is_reported},
    names,
};
use crate::{
    acts::{
        ActKind,
        heard::{self, HEARD, HeardAs, Showing},
        is_empty_word,
        related::WordStem,
    },
    english::{
        phrase::{Found, PhraseGroup, is_join},
        words::{Mark, Text, Word, WordKind},
    },
    reply::Action,
};

#[derive(Debug)]
pub(super) struct LineTraits {
    /// The speaker's place in the cast; nothing for strangers.
    pub(super) who: Option<usize>,
    /// Said aloud. Reactions do nothing with words: a nod is no promise.
    pub(super) aloud: bool,
    pub(super) acts: Acts,
    pub(super) parts: Vec<PartTraits>,
    pub(super) hits: Vec<Hit>,
    /// Who is called by name, or named as the one it is said to.
    pub(super) called: Vec<usize>,
    /// Who of the cast is named at all, the speaker aside.
    pub(super) named: Vec<usize>,
    /// The acts that are said in the very words of the tables, and whether those words have a content.
    pub(super) plain: Vec<(ActKind, bool)>,
    /// How it begins, as an answer.
    pub(super) begins: Option<Showing>,
}

/// One sentence, or one gesture.
#[derive(Debug)]
pub(super) struct PartTraits {
    pub(super) stems: Vec<WordStem>,
    pub(super) mark: Mark,
    pub(super) conditional: bool,
    /// Said of what is or was, and not of what will, could or should be.
    pub(super) is_deed: bool,
    pub(super) is_statement: bool,
    /// "it", "them": what was just spoken of.
    pub(super) points: bool,
    /// Said of another than the speaker: "you", "he"; to them; of the speaker.
    pub(super) of_others: bool,
    pub(super) to_you: bool,
    /// The first word of the speaker: "I", "my".
    pub(super) of_self: Option<usize>,
    pub(super) denies: bool,
}

/// A phrase of an act in a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hit {
    pub(super) means: HeardAs,
    pub(super) part: usize,
    pub(super) stands: Stands,
    /// What follows takes it back: "I'd like to, but I can't".
    pub(super) withdrawn: bool,
    /// Where in its sentence it says what it is about; empty where it does not, or only with a pronoun.
    object: (usize, usize),
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

/// What lines are read for.
#[derive(Debug)]
pub(super) struct WantedActs {
    acts: Vec<ActKind>,
    phrases: Vec<PhraseGroup>,
}

impl WantedActs {
    pub(super) fn new(acts: impl Iterator<Item = ActKind>) -> WantedActs {
        let mut acts: Vec<ActKind> = acts.filter(|act| *act != ActKind::deed()).collect();
        acts.sort_unstable();
        acts.dedup();
        let phrases = [heard::OF_ANY].into_iter().chain(acts.iter().copied().map(heard::of_act)).collect();
        WantedActs { acts, phrases }
    }
}

/// More sentences than this in one line are a speech; the last ones count.
const MOST_PARTS: usize = 12;

impl LineTraits {
    pub(super) fn of(line: &Heard<'_>, cast: &[String], wanted: &WantedActs) -> LineTraits {
        let text = Text::spoken(line.content);
        let surplus = text.sentences.len().saturating_sub(MOST_PARTS);
        let parts: Vec<LinePart<'_>> = text.parts().skip(surplus).collect();
        let who = names::index_of(line.speaker, cast);
        LineTraits {
            who,
            aloud: matches!(line.action, Action::Speak | Action::Interrupt),
            acts: *line.acts,
            hits: hits(&parts, wanted),
            called: addressed(&parts, line.target, cast),
            plain: plain(&parts, wanted),
            begins: beginning(&parts),
            named: Vec::new(),
            parts: parts.iter().copied().map(PartTraits::of).collect(),
        }
        .with_names(&parts, cast)
    }

    /// Adds who is named. Names tell nothing of what is spoken about.
    fn with_names(mut self, parts: &[LinePart<'_>], cast: &[String]) -> LineTraits {
        for ((words, _), part) in parts.iter().zip(&mut self.parts) {
            for at in 0..words.len() {
                let Some((who, len)) = names::mention(words, at, cast) else { continue };
                part.stems[at..at + len].iter_mut().for_each(|stem| stem.tells = false);
                if Some(who) != self.who && !self.named.contains(&who) {
                    self.named.push(who);
                }
            }
        }
        self
    }

    /// The parts that show something of one of the acts, in order.
    pub(super) fn showing(&self, acts: &[ActKind], shows: Showing) -> impl Iterator<Item = &Hit> {
        let of_act = move |hit: &&Hit| hit.means.act.is_some_and(|act| acts.contains(&act));
        self.hits.iter().filter(move |hit| hit.means.shows == shows).filter(of_act)
    }

    /// Whether it does one of the acts.
    pub(super) fn does(&self, acts: &[ActKind]) -> bool {
        self.showing(acts, Showing::Does).any(|hit| hit.stands == Stands::Meant)
    }

    /// Whether something holds that does for every act.
    pub(super) fn shows_any(&self, shows: Showing) -> bool {
        self.hits.iter().any(|hit| hit.means.act.is_none() && hit.means.shows == shows)
    }

    pub(super) fn spoken(&self) -> impl DoubleEndedIterator<Item = &PartTraits> {
        self.parts.iter().filter(|part| part.mark != Mark::Gesture)
    }

    /// The telling words of what a phrase is said about.
    pub(super) fn object_of(&self, hit: &Hit) -> impl Iterator<Item = &WordStem> + Clone {
        let (from, to) = hit.object;
        self.parts[hit.part].stems[from..to].iter().filter(|stem| stem.tells)
    }

    pub(super) fn stems(&self) -> impl Iterator<Item = &WordStem> + Clone {
        self.parts.iter().flat_map(|part| &part.stems)
    }
}

type LinePart<'a> = (&'a [Word<'a>], Mark);

impl PartTraits {
    fn of((words, mark): LinePart<'_>) -> PartTraits {
        let has = |kind| words.iter().any(|word| word.is(kind));
        let asks = mark == Mark::Question;
        PartTraits {
            stems: words.iter().map(|word| WordStem::of(&word.text)).collect(),
            mark,
            conditional: is_conditional(words),
            is_deed: !asks && !has(WordKind::NoDeed),
            is_statement: mark == Mark::Stop && !has(WordKind::NoStatement) && !is_reported(words),
            points: points(words),
            of_others: has(WordKind::Other),
            of_self: words.iter().position(|word| word.is(WordKind::Own)),
            denies: has(WordKind::Denial),
            to_you: mark != Mark::Gesture && words.iter().any(|word| matches!(&*word.text, "you" | "your")),
        }
    }

    pub(super) fn is_gesture(&self) -> bool {
        self.mark == Mark::Gesture
    }

    /// Whether the speaker says what they did: "I burned it", "done and burned", but not "he burned it".
    pub(super) fn is_own_deed(&self) -> bool {
        self.is_deed && (self.of_self.is_some() || !self.of_others)
    }

    pub(super) fn asks(&self) -> bool {
        self.mark == Mark::Question
    }
}

fn hits(parts: &[LinePart<'_>], wanted: &WantedActs) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (place, part) in parts.iter().enumerate() {
        let found = HEARD.find(part.0, &wanted.phrases);
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
            let Some(stands) = stands(one, *part).filter(|_| !is_excepted(one)) else { continue };
            let withdrawn = is_withdrawn(&part.0[one.to..]);
            let object = object_after(part.0, one.to);
            hits.push(Hit { means: one.means, part: place, stands, withdrawn, object });
        }
    }
    hits
}

/// How a phrase stands in its sentence; nothing where it shows nothing there.
fn stands(found: &Found<HeardAs>, (words, mark): LinePart<'_>) -> Option<Stands> {
    let gesture = mark == Mark::Gesture;
    let asked = mark == Mark::Question && !found.means.may_ask;
    match found.means.shows {
        Showing::Shown => gesture.then_some(Stands::Meant),
        Showing::Against => (gesture || !asked).then_some(Stands::Meant),
        Showing::Answered | Showing::Refuted => (!gesture && !asked).then_some(Stands::Meant),
        Showing::Ironic => (!gesture).then_some(Stands::Meant),
        Showing::Does | Showing::Hints if gesture => None,
        Showing::Does | Showing::Hints => Some(match () {
            () if asked => Stands::Asked,
            () if is_not_meant(words, found.from) => Stands::NotMeant,
            () if is_conditional(words) && !found.means.may_ask => Stands::Conditional,
            () if mark == Mark::Cut && object_after(words, found.to).1 + 1 >= words.len() => Stands::Cut,
            () => Stands::Meant,
        }),
        Showing::Not | Showing::Yes | Showing::No => None,
    }
}

/// Denied or imagined by what stands before them in their clause, or said by somebody else.
fn is_not_meant(words: &[Word<'_>], from: usize) -> bool {
    let before = &words[clause_start(words, from)..from];
    is_reported(before) || before.iter().any(|word| word.is(WordKind::DoesNothing))
}

/// The words of the clause after a phrase.
fn object_after(words: &[Word<'_>], from: usize) -> (usize, usize) {
    /// A name, with a title or without.
    const LONGEST_NAME: usize = 2;
    let ends = |word: &Word<'_>| word.opens || is_join(&word.text);
    let leads = |at: usize| {
        words.get(at).is_some_and(|word| word.opens && matches!(&*word.text, "for" | "about" | "that" | "of"))
    };
    // "Thank you, Tobias, for the coffee": whom it is said to may stand between.
    let is_called = words.get(from).is_some_and(|word| word.opens);
    let after_name = (from + 1..=from + LONGEST_NAME).find(|at| is_called && leads(*at));
    let from = after_name.map_or(from, |lead| lead + 1);
    let rest = words.get(from..).unwrap_or_default();
    let len = rest.iter().position(ends).unwrap_or(rest.len());
    (from, if points(&rest[..len]) { from } else { from + len })
}

/// Whether some words point to what was spoken of: "it", "them", "that"; not "that soup".
fn points(words: &[Word<'_>]) -> bool {
    let stands_alone = |at: usize| {
        let next = words.get(at + 1).filter(|next| !next.opens);
        match &*words[at].text {
            "it" | "them" => true,
            // "my fault that the soup is cold" joins on what is meant.
            "that" if next.is_some_and(|next| begins_clause(&next.text)) => false,
            _ => next.is_none_or(|next| is_empty_word(&next.text)),
        }
    };
    (0..words.len()).any(|at| words[at].is(WordKind::Pointer) && stands_alone(at))
}

/// Whether a word after "that" is the subject of a clause, or begins it.
fn begins_clause(word: &str) -> bool {
    matches!(
        word,
        "the"
            | "a"
            | "an"
            | "my"
            | "your"
            | "his"
            | "her"
            | "its"
            | "our"
            | "their"
            | "i"
            | "you"
            | "he"
            | "she"
            | "we"
            | "they"
            | "it"
            | "there"
            | "this"
    )
}

/// Whether the rest of a sentence says that one does not, or cannot: "…, but I can't".
fn is_withdrawn(rest: &[Word<'_>]) -> bool {
    /// "but I really can't" is about as far as the denial stands.
    const REACH: usize = 4;
    let but = rest.iter().position(|word| word.text == "but");
    let after = but.map_or(&[][..], |but| &rest[but + 1..]);
    after.first().is_some_and(|word| word.is(WordKind::Own))
        && after.iter().take(REACH).any(|word| matches!(&*word.text, "not" | "never"))
}

/// The acts that are said in the very words of the tables, and whether those words have a content.
fn plain(parts: &[LinePart<'_>], wanted: &WantedActs) -> Vec<(ActKind, bool)> {
    let spoken = parts.iter().filter(|(_, mark)| *mark != Mark::Gesture);
    let said = spoken.map(|(words, mark)| (*words, *mark == Mark::Question));
    let as_said = |act: &ActKind| {
        let heard = act.said().iter().filter(|template| template.is_heard_in(said.clone()));
        // Words without a content of their own do it whatever the goal is about.
        Some((*act, heard.map(|template| template.has_content()).min()?))
    };
    wanted.acts.iter().filter_map(as_said).collect()
}

/// Whether a line begins like a yes or like a no.
fn beginning(parts: &[LinePart<'_>]) -> Option<Showing> {
    let (words, mark) = parts.iter().find(|(_, mark)| *mark != Mark::Gesture)?;
    let start = words.iter().take_while(|word| matches!(&*word.text, "oh" | "well")).count();
    // "I will not" begins like "I will"; the longer one counts.
    let found = HEARD.at(words, start, heard::BEGINNINGS).max_by_key(|found| found.to)?;
    let begins = found.means.shows;
    (*mark != Mark::Question || begins == Showing::No).then_some(begins)
}

fn addressed(parts: &[LinePart<'_>], target: Option<&str>, cast: &[String]) -> Vec<usize> {
    match target {
        Some(target) => (0..cast.len()).filter(|who| names::names(target, &cast[*who])).collect(),
        None => {
            let spoken = parts.iter().filter(|(_, mark)| *mark != Mark::Gesture);
            spoken.flat_map(|(words, _)| names::called(words, cast)).collect()
        }
    }
}
