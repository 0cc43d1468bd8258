//! The calls in flight: started when they become pending, dropped when they no longer are.

use std::{
    collections::{BTreeMap, HashSet, VecDeque},
    panic::AssertUnwindSafe,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use enact_drama::{
    Ask, CallId, Effect, Happened, Production, RunId,
    production::{Answer, Delta, Failure, Speak},
    voice::{PassedOver, Spoken},
};
use futures::FutureExt;
use tokio::{sync::mpsc, task::AbortHandle, time::Instant};
use tracing::{Instrument, Span};

use crate::{
    failures::RunFailures,
    model::{LiveText, Model, Timing},
    resources::Resources,
    run_loop::DeltaSink,
    spans::RunSpans,
    voice::SpeechRecorder,
};

/// The models of a run, by the names its setup uses.
pub type Models = BTreeMap<String, Arc<dyn Model>>;

/// The effects in flight of one run. Outcomes, timers included, are returned in order of arrival: a reply
/// that arrived before its deadline counts, however late the loop asks for it.
pub(crate) struct Calls<C> {
    in_flight: BTreeMap<CallId, InFlight>,
    /// How many simulated answers have not arrived.
    simulated: usize,
    outcomes: mpsc::UnboundedReceiver<CallOutcome<C>>,
    outcome_sender: mpsc::UnboundedSender<CallOutcome<C>>,
    /// Simulated answers that wait for the others asked with them.
    held: Vec<(u64, usize, CallOutcome<C>)>,
    /// What has arrived, in order, ready to be given out.
    ready: VecDeque<CallOutcome<C>>,
    spans: RunSpans,
    audience: Option<Arc<dyn DeltaSink>>,
    failures: Option<RunFailures>,
    /// Timers that the rules have just heard of: calls that are dropped now and were limited by them are
    /// late.
    passed_timers: Vec<CallId>,
}

#[derive(Debug)]
struct InFlight {
    call: CallId,
    /// Of a call to a model: its name, and the timer that limits it.
    asked: Option<(String, Option<CallId>)>,
    _task: Option<AbortOnDrop>,
    /// For simulated answers, the place that settles ties.
    simulated: Option<usize>,
    /// Whether something is said aloud.
    speech: bool,
}

impl InFlight {
    fn new(call: CallId) -> InFlight {
        InFlight { call, asked: None, _task: None, simulated: None, speech: false }
    }
}

/// Aborts its task on drop; a finished task is unaffected.
#[derive(Debug)]
struct AbortOnDrop(AbortHandle);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// What came of a call. Boxed, because a channel takes room for 32 of them at once, for every run.
type CallOutcome<C> = (CallId, Box<Happened<C>>);

impl<C: Send + 'static> Calls<C> {
    /// Nothing is in flight yet. What will be is told to telemetry below the span of the run.
    pub(crate) fn new(
        run: (Span, RunId),
        audience: Option<Arc<dyn DeltaSink>>,
        failures: Option<RunFailures>,
    ) -> Calls<C> {
        // Unbounded channel, bounded in fact: at most one message per effect in flight, and the rules bound
        // those by the cast.
        let (outcome_sender, outcomes) = mpsc::unbounded_channel();
        let (held, ready, spans) = (Vec::new(), VecDeque::new(), RunSpans::of(run.0, run.1));
        Calls {
            in_flight: BTreeMap::new(),
            simulated: 0,
            outcomes,
            outcome_sender,
            held,
            ready,
            spans,
            audience,
            failures,
            passed_timers: Vec::new(),
        }
    }

    /// Starts what is newly pending and drops what no longer is. Linear in what is pending: thousands may be.
    pub(crate) fn sync<P: Production<Command = C>>(&mut self, production: &P, resources: &Resources) {
        let pending = production.pending();
        let wanted: HashSet<CallId> = pending.iter().map(Effect::call).collect();
        let (simulated, passed_timers) = (&mut self.simulated, &self.passed_timers);
        self.in_flight.retain(|call, in_flight| {
            let keep = wanted.contains(call);
            if !keep {
                *simulated -= usize::from(in_flight.simulated.is_some());
                if let (Some(failures), Some((model, Some(timer)))) = (&self.failures, &in_flight.asked)
                    && passed_timers.contains(timer)
                {
                    failures.model_timeout(model);
                }
            }
            keep
        });
        self.passed_timers.clear();
        self.held.retain(|(.., (call, _))| wanted.contains(call));
        self.ready.retain(|(call, _)| wanted.contains(call));
        self.spans.enter_beat(production.beat());
        for (effect, timer) in self.new_effects(&pending) {
            self.start(production, effect, timer, resources);
        }
        self.release_if_complete();
    }

    /// What is pending and not under way, each with the timer that limits it: the next one in the list.
    fn new_effects<'a>(&self, pending: &'a [Effect]) -> Vec<(&'a Effect, Option<CallId>)> {
        let mut timer = None;
        let mut new = Vec::new();
        for effect in pending.iter().rev() {
            if let Effect::Timer { call, .. } = effect {
                timer = Some(*call);
            }
            if !self.in_flight.contains_key(&effect.call()) {
                new.push((effect, timer));
            }
        }
        new.reverse();
        new
    }

    /// Whether nothing is under way.
    pub(crate) fn is_empty(&self) -> bool {
        self.in_flight.is_empty()
    }

    /// Whether everything that is pending is under way already.
    pub(crate) fn is_up_to_date<P: Production<Command = C>>(&self, production: &P) -> bool {
        production.pending().iter().all(|effect| self.in_flight.contains_key(&effect.call()))
    }

    /// The next outcome. Cancel safe: nothing is lost if the future is dropped.
    pub(crate) async fn next(&mut self) -> Happened<C> {
        loop {
            if let Some(what) = self.take_ready() {
                return what;
            }
            // The sender lives in `self`, so the channel cannot close.
            let Some(arrival) = self.outcomes.recv().await else { return std::future::pending().await };
            self.on_outcome(arrival);
        }
    }

    /// The next outcome of something that is said aloud, before answers that may have come earlier: those
    /// stay in their order. Cancel safe, as [`next`](Self::next) is.
    pub(crate) async fn next_speech(&mut self) -> Happened<C> {
        loop {
            let is_speech = |call: &CallId| self.in_flight.get(call).is_some_and(|call| call.speech);
            if let Some(at) = self.ready.iter().position(|(call, _)| is_speech(call))
                && let Some((_, what)) = self.ready.remove(at)
            {
                self.spans.record_outcome(&what);
                return *what;
            }
            let Some(arrival) = self.outcomes.recv().await else { return std::future::pending().await };
            self.on_outcome(arrival);
        }
    }

    /// The next outcome, if it has arrived already.
    pub(crate) fn next_if_there(&mut self) -> Option<Happened<C>> {
        while self.ready.is_empty() {
            let arrival = self.outcomes.try_recv().ok()?;
            self.on_outcome(arrival);
        }
        self.take_ready()
    }

    fn take_ready(&mut self) -> Option<Happened<C>> {
        let (_, what) = self.ready.pop_front()?;
        self.spans.record_outcome(&what);
        if let Happened::TimeUp { call } = *what {
            self.passed_timers.push(call);
        }
        Some(*what)
    }

    fn on_outcome(&mut self, (call, what): CallOutcome<C>) {
        let Some(in_flight) = self.in_flight.get_mut(&call) else { return };
        match in_flight.simulated.take() {
            Some(place) => {
                self.simulated -= 1;
                let took_ms = match &*what {
                    Happened::Answered { answer, .. } => answer.took_ms,
                    Happened::Failed { failure, .. } => failure.took_ms,
                    _ => 0,
                };
                self.held.push((took_ms, place, (call, what)));
                self.release_if_complete();
            }
            None => {
                if matches!(*what, Happened::TimeUp { .. }) {
                    // A simulated player hangs: the answers that were held back for it were in time.
                    self.release_simulated();
                }
                self.ready.push_back((call, what));
            }
        }
    }

    /// Once every simulated answer is there, they are given out in the order of their simulated time.
    fn release_if_complete(&mut self) {
        if self.simulated == 0 {
            self.release_simulated();
        }
    }

    fn release_simulated(&mut self) {
        self.held.sort_by_key(|(took_ms, place, ..)| (*took_ms, *place));
        self.ready.extend(self.held.drain(..).map(|(.., outcome)| outcome));
    }

    fn start<P: Production<Command = C>>(
        &mut self,
        production: &P,
        effect: &Effect,
        timer: Option<CallId>,
        resources: &Resources,
    ) {
        let call = effect.call();
        match effect {
            Effect::Timer { after_ms, .. } => {
                let wait = tokio::time::sleep(Duration::from_millis(*after_ms));
                self.spawn(InFlight::new(call), async move {
                    wait.await;
                    Happened::TimeUp { call }
                });
            }
            Effect::Speak(speak) => {
                let (speech, speak) = (resources.speech.clone(), speak.clone());
                let span = self.spans.speech(&speak);
                let failures = self.failures.clone();
                self.spawn(InFlight { speech: true, ..InFlight::new(call) }, async move {
                    let outcome = say_aloud(speech, &speak, failures).instrument(span.span()).await;
                    span.record_outcome(&outcome);
                    match outcome {
                        Ok(spoken) => Happened::Spoken { call, spoken },
                        Err(failure) => Happened::Failed { call, failure },
                    }
                });
            }
            Effect::Ask(ask) => {
                let Some(model) = resources.models.get(&*ask.model).cloned() else {
                    let failure = Failure::new(format!("no model named '{}'", ask.model));
                    return self
                        .spawn(InFlight::new(call), async move { Happened::Failed { call, failure } });
                };
                let simulated = (model.timing() == Timing::Simulated).then_some(ask.place);
                let request = production.request(ask);
                let span = self.spans.call(ask, timer, &*model, &request);
                let live = self.live(ask);
                let (failures, name) = (self.failures.clone(), ask.model.to_string());
                let asked = failures.is_some().then(|| (name.clone(), timer));
                self.spawn(InFlight { simulated, asked, ..InFlight::new(call) }, async move {
                    let outcome = ask_model(&*model, request, live).instrument(span.span()).await;
                    span.record_outcome(&outcome);
                    if let (Some(failures), Err(failure)) = (failures, &outcome) {
                        failures.model(&name, failure);
                    }
                    match outcome {
                        Ok(answer) => Happened::Answered { call, answer },
                        Err(failure) => Happened::Failed { call, failure },
                    }
                });
            }
        }
    }

    fn spawn(&mut self, in_flight: InFlight, work: impl Future<Output = Happened<C>> + Send + 'static) {
        let (call, sender) = (in_flight.call, self.outcome_sender.clone());
        let task = tokio::spawn(async move {
            let what = Box::new(work.await);
            let _ = sender.send((call, what));
        });
        self.simulated += usize::from(in_flight.simulated.is_some());
        self.in_flight.insert(call, InFlight { _task: Some(AbortOnDrop(task.abort_handle())), ..in_flight });
    }
}

impl<C> Calls<C> {
    /// Where an answer goes while it is still coming. Hidden calls have no audience.
    fn live(&self, ask: &Ask) -> LiveText {
        let (Some(audience), Some(actor)) = (self.audience.clone(), ask.actor.clone()) else {
            return LiveText::none();
        };
        let (call, followers, said) = (ask.call, audience.clone(), AtomicUsize::new(0));
        let send = move |text: &str| {
            let at = said.fetch_add(text.len(), Ordering::Relaxed);
            if audience.has_listeners() {
                audience.send(Delta { call, actor: actor.clone(), text: text.to_owned(), at });
            }
        };
        LiveText::to_followers(send, move || followers.has_listeners())
    }
}

/// Says something aloud, where the run has a voice.
async fn say_aloud(
    speech: Option<Arc<SpeechRecorder>>,
    speak: &Speak,
    failures: Option<RunFailures>,
) -> Result<Spoken, Failure> {
    let Some(speech) = speech else { return Err(Failure::new("this run has no voice here")) };
    let Some(failures) = failures else { return speech.record(speak).await };
    let audio = speech.synthesize(speak).await.inspect_err(|failure| {
        failures.voice(speech.voice.description(), &failure.error);
    })?;
    for PassedOver { voice, error } in &audio.passed_over {
        failures.voice(voice.clone(), error);
    }
    speech.keep(speak, audio).await.inspect_err(|failure| failures.artifacts(&failure.error))
}

/// Asks, takes the time, and turns a panic into a failure: whatever a model does costs one reply at most.
async fn ask_model(
    model: &dyn Model,
    request: enact_drama::request::Request,
    live: LiveText,
) -> Result<Answer, Failure> {
    let began = Instant::now();
    let answer = AssertUnwindSafe(model.answer_live(request, live)).catch_unwind().await;
    match answer {
        Ok(Ok(mut answer)) => {
            if model.timing() == Timing::Real {
                answer.took_ms = began.elapsed().as_millis() as u64;
            }
            Ok(answer)
        }
        Ok(Err(failure)) => Err(failure),
        Err(panic) => {
            let said = panic
                .downcast_ref::<&str>()
                .map(|text| (*text).to_owned())
                .or_else(|| panic.downcast_ref::<String>().cloned())
                .unwrap_or_default();
            Err(Failure::new(format!("the model panicked: {said}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use enact_drama::voice::{Utterance, VoiceProfile};

    use super::*;

    #[tokio::test]
    async fn where_nobody_speaks_nothing_can_be_heard() {
        let utterance =
            Utterance { text: "Hello.".into(), meant: None, profile: VoiceProfile::default(), variant: 0 };
        let (utterance, path) = (Arc::new(utterance), "a.wav".into());
        let speak = Speak { call: CallId(1), utterance, path, timeout_ms: 1 };
        let failure = say_aloud(None, &speak, None).await.unwrap_err();
        assert_eq!(failure.error, "this run has no voice here");
    }
}
