//! How much a line speaks for a goal.

use super::{evidence::SharesBefore, matter::Matter, weights::SCALE};
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

/// Less of the matter than this is none.
const LEAST_MATTER: f32 = 0.2;

/// A line of the goal's doer. `here` is its share of the goal's matter, `shares` are those of the lines before it.
pub(super) fn score(goal: &Matter, heard: &HeardLine<'_>, here: f32, shares: &SharesBefore) -> LineScore {
    let (line, before) = (heard.traits, heard.before());
    let weights = &SCALE.weights;
    let (reading, kind) = (&goal.reading, goal.traits);
    let first = !before.clone().any(|other| other.who != line.who);
    if goal.is_misdirected(&line.called) || goal.is_given_in(line) || kind.answers && first {
        return LineScore::default();
    }
    let acts = goal.acts_after(before.clone());
    let meant = |shows| meant(line, acts, kind.by_condition, shows);
    let does: Vec<&Hit> = meant(Showing::Does).collect();
    let hints: Vec<&Hit> = meant(Showing::Hints).collect();
    let shown: Vec<&Hit> = meant(Showing::Shown)
        .filter(|hit| !kind.with_thing || shows_thing(goal, line, hit.part, before.clone()))
        .collect();
    let acted = !does.is_empty() || !shown.is_empty();
    let hinted = !hints.is_empty() && does.is_empty();
    let has_matter = !reading.content_stems.is_empty();
    let near = shares.most();
    let is_deed = reading.act == ActKind::deed();

    let mut score = LineScore::default();
    score.add(!does.is_empty(), weights.does);
    score.add(is_repeated(&does), weights.does_twice);
    score.add(!shown.is_empty(), weights.shown);
    score.add(hinted, weights.hints);
    score.add(hinted && is_repeated(&hints), weights.hints_twice);
    if has_matter && hinted {
        score.add_share(here, weights.hints_with_matter);
        score.add_share(near, weights.hints_near_matter);
    }
    if has_matter && acted {
        score.add_share(here, weights.with_matter);
        score.add_share(near, weights.near_matter);
        let missing = kind.about_matter && here.max(near) < LEAST_MATTER;
        score.add(missing, weights.without_matter);
    }
    score.add(acted && !has_matter, weights.bare);
    if !acted && !is_deed {
        score.add_share(here, weights.matter_alone);
    }
    if !acted && kind.by_statement {
        let stated = line.parts.iter().filter(|part| part.is_statement);
        score.add_share(stated.map(|part| goal.share(part.stems.iter())).fold(0.0, f32::max), weights.states);
    }

    let asked = before.clone().next().is_some_and(|last| {
        last.who != line.who && (last.spoken().any(PartTraits::asks) || shares.last() > 0.0)
    });
    // "Yes" to something else is no yes to this.
    let asked = asked && (!has_matter || !kind.about_matter || here.max(near) > 0.0);
    let (yes, no) = (line.begins == Some(Showing::Yes), line.begins == Some(Showing::No));
    score.add(yes && kind.by_yes && asked, weights.yes_does);
    score.add(yes && kind.by_no, weights.yes_undoes);
    score.add(no && kind.by_no, weights.no_does);
    score.add(no && kind.by_yes, weights.no_undoes);

    score.add(is_withdrawn(line, acts, &does, &shown), weights.against);
    let doubtful = |hit: &&Hit| match hit.stands {
        Stands::NotMeant | Stands::Conditional => true,
        Stands::Asked => hit.means.shows == Showing::Does,
        Stands::Meant | Stands::Cut => false,
    };
    let of_act = |shows| line.showing(acts, shows);
    let not_meant = of_act(Showing::Does).chain(of_act(Showing::Hints)).any(|hit| doubtful(&hit));
    score.add(not_meant && does.is_empty(), weights.not_meant);
    score.add(line.spoken().any(|part| part.conditional), weights.condition);
    score.add(line.spoken().next_back().is_some_and(PartTraits::asks), weights.asks);
    score.add(line.shows_any(Showing::Ironic), weights.ironic);
    score.add(line.parts.last().is_some_and(|part| part.mark == Mark::Cut), weights.cut_off);
    let names_addressee = line.named.iter().any(|who| reading.addressee.contains(who));
    score.add(acted && names_addressee, weights.to_addressee);
    let only_others = !line.named.is_empty() && !reading.addressee.is_empty() && !names_addressee;
    score.add(only_others, weights.to_another);
    if let Some(deed) = &goal.deed {
        add_deed(&mut score, goal, deed, line);
    }
    score
}

/// Whether the doer takes the act back, or speaks against it, after doing it in the same line.
fn is_withdrawn(line: &LineTraits, acts: &[ActKind], does: &[&Hit], shown: &[&Hit]) -> bool {
    let acted = does.iter().chain(shown).map(|hit| hit.part).max();
    let against = line.showing(acts, Showing::Against).map(|hit| hit.part).max();
    against.is_some_and(|against| acted.is_none_or(|acted| against >= acted))
}

fn meant<'a>(
    line: &'a LineTraits,
    acts: &'a [ActKind],
    by_condition: bool,
    shows: Showing,
) -> impl Iterator<Item = &'a Hit> {
    line.showing(acts, shows).filter(move |hit| match hit.stands {
        Stands::Meant => true,
        Stands::Conditional => by_condition,
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

/// A deed without a table of its own: its verb, with its thing.
fn add_deed(score: &mut LineScore, goal: &Matter, deed: &WordStem, line: &LineTraits) {
    /// A deed shown in another verb, or only half of it.
    const IN_OTHER_WORDS: f32 = 0.8;
    const HALF: f32 = 0.5;
    let weights = &SCALE.weights;
    let has_matter = !goal.reading.content_stems.is_empty();
    let (mut shown, mut told, mut thing, mut not_done) = (0.0_f32, 0.0_f32, 0.0_f32, false);
    for part in &line.parts {
        let verb = part.stems.iter().any(|stem| stem.text == deed.text);
        let alike = verb || part.stems.iter().any(|stem| deed.is_related(stem));
        let matter = if has_matter { goal.share(part.stems.iter()) } else { HALF };
        let of_it = matter > 0.0 || part.points;
        if part.is_gesture() {
            thing = thing.max(matter);
            shown = shown.max(match () {
                () if verb && of_it => 1.0,
                () if alike && of_it => IN_OTHER_WORDS,
                () if verb || matter > 0.0 => HALF,
                () => 0.0,
            });
        } else if verb && (part.is_deed || goal.reading.brought_to && part.is_statement) {
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
