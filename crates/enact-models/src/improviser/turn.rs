//! What I do now: my part of the arc if it is my turn, and otherwise whatever the moment asks of a bystander.

use enact_drama::{dice::Dice, judge::Act};

use super::{
    arc::Part,
    choice::{Chosen, Share, Wanted, choose, fresh},
    cut_in,
    gesture::gesture,
    lines::EVENTS,
    play::{Phase, Play},
    reply::Reply,
    role::{Temperature, wanted},
    stage::{Stage, asker},
    temper::Mood,
};

/// An answer and the time it took to think of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) reply: Reply,
    pub(super) thought_ms: u64,
}

/// Nobody answers faster than this, and nobody thinks longer than that.
pub(super) const QUICKEST_MS: u64 = 200;
const SLOWEST_MS: u64 = 3000;
/// Those who speak in the same beat share this time, each waiting for the one before.
const VOICES_MS: u64 = 1600;
/// How long the one who is due may stay silent before somebody asks.
const PATIENT_BEATS: u32 = 2;

/// Takes my turn.
pub(super) fn take(stage: &Stage<'_>) -> Turn {
    let mut dice = stage.dice();
    let due = stage.progress.due(&stage.arc);
    let reply = match due.iter().find(|part| part.who == stage.me) {
        Some(part) => perform(stage, &due, part, &mut dice),
        None => stand_by(stage, &due, &mut dice),
    };
    let place = due.iter().position(|part| part.who == stage.me).unwrap_or(0) as u64;
    let wait_ms = place * VOICES_MS / due.len().max(1) as u64;
    let thought_ms = think(stage, &reply, wait_ms, &mut dice);
    Turn { reply, thought_ms }
}

/// Does what the arc wants of me.
fn perform(stage: &Stage<'_>, due: &[&Part], part: &Part, dice: &mut Dice) -> Reply {
    let wanted =
        |play| Wanted { play, to: part.to, about: part.about.as_ref(), share: share(due, part, play) };
    let Some(mut chosen) = choose(stage, wanted(part.play), dice) else {
        return react(stage, part.play.mood(), dice);
    };
    if let Some(then) = part.then.and_then(|then| choose(stage, wanted(then), dice)) {
        chosen.words = format!("{} {}", chosen.words, then.words);
    }
    let leads = due.first().is_some_and(|first| first.who == stage.me);
    if part.play.cuts_in()
        && let Some(after) = place_to_cut(stage, part)
    {
        return Reply::Interrupt { after, tone: chosen.tone.to_owned(), words: chosen.words };
    }
    let first = complaint(stage, part, dice).or_else(|| remark(stage, dice).filter(|_| leads));
    if let Some(first) = first {
        chosen.words = format!("{} {}", first.words, chosen.words);
    }
    speak(stage, chosen, part.to, part.play.mood(), dice)
}

/// Which share of a bank is mine among those who draw from it in this beat.
fn share(due: &[&Part], mine: &Part, play: Play) -> Share {
    let mut alike = due.iter().filter(|part| part.play == play || part.then == Some(play));
    Share { of: alike.clone().count(), place: alike.position(|part| part.who == mine.who).unwrap_or(0) }
}

/// Patient people let others finish, unless the scene is about their not doing so.
fn place_to_cut(stage: &Stage<'_>, part: &Part) -> Option<String> {
    if stage.temper.patient && wanted(&stage.view.scene, Act::Interrupt).is_none() {
        return None;
    }
    cut_in::phrase(&stage.view.lines, stage.view.beat, stage.name(part.to?))
}

/// It is somebody else's turn.
fn stand_by(stage: &Stage<'_>, due: &[&Part], dice: &mut Dice) -> Reply {
    if let Some((play, to)) = called_for(stage, due, dice) {
        let share = Share { place: stage.me, of: stage.cast_size() };
        if let Some(chosen) = choose(stage, Wanted { play, to, about: None, share }, dice) {
            return speak(stage, chosen, to, play.mood(), dice);
        }
    }
    // Before anybody has spoken and after all has been said, nothing moves.
    let Some(step) = stage.arc.get(stage.progress.step).filter(|_| stage.view.beat > 0) else {
        return Reply::Silent { gesture: None };
    };
    let on_time = stage.progress.since == stage.view.beat;
    if step.reacts == Some(stage.me) && on_time {
        return react(stage, watching(stage), dice);
    }
    if stage.event().is_some() && dice.one_in(3) {
        let mine: Vec<&String> = EVENTS.starts.iter().skip(stage.me).step_by(stage.cast_size()).collect();
        if let Some(start) = dice.pick(&mine) {
            return Reply::React { tone: "startled".to_owned(), gesture: (*start).clone() };
        }
    }
    let just_reacted = stage.latest().any(|line| line.is_by(&stage.view.me));
    if !just_reacted && dice.one_in(stage.cast_size() * 3) {
        return react(stage, watching(stage), dice);
    }
    let gesture = if dice.one_in(2) { make(stage, watching(stage), dice) } else { None };
    Reply::Silent { gesture }
}

/// Something that makes even a bystander speak: what to say, and to whom.
fn called_for(stage: &Stage<'_>, due: &[&Part], dice: &mut Dice) -> Option<(Play, Option<usize>)> {
    let view = stage.view;
    let lead = due.first();
    if let Some(cutter) = stage.just_cut_off_by().filter(|_| dice.one_in(2)) {
        return Some((Play::Bristle, Some(cutter)));
    }
    if let Some(asker) = asker(view, stage.me) {
        return Some((Play::Answer, Some(asker)));
    }
    if view.notes.iter().any(|note| note.contains("too passive")) {
        return Some(match stage.roles.temperature {
            Temperature::Even => (Play::Position, None),
            _ if stage.me == stage.roles.accused => (Play::Deflect, Some(stage.roles.accuser)),
            _ if stage.me == stage.roles.accuser => (Play::Prod, Some(stage.roles.accused)),
            _ => (Play::Witness, None),
        });
    }
    let nobody_speaks = view.notes.iter().any(|note| note.contains("omeone should respond"));
    let lead = lead?;
    let stuck = view.beat >= stage.progress.since + PATIENT_BEATS;
    let waits = lead.to.unwrap_or(stage.roles.accuser) == stage.me;
    let steps_in = (nobody_speaks && view.beat as usize % stage.cast_size() == stage.me) || (stuck && waits);
    steps_in.then_some((Play::Prod, Some(lead.who)))
}

/// A word on having been cut off, unless that is what the turn is about or the moment is too tender for it.
fn complaint(stage: &Stage<'_>, part: &Part, dice: &mut Dice) -> Option<Chosen> {
    let minds = part.play != Play::Bristle && part.play.phase() <= Phase::Clash;
    let cutter = stage.just_cut_off_by().filter(|_| minds && dice.one_in(2))?;
    let share = Share { place: stage.me, of: stage.cast_size() };
    choose(stage, Wanted { play: Play::Bristle, to: Some(cutter), about: None, share }, dice)
}

/// A word on what has just happened in the world, before going on.
fn remark(stage: &Stage<'_>, dice: &mut Dice) -> Option<Chosen> {
    let event = stage.event()?.to_lowercase();
    let mut words = event.split(|c: char| !c.is_alphabetic());
    let bank = words.find_map(|word| EVENTS.remarks.iter().find(|remarks| remarks.words.has(word)));
    bank.and_then(|bank| fresh(stage, &bank.lines, dice)).or_else(|| fresh(stage, &EVENTS.anything, dice))
}

fn speak(stage: &Stage<'_>, chosen: Chosen, to: Option<usize>, mood: Mood, dice: &mut Dice) -> Reply {
    let gesture = if dice.below(5) < 2 { make(stage, mood, dice) } else { None };
    let to = to.map(|to| stage.display(to).to_owned());
    Reply::Speak { to, tone: chosen.tone.to_owned(), gesture, words: chosen.words }
}

fn react(stage: &Stage<'_>, mood: Mood, dice: &mut Dice) -> Reply {
    match make(stage, mood, dice) {
        Some(gesture) => Reply::React { tone: mood.words().tone.clone(), gesture },
        None => Reply::Silent { gesture: None },
    }
}

fn make(stage: &Stage<'_>, mood: Mood, dice: &mut Dice) -> Option<String> {
    gesture(mood, &stage.temper, &stage.view.lines, dice, (stage.me, stage.cast_size()))
}

/// What somebody feels who watches the scene at this point.
fn watching(stage: &Stage<'_>) -> Mood {
    let phase = stage.arc.get(stage.progress.step).map_or(Phase::Close, |step| step.parts[0].play.phase());
    let roles = &stage.roles;
    match phase {
        Phase::Open | Phase::Clash if stage.me == roles.accuser => Mood::Angry,
        Phase::Open | Phase::Clash => Mood::Nervous,
        Phase::Turn if stage.me == roles.accused => Mood::Ashamed,
        Phase::Turn => Mood::Thoughtful,
        Phase::Repair if stage.me == roles.accuser => Mood::Hurt,
        Phase::Repair => Mood::Thoughtful,
        Phase::Settle => Mood::Calm,
        Phase::Close => Mood::Pleased,
    }
}

/// How long it took: cutting in is quick, and the eager are quicker than others.
fn think(stage: &Stage<'_>, reply: &Reply, wait_ms: u64, dice: &mut Dice) -> u64 {
    let roll = |dice: &mut Dice, sides: usize| dice.below(sides) as u64;
    let ms = match reply {
        Reply::Interrupt { .. } => QUICKEST_MS + roll(dice, 300),
        Reply::React { .. } => 300 + roll(dice, 500),
        Reply::Silent { .. } => 1000 + roll(dice, 2000),
        Reply::Speak { .. } => 850 + wait_ms + roll(dice, 250),
    };
    let ms = if stage.temper.interrupts { ms * 3 / 4 } else { ms };
    ms.clamp(QUICKEST_MS, SLOWEST_MS)
}
