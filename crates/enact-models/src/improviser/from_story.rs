//! Lines of the author's own material: facts, wants and secrets of sheets and prompt, in the first person.
//!
//! Whoever speaks weighs what it could tell: what touches on what was just said, what the moderator's note names,
//! what concerns the one spoken to. What has been told is not told again, and what a goal asks for is kept for it.

use std::sync::LazyLock;

use enact_drama::{
    dice::Dice,
    judge::{Act, Acts, Goal},
    scene::Line,
    story::{FactKind, Saying, StoryFact, capitalised, content_words, contracted, reads_well},
};

use serde::Deserialize;

use super::{
    arc::scene_dice,
    deeds::to_be_told,
    lines::STORY,
    moves::{Phase, SceneMove},
    pick_line::{LineQuery, PickedLine, third},
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

/// What makes somebody say one thing rather than another; `volition.toml` says what each is for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Volition {
    topical: usize,
    noted: usize,
    to_you: usize,
    fresh: usize,
    luck: usize,
    secrets_from: u32,
    secrets_one_in: usize,
}

static VOLITION: LazyLock<Volition> = LazyLock::new(|| content!("volition.toml"));

/// A line for a move, if there is material left for one.
pub(super) fn from_story(
    situation: &ActorSituation<'_>,
    query: LineQuery<'_>,
    dice: &mut Dice,
) -> Option<PickedLine> {
    let frames = STORY.get(&query.scene_move)?;
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
        && !words.starts_with("I'll be plain")
        && !words.starts_with("I'll tell");
    let plain = telling && ["I ", "I'", "My "].iter().any(|start| words.starts_with(start));
    if voice.hedged
        && plain
        && dice.one_in(3)
        && let Some(hedge) = dice.pick(hedges())
    {
        let rest = words.strip_prefix("My ").map(|rest| format!("my {rest}")).unwrap_or(words);
        words = format!("{hedge}{rest}");
    }
    if voice.loud && words.ends_with('.') && dice.one_in(3) {
        words.pop();
        words.push('!');
    }
    words
}

/// What the speaker could tell, the best first.
struct Material<'a> {
    situation: &'a ActorSituation<'a>,
    saying: Saying<'a>,
    third: Option<usize>,
    to: Option<usize>,
    facts: Vec<(usize, &'a StoryFact)>,
    wants: Vec<(usize, &'a StoryFact)>,
    secrets: Vec<(usize, &'a StoryFact)>,
    deeds: Vec<(usize, &'a StoryFact)>,
    mine: Vec<(usize, &'a StoryFact)>,
    topic: Option<String>,
    echo: Option<String>,
    things: Vec<String>,
    used: Vec<&'a StoryFact>,
    weight: usize,
}

impl<'a> Material<'a> {
    fn of(situation: &'a ActorSituation<'a>, query: LineQuery<'_>, dice: &mut Dice) -> Material<'a> {
        let story = &*situation.story;
        let saying = Saying { people: &story.people, speaker: situation.me, listener: query.to };
        let just_said: Vec<String> = situation
            .latest()
            .filter(|line| !line.is_by(&situation.view.me))
            .flat_map(|line| content_words(line.heard()))
            .collect();
        let noted: Vec<String> = situation.view.notes.iter().flat_map(|note| content_words(note)).collect();
        // Those who speak in the same beat cannot hear each other: what all know is shared out among them.
        let mine = |place: usize| query.share.of <= 1 || place % query.share.of == query.share.place;
        let public = story.public.iter().enumerate().filter(|(place, _)| mine(*place)).map(|(_, fact)| fact);
        let told = |fact: &StoryFact| {
            let brief = content_words(&fact.said_briefly(saying));
            !brief.is_empty() && situation.read.was_told(&brief) || situation.read.was_told(&fact.about)
        };
        let new = |fact: &&StoryFact| {
            !fact.about.is_empty()
                && !told(fact)
                && !is_reserved(situation, fact)
                && reads_well(&fact.said(saying))
        };
        let mut weighed: Vec<(usize, &StoryFact)> = story
            .own
            .facts
            .iter()
            .chain(public)
            .filter(new)
            .map(|fact| {
                let touches =
                    |words: &[String]| fact.about.iter().filter(|word| words.contains(word)).count();
                let to_you = usize::from(fact.who.is_some() && fact.who == query.to);
                let drawn = VOLITION.topical * touches(&just_said) + VOLITION.noted * touches(&noted);
                let weight = drawn + VOLITION.to_you * to_you + dice.below(VOLITION.luck);
                (weight, fact)
            })
            .collect();
        weighed.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
        let of =
            |kind: fn(FactKind) -> bool| weighed.iter().copied().filter(move |(_, fact)| kind(fact.kind));
        let about_you = |fact: &StoryFact| query.to.is_some() && fact.who == query.to;
        let pressed = situation.view.beat >= VOLITION.secrets_from
            && scene_dice(&situation.view.scene, situation.view.me.as_str(), u32::MAX)
                .one_in(VOLITION.secrets_one_in);
        let by_you = |line: &&Line| match query.to {
            Some(to) => line.is_by(situation.name(to)),
            None => !line.is_by(&situation.view.me),
        };
        let echo = situation.latest().filter(by_you).filter(|line| line.spoken().is_some()).last();
        // Who cuts in has heard only the beginning.
        let heard =
            echo.map(|line| if query.scene_move.cuts_in() { first_half(line.heard()) } else { line.heard() });
        let echo = heard.and_then(|heard| story.things_in(heard).pop()).map(|thing| definite(&thing));
        let things = story.things.iter().filter(|thing| !situation.read.was_told(&content_words(thing)));
        Material {
            situation,
            saying,
            third: query.to.and_then(|to| third(situation, to)),
            to: query.to,
            facts: of(|kind| matches!(kind, FactKind::Did | FactKind::Is | FactKind::Wants))
                .chain(of(|kind| kind == FactKind::Hides).filter(|_| pressed))
                .filter(|(_, fact)| !about_you(fact) || fact.known_to.is_some())
                .collect(),
            wants: of(|kind| kind == FactKind::Wants)
                .filter(|(_, fact)| fact.who == Some(situation.me))
                .collect(),
            secrets: of(|kind| kind == FactKind::Hides).collect(),
            deeds: of(|_| true).filter(|(_, fact)| about_you(fact)).collect(),
            // What everybody knows of me, or what the scene is to come to: not everything I ever did.
            mine: of(|kind| kind == FactKind::Did)
                .filter(|(_, fact)| {
                    fact.who == Some(situation.me)
                        && (fact.known_to.is_none() || touches_goal(situation, fact))
                })
                .collect(),
            topic: topic(situation),
            echo,
            things: things.map(|thing| definite(thing)).collect(),
            used: Vec::new(),
            weight: 0,
        }
    }

    fn begin(&mut self) {
        self.used.clear();
        self.weight = 0;
    }

    fn fill(&mut self, frame: &str) -> Option<String> {
        let mut filled = String::new();
        for (piece, slot) in pieces(frame) {
            filled.push_str(piece);
            let Some(slot) = slot else { continue };
            let words = self.slot(&slot.to_lowercase())?;
            let begins = slot.starts_with(char::is_uppercase);
            filled.push_str(&if begins { capitalised(&words) } else { words });
        }
        // "The fire? A fire destroyed the plant." says nothing.
        let lower = frame.to_lowercase();
        let all = content_words(&filled);
        let named = [("{echo}", &self.echo), ("{topic}", &self.topic)];
        let stale = named.into_iter().any(|(slot, words)| {
            let times = lower.matches(slot).count();
            let again = |word: &String| all.iter().filter(|other| *other == word).count() > times;
            times > 0 && words.as_ref().is_some_and(|words| content_words(words).iter().any(again))
        });
        (!stale).then_some(filled)
    }

    fn slot(&mut self, slot: &str) -> Option<String> {
        let people = &self.situation.story.people;
        let call = |who: usize| people.get(who).called();
        match slot {
            "you" => call(self.to?),
            "third" => call(self.third?),
            "echo" => self.echo.clone(),
            "thing" => self.things.first().cloned(),
            "topic" => self.topic.clone(),
            "mine" => self.tell(self.mine.clone()),
            "why" => {
                let deeds = self.deeds.clone();
                let (weight, fact) = deeds
                    .into_iter()
                    .find(|(_, fact)| !self.used.contains(fact) && fact.asked(self.saying).is_some())?;
                self.used.push(fact);
                self.weight += weight;
                fact.asked(self.saying)
            }
            "fact" => self.tell(self.facts.clone()),
            "own" => {
                self.tell(self.facts.iter().copied().filter(|(_, fact)| fact.known_to.is_some()).collect())
            }
            "want" => self.tell(self.wants.clone()),
            "secret" => self.tell(self.secrets.clone()),
            "deed" => self.tell(self.deeds.clone()),
            _ => None,
        }
    }

    fn tell(&mut self, facts: Vec<(usize, &'a StoryFact)>) -> Option<String> {
        let (weight, fact) = facts.into_iter().find(|(_, fact)| !self.used.contains(fact))?;
        self.used.push(fact);
        self.weight += weight;
        let briefly = self.situation.voice.brief;
        Some(if briefly { fact.said_briefly(self.saying) } else { fact.said(self.saying) })
    }
}

fn first_half(text: &str) -> &str {
    let end =
        text.char_indices().map(|(at, _)| at).take_while(|at| *at <= text.len() / 3).last().unwrap_or(0);
    &text[..end]
}

/// "a fire" has been spoken of and is "the fire" from then on.
fn definite(thing: &str) -> String {
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
    let named = story.things.iter().find(of_goal).cloned();
    named
        .or_else(|| goal_things.into_iter().next())
        .or_else(|| story.things.first().cloned())
        .map(|thing| definite(&thing))
}

fn touches_goal(situation: &ActorSituation<'_>, fact: &StoryFact) -> bool {
    let goals = situation.view.scene.goals.iter().flat_map(|goal| content_words(&goal.text));
    goals.filter(|word| fact.about.contains(word)).count() > 0
}

/// Whether a goal of mine is to tell this: then it is kept for the moment.
fn is_reserved(situation: &ActorSituation<'_>, fact: &StoryFact) -> bool {
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
