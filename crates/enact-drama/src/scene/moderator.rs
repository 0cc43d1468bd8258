//! The moderator: opens beats, and when one has settled decides on a note, a world event, the next beat or
//! the end.

use super::{
    HiddenPurpose, Lines, NoteReason, Said, Scene, SceneEnd, SceneEvent,
    budget::{self, BeatPlan, OverBudget},
    command, guidance,
    hidden_calls::{self, WrittenEvent},
    loop_detection,
    machine::{self, SceneDraft},
    merge_verdicts::merge_verdicts,
    moderator_notes::NOTES,
    pacing::Pacing,
    settled_lines::HeardLines,
    state::SceneProgress,
    thread_trimming, world_events,
};
use crate::judge::{Act, Verdict};

/// Beats until a benched actor is tried again.
const BENCH_BEATS: u32 = 5;
/// Beats in a row in which everyone asked fails, until the scene ends as failed.
const FAILED_BEATS_UNTIL_FAILED: u32 = 3;
/// Silent beats in a row until a world event; after twice as many the scene ends as stalled.
const SILENT_BEATS_UNTIL_EVENT: u32 = 3;
const SILENT_BEATS_UNTIL_STALLED: u32 = 6;
/// Beats without a goal met until a scene counts as off track, and something should happen.
const BEATS_UNTIL_OFF_TRACK: u32 = 8;
/// The same where the talk is flat, and a model can write what fits.
const FLAT_BEATS_UNTIL_EVENT: u32 = 5;
/// Two goodbyes before this beat are part of how a scene begins.
const FIRST_PARTING: u32 = 3;
/// How far back a goodbye is still one of the last words.
const PARTING_LINES: usize = 4;
/// How long an event has to break a loop before the scene is given up as looping.
const BEATS_TO_LEAVE_LOOP: u32 = 4;
/// A scene whose goals cannot be judged may come to a natural end from here on; before, it has hardly begun.
const FIRST_NATURAL_END: u32 = 6;

/// Opens the scene: the opener alone or, with none named, everyone.
pub(super) fn open(draft: &mut SceneDraft) {
    let prepared = draft.scene.prepared.clone();
    let opener = prepared.setup.opener.as_ref().and_then(|opener| prepared.place(opener));
    let everyone = || (0..prepared.players.len()).collect();
    let to = opener.map_or_else(everyone, |place| vec![place]);
    let plan = match budget::plan_beat(&draft.scene, 0, &to, &[]) {
        Ok(plan) => plan,
        Err(used_up) => return end_over_budget(draft, &used_up),
    };
    let (whom, text) = match opener.map(|place| &prepared.players[place]) {
        Some(player) => (Some(player.name.clone()), NOTES.opening(&player.display)),
        None => (None, NOTES.opening_for_all.clone()),
    };
    draft.push(SceneEvent::Noted { to: whom, text, why: NoteReason::Opening });
    open_beat(draft, 0, to, &plan);
}

/// All answers are in or time is up: what now?
pub(super) fn settle(draft: &mut SceneDraft) {
    let beat = draft.scene.beat.number;
    draft.push(SceneEvent::BeatSettled { beat });
    conclude(draft);
}

/// A beat has settled: ends the scene or goes on with it, unless it is paused or waits for the model judge.
pub(super) fn conclude(draft: &mut SceneDraft) {
    if command::is_held(&draft.scene) {
        return;
    }
    let beat = draft.scene.beat.number;
    let rules = verdict_on(&draft.scene, &draft.scene.lines);
    if hidden_calls::waits_for_judge(draft, &rules) {
        return;
    }
    let verdict = merge_verdicts(rules, &draft.scene);
    let looping = loop_detection::looping_since(&draft.scene.lines);
    let ends = end(&draft.scene, &verdict, looping);
    // Only a beat that will be played has to be paid for.
    if ends.is_none()
        && budget::waits_for_hidden_calls(&draft.scene, beat + 1, &asked_in(&draft.scene, beat + 1))
    {
        return;
    }
    hidden_calls::note_drift(draft);
    if draft.scene.verdict.as_deref() != Some(&verdict) {
        draft.push(SceneEvent::Judged { verdict: verdict.clone() });
    }
    if let Some(reason) = ends {
        draft.end(reason, None);
        return;
    }
    hidden_calls::give_advice(draft);
    let event_wanted = make_world_events(draft, looping);
    guidance::give_notes(draft, &verdict);
    thread_trimming::trim(draft);
    let next = beat + 1;
    let to = asked_in(&draft.scene, next);
    let event = event_wanted.then_some(HiddenPurpose::WorldEvent);
    let judge = hidden_calls::wants_judge(&draft.scene, &verdict).then_some(HiddenPurpose::Judge);
    let hidden: Vec<HiddenPurpose> = event.into_iter().chain(judge).collect();
    let mut plan = budget::plan_beat(&draft.scene, next, &to, &hidden);
    let not_written =
        plan.as_ref().is_ok_and(|plan| event_wanted && !plan.asks_for(HiddenPurpose::WorldEvent));
    if not_written && let Some(text) = built_in_event(&draft.scene) {
        draft.push(SceneEvent::LineAdded { said: Said::World { text } });
        plan = budget::plan_beat(&draft.scene, next, &to, judge.as_slice());
    }
    match plan {
        Ok(plan) => open_beat(draft, next, to, &plan),
        Err(used_up) => end_over_budget(draft, &used_up),
    }
}

/// Asks those of an open beat who have to be asked again.
pub(super) fn go_on_with_beat(draft: &mut SceneDraft) {
    let again = draft.scene.beat.to_ask_again.clone();
    match budget::plan_asks(&draft.scene, &again) {
        Ok(allowances) => {
            for (place, allowance) in again.into_iter().zip(allowances) {
                draft.ask(place, 0, allowance);
            }
            machine::settle_if_all_in(draft);
        }
        Err(used_up) => end_over_budget(draft, &used_up),
    }
}

/// What happens where the event writer cannot be asked for want of budget.
fn built_in_event(scene: &Scene) -> Option<String> {
    world_events::built_in(scene.setup(), &scene.used_events, scene.beat.number).map(str::to_owned)
}

fn end_over_budget(draft: &mut SceneDraft, used_up: &OverBudget) {
    draft.end(SceneEnd::BudgetExceeded, Some(used_up.needed));
}

fn open_beat(draft: &mut SceneDraft, beat: u32, to: Vec<usize>, plan: &BeatPlan) {
    let prepared = draft.scene.prepared.clone();
    for (purpose, allowance) in &plan.hidden {
        hidden_calls::consult(draft, *purpose, *allowance);
    }
    draft.push(SceneEvent::BeatOpened {
        beat,
        to: to.iter().map(|place| prepared.players[*place].name.clone()).collect(),
        deadline: draft.scene.next_call,
        timeout_ms: prepared.setup.reply_timeout_ms,
        reserved: plan.reserved(),
    });
    for (place, allowance) in to.into_iter().zip(&plan.actors) {
        draft.ask(place, 0, *allowance);
    }
}

/// Everyone, but for those on the bench whose turn to be tried it is not.
fn asked_in(scene: &Scene, beat: u32) -> Vec<usize> {
    let tried = |since: u32| (beat - since).is_multiple_of(BENCH_BEATS);
    let playing = (0..scene.actors.len()).filter(|place| scene.actors[*place].benched_at.is_none_or(tried));
    let playing: Vec<usize> = playing.collect();
    // With all actors on the bench there is no other left to ask: all are tried.
    if playing.is_empty() { (0..scene.actors.len()).collect() } else { playing }
}

/// What the rules make of these lines of a scene: those of now, or of when its beat opened.
pub(super) fn verdict_on(scene: &Scene, lines: &Lines) -> Verdict {
    let heard = HeardLines { prepared: &scene.prepared, lines };
    scene.reading(lines, lines.len()).judge.verdict(&heard)
}

/// Why the scene is over now, if it is. The first reason that holds is the one that is told.
fn end(scene: &Scene, verdict: &Verdict, looping: Option<u32>) -> Option<SceneEnd> {
    let (beat, progress) = (scene.beat.number, &scene.progress);
    let none_open = verdict.goals.iter().all(|goal| goal.met != Some(false));
    let loop_goes_on = looping.is_some()
        && !is_new(looping, progress)
        && progress.loop_broken_at.is_some_and(|broken| beat >= broken + BEATS_TO_LEAVE_LOOP);
    [
        (progress.failed_beats >= FAILED_BEATS_UNTIL_FAILED, SceneEnd::Failed),
        (verdict.complete, SceneEnd::GoalAchieved),
        (
            none_open && verdict.closure && verdict.positions && beat >= FIRST_NATURAL_END,
            SceneEnd::NaturalEnd,
        ),
        // Who has parted, with nothing left to answer, has ended the scene whatever its goals say.
        (
            verdict.closure && verdict.positions && have_parted(scene) && beat >= FIRST_PARTING,
            SceneEnd::NaturalEnd,
        ),
        (progress.silent_beats >= SILENT_BEATS_UNTIL_STALLED, SceneEnd::Stalled),
        (loop_goes_on || guidance::gets_nowhere(scene, verdict), SceneEnd::Looping),
        (beat + 1 >= scene.prepared.setup.max_beats, SceneEnd::MaxBeatsExceeded),
    ]
    .into_iter()
    .find_map(|(holds, reason)| holds.then_some(reason))
}

/// Whether two people have said goodbye just now.
fn have_parted(scene: &Scene) -> bool {
    let last = scene.lines.iter().rev().filter(|line| line.actor().is_some()).take(PARTING_LINES);
    let mut leaving =
        last.filter(|line| line.acts().has(Act::Farewell)).filter_map(|line| Some(line.actor()?.0));
    let first = leaving.next();
    first.is_some_and(|first| leaving.any(|next| next != first))
}

/// World events: those the author put on this beat, and one more when the scene has stalled, goes round in
/// circles or has lost its way. Says whether that one has to be written first.
fn make_world_events(draft: &mut SceneDraft, looping: Option<u32>) -> bool {
    let prepared = draft.scene.prepared.clone();
    let beat = draft.scene.beat.number;
    if let Some(written) = draft.scene.hidden_calls.event.clone() {
        let built_in = || world_events::built_in(&prepared.setup, &draft.scene.used_events, beat);
        let text = match &written {
            WrittenEvent::Event(text) => Some(&**text),
            WrittenEvent::Nothing => built_in(),
        };
        if let Some(text) = text {
            draft.push(SceneEvent::LineAdded { said: Said::World { text: text.to_owned() } });
        }
    }
    for text in world_events::scheduled(&prepared.setup, beat) {
        draft.push(SceneEvent::LineAdded { said: Said::World { text: text.to_owned() } });
    }
    let progress = &draft.scene.progress;
    let stalled = progress.silent_beats == SILENT_BEATS_UNTIL_EVENT;
    let new_loop = is_new(looping, progress);
    let quiet_since = progress.progress_at.max(progress.last_event_at.unwrap_or(0));
    let timeout = match Pacing::of(&draft.scene) {
        _ if prepared.setup.event_writer.is_none() => Some(BEATS_UNTIL_OFF_TRACK),
        Pacing::Flat => Some(FLAT_BEATS_UNTIL_EVENT),
        Pacing::Moving => Some(BEATS_UNTIL_OFF_TRACK),
        Pacing::Peak => None,
    };
    let off_track =
        !prepared.setup.goals.is_empty() && timeout.is_some_and(|timeout| beat >= quiet_since + timeout);
    let to_be_written = (stalled || new_loop || off_track) && !choose_event(draft);
    if new_loop {
        let text = NOTES.looping.clone();
        draft.push(SceneEvent::Noted { to: None, text, why: NoteReason::Looping });
    }
    to_be_written
}

/// Adds the author's next event or, without an event writer, a built-in one. Returns false if an event has to
/// be written.
fn choose_event(draft: &mut SceneDraft) -> bool {
    let prepared = draft.scene.prepared.clone();
    let text = match world_events::authors_next(&prepared.setup, &draft.scene.used_events) {
        None if draft.scene.hidden_calls.pending(HiddenPurpose::WorldEvent) => return true,
        None if prepared.setup.event_writer.is_some() => return false,
        None => world_events::built_in(&prepared.setup, &draft.scene.used_events, draft.scene.beat.number),
        authors => authors,
    };
    if let Some(text) = text {
        draft.push(SceneEvent::LineAdded { said: Said::World { text: text.to_owned() } });
    }
    true
}

/// Whether a loop is another one than the one that was broken last.
fn is_new(looping: Option<u32>, progress: &SceneProgress) -> bool {
    looping.is_some_and(|since| progress.loop_broken_at.is_none_or(|broken| since > broken))
}
