//! What speaks for and against a line's doing what a goal asks for.

use std::sync::Arc;

use super::{
    act_model::{self, ActScores},
    sentences,
    tone_model::{self, Tone},
    word_vectors,
};
use crate::{
    acts::{ActKind, GoalReading, TABLES, inflection::stem, is_empty_word},
    judge::{
        names,
        words::{Text, Word},
    },
};

/// A line as the evidence takes it: what can be said of it without knowing a goal.
#[derive(Debug, Clone)]
pub(in crate::judge) struct LineTraits {
    pub(super) who: Option<usize>,
    /// Telling words, each with its stem.
    words: Arc<[(String, String)]>,
    parts: Arc<[PartTraits]>,
    /// How much its most fitting sentence sounds like each act.
    pub(super) best: Arc<[f32]>,
    pub(super) tone: Tone,
    asks: bool,
    quoted: bool,
    cut: bool,
    conditional: bool,
    /// Who is called by name, or named as the one it is said to.
    called: Arc<[usize]>,
    /// The acts that are said in the very words of the tables, and whether those words have a content.
    plain: Arc<[(ActKind, bool)]>,
}

#[derive(Debug)]
struct PartTraits {
    scores: ActScores,
    heard: Vec<ActKind>,
    undone: Vec<ActKind>,
    stems: Vec<String>,
    asks: bool,
    gesture: bool,
    denies: bool,
    /// Said of what is or was, and not of what will, could or should be.
    is_real: bool,
    words: usize,
}

/// So many features speak for or against a line.
pub(super) const FEATURES: usize = 28;

pub(super) const NAMES: [&str; FEATURES] = [
    "act",
    "act beside others",
    "heard",
    "content",
    "content near",
    "no content",
    "likeness",
    "need",
    "answers",
    "uptake",
    "objection",
    "asks",
    "conditional",
    "denies",
    "quoted",
    "cut",
    "undone",
    "gesture",
    "length",
    "deed",
    "assent",
    "calls other",
    "unsure who",
    "act and content",
    "tone",
    "tone of answers",
    "line length",
    "said late",
];

pub(super) type Features = [f32; FEATURES];

impl LineTraits {
    pub(in crate::judge) fn of(
        content: &str,
        target: Option<&str>,
        who: Option<usize>,
        cast: &[String],
    ) -> LineTraits {
        let (parts, quoted) = sentences::parts(content);
        let mut best = vec![f32::MIN; ActKind::all().count()];
        let mut words = Vec::new();
        let mut traits = Vec::with_capacity(parts.len());
        for part in &parts {
            let scores = act_model::scores(part);
            best.iter_mut().zip(&scores).for_each(|(best, score)| *best = best.max(*score));
            let telling = part.words.iter().map(|word| &*word.text).filter(|word| !is_empty_word(word));
            words.extend(telling.map(|word| (word.to_owned(), stem(word))));
            let found = |phrases: &crate::english::phrase::Phrases<ActKind>| -> Vec<ActKind> {
                (0..part.words.len())
                    .flat_map(|at| phrases.at(&part.words, at))
                    .map(|found| found.means)
                    .collect()
            };
            traits.push(PartTraits {
                heard: if is_unreal(&part.words) { Vec::new() } else { found(&TABLES.heard) },
                undone: found(&TABLES.undone),
                scores,
                stems: part.words.iter().map(|word| stem(&word.text)).collect(),
                asks: part.asks,
                gesture: part.gesture,
                denies: part
                    .words
                    .iter()
                    .any(|word| matches!(&*word.text, "not" | "never" | "no" | "nothing" | "nobody")),
                is_real: !part.asks && !part.words.iter().any(|word| UNREAL.contains(&&*word.text)),
                words: part.words.len(),
            });
        }
        if parts.is_empty() {
            best.fill(-2.0);
        }
        let all = parts.iter().flat_map(|part| &part.words);
        let conditional = all.clone().any(|word| {
            matches!(
                &*word.text,
                "if" | "unless" | "perhaps" | "maybe" | "might" | "would" | "could" | "suppose"
            )
        });
        LineTraits {
            who,
            words: words.into(),
            tone: tone_model::tone(&parts),
            asks: parts.last().is_some_and(|part| part.asks),
            parts: traits.into(),
            best: best.into(),
            quoted,
            cut: content.trim_end().ends_with(['—', '–', '-']),
            conditional,
            called: addressed(content, target, cast).into(),
            plain: plain_acts(&parts).into(),
        }
    }

    /// Whether the line does what a goal asks for in so many words: as the tables say it, or as the deed itself.
    pub(super) fn is_plain(&self, goal: &GoalReading, before: &[LineTraits]) -> bool {
        if self.calls_other(goal) {
            return false;
        }
        let touches = || goal.content_stems.is_empty() || self.touches(goal).0 >= LEAST_CONTENT;
        if goal.act == ActKind::deed() {
            let Some(deed) = &goal.deed else { return false };
            return touches() && self.parts.iter().any(|part| part.stems.contains(deed) && part.is_real);
        }
        let near = || before.iter().take(2).any(|line| line.touches(goal).0 >= LEAST_CONTENT);
        self.plain.iter().any(|(act, has_content)| *act == goal.act && (!has_content || touches() || near()))
    }

    fn calls_other(&self, goal: &GoalReading) -> bool {
        !goal.addressee.is_empty()
            && !self.called.is_empty()
            && !self.called.iter().any(|who| goal.addressee.contains(who))
    }

    pub(in crate::judge) fn is_by(&self, who: Option<usize>) -> bool {
        self.who == who
    }

    fn score(&self, act: ActKind) -> f32 {
        squash(self.best[act.place()])
    }

    /// The share of a goal's telling words that are in the line, and how near the others are.
    fn touches(&self, goal: &GoalReading) -> (f32, f32) {
        if goal.content_stems.is_empty() {
            return (0.0, 0.0);
        }
        let (mut shared, mut near) = (0.0, 0.0);
        for wanted in &goal.content_stems {
            let same = self.words.iter().any(|(_, stem)| stem == wanted);
            shared += f32::from(u8::from(same));
            let likeness = self.words.iter().map(|(word, _)| word_vectors::likeness(word, wanted));
            near += if same { 1.0 } else { likeness.fold(0.0, f32::max) };
        }
        let all = goal.content_stems.len() as f32;
        (shared / all, near / all)
    }

    /// What the line says for a goal, given the lines before it, newest first.
    pub(super) fn features(&self, goal: &GoalReading, before: &[LineTraits]) -> Features {
        let act = goal.act;
        let empty = PartTraits {
            scores: vec![-2.0; self.best.len()],
            heard: vec![],
            undone: vec![],
            stems: vec![],
            asks: false,
            gesture: false,
            denies: false,
            is_real: false,
            words: 0,
        };
        let fit =
            |part: &PartTraits| part.scores[act.place()] + if part.heard.contains(&act) { 0.5 } else { 0.0 };
        let best = self.parts.iter().max_by(|one, other| fit(one).total_cmp(&fit(other))).unwrap_or(&empty);
        let kin = |other: &ActKind| *other == act || act.entry().kin.contains(other) || other.name() == "do";
        let others = ActKind::all().filter(|other| !kin(other)).map(|other| best.scores[other.place()]);
        let against = others.fold(f32::MIN, f32::max);
        let (shared, near) = self.touches(goal);
        let near_shared = before.iter().take(2).map(|line| line.touches(goal).0).fold(shared, f32::max);
        let others_before = || before.iter().take_while(|line| line.who != self.who).take(2);
        let needed = others_before()
            .flat_map(|line| act.entry().needs.iter().map(|need| line.score(*need)))
            .fold(0.0, f32::max);
        let assent = ["agree", "accept", "obey", "change-mind", "promise"]
            .iter()
            .filter_map(|name| ActKind::named(name));
        let deed =
            goal.deed.as_ref().is_some_and(|deed| self.parts.iter().any(|part| part.stems.contains(deed)));
        let flag = |holds: bool| f32::from(u8::from(holds));
        let score = squash(best.scores[act.place()]);
        [
            score,
            squash(best.scores[act.place()] - against),
            flag(best.heard.contains(&act)),
            shared,
            near_shared,
            flag(goal.content_stems.is_empty()),
            near,
            needed,
            flag(others_before().next().is_some_and(|line| line.asks)),
            0.0,
            0.0,
            flag(best.asks),
            flag(self.conditional),
            flag(best.denies),
            flag(self.quoted),
            flag(self.cut),
            flag(self.parts.iter().any(|part| part.undone.contains(&act))),
            flag(best.gesture),
            (best.words as f32 + 1.0).ln() / 3.0,
            flag(deed),
            if goal.brought_to { assent.map(|act| self.score(act)).fold(0.0, f32::max) } else { 0.0 },
            flag(self.calls_other(goal)),
            flag(goal.subject.len() > 1),
            score * near_shared.max(near),
            self.tone.own,
            0.0,
            (self.parts.iter().map(|part| part.words).sum::<usize>() as f32 + 1.0).ln() / 3.0,
            flag(before.len() >= 2),
        ]
    }

    /// How a line takes up what was said before it: gladly, or not.
    pub(super) fn uptake(&self) -> (f32, f32) {
        let best = |names: &[&str]| {
            names
                .iter()
                .filter_map(|name| ActKind::named(name))
                .map(|act| self.score(act))
                .fold(0.0, f32::max)
        };
        (
            best(&["thank", "accept", "agree", "forgive", "greet"]),
            best(&["beg", "confront", "disagree", "refuse", "blame"]),
        )
    }

    /// Whether the doer takes the act back.
    pub(super) fn undoes(&self, act: ActKind) -> bool {
        self.parts.iter().any(|part| part.undone.contains(&act) && !part.asks)
    }
}

/// The share of a goal's telling words that have to be in a line which does it plainly.
const LEAST_CONTENT: f32 = 0.34;

/// Words by which a deed is not done: denied, planned, imagined or wanted.
const UNREAL: [&str; 24] = [
    "not", "never", "no", "nobody", "if", "unless", "would", "could", "might", "may", "can", "must",
    "should", "shall", "perhaps", "maybe", "want", "wish", "almost", "nearly", "tomorrow", "before", "until",
    "supposed",
];

fn plain_acts(parts: &[sentences::LinePart<'_>]) -> Vec<(ActKind, bool)> {
    let said = || parts.iter().filter(|part| !part.gesture).map(|part| (&part.words[..], part.asks));
    let mut found: Vec<(ActKind, bool)> = Vec::new();
    for act in ActKind::all().filter(|act| *act != ActKind::deed()) {
        let heard = act.said().iter().filter(|template| template.is_heard_in(said()));
        // Words without a content of their own do it whatever the goal is about.
        if let Some(bare) = heard.map(|template| template.has_content()).min() {
            found.push((act, bare));
        }
    }
    found
}

fn addressed(content: &str, target: Option<&str>, cast: &[String]) -> Vec<usize> {
    match target {
        Some(target) => (0..cast.len()).filter(|who| names::names(target, &cast[*who])).collect(),
        None => names::called(&Text::spoken(content), cast),
    }
}

pub(super) const ACT: usize = 0;
pub(super) const HEARD: usize = 2;
pub(super) const UPTAKE: usize = 9;
pub(super) const OBJECTION: usize = 10;
pub(super) const TONE_OF_ANSWERS: usize = 25;

fn squash(margin: f32) -> f32 {
    1.0 / (1.0 + (-margin).exp())
}

/// Denied, imagined or asked back: "I would say I'm sorry if I were".
fn is_unreal(words: &[Word<'_>]) -> bool {
    words.first().is_some_and(|word| matches!(&*word.text, "if" | "suppose" | "unless" | "should"))
        || words.iter().any(|word| matches!(&*word.text, "pretend" | "wish" | "supposed"))
}
