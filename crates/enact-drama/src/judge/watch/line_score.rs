//! How much a line speaks for a goal.

use super::{
    evidence::TouchedBefore,
    matter::{Matter, TouchedWords},
    weights::{ActTraits, SCALE},
};
use crate::{
    acts::{ActKind, heard::Showing, related::WordStem},
    english::words::Mark,
    judge::{
        line::HeardLine,
        line_traits::{Hit, LineTraits, PartTraits, Stands},
    },
};

/// What a line of somebody who could do it weighs, by itself.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct LineScore {
    pub(super) weight: f32,
    /// The part of it that speaks against.
    pub(super) doubt: f32,
}

impl LineScore {
    fn add(&mut self, holds: bool, weight: f32) {
        self.add_share(f32::from(u8::from(holds)), weight);
    }

    fn add_share(&mut self, share: f32, weight: f32) {
        self.weight += share * weight;
        self.doubt += (share * weight).min(0.0);
    }
}

/// Lines of others whose orders a gesture can carry out.
const ORDERS: usize = 4;

/// Lines before one that its pronouns can point back to.
const POINTED_BACK: usize = 3;

/// Whoever states this much of the matter has stated it.
const ALL_STATED: f32 = 0.8;

/// Less of the matter than this is none.
const LEAST_MATTER: f32 = 0.2;

/// Scores a line of the goal's doer, with what it and the lines before it touch of the goal's matter.
pub(super) fn score(
    goal: &Matter,
    heard: &HeardLine<'_>,
    touched: TouchedWords,
    earlier: &TouchedBefore,
) -> LineScore {
    let line = heard.traits;
    let comes_first = || !heard.before().any(|other| other.who != line.who);
    if goal.is_misdirected(&line.called) || goal.is_given_in(line) || goal.traits.answers && comes_first() {
        return LineScore::default();
    }
    let said = SaidForGoal::of(goal, heard, touched, earlier);
    let mut score = LineScore::default();
    said.add_act(&mut score);
    said.add_matter(&mut score);
    said.add_answer(&mut score);
    said.add_doubts(&mut score);
    if let Some(deed) = &goal.deed {
        said.add_deed(&mut score, deed);
    }
    score
}

/// A line held against a goal.
struct SaidForGoal<'a> {
    goal: &'a Matter,
    heard: &'a HeardLine<'a>,
    line: &'a LineTraits,
    /// The acts that count after the lines before it.
    acts: &'a [ActKind],
    does: Vec<&'a Hit>,
    hints: Vec<&'a Hit>,
    shown: Vec<&'a Hit>,
    /// The share of the goal's matter in it, and the most in a line before it.
    here: f32,
    near: f32,
    /// What of the matter its pronouns can stand for.
    spoken_of: TouchedWords,
    /// Whether the matter is still what people speak of.
    is_open: bool,
    /// What of it was touched in this line or any that an answer reaches back to.
    spoken_of_lately: TouchedWords,
    /// Whether the last line had something of the matter.
    was_spoken_of: bool,
}

impl<'a> SaidForGoal<'a> {
    fn of(
        goal: &'a Matter,
        heard: &'a HeardLine<'a>,
        touched: TouchedWords,
        earlier: &TouchedBefore,
    ) -> SaidForGoal<'a> {
        let line = heard.traits;
        let acts = goal.acts_after(heard.before());
        let meant = |shows| meant(line, acts, goal.traits, shows);
        let shows_it =
            |hit: &&Hit| !goal.traits.with_thing || shows_thing(goal, line, hit.part, heard.before());
        SaidForGoal {
            goal,
            heard,
            line,
            acts,
            does: meant(Showing::Does).collect(),
            hints: meant(Showing::Hints).collect(),
            shown: meant(Showing::Shown).filter(shows_it).collect(),
            here: goal.share(touched),
            near: earlier.iter().map(|touched| goal.share(touched)).fold(0.0, f32::max),
            spoken_of: earlier.iter().take(POINTED_BACK).fold(touched, TouchedWords::and),
            is_open: earlier.is_open(),
            spoken_of_lately: earlier.iter().fold(touched, TouchedWords::and),
            was_spoken_of: earlier.iter().next().is_some_and(TouchedWords::any),
        }
    }

    fn is_acted(&self) -> bool {
        !self.does.is_empty() || !self.shown.is_empty()
    }

    fn has_matter(&self) -> bool {
        !self.goal.content.is_empty()
    }

    /// Words and gestures of the act.
    fn add_act(&self, score: &mut LineScore) {
        let weights = &SCALE.weights;
        let hinted = !self.hints.is_empty() && self.does.is_empty();
        score.add(!self.does.is_empty(), weights.does);
        score.add(is_repeated(&self.does), weights.does_twice);
        score.add(!self.shown.is_empty(), weights.shown);
        score.add(hinted, weights.hints);
        score.add(hinted && is_repeated(&self.hints), weights.hints_twice);
        if hinted && self.has_matter() {
            score.add_share(self.here, weights.hints_with_matter);
            score.add_share(self.near, weights.hints_near_matter);
        }
        let names_addressee = self.names_addressee();
        score.add(self.is_acted() && names_addressee, weights.to_addressee);
        let has_addressee = !self.goal.reading.addressee.is_empty();
        let only_others = !self.line.named.is_empty() && has_addressee && !names_addressee;
        score.add(only_others, weights.to_another);
    }

    fn names_addressee(&self) -> bool {
        self.line.named.iter().any(|who| self.goal.reading.addressee.contains(who))
    }

    /// What it is about.
    fn add_matter(&self, score: &mut LineScore) {
        let (weights, kind, acted) = (&SCALE.weights, self.goal.traits, self.is_acted());
        if acted && self.has_matter() {
            score.add_share(self.here, weights.with_matter);
            score.add_share(self.near, weights.near_matter);
            let missing = kind.about_matter && self.here.max(self.near) < LEAST_MATTER;
            score.add(missing, weights.without_matter);
        }
        score.add(acted && !self.has_matter(), weights.bare);
        let of_other = self.is_of_other_matter();
        score.add(of_other, weights.of_other_matter);
        score.add(!of_other && self.is_of_nothing(), weights.of_nothing);
        if !acted && self.goal.deed.is_none() {
            score.add_share(self.here, weights.matter_alone);
        }
        if kind.by_statement {
            let stated = self.line.parts.iter().map(|part| self.goal.stated_in(part, self.spoken_of));
            let stated = stated.fold(0.0, f32::max);
            score.add_share(if acted { 0.0 } else { stated }, weights.states);
            score.add(stated >= ALL_STATED && self.goal.content.len() > 1, weights.states_all);
        }
    }

    /// Whether all that is said as the act is said about something else.
    fn is_of_other_matter(&self) -> bool {
        // Several agree on a deed only once it is named.
        let several = self.goal.traits.to_others && self.goal.reading.subject.len() > 1;
        if self.has_matter() && several && !self.goal.is_head_touched(self.spoken_of_lately) {
            return true;
        }
        if !self.has_matter() || self.here > 0.0 || self.goal.is_question {
            return false;
        }
        // Who agrees without a word of it agrees to what was said.
        let proposed = || self.heard.answers().any(|other| other.acts.proposes());
        let agrees_to_other = self.goal.traits.to_others && self.near == 0.0 && !proposed();
        let is_other = |hit: &&Hit| {
            let mut object = self.line.object_of(hit).peekable();
            object.peek().is_some() && !self.goal.touched(object).any()
        };
        let said = if self.does.is_empty() { &self.hints } else { &self.does };
        let others = said.iter().filter(|hit| is_other(hit)).count();
        // "No. I won't do that. I won't drink your rum": bare words are about what was spoken of, else about the rest.
        let all_others = others == said.len() || self.goal.traits.by_no && self.near == 0.0;
        agrees_to_other || others > 0 && all_others
    }

    /// Whether the act is done with bare words, and nothing of its matter was spoken of: "I did it."
    fn is_of_nothing(&self) -> bool {
        let is_bare = |hit: &&Hit| self.line.object_of(hit).next().is_none();
        self.goal.traits.of_self
            && self.has_matter()
            && !self.goal.is_question
            && self.shown.is_empty()
            && self.here == 0.0
            && !self.is_open
            && self.does.iter().any(is_bare)
    }

    /// Yes and no.
    fn add_answer(&self, score: &mut LineScore) {
        let (weights, kind) = (&SCALE.weights, self.goal.traits);
        // "Yes" to something else is no yes to this, and "no" is no such no.
        let of_it = !self.has_matter() || !kind.about_matter || self.here.max(self.near) > 0.0;
        let asked = self.heard.before().next().is_some_and(|last| {
            last.who != self.line.who && (last.spoken().any(PartTraits::asks) || self.was_spoken_of)
        });
        let begins = |how| self.line.begins == Some(how);
        score.add(begins(Showing::Yes) && kind.by_yes && asked && of_it, weights.yes_does);
        score.add(begins(Showing::Yes) && kind.by_no, weights.yes_undoes);
        score.add(begins(Showing::No) && kind.by_no && of_it, weights.no_does);
        score.add(begins(Showing::No) && kind.by_yes, weights.no_undoes);
    }

    /// What speaks against it.
    fn add_doubts(&self, score: &mut LineScore) {
        let (weights, line, acted) = (&SCALE.weights, self.line, self.is_acted());
        score.add(self.is_withdrawn(), weights.against);
        let doubtful = |hit: &Hit| match hit.stands {
            Stands::NotMeant | Stands::Conditional => true,
            Stands::Asked => hit.means.shows == Showing::Does,
            Stands::Meant | Stands::Cut => false,
        };
        let of_act = |shows| line.showing(self.acts, shows);
        let not_meant = of_act(Showing::Does).chain(of_act(Showing::Hints)).any(doubtful);
        score.add(not_meant && self.does.is_empty(), weights.not_meant);
        let conditional = line.spoken().any(|part| part.conditional);
        score.add(conditional && !acted, weights.condition);
        score.add(conditional && acted && self.goal.traits.by_yes, weights.acts_with_condition);
        score.add(self.goal.is_to_contrary(self.heard, self.here), weights.to_contrary);
        score.add(line.spoken().next_back().is_some_and(PartTraits::asks), weights.asks);
        score.add(line.shows_any(Showing::Ironic), weights.ironic);
        score.add(line.parts.last().is_some_and(|part| part.mark == Mark::Cut), weights.cut_off);
    }

    /// Whether the doer takes the act back, or speaks against it, after doing it in the same line.
    fn is_withdrawn(&self) -> bool {
        let acted = self.does.iter().chain(&self.shown).map(|hit| hit.part).max();
        let against = self.line.showing(self.acts, Showing::Against).map(|hit| hit.part).max();
        against.is_some_and(|against| acted.is_none_or(|acted| against >= acted))
    }

    /// A deed without a table of its own: its verb, with its thing.
    fn add_deed(&self, score: &mut LineScore, deed: &WordStem) {
        /// A deed shown in another verb, or only half of it.
        const IN_OTHER_WORDS: f32 = 0.8;
        const HALF: f32 = 0.5;
        let (weights, goal) = (&SCALE.weights, self.goal);
        let (mut shown, mut told, mut thing, mut not_done) = (0.0_f32, 0.0_f32, 0.0_f32, false);
        for part in &self.line.parts {
            let verb = part.stems.iter().any(|stem| stem.text == deed.text);
            let alike = verb || part.stems.iter().any(|stem| deed.is_related(stem));
            let matter = if self.has_matter() { goal.share(goal.touched(part.stems.iter())) } else { HALF };
            let of_it = matter > 0.0 || part.points;
            if part.is_gesture() {
                thing = thing.max(matter);
                shown = shown.max(match () {
                    () if verb && of_it => 1.0,
                    () if alike && of_it => IN_OTHER_WORDS,
                    () if verb || matter > 0.0 => HALF,
                    () => 0.0,
                });
            } else if verb && (part.is_own_deed() || goal.reading.brought_to && part.is_statement) {
                // "I burned it": what was spoken of.
                let matter = if part.points { matter.max(goal.share(self.spoken_of)) } else { matter };
                told = told.max(HALF + HALF * matter);
            } else {
                not_done |= verb;
            }
        }
        score.add_share(shown, weights.deed_shown);
        score.add_share(told, weights.deed_told);
        score.add_share(thing, weights.thing_shown);
        score.add(not_done, weights.deed_not_done);
    }
}

fn meant<'a>(
    line: &'a LineTraits,
    acts: &'a [ActKind],
    kind: ActTraits,
    shows: Showing,
) -> impl Iterator<Item = &'a Hit> {
    line.showing(acts, shows).filter(move |hit| match hit.stands {
        Stands::Meant => !(kind.by_yes && hit.withdrawn),
        Stands::Conditional => kind.by_condition,
        Stands::Asked | Stands::NotMeant | Stands::Cut => false,
    })
}

fn is_repeated(hits: &[&Hit]) -> bool {
    hits.len() > 2 || hits.iter().any(|hit| hit.part != hits[0].part)
}

/// Whether a gesture names the thing, or points to it. What is obeyed is what others just said.
fn shows_thing<'a>(
    goal: &Matter,
    line: &LineTraits,
    part: usize,
    before: impl Iterator<Item = &'a LineTraits>,
) -> bool {
    let part = &line.parts[part];
    let obeys = goal.reading.act.name() == "obey";
    let names =
        |wanted: &WordStem| part.stems.iter().any(|stem| wanted.is_same(stem) || wanted.is_related(stem));
    let own = &goal.content;
    let is_ordered = || {
        let others = before.take(ORDERS).filter(|line| line.who.is_none_or(|who| !goal.is_by(who)));
        let mut ordered = others.flat_map(LineTraits::stems).filter(|stem| stem.tells).peekable();
        own.is_empty() && ordered.peek().is_none() || ordered.any(names)
    };
    match obeys {
        true => own.iter().any(names) || is_ordered(),
        false => own.is_empty() || own.iter().any(names) || part.points,
    }
}
