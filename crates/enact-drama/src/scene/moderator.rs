//! The moderator: opens beats, and when one has settled decides on a note, a world event, the next beat or the end.

use super::{
    EndReason, HiddenPurpose, Lines, NoteReason, Said, Scene, SceneEvent, budget,
    counsel::{self, Written},
    looping,
    machine::Draft,
    settled_lines::HeardLines,
    state::Course,
    steer, summary, world,
};
use crate::{budget::Reserve, judge::Verdict};

/// A benched actor is tried again every so many beats.
const BENCH_BEATS: u32 = 5;
/// So many beats in which everyone asked fails are the end.
const FAILED_BEATS_UNTIL_FAILED: u32 = 3;
/// So many silent beats bring a world event, and twice as many are the end.
const SILENT_BEATS_UNTIL_EVENT: u32 = 3;
const SILENT_BEATS_UNTIL_STALLED: u32 = 6;
/// Without a goal met for so long, a scene has lost its way and something should happen.
const BEATS_UNTIL_OFF_TRACK: u32 = 8;
/// How long an event has to break a loop before the scene is given up as looping.
const BEATS_TO_LEAVE_LOOP: u32 = 4;
/// A scene nobody can judge may come to a natural end from here on; before, it has hardly begun.
const FIRST_NATURAL_END: u32 = 6;
/// From this confidence on everyone is told to wrap up.
const WRAP_UP_AT: f64 = 0.8;
/// The same guidance is not repeated for so many beats: actors need time to follow it.
const BEATS_BETWEEN_GUIDANCE: u32 = 3;
/// Addressed and silent for so many beats is passive.
const PASSIVE_BEATS: u32 = 2;

/// Opens the scene: the opener alone or, with none named, everyone.
pub(super) fn open(draft: &mut Draft) {
    let company = draft.scene.company.clone();
    let opener = company.setup.opener.as_ref().and_then(|opener| company.place(opener));
    let everyone = || (0..company.players.len()).collect();
    let to = opener.map_or_else(everyone, |place| vec![place]);
    let reserved = match budget::reserve(&draft.scene, 0, &to) {
        Ok(reserved) => reserved,
        Err(used_up) => return end_for_want(draft, &used_up),
    };
    let (whom, text) = match opener.map(|place| &company.players[place]) {
        Some(player) => (Some(player.name.clone()), format!("You are {}. Begin the scene.", player.display)),
        None => (None, "The scene begins. Whoever would naturally speak first may do so.".to_owned()),
    };
    draft.push(SceneEvent::Noted { to: whom, text, why: NoteReason::Opening });
    open_beat(draft, 0, to, reserved);
}

/// All answers are in or time is up: what now?
pub(super) fn settle(draft: &mut Draft) {
    let beat = draft.scene.beat.number;
    draft.push(SceneEvent::BeatSettled { beat });
    conclude(draft);
}

/// A beat has settled, and whoever is worth waiting for has been heard: end the scene or go on with it.
pub(super) fn conclude(draft: &mut Draft) {
    if steer::holds_up(&draft.scene) {
        return;
    }
    let beat = draft.scene.beat.number;
    let rules = verdict_on(&draft.scene, &draft.scene.lines);
    if counsel::waits_for_judge(draft, &rules) {
        return;
    }
    counsel::note_drift(draft);
    let verdict = counsel::together(rules.clone(), &draft.scene);
    if draft.scene.verdict.as_deref() != Some(&verdict) {
        draft.push(SceneEvent::Judged { verdict: verdict.clone() });
    }
    let looping = looping::looping_since(&draft.scene.lines);
    if let Some(reason) = end(&draft.scene, &verdict, looping) {
        draft.push(SceneEvent::Ended { reason, needed: None });
        return;
    }
    counsel::heed(draft);
    let event_wanted = stir(draft, looping);
    guide(draft, &verdict);
    summary::trim(draft);
    let next = beat + 1;
    let to = asked_in(&draft.scene, next);
    let reserved = match budget::reserve(&draft.scene, next, &to) {
        Ok(reserved) => reserved,
        Err(used_up) => return end_for_want(draft, &used_up),
    };
    if event_wanted {
        counsel::ask_event_writer(draft);
    }
    counsel::ask_judge(draft, &rules);
    open_beat(draft, next, to, reserved);
}

fn end_for_want(draft: &mut Draft, used_up: &budget::UsedUp) {
    let needed = Some(used_up.needed);
    draft.push(SceneEvent::Ended { reason: EndReason::BudgetExceeded, needed });
}

fn open_beat(draft: &mut Draft, beat: u32, to: Vec<usize>, reserved: Option<Reserve>) {
    let company = draft.scene.company.clone();
    draft.push(SceneEvent::BeatOpened {
        beat,
        to: to.iter().map(|place| company.players[*place].name.clone()).collect(),
        deadline: draft.scene.next_call,
        timeout_ms: company.setup.reply_timeout_ms,
        reserved,
    });
    for place in to {
        draft.ask(place);
    }
}

/// Everyone, but for those on the bench whose turn to be tried it is not.
fn asked_in(scene: &Scene, beat: u32) -> Vec<usize> {
    let tried = |since: u32| (beat - since).is_multiple_of(BENCH_BEATS);
    let playing = (0..scene.actors.len()).filter(|place| scene.actors[*place].benched_at.is_none_or(tried));
    let playing: Vec<usize> = playing.collect();
    // With everybody on the bench there is nobody left to wait for: try them all.
    if playing.is_empty() { (0..scene.actors.len()).collect() } else { playing }
}

/// What the rules make of these lines of a scene: those of now, or of when its beat opened.
pub(super) fn verdict_on(scene: &Scene, lines: &Lines) -> Verdict {
    let heard = HeardLines { company: &scene.company, lines };
    scene.reading(lines, lines.len()).judge.verdict(&heard)
}

/// Why the scene is over now, if it is. The first reason that holds is the one that is told.
fn end(scene: &Scene, verdict: &Verdict, looping: Option<u32>) -> Option<EndReason> {
    let (beat, course) = (scene.beat.number, &scene.course);
    let none_open = verdict.goals.iter().all(|goal| goal.met != Some(false));
    let loop_goes_on = looping.is_some()
        && !is_new(looping, course)
        && course.loop_broken_at.is_some_and(|broken| beat >= broken + BEATS_TO_LEAVE_LOOP);
    [
        (course.failed_beats >= FAILED_BEATS_UNTIL_FAILED, EndReason::Failed),
        (verdict.complete, EndReason::GoalAchieved),
        (
            none_open && verdict.closure && verdict.positions && beat >= FIRST_NATURAL_END,
            EndReason::NaturalEnd,
        ),
        (course.silent_beats >= SILENT_BEATS_UNTIL_STALLED, EndReason::Stalled),
        (loop_goes_on, EndReason::Looping),
        (beat + 1 >= scene.company.setup.max_beats, EndReason::MaxBeatsExceeded),
    ]
    .into_iter()
    .find_map(|(holds, reason)| holds.then_some(reason))
}

/// World events: those the author put on this beat, and one more when the scene has stalled, goes round in circles
/// or has lost its way. Says whether that one has to be written first.
fn stir(draft: &mut Draft, looping: Option<u32>) -> bool {
    let company = draft.scene.company.clone();
    let beat = draft.scene.beat.number;
    if let Some(written) = draft.scene.counsel.event.clone() {
        let built_in = || world::built_in(&company.setup, &draft.scene.used_events, beat);
        let text = match &written {
            Written::Event(text) => Some(&**text),
            Written::Nothing => built_in(),
        };
        if let Some(text) = text {
            draft.push(SceneEvent::LineAdded { said: Said::World { text: text.to_owned() } });
        }
    }
    for text in world::scheduled(&company.setup, beat) {
        draft.push(SceneEvent::LineAdded { said: Said::World { text: text.to_owned() } });
    }
    let course = &draft.scene.course;
    let stalled = course.silent_beats == SILENT_BEATS_UNTIL_EVENT;
    let new_loop = is_new(looping, course);
    let quiet_since = course.progress_at.max(course.last_event_at.unwrap_or(0));
    let off_track =
        !draft.scene.company.setup.goals.is_empty() && beat >= quiet_since + BEATS_UNTIL_OFF_TRACK;
    let to_be_written = (stalled || new_loop || off_track) && !make_something_happen(draft);
    if new_loop {
        let text =
            "The same exchange is going round. Say or do something new that moves the scene forward.".into();
        draft.push(SceneEvent::Noted { to: None, text, why: NoteReason::Looping });
    }
    to_be_written
}

/// The author's next event or, where nobody writes any, a built-in one. Says whether that is all there is to do;
/// otherwise an event has to be written.
fn make_something_happen(draft: &mut Draft) -> bool {
    let company = draft.scene.company.clone();
    let text = match world::authors_next(&company.setup, &draft.scene.used_events) {
        None if draft.scene.counsel.pending(HiddenPurpose::WorldEvent) => return true,
        None if company.setup.event_writer.is_some() => return false,
        None => world::built_in(&company.setup, &draft.scene.used_events, draft.scene.beat.number),
        authors => authors,
    };
    if let Some(text) = text {
        draft.push(SceneEvent::LineAdded { said: Said::World { text: text.to_owned() } });
    }
    true
}

/// Whether a loop is another one than the one that was broken last.
fn is_new(looping: Option<u32>, course: &Course) -> bool {
    looping.is_some_and(|since| course.loop_broken_at.is_none_or(|broken| since > broken))
}

/// Whether it is time for guidance again.
pub(super) fn may_guide(scene: &Scene) -> bool {
    scene.course.guided_at.is_none_or(|last| scene.beat.number >= last + BEATS_BETWEEN_GUIDANCE)
}

/// Notes for the next beat.
fn guide(draft: &mut Draft, verdict: &Verdict) {
    let company = draft.scene.company.clone();
    if draft.scene.course.silent_beats > 0 {
        let text = "Someone should respond to move the scene forward.".to_owned();
        draft.push(SceneEvent::Noted { to: None, text, why: NoteReason::AllSilent });
    }
    if may_guide(&draft.scene) {
        let mut open = verdict.goals.iter().filter(|goal| goal.met != Some(true));
        match (open.next(), open.next()) {
            (Some(last), None) if verdict.goals.len() > 1 && last.met == Some(false) => {
                let text =
                    format!("The scene goal is almost complete. Please close the scene: {}.", last.text);
                draft.push(SceneEvent::Noted { to: None, text, why: NoteReason::Closing });
            }
            _ if verdict.confidence >= WRAP_UP_AT => {
                let text =
                    "Scene is nearing its natural conclusion. Begin wrapping up your character's arc.".into();
                draft.push(SceneEvent::Noted { to: None, text, why: NoteReason::WrapUp });
            }
            _ => {}
        }
    }
    for (place, player) in company.players.iter().enumerate() {
        let passive = draft.scene.actors[place].passive_beats;
        if passive > 0 && passive.is_multiple_of(PASSIVE_BEATS) {
            let text =
                "You're being too passive. You were spoken to: your character would answer, given their \
                        personality."
                    .to_owned();
            let to = Some(player.name.clone());
            draft.push(SceneEvent::Noted { to, text, why: NoteReason::Passive });
        }
    }
}
