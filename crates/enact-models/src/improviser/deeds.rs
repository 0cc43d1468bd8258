//! Goals whose acts stand in the tables of acts: who plays them, and in which words.

use std::{collections::HashMap, sync::LazyLock};

use enact_drama::{
    acts::{ActKind, GoalReading, TemplateSlot},
    dice::Dice,
    judge::{Acts, Goal, Heard, judge},
    reply::Action,
    story::{FactKind, GoalWords, Saying, StoryFact, capitalised, content_words, contracted},
};
use serde::Deserialize;

use super::{
    arc::StepPart,
    from_story::topic,
    pick_line::{PickedLine, Share},
    situation::ActorSituation,
    template::pieces,
};
use crate::content::{Texts, content};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DeedLines {
    of_other: Texts,
    resisted: Texts,
    tells: Texts,
    confessions: Texts,
    sorry: Texts,
    harsh: Texts,
    asks: Texts,
    quarrel: Texts,
    about_topic: Texts,
    demands: AnyLines,
    otherwise: OtherwiseLines,
    tones: HashMap<String, Texts>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnyLines {
    any: Texts,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OtherwiseLines {
    any: Texts,
    clause: Texts,
    deed: Texts,
    fact: Texts,
}

static DEEDS: LazyLock<DeedLines> = LazyLock::new(|| content!("deeds.toml"));

/// A fact of more words is told up to its first pause.
const LONGEST_FACT: usize = 16;

/// How the tables read a goal, unless it forbids something.
pub(super) fn reading(goal: &Goal) -> Option<GoalReading> {
    let reading = goal.reading.as_ref().ok().filter(|reading| !reading.negated && !goal.negated)?;
    // A sentence of a prompt that names nobody is no task for anybody.
    let for_nobody = reading.act == ActKind::deed() && goal.subjects.is_empty();
    (!for_nobody).then(|| reading.clone())
}

/// Whether nobody does this at the first asking.
pub(super) fn is_resisted(reading: &GoalReading) -> bool {
    DEEDS.resisted.has(reading.act.name())
}

/// How the tables read a goal that asks somebody to tell something.
pub(super) fn telling(goal: &Goal) -> Option<GoalReading> {
    reading(goal).filter(|reading| DEEDS.tells.has(reading.act.name()) && reading.subject.len() == 1)
}

/// Whose matter a goal brings out: of who is to tell it or is sorry for it, or of whom somebody charges with it.
pub(super) fn matter(goal: &Goal) -> Option<(usize, GoalReading)> {
    if let Some(told) = telling(goal) {
        return Some((*told.subject.first()?, told));
    }
    let reading = reading(goal)?;
    match () {
        () if is_charge(&reading) => Some((*reading.addressee.first()?, reading)),
        () if DEEDS.sorry.has(reading.act.name()) => Some((*reading.subject.first()?, reading)),
        () => None,
    }
}

/// Whether somebody is to say to another what that one did: "proves that Tom forged the will".
pub(super) fn is_charge(reading: &GoalReading) -> bool {
    let states = reading.act == ActKind::deed() && reading.content.contains("that ");
    (states || is_quarrel(reading)) && !reading.addressee.is_empty()
}

/// Whether a matter is something that was done wrong.
pub(super) fn is_wrong(reading: &GoalReading) -> bool {
    is_confession(reading) || is_charge(reading) || DEEDS.sorry.has(reading.act.name())
}

/// Whether what is told was done wrong: then it is denied first.
pub(super) fn is_confession(reading: &GoalReading) -> bool {
    DEEDS.confessions.has(reading.act.name())
}

/// Whether the one to whom this is done would never ask for it.
pub(super) fn is_harsh(reading: &GoalReading) -> bool {
    let done_to = reading.act == ActKind::deed() && !reading.addressee.is_empty();
    done_to || DEEDS.harsh.has(reading.act.name())
}

/// Who has asked somebody for what a later goal answers: "Linnet begs the witch", "The witch refuses".
pub(super) fn asker_of(goals: &[Goal], whom: usize) -> Option<usize> {
    let mut asking = goals.iter().filter_map(reading).filter(|reading| DEEDS.asks.has(reading.act.name()));
    let asked = asking.find(|reading| reading.addressee.contains(&whom))?;
    asked.subject.first().copied().filter(|who| *who != whom)
}

/// What a goal asks somebody to tell, if that is what it asks for.
pub(super) fn to_be_told(goal: &Goal, by: usize) -> Option<String> {
    let reading = reading(goal)?;
    (DEEDS.tells.has(reading.act.name()) && reading.subject.contains(&by)).then_some(reading.content)
}

/// "did you sell the car" and "I never sold the car", for a goal that asks somebody to own up.
pub(super) fn charge(
    situation: &ActorSituation<'_>,
    goal: usize,
    to: Option<usize>,
) -> (Option<String>, Option<String>) {
    let goal = &situation.view.scene.goals[goal];
    let Some(reading) = reading(goal) else { return (None, None) };
    let words = GoalFilling::of(situation, goal, &reading, to).words;
    (words.asked, words.denied)
}

/// Whether this begins a quarrel.
pub(super) fn is_quarrel(reading: &GoalReading) -> bool {
    DEEDS.quarrel.has(reading.act.name())
}

/// What is said to do what a goal asks for; the judge must hear what the step needs.
pub(super) fn deed_line(
    situation: &ActorSituation<'_>,
    part: &StepPart,
    share: Share,
    dice: &mut Dice,
) -> Option<PickedLine> {
    let place = part.goal?;
    let goal = &situation.view.scene.goals[place];
    let reading = reading(goal)?;
    let words = GoalFilling::of(situation, goal, &reading, part.to);
    let heard = |line: &String| {
        !situation.read.has_sentence_of(line) && part.needs.is_none_or(|act| Acts::of(line).has(act))
    };
    // "Anna asks Boris to marry her. Boris refuses." says only once what it is about.
    // Where many do the same at once, the lines for crowds are kept apart.
    if reading.content.is_empty() && part.about.is_some() || share.of > 1 {
        return None;
    }
    let mut lines: Vec<String> =
        reading.act.said().iter().filter_map(|line| line.fill(|slot| words.slot(slot))).collect();
    // What names the goal's own content goes before what could be said in any scene, and what names things that are not
    // there comes last.
    dice.shuffle(&mut lines);
    let known = |thing: &String| {
        let text = format!(
            "{} {}",
            situation.view.scene.prompt,
            situation.view.scene.setting.as_deref().unwrap_or_default()
        );
        let text = content_words(&format!("{text} {} {}", situation.view.sheet.body, goal.text));
        content_words(thing).iter().all(|word| text.contains(word))
    };
    lines.sort_by_key(|line| !situation.story.things_in(line).iter().all(known));
    let telling = content_words(&reading.content);
    let names = |line: &String| content_words(line).iter().filter(|word| telling.contains(word)).count();
    lines.sort_by_key(|line| std::cmp::Reverse(names(line).min(1)));
    let plain = reading.act == ActKind::deed();
    let OtherwiseLines { any, clause, deed, fact } = &DEEDS.otherwise;
    let otherwise = match &words.words {
        GoalWords { clause: Some(_), .. } => [clause, any],
        GoalWords { deed: Some(_), .. } if !plain => [deed, any],
        GoalWords { fact: Some(_), .. } => [fact, any],
        _ => [any, any],
    };
    let named = (lines.first().is_some_and(|line| names(line) > 0) || telling.is_empty()) && !plain;
    let spare: Vec<String> = otherwise
        .into_iter()
        .flat_map(|frames| frames.iter())
        .filter_map(|frame| words.fill(frame))
        .collect();
    let (first, then) = if named { (lines, spare) } else { (spare, lines) };
    let about = part.about.as_ref().filter(|_| goal.is_readable()).map(|about| content_words(about.text()));
    let names_it = |line: &String| {
        about.as_ref().is_none_or(|about| {
            let said = content_words(line);
            about.iter().filter(|word| said.contains(word)).count() * 2 >= about.len()
        })
    };
    let candidates: Vec<String> = first.into_iter().chain(then).filter(names_it).filter(heard).collect();
    // What the judge hears, and of that what names the goal's own content.
    let mut judged: Vec<&String> =
        candidates.iter().filter(|line| is_judged_as(situation, place, part, line)).collect();
    judged.sort_by_key(|line| std::cmp::Reverse(names(line).min(1)));
    let said = judged.into_iter().next().or(candidates.first())?.clone();
    let tones = DEEDS.tones.get(reading.act.name()).or_else(|| DEEDS.tones.get("any"))?;
    let said = if situation.voice.formal { said } else { contracted(&said) };
    Some(PickedLine { tone: dice.pick(tones)?, words: said })
}

/// Whether the judge hears in a line, and nothing but it, what the goal asks for.
pub(super) fn is_judged_as(situation: &ActorSituation<'_>, goal: usize, part: &StepPart, line: &str) -> bool {
    let goal = &situation.view.scene.goals[goal];
    let cast: Vec<&str> = situation.view.scene.cast.iter().map(|(_, display)| display.as_str()).collect();
    let line = Heard {
        speaker: cast[situation.me],
        content: line,
        tone: None,
        action: Action::Speak,
        target: part.to.map(|to| cast[to]),
        cuts: None,
        acts: &Acts::of(line),
    };
    let verdict = judge(std::slice::from_ref(goal), &cast, &[line]);
    verdict.goals.iter().all(|goal| goal.met == Some(true))
}

/// What the one says who waits for somebody to do what a goal asks for.
pub(super) fn demand(situation: &ActorSituation<'_>, part: &StepPart, dice: &mut Dice) -> Option<PickedLine> {
    let goal = &situation.view.scene.goals[part.goal?];
    let reading = reading(goal)?;
    let words = GoalFilling::of(situation, goal, &reading, part.to);
    // What is to be told must not be said by the one who asks for it.
    let tells = words.words.fact.is_some();
    let mut frames: Vec<&String> = DEEDS.demands.any.iter().filter(|_| !tells).collect();
    dice.shuffle(&mut frames);
    let said = frames
        .into_iter()
        .filter_map(|frame| words.fill(frame))
        .find(|line| !situation.read.has_sentence_of(line))?;
    Some(PickedLine { tone: "insistent", words: contracted(&said) })
}

/// What a goal is about, as one of the cast says it to another.
struct GoalFilling<'a> {
    situation: &'a ActorSituation<'a>,
    words: GoalWords,
    content: Vec<String>,
    to: Option<usize>,
    takes_topic: bool,
    tells: bool,
}

impl<'a> GoalFilling<'a> {
    fn of(
        situation: &'a ActorSituation<'a>,
        goal: &Goal,
        reading: &GoalReading,
        to: Option<usize>,
    ) -> GoalFilling<'a> {
        let people = &situation.story.people;
        let doer = reading.subject.first().copied().unwrap_or(situation.me);
        let other = reading.addressee.first().copied().or(to).unwrap_or(doer);
        let of = if DEEDS.of_other.has(reading.act.name()) { other } else { doer };
        let saying = Saying { people, speaker: situation.me, listener: to };
        let beside = if of == doer { other } else { doer };
        let words = GoalWords::read(&goal.text, &reading.content, people, of, Some(beside), saying);
        let takes_topic = DEEDS.about_topic.has(reading.act.name());
        let tells = DEEDS.tells.has(reading.act.name());
        GoalFilling { situation, words, content: content_words(&reading.content), to, takes_topic, tells }
    }

    fn slot(&self, slot: TemplateSlot) -> Option<String> {
        match slot {
            TemplateSlot::To => self.situation.call(self.to?),
            // "The captain changes his mind" does not say about what; the scene does.
            TemplateSlot::Thing if self.content.is_empty() && self.takes_topic => topic(self.situation),
            TemplateSlot::Thing => self.words.thing.clone(),
            TemplateSlot::Doing => self.words.doing.clone(),
            TemplateSlot::Deed => self.words.deed.clone(),
            TemplateSlot::Fact => self.words.fact.clone().or_else(|| self.own_fact()),
        }
    }

    fn fill(&self, frame: &str) -> Option<String> {
        let mut filled = String::new();
        for (piece, slot) in pieces(frame) {
            filled.push_str(piece);
            let Some(slot) = slot else { continue };
            let words = match &*slot.to_lowercase() {
                "to" => self.slot(TemplateSlot::To),
                "thing" => self.words.thing.clone(),
                "deed" => self.words.deed.clone(),
                "whole" => self.words.whole.clone(),
                "fact" => self.words.fact.clone(),
                "clause" => self.words.clause.clone(),
                _ => None,
            }?;
            filled.push_str(&if slot.starts_with(char::is_uppercase) { capitalised(&words) } else { words });
        }
        Some(filled)
    }

    /// What I know that the goal means: "Tom confesses the theft" and "Took the silver".
    fn own_fact(&self) -> Option<String> {
        let story = &self.situation.story;
        let saying = Saying { people: &story.people, speaker: self.situation.me, listener: self.to };
        let own = story
            .own
            .facts
            .iter()
            .chain(story.public.iter().filter(|fact| fact.who == Some(self.situation.me)));
        let touches = |about: &[String]| about.iter().filter(|word| self.content.contains(word)).count();
        let kind = |kind: FactKind| match kind {
            FactKind::Hides => 2,
            FactKind::Did => 1,
            FactKind::Is | FactKind::Wants => 0,
        };
        let open = self.content.is_empty();
        // What has been told is told again only where there is nothing else to own up to.
        let new = |fact: &StoryFact| usize::from(!self.situation.read.was_told(&fact.about));
        let weigh = |fact: &StoryFact| touches(&fact.about) * 3 + usize::from(open) * kind(fact.kind);
        // What is told twice is told by who has to own up to it, and by nobody else.
        let own = own.filter(|fact| self.tells || new(fact) > 0);
        let best = own.map(|fact| (weigh(fact) * 2 + new(fact) * usize::from(weigh(fact) > 0), fact));
        let (weight, fact) = best.max_by_key(|(weight, _)| *weight)?;
        let whole = fact.said(saying);
        let short = whole.split_whitespace().count() <= LONGEST_FACT;
        (weight > 0).then(|| if short { whole } else { fact.said_briefly(saying) })
    }
}
