//! In which words: one line out of a list that fits the speaker, and never one that was said before.

use enact_drama::dice::Dice;

use super::{
    from_story::from_story,
    goal_object::GoalObject,
    lines::MoveLines,
    moves::SceneMove,
    role::Temperature,
    situation::ActorSituation,
    template::{Condition, LineTemplate, capitalised},
};

/// What is needed to pick a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineQuery<'a> {
    pub(super) scene_move: SceneMove,
    pub(super) to: Option<usize>,
    /// What it is about, where it is not the scene's topic.
    pub(super) about: Option<&'a GoalObject>,
    /// Which share of the bank is mine: those who make the same move in the same beat cannot hear each other,
    /// so they must not reach for the same line.
    pub(super) share: Share,
}

/// One of so many.
#[derive(Debug, Clone, Copy)]
pub(super) struct Share {
    pub(super) place: usize,
    pub(super) of: usize,
}

/// Words and how to say them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PickedLine {
    pub(super) tone: &'static str,
    pub(super) words: String,
}

/// How many fitting lines are weighed against each other: few enough that the seed's order still decides.
const WEIGHED: usize = 4;

/// Picks a line, if there is one left: one of the author's own material, the most telling, then any, then what is kept for crowds.
pub(super) fn choose(
    situation: &ActorSituation<'_>,
    query: LineQuery<'_>,
    dice: &mut Dice,
) -> Option<PickedLine> {
    if let Some(line) = from_story(situation, query, dice) {
        return Some(line);
    }
    // Where the author has given somebody words, a gesture is better than a hollow sentence.
    if query.scene_move.may_be_silent() && situation.has_material() {
        return None;
    }
    let MoveLines { lines, naming, group, .. } = query.scene_move.lines();
    let naming = if query.about.is_some() { naming.as_slice() } else { &[] };
    [naming, lines, group].into_iter().find_map(|bank| pick(situation, query, bank, dice))
}

fn pick(
    situation: &ActorSituation<'_>,
    query: LineQuery<'_>,
    bank: &'static [LineTemplate],
    dice: &mut Dice,
) -> Option<PickedLine> {
    if bank.is_empty() {
        return None;
    }
    let mut bank: Vec<&'static LineTemplate> = bank.iter().collect();
    // All who draw from this bank shuffle it alike, or their shares would overlap.
    Dice::new(situation.view.scene.seed, &format!("{:?}", query.scene_move), 0).shuffle(&mut bank);
    let mine = bank.into_iter().skip(query.share.place).step_by(query.share.of.max(1));
    let mut fitting: Vec<(&LineTemplate, String)> =
        mine.filter_map(|entry| Some((entry, fit(situation, query, entry)?))).take(WEIGHED).collect();
    // A line for this very character in this very scene beats one that any character could say, but not every
    // time.
    if dice.one_in(2) {
        fitting.sort_by_key(|(entry, _)| std::cmp::Reverse(entry.aptness()));
    }
    let (entry, words) = fitting.into_iter().next()?;
    Some(PickedLine { tone: &entry.tone, words })
}

/// The first of some lines that has not been said yet.
pub(super) fn fresh(
    situation: &ActorSituation<'_>,
    bank: &'static [LineTemplate],
    dice: &mut Dice,
) -> Option<PickedLine> {
    let left: Vec<&LineTemplate> =
        bank.iter().filter(|entry| is_new(situation, entry, &entry.text)).collect();
    dice.pick(&left).map(|entry| PickedLine { tone: &entry.tone, words: entry.text.clone() })
}

fn fit(situation: &ActorSituation<'_>, query: LineQuery<'_>, entry: &'static LineTemplate) -> Option<String> {
    let fits = entry.cause.is_none_or(|cause| cause == situation.cause)
        && entry.only.iter().all(|only| holds(situation, *only));
    if !fits {
        return None;
    }
    let words = entry.fill(|slot| fill(situation, query, slot))?;
    is_new(situation, entry, &words).then_some(words)
}

fn is_new(situation: &ActorSituation<'_>, entry: &'static LineTemplate, words: &str) -> bool {
    !situation.read.was_said(&situation.view.lines, entry, words)
}

fn holds(situation: &ActorSituation<'_>, only: Condition) -> bool {
    let traits = &situation.traits;
    match only {
        Condition::Blunt => traits.blunt,
        Condition::Nervous => traits.nervous,
        Condition::Warm => traits.warm,
        Condition::Crowd => situation.cast_size() > 2,
        Condition::Heated => situation.roles.temperature == Temperature::Heated,
        Condition::Pair => situation.cast_size() == 2,
        Condition::Bystander => {
            situation.me != situation.roles.accuser && situation.me != situation.roles.accused
        }
    }
}

fn fill(situation: &ActorSituation<'_>, query: LineQuery<'_>, slot: &str) -> Option<String> {
    match slot {
        "you" => situation.call(query.to?),
        "third" => third(situation, query.to?).and_then(|who| situation.call(who)),
        "topic" => Some(topic(situation, query)),
        "Topic" => Some(capitalised(&topic(situation, query))),
        "thing" | "deed" | "fact" | "clause" => query.about?.fills(slot).map(str::to_owned),
        _ => None,
    }
}

fn topic(situation: &ActorSituation<'_>, query: LineQuery<'_>) -> String {
    let (me, you) = (situation.display(situation.me), query.to.map(|to| situation.display(to)));
    match query.about.and_then(|about| about.fills("thing")) {
        Some(thing) => thing.to_owned(),
        None => situation.subject.said_by(me, you),
    }
}

/// A third who matters: the other one of the quarrel, or the one between the two.
pub(super) fn third(situation: &ActorSituation<'_>, to: usize) -> Option<usize> {
    let roles = &situation.roles;
    [roles.accused, roles.accuser]
        .into_iter()
        .chain(roles.others.iter().copied())
        .find(|who| *who != situation.me && *who != to)
}
