//! What I do now: my part of the arc if it is my turn, and otherwise whatever the moment asks of a bystander.

use enact_drama::{dice::Dice, judge::Act, scene::View};

use super::{
    arc::StepPart,
    deeds::{deed_line, demand, is_judged_as},
    from_story::event_line,
    gesture::gesture,
    instructions::light_gestures,
    interruption,
    lines::EVENTS,
    moves::{Phase, SceneMove},
    pick_line::{LineQuery, PickedLine, Share, choose, fresh},
    reply::ImprovisedReply,
    role::{Temperature, wanted},
    situation::{ActorSituation, asker},
    traits::Mood,
};

/// An answer and the time it took to think of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decision {
    pub(super) reply: ImprovisedReply,
    pub(super) thought_ms: u64,
}

/// No answer comes faster than this, and none takes longer than that.
pub(super) const QUICKEST_MS: u64 = 200;
const SLOWEST_MS: u64 = 3000;
/// Those who speak in the same beat share this time, each waiting for the one before.
const VOICES_MS: u64 = 1600;
/// How long the one who is due may stay silent before somebody asks.
const PATIENT_BEATS: u32 = 2;

/// Decides what I do in this beat.
pub(super) fn decide(situation: &ActorSituation<'_>) -> Decision {
    let mut dice = situation.dice();
    let due = situation.progress.due(&situation.arc);
    let reply = match due.iter().find(|part| part.who == situation.me) {
        Some(part) => perform(situation, &due, part, &mut dice),
        None => stand_by(situation, &due, &mut dice),
    };
    let place = due.iter().position(|part| part.who == situation.me).unwrap_or(0) as u64;
    let wait_ms = place * VOICES_MS / due.len().max(1) as u64;
    let thought_ms = think(situation, &reply, wait_ms, &mut dice);
    Decision { reply, thought_ms }
}

/// Does what the arc wants of me.
fn perform(
    situation: &ActorSituation<'_>,
    due: &[&StepPart],
    part: &StepPart,
    dice: &mut Dice,
) -> ImprovisedReply {
    let wanted = |scene_move| LineQuery {
        scene_move,
        to: part.to,
        about: part.about.as_ref(),
        share: share(situation, due, part, scene_move),
    };
    let for_goal = match part.scene_move {
        SceneMove::Demand => demand(situation, part, dice),
        // Who confronts somebody does so in the author's words, if the judge hears it in them.
        SceneMove::OpenConfront => choose(situation, wanted(part.scene_move), dice)
            .filter(|line| part.goal.is_none_or(|goal| is_judged_as(situation, goal, part, &line.words)))
            .or_else(|| deed_line(situation, part, share(situation, due, part, part.scene_move), dice)),
        _ => deed_line(situation, part, share(situation, due, part, part.scene_move), dice),
    };
    let instead = match part.scene_move {
        SceneMove::Demand => SceneMove::Press,
        SceneMove::Deed => SceneMove::Position,
        other => other,
    };
    let Some(mut chosen) = for_goal.or_else(|| choose(situation, wanted(instead), dice)) else {
        let first = complaint(situation, part, dice).or_else(|| remark(situation, part, dice));
        return match first {
            Some(first) => speak(situation, first, part.to, part.scene_move.mood(), dice),
            None => react(situation, part.scene_move.mood(), dice),
        };
    };
    if let Some(then) = part.then.and_then(|then| choose(situation, wanted(then), dice)) {
        chosen.words = format!("{} {}", chosen.words, then.words);
    }
    let leads = due.first().is_some_and(|first| first.who == situation.me);
    if part.scene_move.cuts_in()
        && let Some(after) = place_to_cut(situation, part)
    {
        return ImprovisedReply::Interrupt { after, tone: chosen.tone.to_owned(), words: chosen.words };
    }
    let first = complaint(situation, part, dice).or_else(|| remark(situation, part, dice).filter(|_| leads));
    if let Some(first) = first {
        chosen.words = format!("{} {}", first.words, chosen.words);
    }
    speak(situation, chosen, part.to, part.scene_move.mood(), dice)
}

/// Which share of a bank is mine among those who draw from it in this beat. All who were cut off may bristle,
/// whether it is their turn or not.
fn share(situation: &ActorSituation<'_>, due: &[&StepPart], mine: &StepPart, scene_move: SceneMove) -> Share {
    if scene_move == SceneMove::Bristle {
        return Share { place: situation.me, of: situation.cast_size() };
    }
    let mut alike = due.iter().filter(|part| part.scene_move == scene_move || part.then == Some(scene_move));
    Share { of: alike.clone().count(), place: alike.position(|part| part.who == mine.who).unwrap_or(0) }
}

/// Patient people let others finish, unless the scene is about their not doing so.
fn place_to_cut(situation: &ActorSituation<'_>, part: &StepPart) -> Option<String> {
    if (situation.traits.patient || situation.instructions.quiet)
        && wanted(&situation.view.scene, Act::Interrupt).is_none()
    {
        return None;
    }
    interruption::phrase(&situation.view.lines, situation.view.beat, situation.name(part.to?))
}

/// It is somebody else's turn.
fn stand_by(situation: &ActorSituation<'_>, due: &[&StepPart], dice: &mut Dice) -> ImprovisedReply {
    if let Some((scene_move, to)) = called_for(situation, due, dice) {
        let share = Share { place: situation.me, of: situation.cast_size() };
        if let Some(chosen) = choose(situation, LineQuery { scene_move, to, about: None, share }, dice) {
            return speak(situation, chosen, to, scene_move.mood(), dice);
        }
    }
    // Before anybody has spoken and after all has been said, nothing moves.
    let Some(step) = situation.arc.get(situation.progress.step).filter(|_| situation.view.beat > 0) else {
        return ImprovisedReply::Silent { gesture: None };
    };
    let on_time = situation.progress.since == situation.view.beat;
    if step.reacts == Some(situation.me) && on_time {
        return react(situation, watching(situation), dice);
    }
    if situation.event().is_some() && dice.one_in(3) {
        let mine: Vec<&String> =
            EVENTS.starts.iter().skip(situation.me).step_by(situation.cast_size()).collect();
        if let Some(start) = dice.pick(&mine) {
            return ImprovisedReply::React { tone: "startled".to_owned(), gesture: (*start).clone() };
        }
    }
    let just_reacted = situation.latest().any(|line| line.is_by(&situation.view.me));
    if !just_reacted && dice.one_in(situation.cast_size() * 3) {
        return react(situation, watching(situation), dice);
    }
    let gesture = if dice.one_in(2) { make(situation, watching(situation), dice) } else { None };
    ImprovisedReply::Silent { gesture }
}

/// Something that makes even a bystander speak: what to say, and to whom.
fn called_for(
    situation: &ActorSituation<'_>,
    due: &[&StepPart],
    dice: &mut Dice,
) -> Option<(SceneMove, Option<usize>)> {
    let view = situation.view;
    let lead = due.first();
    if let Some(cutter) = situation.just_cut_off_by().filter(|_| dice.one_in(2)) {
        return Some((SceneMove::Bristle, Some(cutter)));
    }
    if let Some(asker) = asker(view, situation.me) {
        return Some((SceneMove::Answer, Some(asker)));
    }
    if view.notes.iter().any(|note| note.contains("too passive")) {
        return Some(match situation.roles.temperature {
            Temperature::Even => (SceneMove::Position, None),
            _ if situation.me == situation.roles.accused => {
                (SceneMove::Deflect, Some(situation.roles.accuser))
            }
            _ if situation.me == situation.roles.accuser => (SceneMove::Prod, Some(situation.roles.accused)),
            _ => (SceneMove::Witness, None),
        });
    }
    let lead = lead?;
    let stuck = view.beat >= situation.progress.since + PATIENT_BEATS;
    let waits = lead.to.unwrap_or(situation.roles.accuser) == situation.me;
    let steps_in = (all_were_silent(view) && view.beat as usize % situation.cast_size() == situation.me)
        || (stuck && waits);
    steps_in.then_some((SceneMove::Prod, Some(lead.who)))
}

/// Whether nothing was said or done in the beat before.
fn all_were_silent(view: &View) -> bool {
    let acted = view.lines.iter().rev().find(|line| line.actor().is_some());
    view.beat > 0 && acted.is_none_or(|line| line.beat + 1 < view.beat)
}

/// A word on having been cut off, unless that is what the turn is about or the moment is too tender for it.
fn complaint(situation: &ActorSituation<'_>, part: &StepPart, dice: &mut Dice) -> Option<PickedLine> {
    let minds = part.scene_move != SceneMove::Bristle && part.scene_move.phase() <= Phase::Clash;
    let cutter = situation.just_cut_off_by().filter(|_| minds && dice.one_in(2))?;
    let share = Share { place: situation.me, of: situation.cast_size() };
    choose(
        situation,
        LineQuery { scene_move: SceneMove::Bristle, to: Some(cutter), about: None, share },
        dice,
    )
}

/// A word on what has just happened in the world, before going on: not in front of what the scene turns on.
fn remark(situation: &ActorSituation<'_>, part: &StepPart, dice: &mut Dice) -> Option<PickedLine> {
    let text = situation.event().filter(|_| part.goal.is_none() || part.scene_move == SceneMove::Demand)?;
    if let Some(line) = event_line(situation, text, dice) {
        return Some(line);
    }
    let event = text.to_lowercase();
    let mut words = event.split(|c: char| !c.is_alphabetic());
    let bank = words.find_map(|word| EVENTS.remarks.iter().find(|remarks| remarks.words.has(word)));
    bank.and_then(|bank| fresh(situation, &bank.lines, dice))
        .or_else(|| fresh(situation, &EVENTS.anything, dice))
}

fn speak(
    situation: &ActorSituation<'_>,
    chosen: PickedLine,
    to: Option<usize>,
    mood: Mood,
    dice: &mut Dice,
) -> ImprovisedReply {
    let gesture = if dice.below(5) < 2 { make_light(situation, mood, dice) } else { None };
    let to = to.map(|to| situation.display(to).to_owned());
    ImprovisedReply::Speak { to, tone: chosen.tone.to_owned(), gesture, words: chosen.words }
}

fn react(situation: &ActorSituation<'_>, mood: Mood, dice: &mut Dice) -> ImprovisedReply {
    match make(situation, mood, dice) {
        Some(gesture) => ImprovisedReply::React { tone: mood.words().tone.clone(), gesture },
        None => ImprovisedReply::Silent { gesture: None },
    }
}

/// Who jokes when it gets serious laughs it off.
fn make_light(situation: &ActorSituation<'_>, mood: Mood, dice: &mut Dice) -> Option<String> {
    let light = light_gestures().iter().find(|gesture| !situation.read.was_made(gesture));
    match light.filter(|_| situation.instructions.jokes && mood == Mood::Nervous) {
        Some(light) => Some(light.clone()),
        None => make(situation, mood, dice),
    }
}

fn make(situation: &ActorSituation<'_>, mood: Mood, dice: &mut Dice) -> Option<String> {
    gesture(mood, &situation.traits, situation.read, dice, (situation.me, situation.cast_size()))
}

/// What somebody feels who watches the scene at this point.
fn watching(situation: &ActorSituation<'_>) -> Mood {
    let phase = situation
        .arc
        .get(situation.progress.step)
        .map_or(Phase::Close, |step| step.parts[0].scene_move.phase());
    let roles = &situation.roles;
    match phase {
        Phase::Open | Phase::Clash if situation.me == roles.accuser => Mood::Angry,
        Phase::Open | Phase::Clash => Mood::Nervous,
        Phase::TurningPoint if situation.me == roles.accused => Mood::Ashamed,
        Phase::TurningPoint => Mood::Thoughtful,
        Phase::Repair if situation.me == roles.accuser => Mood::Hurt,
        Phase::Repair => Mood::Thoughtful,
        Phase::Settle => Mood::Calm,
        Phase::Close => Mood::Pleased,
    }
}

/// How long it took: cutting in is quick, and the eager are quicker than others.
fn think(situation: &ActorSituation<'_>, reply: &ImprovisedReply, wait_ms: u64, dice: &mut Dice) -> u64 {
    let roll = |dice: &mut Dice, sides: usize| dice.below(sides) as u64;
    let ms = match reply {
        ImprovisedReply::Interrupt { .. } => QUICKEST_MS + roll(dice, 300),
        ImprovisedReply::React { .. } => 300 + roll(dice, 500),
        ImprovisedReply::Silent { .. } => 1000 + roll(dice, 2000),
        ImprovisedReply::Speak { .. } => 850 + wait_ms + roll(dice, 250),
    };
    let ms = if situation.traits.interrupts { ms * 3 / 4 } else { ms };
    ms.clamp(QUICKEST_MS, SLOWEST_MS)
}
