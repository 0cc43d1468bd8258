//! What the moderator whispers on its own account before a beat opens, to one actor wherever it concerns one.

use super::{NoteReason, Scene, SceneEvent, machine::SceneDraft, moderator_notes::NOTES, prepared::Prepared};
use crate::{
    Name,
    judge::{Act, Goal, GoalStatus, Verdict, names::names},
};

/// From this confidence on everyone is told to wrap up.
const WRAP_UP_AT: f64 = 0.8;
/// The same guidance is not repeated for so many beats: actors need time to follow it.
const BEATS_BETWEEN_GUIDANCE: u32 = 3;
/// So many beats without progress bring a note to those of the open goal.
const BEATS_UNTIL_REMINDED: u32 = 8;
/// So many beats after that note, without progress, are the end: nothing will come of it.
const BEATS_UNTIL_GIVEN_UP: u32 = 8;
/// Addressed and silent for so many beats is passive.
const PASSIVE_BEATS: u32 = 2;

/// Whether it is time for guidance again.
pub(super) fn may_guide(scene: &Scene) -> bool {
    scene.progress.guided_at.is_none_or(|last| scene.beat.number >= last + BEATS_BETWEEN_GUIDANCE)
}

/// Notes for the next beat.
pub(super) fn give_notes(draft: &mut SceneDraft, verdict: &Verdict) {
    if draft.scene.progress.silent_beats > 0 {
        let (to, text) = match addressed_last(&draft.scene) {
            Some(name) => (Some(name), &NOTES.respond),
            None => (None, &NOTES.respond_for_all),
        };
        draft.push(SceneEvent::Noted { to, text: text.clone(), why: NoteReason::AllSilent });
    }
    if may_guide(&draft.scene) {
        guide(draft, verdict);
    }
    remind(draft, verdict);
    let prepared = draft.scene.prepared.clone();
    for (place, player) in prepared.players.iter().enumerate() {
        let passive = draft.scene.actors[place].passive_beats;
        if passive > 0 && passive.is_multiple_of(PASSIVE_BEATS) {
            let (to, text) = (Some(player.name.clone()), NOTES.passive.clone());
            draft.push(SceneEvent::Noted { to, text, why: NoteReason::Passive });
        }
    }
}

/// Names the first open goal to those whose it is, when nothing has come nearer for a while.
fn remind(draft: &mut SceneDraft, verdict: &Verdict) {
    let (beat, progress) = (draft.scene.beat.number, &draft.scene.progress);
    let reminded = progress.reminded_at.is_some_and(|reminded| reminded >= progress.progress_at);
    if reminded || beat < progress.progress_at + BEATS_UNTIL_REMINDED {
        return;
    }
    let prepared = draft.scene.prepared.clone();
    let mut goals = prepared.situation.goals.iter().zip(&verdict.goals);
    let Some((goal, status)) = goals.find(|(goal, status)| status.met == Some(false) && !goal.negated) else {
        return;
    };
    let text = NOTES.open_goal(&status.text);
    for to in subjects_of(&prepared, goal) {
        draft.push(SceneEvent::Noted { to, text: text.clone(), why: NoteReason::OpenGoal });
    }
}

/// Whether a scene has had its note and as many beats again, and its goal is still open. Only where a model judges and
/// has said so since the note: the rules miss goals that are met in other words, and would end good scenes.
pub(super) fn gets_nowhere(scene: &Scene, verdict: &Verdict) -> bool {
    let (beat, progress) = (scene.beat.number, &scene.progress);
    let Some(reminded) = progress.reminded_at.filter(|reminded| *reminded >= progress.progress_at) else {
        return false;
    };
    let open = |verdict: &Verdict| verdict.goals.iter().any(|goal| goal.met == Some(false));
    let opinion = scene.hidden_calls.opinion.as_ref();
    beat >= reminded + BEATS_UNTIL_GIVEN_UP
        && open(verdict)
        && opinion.is_some_and(|opinion| opinion.beat > reminded && open(&opinion.verdict))
}

/// Those a goal is about, or everyone if none or all of the cast are.
fn subjects_of(prepared: &Prepared, goal: &Goal) -> Vec<Option<Name>> {
    let is_subject = |(place, display): (usize, &String)| match &goal.reading {
        Ok(reading) if goal.subjects.is_empty() => reading.subject.contains(&place),
        _ => goal.subjects.contains(display),
    };
    let players = prepared.players.iter().enumerate();
    let subjects = players.filter(|(place, player)| is_subject((*place, &player.display)));
    let to: Vec<Option<Name>> = subjects.map(|(_, player)| Some(player.name.clone())).collect();
    if to.is_empty() || to.len() == prepared.players.len() { vec![None] } else { to }
}

/// The one that the newest line which is addressed to one of the cast is addressed to, if it can answer.
fn addressed_last(scene: &Scene) -> Option<Name> {
    let players = &scene.prepared.players;
    let target = scene.lines.iter().rev().find_map(|line| {
        let (who, reply) = line.actor()?;
        let target = reply.target.as_deref()?;
        players.iter().position(|player| player.name != *who && names(target, &player.display))
    })?;
    scene.actors[target].benched_at.is_none().then(|| players[target].name.clone())
}

/// Says that the end is near, to whom it concerns.
fn guide(draft: &mut SceneDraft, verdict: &Verdict) {
    let prepared = draft.scene.prepared.clone();
    let goals = prepared.situation.goals.iter().zip(&verdict.goals);
    let mut open = goals.filter(|(_, status)| status.met != Some(true));
    let last_open = match (open.next(), open.next()) {
        (Some((goal, status)), None) => Some((goal, status)),
        _ => None,
    };
    match last_open.filter(|(_, status)| verdict.goals.len() > 1 && status.met == Some(false)) {
        Some((goal, status)) if is_near(&draft.scene, goal, verdict) => {
            close(draft, &prepared, goal, status);
        }
        None if verdict.confidence >= WRAP_UP_AT => {
            let text = NOTES.wrap_up.clone();
            draft.push(SceneEvent::Noted { to: None, text, why: NoteReason::WrapUp });
        }
        _ => {}
    }
}

/// Whether the last open goal is within reach: the scene is all but over, or what the goal waits for has just
/// happened. After a refusal it is not, and the character must not be talked out of it.
fn is_near(scene: &Scene, goal: &Goal, verdict: &Verdict) -> bool {
    let beat = scene.beat.number;
    let lines = || scene.lines.iter().rev().take_while(move |line| line.beat == beat);
    let by_subject =
        |name: &Name| goal.subjects.iter().any(|subject| subject == scene.prepared.display(name));
    let refused = lines().any(|line| {
        line.actor().is_some_and(|(who, _)| by_subject(who))
            && (line.acts().has(Act::Refuse) || goal.act.is_some_and(|act| line.acts().denies(act)))
    });
    let invited = || {
        lines().any(|line| {
            line.actor().is_some_and(|(who, _)| !by_subject(who))
                && goal.act.is_some_and(|act| line.acts().invites(act))
        })
    };
    !refused && (verdict.confidence >= WRAP_UP_AT || invited())
}

/// Tells the subjects of the last open goal, or everyone if it has none in the cast.
fn close(draft: &mut SceneDraft, prepared: &Prepared, goal: &Goal, status: &GoalStatus) {
    let text = NOTES.closing(&status.text);
    for to in subjects_of(prepared, goal) {
        draft.push(SceneEvent::Noted { to, text: text.clone(), why: NoteReason::Closing });
    }
}
