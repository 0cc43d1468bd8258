//! In which words: one line out of a bank, fitting whoever says it, and never one that was said before.

use enact_drama::dice::Dice;

use super::{
    lines::MoveLines,
    matter::Matter,
    play::Play,
    role::Temperature,
    say::{Only, Say, sentences},
    stage::Stage,
    temper::Temper,
    words::WORDS,
};

/// What is needed to pick a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) play: Play,
    pub(super) to: Option<usize>,
    /// What it is about, where it is not the scene's topic.
    pub(super) about: Option<&'a Matter>,
    /// Which share of the bank is mine: those who make the same move in the same beat cannot hear each other, so they
    /// must not reach for the same line.
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
pub(super) struct Chosen {
    pub(super) tone: &'static str,
    pub(super) words: String,
}

/// How many fitting lines are weighed against each other: few enough that the seed's order still decides.
const WEIGHED: usize = 4;

/// Picks a line, if there is one left: the most telling, then any, then what is kept for crowds.
pub(super) fn choose(stage: &Stage<'_>, wanted: Wanted<'_>, dice: &mut Dice) -> Option<Chosen> {
    let MoveLines { lines, naming, group, .. } = wanted.play.lines();
    let naming = if wanted.about.is_some() { naming.as_slice() } else { &[] };
    [naming, lines, group].into_iter().find_map(|bank| pick(stage, wanted, bank, dice))
}

fn pick(stage: &Stage<'_>, wanted: Wanted<'_>, bank: &'static [Say], dice: &mut Dice) -> Option<Chosen> {
    if bank.is_empty() {
        return None;
    }
    let mut bank: Vec<&Say> = bank.iter().collect();
    // All who draw from this bank shuffle it alike, or their shares would overlap.
    Dice::new(stage.view.scene.seed, &format!("{:?}", wanted.play), 0).shuffle(&mut bank);
    let mine = bank.into_iter().skip(wanted.share.place).step_by(wanted.share.of.max(1));
    let mut fitting: Vec<(&Say, String)> =
        mine.filter_map(|entry| Some((entry, fit(stage, wanted, entry)?))).take(WEIGHED).collect();
    // A line for this very character in this very scene beats one that anybody could say, but not every time.
    if dice.one_in(2) {
        fitting.sort_by_key(|(entry, _)| std::cmp::Reverse(entry.aptness()));
    }
    let (entry, words) = fitting.into_iter().next()?;
    Some(Chosen { tone: &entry.tone, words })
}

/// The first of some lines that has not been said yet.
pub(super) fn fresh(stage: &Stage<'_>, bank: &'static [Say], dice: &mut Dice) -> Option<Chosen> {
    let left: Vec<&Say> = bank.iter().filter(|entry| is_new(stage, entry, &entry.text)).collect();
    dice.pick(&left).map(|entry| Chosen { tone: &entry.tone, words: entry.text.clone() })
}

fn fit(stage: &Stage<'_>, wanted: Wanted<'_>, entry: &Say) -> Option<String> {
    let fits = entry.cause.is_none_or(|cause| cause == stage.cause)
        && entry.only.iter().all(|only| holds(stage, wanted.to, *only));
    if !fits {
        return None;
    }
    let words = entry.fill(|slot| fill(stage, wanted, slot))?;
    is_new(stage, entry, &words).then_some(words)
}

fn is_new(stage: &Stage<'_>, entry: &Say, words: &str) -> bool {
    let new: Vec<String> = sentences(words).collect();
    stage
        .view
        .lines
        .iter()
        .filter_map(|line| line.spoken())
        .all(|spoken| !entry.was_said_in(spoken) && !sentences(spoken).any(|said| new.contains(&said)))
}

fn holds(stage: &Stage<'_>, to: Option<usize>, only: Only) -> bool {
    let (subject, temper) = (&stage.subject, &stage.temper);
    match only {
        Only::Work => subject.work,
        Only::Private => !subject.work,
        Only::Late => subject.late,
        Only::Deadline => subject.deadline,
        Only::Blunt => temper.blunt,
        Only::Nervous => temper.nervous,
        Only::Warm => temper.warm,
        Only::Boss => temper.boss,
        Only::Mentor => to.is_some_and(|to| Temper::mentored(&stage.view.sheet, stage.display(to))),
        Only::Pressed => temper.pressed,
        Only::Crowd => stage.cast_size() > 2,
        Only::Heated => stage.roles.temperature == Temperature::Heated,
        Only::Pair => stage.cast_size() == 2,
        Only::Bystander => stage.me != stage.roles.accuser && stage.me != stage.roles.accused,
    }
}

fn fill(stage: &Stage<'_>, wanted: Wanted<'_>, slot: &str) -> Option<String> {
    match slot {
        "you" => Some(stage.display(wanted.to?).to_owned()),
        "third" => third(stage, wanted.to?).map(|who| stage.display(who).to_owned()),
        "topic" => Some(topic(stage, wanted)),
        "Topic" => Some(capital(&topic(stage, wanted))),
        "thing" | "deed" | "fact" | "clause" => wanted.about?.fills(slot).map(str::to_owned),
        "loss" => stage.subject.loss.clone(),
        "Loss" => stage.subject.loss.as_deref().map(capital),
        "step" => step(stage).cloned(),
        "Step" => step(stage).map(|step| capital(step)),
        _ => None,
    }
}

fn topic(stage: &Stage<'_>, wanted: Wanted<'_>) -> String {
    let (me, you) = (stage.display(stage.me), wanted.to.map(|to| stage.display(to)));
    match wanted.about.and_then(|about| about.fills("thing")) {
        Some(thing) => thing.to_owned(),
        None => stage.subject.said_by(me, you),
    }
}

/// Somebody else who matters: the other one of the quarrel, or the one between the two.
fn third(stage: &Stage<'_>, to: usize) -> Option<usize> {
    let roles = &stage.roles;
    [roles.accused, roles.accuser]
        .into_iter()
        .chain(roles.others.iter().copied())
        .find(|who| *who != stage.me && *who != to)
}

/// The next step that has been proposed, if it has a name.
fn step(stage: &Stage<'_>) -> Option<&'static String> {
    let lines = stage.view.lines.iter().rev();
    lines
        .filter_map(|line| line.spoken())
        .find_map(|spoken| WORDS.steps.iter().find(|step| spoken.contains(step.as_str())))
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}
