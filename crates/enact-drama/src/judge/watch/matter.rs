//! A goal as evidence is weighed for it.

use super::weights::ActTraits;
use crate::{
    acts::{ActKind, GoalReading, Group, inflection::stem, related::WordStem},
    english::words::{Mark, Text, WordKind},
    judge::{
        Act, Goal,
        acts::Sign,
        line::HeardLine,
        line_traits::{LineTraits, PartTraits},
    },
};

/// What to look for.
#[derive(Debug)]
pub(super) struct Matter {
    pub(super) reading: GoalReading,
    /// As phrases name the act.
    act: Option<Act>,
    /// The goal's telling words, and the verb of a deed without a table of its own.
    pub(super) content: Vec<WordStem>,
    pub(super) deed: Option<WordStem>,
    /// Whether the first of the telling words is a deed to be done: "to sell the desk".
    has_head: bool,
    /// Whether what it is about is that something is not so: "that she never knew him".
    denied: bool,
    /// Whether it is about the answer to a question, "why he was late", which has words of its own.
    pub(super) is_question: bool,
    /// The acts that count: the goal's own, and what it settles on.
    pub(super) acts: Vec<ActKind>,
    pub(super) traits: ActTraits,
    /// The stems of verbs by which others say that it was done.
    pub(super) verbs: Vec<String>,
    apology: Option<Apology>,
    /// What is refused: who does it has not refused it.
    refused: Option<ActKind>,
}

/// What accepting means once somebody has apologised. "I accept the job" accepts no apology; what forgives does.
#[derive(Debug)]
struct Apology {
    made_by: ActKind,
    accepted_by: Vec<ActKind>,
    /// Whether it is nothing but an apology that is to be accepted.
    only: bool,
}

impl Apology {
    fn of(reading: &GoalReading) -> Option<Apology> {
        if reading.act.name() != "accept" {
            return None;
        }
        let only = reading.content.to_lowercase().contains("apolog");
        let accepted_by = vec![ActKind::named("forgive")?];
        Some(Apology { made_by: ActKind::named("apologise")?, accepted_by, only })
    }
}

impl Matter {
    /// Nothing where the tables of acts cannot read the goal.
    pub(super) fn of(goal: &Goal) -> Option<Matter> {
        let reading = goal.reading.as_ref().ok()?;
        // Who is persuaded shows it by a deed, and cutting in is not done with words.
        let is_deed =
            reading.act == ActKind::deed() || matches!(reading.act.name(), "persuade" | "interrupt");
        let mut acts = if is_deed { Vec::new() } else { vec![reading.act] };
        // "Get the vizier to open the gate": his word that he will is as good.
        let agrees = ActKind::named("agree").filter(|_| is_deed && reading.brought_to);
        let traits = ActTraits::of(agrees.unwrap_or(reading.act));
        acts.extend(agrees);
        acts.extend(reading.settles_on.filter(|_| traits.to_do));
        let refused = reading.settles_on.filter(|_| reading.act.name() == "refuse");
        let verbs = match &reading.deed {
            Some(deed) => vec![deed.clone()],
            None => reading.act.entry().verbs.clone(),
        };
        let content = reading.content_stems.iter().cloned().map(WordStem::from).collect();
        let deed = reading.deed.clone().map(WordStem::from);
        let (apology, reading) = (Apology::of(reading), reading.clone());
        let about = Text::read(&reading.content).words;
        let denied = about.iter().any(|word| word.is(WordKind::Denial));
        let is_question = about.first().is_some_and(|word| {
            matches!(&*word.text, "who" | "where" | "what" | "why" | "how" | "whether" | "which" | "when")
        });
        let head = about.get(1).filter(|_| about[0].text == "to").map(|word| stem(&word.text));
        let has_head = head.is_some() && head.as_ref() == reading.content_stems.first();
        Some(Matter {
            has_head,
            reading,
            act: goal.act,
            content,
            deed,
            denied,
            is_question,
            acts,
            traits,
            verbs,
            apology,
            refused,
        })
    }

    /// The acts it looks for.
    pub(super) fn wanted(&self) -> impl Iterator<Item = ActKind> {
        let apology = self.apology.iter();
        let of_apology = apology.flat_map(|apology| apology.accepted_by.iter().chain([&apology.made_by]));
        let own = [&self.reading.act].into_iter();
        own.chain(&self.acts).chain(of_apology).chain(&self.refused).copied()
    }

    /// The acts that do it after some lines.
    pub(super) fn acts_after<'a>(&self, mut before: impl Iterator<Item = &'a LineTraits>) -> &[ActKind] {
        let Some(apology) = &self.apology else { return &self.acts };
        let made =
            before.any(|line| line.who.is_none_or(|who| !self.is_by(who)) && line.does(&[apology.made_by]));
        match () {
            () if made => &apology.accepted_by,
            () if apology.only => &[],
            () => &self.acts,
        }
    }

    /// Whether its doer takes it back or rules it out in a line.
    pub(super) fn is_denied_in(&self, line: &LineTraits) -> bool {
        let takes_back = line.acts.shows(Sign::Retraction) && self.reading.act.name() != "change-mind";
        self.act.is_some_and(|act| line.acts.denies(act)) || takes_back
    }

    /// Whether a line does what is refused.
    pub(super) fn is_given_in(&self, line: &LineTraits) -> bool {
        line.does(self.refused.as_slice())
    }

    /// Whether a line agrees to something else: with somebody who has just spoken against it. `here` is the line's
    /// own share of the matter.
    pub(super) fn is_to_contrary(&self, line: &HeardLine<'_>, here: f32) -> bool {
        if !self.traits.to_others || here > 0.0 {
            return false;
        }
        let others = || line.before().filter(|other| other.who != line.traits.who);
        let is_named = |other: &&LineTraits| other.who.is_some_and(|who| line.traits.named.contains(&who));
        let agreed_with = others().find(is_named).or_else(|| others().next());
        agreed_with.is_some_and(|other| {
            let says = other.spoken().filter(|part| part.mark == Mark::Stop);
            says.into_iter().any(|part| part.denies)
        })
    }

    /// Whether a line is said to somebody else than the goal means.
    pub(super) fn is_misdirected(&self, called: &[usize]) -> bool {
        let to = &self.reading.addressee;
        !to.is_empty() && !called.is_empty() && !called.iter().any(|who| to.contains(who))
    }

    pub(super) fn is_by(&self, who: usize) -> bool {
        self.reading.subject.contains(&who)
    }

    /// The goal's telling words that some stems have, or speak of in other words.
    pub(super) fn touched<'s>(&self, stems: impl Iterator<Item = &'s WordStem>) -> TouchedWords {
        let mut touched = TouchedWords::default();
        for stem in stems.filter(|stem| stem.tells) {
            for (bit, wanted) in self.bits() {
                if wanted.is_same(stem) {
                    touched.same |= bit;
                } else if wanted.is_related(stem) {
                    touched.related |= bit;
                }
            }
        }
        touched
    }

    fn bits(&self) -> impl Iterator<Item = (u32, &WordStem)> {
        (0..u32::BITS).map(|place| 1 << place).zip(&self.content)
    }

    /// Whether the verb of what is to be done, "to *sell* the desk", is touched; also where there is none.
    pub(super) fn is_head_touched(&self, touched: TouchedWords) -> bool {
        !self.has_head || (touched.same | touched.related) & 1 != 0
    }

    /// The share of the goal's telling words that are touched.
    pub(super) fn share(&self, touched: TouchedWords) -> f32 {
        /// A related word is not the word itself.
        const RELATED: f32 = 0.6;
        let related = touched.related & !touched.same;
        let touches = touched.same.count_ones() as f32 + RELATED * related.count_ones() as f32;
        touches / self.content.len().max(1) as f32
    }

    /// The share of the goal's matter that a sentence states: its own words, and what its pronouns stand for.
    pub(super) fn stated_in(&self, part: &PartTraits, before: TouchedWords) -> f32 {
        /// What a pronoun stands for is likely, and not sure.
        const POINTED_AT: f32 = 0.9;
        let is_fit = match () {
            () if part.mark != Mark::Stop || part.conditional => false,
            () if self.denied => part.denies,
            () => part.is_statement,
        };
        // "I broke it"; not "it was broken when I came".
        let from = if self.traits.of_self { part.of_self.unwrap_or(part.stems.len()) } else { 0 };
        let own = self.touched(part.stems[from..].iter());
        match () {
            () if !is_fit => 0.0,
            () if part.points && own.any() => {
                let all = self.share(own.and(before));
                self.share(own).max(POINTED_AT * all)
            }
            () => self.share(own),
        }
    }

    /// Whether everybody named has to do it.
    pub(super) fn needs_all(&self) -> bool {
        self.reading.group == Group::All
    }
}

/// Which of the goal's telling words are touched: a bit for each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct TouchedWords {
    same: u32,
    related: u32,
}

impl TouchedWords {
    pub(super) fn any(self) -> bool {
        self.same | self.related != 0
    }

    pub(super) fn and(self, other: TouchedWords) -> TouchedWords {
        TouchedWords { same: self.same | other.same, related: self.related | other.related }
    }
}
