//! Hidden calls: a model judge and a writer of world events, asked beside the beats and never in their way.
//!
//! The rules stay in charge. What a model says is checked, counts when the beat that was played meanwhile
//! settles, and is done without when it does not come. Only where the rules themselves think that the scene
//! is about to be over does it wait for the judge.

use std::sync::Arc;

use super::{
    Advice, Fidelity, HiddenPurpose, Line, NoteReason, Opinion, Said, Scene, SceneEvent, ask_next, budget,
    event_writer, guidance,
    machine::{SceneDraft, bounded},
    model_judge, moderator,
};
use crate::{
    budget::{CallAllowance, EarlierCalls, EarlierCallsByModel},
    fallback,
    judge::Verdict,
    production::{Answer, CallId, Failure},
    request::Request,
    usage::Usage,
};

/// From this confidence of the rules on, the scene waits for the judge before it goes on.
const WAIT_AT: f64 = 0.8;
/// A judge that gave no answer is asked about the same lines again after so many beats.
const BEATS_UNTIL_ASKED_AGAIN: u32 = 3;
/// How often the judge of a scene without goals is asked: it can only say that the talk has come to rest.
const BEATS_BETWEEN_OPINIONS: u32 = 3;
/// Fidelity below this counts as out of character.
const OUT_OF_CHARACTER: f64 = 0.5;
/// An actor is not corrected again for so many beats: it needs time to find back.
const BEATS_BETWEEN_CORRECTIONS: u32 = 3;

/// What was asked beside the play, and what has come of it.
#[derive(Debug, Clone, Default)]
pub(super) struct HiddenCalls {
    pub(super) calls: Vec<HiddenCall>,
    /// The judge's newest.
    pub(super) opinion: Option<Arc<Opinion>>,
    /// Whether a line that this opinion stands on has been cut since.
    pub(super) evidence_cut: bool,
    /// Whether that opinion has come in since the last beat was opened, so that its advice is still to be
    /// given.
    pub(super) news: bool,
    pub(super) judge_asked_at: Option<u32>,
    pub(super) event: Option<WrittenEvent>,
    /// What the run that this one was forked from had asked for and not got by then.
    asked_by_parent: Vec<HiddenPurpose>,
    judge_calls: EarlierCallsByModel,
    writer_calls: EarlierCallsByModel,
}

/// A hidden call under way.
#[derive(Debug, Clone)]
pub(super) struct HiddenCall {
    pub(super) purpose: HiddenPurpose,
    pub(super) model: Arc<str>,
    /// Which of those that may answer this model is.
    pub(super) rank: usize,
    pub(super) call: CallId,
    pub(super) deadline: CallId,
    pub(super) timeout_ms: u64,
    /// When its time began to run, in UTC milliseconds.
    pub(super) since: i64,
    /// The newest beat it is about.
    pub(super) beat: u32,
    pub(super) allowance: Option<CallAllowance>,
}

impl HiddenCall {
    /// One that may be made now, to see what it takes.
    pub(super) fn planned(scene: &Scene, purpose: HiddenPurpose, model: &str) -> HiddenCall {
        let (model, call, beat) = (model.into(), CallId(0), scene.beat.number);
        let (rank, deadline, timeout_ms, since, allowance) = (0, call, 0, 0, None);
        HiddenCall { purpose, model, rank, call, deadline, timeout_ms, since, beat, allowance }
    }
}

/// What the writer of world events brought, until it happens.
#[derive(Debug, Clone)]
pub(super) enum WrittenEvent {
    Event(Arc<str>),
    /// Nothing: one of the built-in events has to do.
    Nothing,
}

impl HiddenCalls {
    pub(super) fn pending(&self, purpose: HiddenPurpose) -> bool {
        self.calls.iter().any(|hidden| hidden.purpose == purpose)
    }

    pub(super) fn by_call(&self, call: CallId) -> Option<&HiddenCall> {
        self.calls.iter().find(|hidden| hidden.call == call)
    }

    /// What earlier calls for the same have told of what they used.
    pub(super) fn earlier_calls(&self, hidden: &HiddenCall) -> EarlierCalls {
        match hidden.purpose {
            HiddenPurpose::Judge => self.judge_calls.of(hidden.rank),
            HiddenPurpose::WorldEvent => self.writer_calls.of(hidden.rank),
        }
    }

    pub(super) fn count_call(&mut self, hidden: &HiddenCall, usage: Option<&Usage>) {
        let calls = match hidden.purpose {
            HiddenPurpose::Judge => &mut self.judge_calls,
            HiddenPurpose::WorldEvent => &mut self.writer_calls,
        };
        calls.add(hidden.rank, hidden.allowance, usage);
    }

    pub(super) fn fold_consulted(&mut self, hidden: HiddenCall) {
        match hidden.purpose {
            HiddenPurpose::Judge => self.judge_asked_at = Some(hidden.beat),
            // Another model is asked for what the one before has not written.
            HiddenPurpose::WorldEvent => {
                self.event.take_if(|event| matches!(event, WrittenEvent::Nothing));
            }
        }
        self.calls.push(hidden);
    }

    /// A line was cut: what it showed as a whole may be what the opinion stands on.
    pub(super) fn fold_cut(&mut self, line: &Line) {
        let goals = self.opinion.iter().flat_map(|opinion| &opinion.verdict.goals);
        let mut evidence = goals.filter_map(|goal| goal.evidence.as_deref());
        self.evidence_cut |= evidence.any(|quote| line.spoken() == Some(quote));
    }

    /// Another run made the calls under way, and it is that one they are answered to.
    pub(super) fn forget_calls_of_parent(&mut self) {
        self.asked_by_parent = self.calls.drain(..).map(|hidden| hidden.purpose).collect();
    }

    pub(super) fn fold_outcome(&mut self, call: CallId, advice: Option<&Advice>) {
        let Some(at) = self.calls.iter().position(|hidden| hidden.call == call) else { return };
        let hidden = self.calls.remove(at);
        match advice {
            Some(Advice::Opinion(opinion)) => {
                self.opinion = Some(Arc::new(opinion.clone()));
                self.evidence_cut = false;
                self.news = true;
            }
            Some(Advice::WorldEvent(text)) => self.event = Some(WrittenEvent::Event(text.as_str().into())),
            None if hidden.purpose == HiddenPurpose::WorldEvent => self.event = Some(WrittenEvent::Nothing),
            None => {}
        }
    }
}

impl Scene {
    /// What a hidden call says to its model.
    pub(super) fn hidden_request(&self, hidden: &HiddenCall) -> Request {
        let request = match hidden.purpose {
            HiddenPurpose::WorldEvent => event_writer::request(self, hidden),
            HiddenPurpose::Judge => model_judge::request(self, hidden),
        };
        let (models, first) = (&self.setup().models, self.hidden_model(hidden.purpose).unwrap_or_default());
        let timeout_ms = fallback::timeout_ms(models, first, hidden.rank, hidden.timeout_ms);
        Request { timeout_ms, ..request }
    }

    /// The name of the model that is asked, where there is one.
    pub(super) fn hidden_model(&self, purpose: HiddenPurpose) -> Option<&str> {
        match purpose {
            HiddenPurpose::Judge => self.setup().judge.as_deref(),
            HiddenPurpose::WorldEvent => self.setup().event_writer.as_deref(),
        }
    }

    /// Whether the judge has been heard about all there is to hear.
    pub(super) fn opinion_is_fresh(&self) -> bool {
        let opinion = self.hidden_calls.opinion.as_ref();
        opinion.is_some_and(|opinion| self.heard_since(Some(opinion.beat)).next().is_none())
    }

    /// What was said, done or happened after a beat; from the beginning where none is given.
    fn heard_since(&self, beat: Option<u32>) -> impl Iterator<Item = &Line> {
        let known = beat.map_or(0, |beat| self.lines.through(beat));
        let new = self.lines.range(known..self.lines.len());
        new.filter(|line| !matches!(line.said, Said::System { .. }))
    }
}

/// Asks the judge, or goes on waiting for it, where the rules think that the scene is about to be over. Says
/// whether there is anything to wait for.
pub(super) fn waits_for_judge(draft: &mut SceneDraft, rules: &Verdict) -> bool {
    let scene = &draft.scene;
    if scene.setup().judge.is_none() || rules.confidence < WAIT_AT || scene.opinion_is_fresh() {
        return false;
    }
    if scene.hidden_calls.pending(HiddenPurpose::Judge) {
        return true;
    }
    // Asked about this beat and nothing came of it: the rules take over.
    if scene.hidden_calls.judge_asked_at == Some(scene.beat.number) {
        return false;
    }
    consult_alone(draft, HiddenPurpose::Judge)
}

/// Whether there is a reason to ask the judge beside the next beat: something it has not been asked about yet and that
/// could change what it says. `verdict` is what is known by now.
pub(super) fn wants_judge(scene: &Scene, verdict: &Verdict) -> bool {
    let (beat, hidden) = (scene.beat.number, &scene.hidden_calls);
    if scene.setup().judge.is_none() || hidden.pending(HiddenPurpose::Judge) {
        return false;
    }
    let asked = hidden.judge_asked_at;
    if asked.is_some_and(|asked| beat <= asked) {
        return false;
    }
    let unanswered =
        asked.filter(|asked| hidden.opinion.as_ref().is_none_or(|opinion| opinion.beat < *asked));
    let again = unanswered.is_some_and(|asked| beat >= asked + BEATS_UNTIL_ASKED_AGAIN);
    let due = match verdict.goals.is_empty() {
        true => beat + 1 >= asked.map_or(0, |asked| asked + 1) + BEATS_BETWEEN_OPINIONS,
        false => true,
    };
    let news = || scene.heard_since(asked).any(|line| may_change_verdict(scene, verdict, line));
    again || hidden.evidence_cut || due && news()
}

/// Whether a line could meet a goal that is open: it is from somebody whom that goal is about. Once all are met any line
/// may bring the scene to rest, or take back what was said.
fn may_change_verdict(scene: &Scene, verdict: &Verdict, line: &Line) -> bool {
    let goals = scene.prepared.situation.goals.iter().zip(&verdict.goals);
    let mut open = goals.filter(|(_, status)| status.met != Some(true)).map(|(goal, _)| goal).peekable();
    if open.peek().is_none() {
        return true;
    }
    let speaker = line.actor().map(|(who, _)| scene.prepared.display(who));
    open.any(|goal| match speaker {
        Some(speaker) => goal.subjects.is_empty() || goal.subjects.iter().any(|name| name == speaker),
        None => goal.subjects.is_empty(),
    })
}

/// Asks again, for this run, what the run it was forked from was waiting for.
pub(super) fn ask_again_after_fork(draft: &mut SceneDraft) {
    for purpose in draft.scene.hidden_calls.asked_by_parent.clone() {
        consult_alone(draft, purpose);
    }
}

/// Asks, if the budget has room for it, and says whether it does.
fn consult_alone(draft: &mut SceneDraft, purpose: HiddenPurpose) -> bool {
    match budget::plan_hidden(&draft.scene, purpose) {
        Ok(reserved) => consult(draft, purpose, reserved),
        Err(_) => false,
    }
}

/// Asks, where there is a model for it. What is asked beside a beat counts once that has settled.
pub(super) fn consult(
    draft: &mut SceneDraft,
    purpose: HiddenPurpose,
    reserved: Option<CallAllowance>,
) -> bool {
    let Some(model) = draft.scene.hidden_model(purpose).map(str::to_owned) else { return false };
    let (call, timeout_ms) = (draft.scene.next_call, draft.scene.setup().reply_timeout_ms);
    let deadline = CallId(call.0 + 1);
    draft.push(SceneEvent::Consulted { call, purpose, model, deadline, timeout_ms, beat: None, reserved });
    true
}

/// A hidden call was answered.
pub(super) fn answered(draft: &mut SceneDraft, call: CallId, answer: &Answer) {
    let Some(hidden) = draft.scene.hidden_calls.by_call(call) else { return };
    let (purpose, beat) = (hidden.purpose, hidden.beat);
    let (raw, _) = bounded(&answer.text);
    let read = match purpose {
        HiddenPurpose::WorldEvent => {
            event_writer::read(raw).map(|text| (Advice::WorldEvent(text), Vec::new()))
        }
        HiddenPurpose::Judge => model_judge::read(raw, &draft.scene, beat)
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
    go_on(draft);
}

pub(super) fn failed(draft: &mut SceneDraft, call: CallId, failure: &Failure) {
    let Some(hidden) = draft.scene.hidden_calls.by_call(call).cloned() else { return };
    draft.push(SceneEvent::AdviceFailed { call, error: failure.error.clone(), usage: failure.usage });
    if !ask_next::consult_next(draft, &hidden, failure.kind) {
        go_on(draft);
    }
}

/// The time for a hidden call is up.
pub(super) fn time_up(draft: &mut SceneDraft, deadline: CallId) {
    let hidden = draft.scene.hidden_calls.calls.iter().find(|hidden| hidden.deadline == deadline);
    let Some((call, timeout_ms)) = hidden.map(|hidden| (hidden.call, hidden.timeout_ms)) else { return };
    let error = format!("Response timeout after {}s", timeout_ms as f64 / 1000.0);
    draft.push(SceneEvent::AdviceFailed { call, error, usage: None });
    go_on(draft);
}

/// Between two beats only hidden calls are waited for: the judge's opinion, or what a call does not use of
/// the budget.
fn go_on(draft: &mut SceneDraft) {
    if !draft.scene.beat.open {
        moderator::conclude(draft);
    }
}

/// Notes who has fallen out of character, also where the scene is about to end.
pub(super) fn note_drift(draft: &mut SceneDraft) {
    for Fidelity { actor, score, why } in news(&draft.scene).iter().flat_map(|opinion| drifting(opinion)) {
        draft.push(SceneEvent::Drifted { actor: actor.clone(), score: *score, why: why.clone() });
    }
}

/// What the judge said since the last beat was opened.
fn news(scene: &Scene) -> Option<Arc<Opinion>> {
    scene.hidden_calls.opinion.clone().filter(|_| scene.hidden_calls.news)
}

fn drifting(opinion: &Opinion) -> impl Iterator<Item = &Fidelity> {
    opinion.fidelity.iter().filter(|fidelity| fidelity.score < OUT_OF_CHARACTER)
}

/// Passes on the judge's note, and corrects actors that are out of character.
pub(super) fn give_advice(draft: &mut SceneDraft) {
    let Some(opinion) = news(&draft.scene) else { return };
    let beat = draft.scene.beat.number;
    for Fidelity { actor, why, .. } in drifting(&opinion) {
        let Some(place) = draft.scene.prepared.place(actor) else { continue };
        let corrected = draft.scene.actors[place].corrected_at;
        if corrected.is_none_or(|at| beat >= at + BEATS_BETWEEN_CORRECTIONS) {
            let text = format!("You are drifting out of character. {why}");
            draft.push(SceneEvent::Noted { to: Some(actor.clone()), text, why: NoteReason::Drift });
        }
    }
    if let Some(note) = &opinion.note
        && guidance::may_guide(&draft.scene)
    {
        let (to, text) = (opinion.note_to.clone(), note.clone());
        draft.push(SceneEvent::Noted { to, text, why: NoteReason::Judge });
    }
}
