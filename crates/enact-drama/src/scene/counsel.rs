//! Hidden calls: a model judge and a writer of world events, asked beside the beats and never in their way.
//!
//! The rules stay in charge. What a model says is checked, counts when the beat that was played meanwhile settles,
//! and is done without when it does not come. Only where the rules themselves think that the scene is about to be over
//! does it wait for the judge.

use std::sync::Arc;

use super::{
    Advice, Fidelity, HiddenPurpose, Lines, NoteReason, Opinion, Scene, SceneEvent, event_writer,
    machine::{Draft, bounded},
    moderator, opinion,
};
use crate::{
    judge::{GoalStatus, Verdict},
    production::{Answer, CallId, Failure},
    request::Request,
    usage::Usage,
};

/// From this confidence of the rules on, the scene waits for the judge before it goes on.
const WAIT_AT: f64 = 0.8;
/// The judge is asked at least every so many beats, whether or not the rules see anything move.
const BEATS_BETWEEN_OPINIONS: u32 = 3;
/// Below this an actor has become somebody else.
const OUT_OF_CHARACTER: f64 = 0.5;
/// An actor is not corrected again for so many beats: it needs time to find back.
const BEATS_BETWEEN_CORRECTIONS: u32 = 3;

/// What was asked beside the play, and what has come of it.
#[derive(Debug, Clone, Default)]
pub(super) struct Counsel {
    pub(super) sought: Vec<Sought>,
    /// The judge's newest.
    pub(super) opinion: Option<Arc<Opinion>>,
    /// Whether that opinion has come in since the last beat was opened, so that its advice is still to be given.
    pub(super) news: bool,
    pub(super) judge_asked_at: Option<u32>,
    pub(super) event: Option<Written>,
    /// What the run that this one was forked from had asked for and not got by then.
    left_behind: Vec<HiddenPurpose>,
}

/// A hidden call under way.
#[derive(Debug, Clone)]
pub(super) struct Sought {
    pub(super) purpose: HiddenPurpose,
    pub(super) model: Arc<str>,
    pub(super) call: CallId,
    pub(super) deadline: CallId,
    pub(super) timeout_ms: u64,
    /// The newest beat it is about.
    pub(super) beat: u32,
}

/// What the writer of world events brought, until it happens.
#[derive(Debug, Clone)]
pub(super) enum Written {
    Event(Arc<str>),
    /// Nothing: one of the built-in events has to do.
    Nothing,
}

impl Counsel {
    pub(super) fn pending(&self, purpose: HiddenPurpose) -> bool {
        self.sought.iter().any(|sought| sought.purpose == purpose)
    }

    pub(super) fn by_call(&self, call: CallId) -> Option<&Sought> {
        self.sought.iter().find(|sought| sought.call == call)
    }

    /// Another run made the calls under way, and it is that one they are answered to.
    pub(super) fn leave_behind(&mut self) {
        self.left_behind = self.sought.drain(..).map(|sought| sought.purpose).collect();
    }

    pub(super) fn fold_outcome(&mut self, call: CallId, advice: Option<&Advice>) {
        let Some(at) = self.sought.iter().position(|sought| sought.call == call) else { return };
        let sought = self.sought.remove(at);
        match advice {
            Some(Advice::Opinion(opinion)) => {
                self.opinion = Some(Arc::new(opinion.clone()));
                self.news = true;
            }
            Some(Advice::WorldEvent(text)) => self.event = Some(Written::Event(text.as_str().into())),
            None if sought.purpose == HiddenPurpose::WorldEvent => self.event = Some(Written::Nothing),
            None => {}
        }
    }
}

impl Scene {
    /// What a hidden call says to its model.
    pub(super) fn hidden_request(&self, sought: &Sought) -> Request {
        match sought.purpose {
            HiddenPurpose::WorldEvent => event_writer::request(self, sought.beat, sought.timeout_ms),
            HiddenPurpose::Judge => opinion::request(self, sought.beat, sought.timeout_ms),
        }
    }

    /// Whether the judge has been heard about the beat that was played last.
    fn opinion_is_fresh(&self) -> bool {
        self.counsel.opinion.as_ref().is_some_and(|opinion| opinion.beat == self.beat.number)
    }
}

/// Asks the judge, or goes on waiting for it, where the rules think that the scene is about to be over. Says whether
/// there is anything to wait for.
pub(super) fn waits_for_judge(draft: &mut Draft, rules: &Verdict) -> bool {
    let scene = &draft.scene;
    if scene.setup().judge.is_none() || rules.confidence < WAIT_AT || scene.opinion_is_fresh() {
        return false;
    }
    if scene.counsel.pending(HiddenPurpose::Judge) {
        return true;
    }
    // Asked about this beat and nothing came of it: the rules take over.
    if scene.counsel.judge_asked_at == Some(scene.beat.number) {
        return false;
    }
    consult(draft, HiddenPurpose::Judge)
}

/// Asks the judge beside the next beat, if there is a reason to.
pub(super) fn ask_judge(draft: &mut Draft, rules: &Verdict) {
    let scene = &draft.scene;
    let beat = scene.beat.number;
    if scene.setup().judge.is_none()
        || scene.counsel.pending(HiddenPurpose::Judge)
        || scene.counsel.judge_asked_at == Some(beat)
    {
        return;
    }
    let due =
        scene.counsel.judge_asked_at.map_or(BEATS_BETWEEN_OPINIONS - 1, |at| at + BEATS_BETWEEN_OPINIONS);
    if beat >= due || moved(&scene.beat.before, scene, rules) {
        consult(draft, HiddenPurpose::Judge);
    }
}

/// Asks for something to happen; it does once the next beat has settled.
pub(super) fn ask_event_writer(draft: &mut Draft) {
    consult(draft, HiddenPurpose::WorldEvent);
}

/// Asks again, for this run, what the run it was forked from was waiting for.
pub(super) fn ask_anew(draft: &mut Draft) {
    for purpose in draft.scene.counsel.left_behind.clone() {
        consult(draft, purpose);
    }
}

fn consult(draft: &mut Draft, purpose: HiddenPurpose) -> bool {
    let setup = draft.scene.setup();
    let model = match purpose {
        HiddenPurpose::Judge => setup.judge.clone(),
        HiddenPurpose::WorldEvent => setup.event_writer.clone(),
    };
    let Some(model) = model else { return false };
    let (call, timeout_ms) = (draft.scene.next_call, setup.reply_timeout_ms);
    let deadline = CallId(call.0 + 1);
    draft.push(SceneEvent::Consulted { call, purpose, model, deadline, timeout_ms });
    true
}

/// Whether the rules see another picture than before the beat.
fn moved(before: &Lines, scene: &Scene, now: &Verdict) -> bool {
    let met = |verdict: &Verdict| verdict.goals.iter().map(|goal| goal.met).collect::<Vec<_>>();
    let then = moderator::verdict_on(scene, before);
    met(&then) != met(now) || then.closure != now.closure || then.positions != now.positions
}

/// A hidden call was answered.
pub(super) fn answered(draft: &mut Draft, call: CallId, answer: &Answer) {
    let Some(sought) = draft.scene.counsel.by_call(call) else { return };
    let (purpose, beat) = (sought.purpose, sought.beat);
    let (raw, _) = bounded(&answer.text);
    let read = match purpose {
        HiddenPurpose::WorldEvent => {
            event_writer::read(raw).map(|text| (Advice::WorldEvent(text), Vec::new()))
        }
        HiddenPurpose::Judge => opinion::read(raw, &draft.scene, beat)
            .map(|(opinion, complaints)| (Advice::Opinion(opinion), complaints)),
    };
    draft.push(match read {
        Ok((advice, complaints)) => SceneEvent::Advised {
            call,
            raw: raw.to_owned(),
            advice,
            complaints,
            usage: answer.usage,
            took_ms: answer.took_ms,
        },
        Err(error) => SceneEvent::AdviceFailed { call, error, usage: answer.usage },
    });
    go_on(draft, purpose);
}

pub(super) fn failed(draft: &mut Draft, call: CallId, failure: &Failure) {
    give_up(draft, call, failure.error.clone(), failure.usage);
}

/// The time for a hidden call is up.
pub(super) fn time_up(draft: &mut Draft, deadline: CallId) {
    let sought = draft.scene.counsel.sought.iter().find(|sought| sought.deadline == deadline);
    let Some((call, timeout_ms)) = sought.map(|sought| (sought.call, sought.timeout_ms)) else { return };
    give_up(draft, call, format!("Response timeout after {}s", timeout_ms as f64 / 1000.0), None);
}

fn give_up(draft: &mut Draft, call: CallId, error: String, usage: Option<Usage>) {
    let Some(purpose) = draft.scene.counsel.by_call(call).map(|sought| sought.purpose) else { return };
    draft.push(SceneEvent::AdviceFailed { call, error, usage });
    go_on(draft, purpose);
}

/// Between two beats nothing but the judge is waited for.
fn go_on(draft: &mut Draft, heard_from: HiddenPurpose) {
    if heard_from == HiddenPurpose::Judge && !draft.scene.beat.open {
        moderator::conclude(draft);
    }
}

/// What the rules and the judge say together.
///
/// Of the beat it has seen the judge's word counts; the rules fill in what it did not say. Since then a goal is met
/// if either says so: the judge for what rules cannot read, the rules for what happened after it looked.
pub(super) fn together(rules: Verdict, scene: &Scene) -> Verdict {
    let Some(opinion) = &scene.counsel.opinion else { return rules };
    let (judge, fresh) = (&opinion.verdict, scene.opinion_is_fresh());
    let still_heard = |judged: &&GoalStatus| {
        let shown = |quote: &String| scene.lines.iter().any(|line| opinion::evidence(line) == quote);
        judged.evidence.as_ref().is_none_or(shown)
    };
    let goals = rules.goals.into_iter().zip(&judge.goals).map(|(rule, judged)| {
        // The line it stands on may have been cut since: then nobody heard what it shows.
        Some(judged)
            .filter(still_heard)
            .map_or_else(|| rule.clone(), |judged| both(rule.clone(), judged, fresh))
    });
    let goals: Vec<GoalStatus> = goals.collect();
    let all_met = !goals.is_empty() && goals.iter().all(|goal| goal.met == Some(true));
    let at_rest = judge.closure || !opinion.left_to_explore;
    if fresh {
        return Verdict { complete: all_met && at_rest, goals, ..judge.clone() };
    }
    Verdict {
        complete: rules.complete || (all_met && at_rest),
        confidence: rules.confidence.max(judge.confidence),
        goals,
        closure: rules.closure,
        positions: rules.positions,
    }
}

fn both(rule: GoalStatus, judged: &GoalStatus, fresh: bool) -> GoalStatus {
    let by_rule = match (judged.met, rule.met) {
        (None, _) => true,
        (Some(true), _) => false,
        (Some(false), Some(true)) => !fresh,
        (Some(false), _) => false,
    };
    if by_rule { rule } else { judged.clone() }
}

/// Notes who has fallen out of character, also where the scene is about to end.
pub(super) fn note_drift(draft: &mut Draft) {
    for Fidelity { actor, score, why } in news(&draft.scene).iter().flat_map(|opinion| drifting(opinion)) {
        draft.push(SceneEvent::Drifted { actor: actor.clone(), score: *score, why: why.clone() });
    }
}

/// What the judge said since the last beat was opened.
fn news(scene: &Scene) -> Option<Arc<Opinion>> {
    scene.counsel.opinion.clone().filter(|_| scene.counsel.news)
}

fn drifting(opinion: &Opinion) -> impl Iterator<Item = &Fidelity> {
    opinion.fidelity.iter().filter(|fidelity| fidelity.score < OUT_OF_CHARACTER)
}

/// Passes on what the judge would whisper, and corrects whoever has fallen out of character.
pub(super) fn heed(draft: &mut Draft) {
    let Some(opinion) = news(&draft.scene) else { return };
    let beat = draft.scene.beat.number;
    for Fidelity { actor, why, .. } in drifting(&opinion) {
        let Some(place) = draft.scene.company.place(actor) else { continue };
        let corrected = draft.scene.actors[place].corrected_at;
        if corrected.is_none_or(|at| beat >= at + BEATS_BETWEEN_CORRECTIONS) {
            let text = format!("You are drifting out of character. {why}");
            draft.push(SceneEvent::Noted { to: Some(actor.clone()), text, why: NoteReason::Drift });
        }
    }
    if let Some(note) = &opinion.note
        && moderator::may_guide(&draft.scene)
    {
        draft.push(SceneEvent::Noted { to: None, text: note.clone(), why: NoteReason::Judge });
    }
}
