//! Lines of the author's own material: facts, wants and secrets of sheets and prompt, in the first person.
//!
//! Whoever speaks weighs what it could tell: what touches on what was just said, what the moderator's note names,
//! what concerns the one spoken to. What has been told is not told again, and what a goal asks for is kept for it.

use std::sync::LazyLock;

use enact_drama::{
    dice::Dice,
    judge::{Act, Acts, Goal},
    story::{StoryFact, capitalised, content_words, contracted, is_person_noun},
};

use serde::Deserialize;

use super::{
    arc::scene_dice,
    deeds::to_be_told,
    lines::STORY,
    material::Material,
    moves::{Phase, SceneMove},
    pick_line::{LineQuery, PickedLine},
    situation::ActorSituation,
    template::{pieces, sentences},
    voice::hedges,
    words::WORDS,
};
use crate::content::content;

/// So many ways to say it are weighed against each other.
const WEIGHED: usize = 6;
/// Deeds that settle something, and must not slip out with a fact.
const DECISIVE: [Act; 6] = [Act::Apologise, Act::Accept, Act::Forgive, Act::Agree, Act::Promise, Act::Refuse];
/// A speech has to be so long that another can cut in, and who cuts in is short.
const LONG_ENOUGH_TO_CUT: usize = 16;
const LONGEST_CUT: usize = 120;

/// Who would rather say nothing does so once in so many times.
const RETICENT_ONE_IN: usize = 3;

/// What makes somebody say one thing rather than another; `volition.toml` says what each is for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Volition {
    pub(super) topical: usize,
    pub(super) noted: usize,
    pub(super) to_you: usize,
    pub(super) fresh: usize,
    pub(super) luck: usize,
    pub(super) secrets_from: u32,
    pub(super) matter: usize,
    pub(super) most_topical: usize,
    pub(super) question: usize,
    pub(super) secrets_one_in: usize,
}

pub(super) static VOLITION: LazyLock<Volition> = LazyLock::new(|| content!("volition.toml"));

/// A line for a move, if there is material left for one.
pub(super) fn from_story(
    situation: &ActorSituation<'_>,
    query: LineQuery<'_>,
    dice: &mut Dice,
) -> Option<PickedLine> {
    let frames = STORY.get(&query.scene_move)?;
    let shuns = situation.instructions.reticent && query.scene_move.may_be_silent();
    if shuns && situation.has_material() && dice.one_in(RETICENT_ONE_IN) {
        return None;
    }
    let mut material = Material::of(situation, query, dice);
    let mut order: Vec<&'static String> = frames.say.iter().collect();
    if query.share.of > 1 {
        // All who draw from these frames in one beat shuffle them alike, or their shares would overlap.
        let name = format!("{:?}", query.scene_move);
        scene_dice(&situation.view.scene, &name, situation.view.beat).shuffle(&mut order);
        order = order.into_iter().skip(query.share.place).step_by(query.share.of).collect();
    } else {
        dice.shuffle(&mut order);
    }
    let own = own_line(situation, query, dice);
    let lines = order.into_iter().filter_map(|frame| {
        material.begin();
        let words = material.fill(frame)?;
        let words = if situation.voice.formal { words } else { contracted(&words) };
        let stale = is_pattern(frame) && situation.read.was_frame_said(&situation.view.lines, frame);
        let question = situation.instructions.asks && words.ends_with('?');
        material.weight += VOLITION.question * usize::from(question);
        let weight = (material.weight + VOLITION.fresh) * usize::from(!stale) + material.weight.min(1);
        may_be_said(situation, query.scene_move, &words).then_some((weight, words))
    });
    let mut best: Option<(usize, String)> = None;
    for (weight, words) in lines.take(WEIGHED) {
        if best.as_ref().is_none_or(|(most, _)| weight > *most) {
            best = Some((weight, words));
        }
    }
    let words = own.or(best.map(|(_, words)| words))?;
    let words = voiced(situation, query.scene_move, words, dice);
    let tone = dice.pick(&frames.tones)?;
    Some(PickedLine { tone, words })
}

/// A word on what has just happened in the world, if that names something.
pub(super) fn event_line(situation: &ActorSituation<'_>, event: &str, dice: &mut Dice) -> Option<PickedLine> {
    let frames = STORY.get(&SceneMove::Event)?;
    let thing = definite(situation.story.things_in(event).first()?);
    let fill = |frame: &String| frame.replace("{thing}", &thing).replace("{Thing}", &capitalised(&thing));
    let left: Vec<String> =
        frames.say.iter().map(fill).filter(|line| !situation.read.has_sentence_of(line)).collect();
    Some(PickedLine { tone: dice.pick(&frames.tones)?, words: dice.pick(&left)?.clone() })
}

/// One of the lines that the author wrote for this character.
fn own_line(situation: &ActorSituation<'_>, query: LineQuery<'_>, dice: &mut Dice) -> Option<String> {
    let fits = matches!(query.scene_move.phase(), Phase::Open | Phase::Clash | Phase::TurningPoint);
    let own = &situation.story.own.says;
    let left: Vec<&String> =
        own.iter().filter(|line| may_be_said(situation, query.scene_move, line)).collect();
    dice.pick(&left).filter(|_| fits && dice.one_in(2)).map(|line| (*line).clone())
}

/// Whether a frame has enough words of its own to be noticed when it comes again.
fn is_pattern(frame: &str) -> bool {
    let words = pieces(frame).flat_map(|(piece, _)| piece.split_whitespace());
    words.filter(|word| word.contains(char::is_alphabetic)).count() >= 3
}

/// Nothing twice, no deed that is not meant, and the deed that is.
fn may_be_said(situation: &ActorSituation<'_>, scene_move: SceneMove, words: &str) -> bool {
    let cuts = scene_move.cuts_in();
    let too_short = matches!(scene_move, SceneMove::Excuse | SceneMove::Tirade)
        && words.split_whitespace().count() < LONG_ENOUGH_TO_CUT;
    if situation.read.has_sentence_of(words)
        || has_twins(words)
        || too_short
        || (cuts && words.len() > LONGEST_CUT)
    {
        return false;
    }
    let acts = Acts::of(words);
    let meant = scene_move.act();
    let display = situation.display(situation.me);
    let goals =
        situation.view.scene.goals.iter().filter(|goal| goal.doers.iter().any(|doer| doer == display));
    let slips = |act: Act| Some(act) != meant && acts.has(act);
    let proposes = !matches!(scene_move, SceneMove::Propose | SceneMove::Suggest) || acts.proposes();
    proposes
        && meant.is_none_or(|act| acts.has(act))
        && !DECISIVE.into_iter().any(slips)
        && !goals
            .filter_map(|goal| goal.act)
            .any(|act| !matches!(act, Act::Confront | Act::Ask | Act::Explain) && slips(act))
}

fn has_twins(words: &str) -> bool {
    let mut said: Vec<String> = sentences(words).collect();
    let count = said.len();
    said.sort_unstable();
    said.dedup();
    said.len() < count
}

/// In the speaker's manner.
fn voiced(situation: &ActorSituation<'_>, scene_move: SceneMove, words: String, dice: &mut Dice) -> String {
    let voice = situation.voice;
    let mut words = words;
    let telling = matches!(scene_move.phase(), Phase::Open | Phase::Clash)
        && scene_move != SceneMove::Deny
        && !words.starts_with("I'll be plain")
        && !words.starts_with("I'll tell")
        && !words.starts_with("I can't keep");
    let plain = telling && ["I ", "I'", "My "].iter().any(|start| words.starts_with(start));
    if voice.hedged
        && plain
        && dice.one_in(3)
        && let Some(hedge) = dice.pick(hedges())
    {
        let rest = words.strip_prefix("My ").map(|rest| format!("my {rest}")).unwrap_or(words);
        words = format!("{hedge}{rest}");
    }
    if situation.instructions.quiet {
        words = words.replace('!', ".");
    } else if voice.loud && words.ends_with('.') && dice.one_in(3) {
        words.pop();
        words.push('!');
    }
    words
}

/// "a fire" has been spoken of and is "the fire" from then on.
pub(super) fn definite(thing: &str) -> String {
    let words = thing
        .split(' ')
        .enumerate()
        .filter(|(at, word)| *at == 0 || !WORDS.decorative.has(&word.to_lowercase()));
    let words: Vec<&str> =
        words.map(|(_, word)| if matches!(word, "a" | "an") { "the" } else { word }).collect();
    words.join(" ")
}

/// What the scene is about: the thing that its goals name, or else the one that is spoken of first.
pub(super) fn topic(situation: &ActorSituation<'_>) -> Option<String> {
    let scene = &situation.view.scene;
    let goals: Vec<String> = scene.goals.iter().flat_map(|goal| content_words(&goal.text)).collect();
    let story = &situation.story;
    let goal_things = scene.goals.iter().flat_map(|goal| story.things_in(&goal.text));
    let of_goal = |thing: &&String| content_words(thing).iter().any(|word| goals.contains(word));
    let is_thing = |thing: &&String| !thing.split(' ').next_back().is_some_and(is_person_noun);
    let named = story.things.iter().filter(is_thing).find(of_goal).cloned();
    named
        .or_else(|| goal_things.into_iter().find(|thing| is_thing(&thing)))
        .or_else(|| story.things.iter().find(is_thing).cloned())
        .map(|thing| definite(&thing))
}

pub(super) fn touches_goal(situation: &ActorSituation<'_>, fact: &StoryFact) -> bool {
    let goals = situation.view.scene.goals.iter().flat_map(|goal| content_words(&goal.text));
    goals.filter(|word| fact.about.contains(word)).count() > 0
}

/// Whether a goal of mine is to tell this: then it is kept for the moment.
pub(super) fn is_reserved(situation: &ActorSituation<'_>, fact: &StoryFact) -> bool {
    let display = situation.display(situation.me);
    let explains = |goal: &Goal| {
        let mine = goal.doers.iter().any(|doer| doer == display);
        let tells = matches!(goal.act, Some(Act::Admit | Act::Explain));
        goal.about.clone().filter(|_| mine && tells)
    };
    let told = |goal: &Goal| to_be_told(goal, situation.me).or_else(|| explains(goal));
    situation.view.scene.goals.iter().filter_map(told).any(|about| {
        let about = content_words(&about);
        let shared = fact.about.iter().filter(|word| about.contains(word)).count();
        shared > 0 && shared * 2 >= fact.about.len().min(about.len())
    })
}
