//! What telemetry sees of a run: a span for the run, one for each beat, one for each call, one for everything
//! said aloud.
//!
//! Names follow OpenTelemetry's conventions for generative AI where it has any, and are `enact.*` elsewhere.
//! Spans say who was asked, how long it took and what it used, never what was said: texts of requests,
//! answers and failures stay in the log. Without a subscriber the run's span is disabled, and nothing below
//! it is even named.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use enact_drama::{
    CallId, Happened, Production, RunId,
    production::{Answer, Ask, Failure, FailureKind},
    request::Request,
    usage::Usage,
};
use tokio::sync::mpsc;
use tracing::{Instrument, Span, field::Empty};

use crate::{
    Model,
    call_telemetry::number,
    resources::Resources,
    run_loop::{self, ActiveRun, LoopEnd, Signal},
};

mod speech;

/// Plays what has begun or was taken over, and lets telemetry see it.
pub(crate) async fn play_traced<P: Production>(
    active: Box<ActiveRun<'_, P>>,
    resources: Resources,
    signals: &mut mpsc::Receiver<Signal>,
) -> Result<LoopEnd<P>, run_loop::Error> {
    let span = run(&active);
    let played = active.play(resources, signals).instrument(span.clone()).await;
    ended(&span, &played);
    played
}

/// A run, from where this process begins to play it. One that has ended already is not seen again.
fn run<P: Production>(active: &ActiveRun<'_, P>) -> Span {
    if active.production.ended().is_some() {
        return Span::none();
    }
    tracing::info_span!(
        "run",
        enact.run.id = %active.claim.run,
        enact.production = P::NAME,
        enact.run.name = active.production.title(),
        enact.run.end_reason = Empty,
        error.type = Empty,
        otel.status_code = Empty,
    )
}

/// How playing a run ended.
fn ended<P: Production>(run: &Span, played: &Result<LoopEnd<P>, run_loop::Error>) {
    match played {
        Ok(LoopEnd::Stopped { production, .. }) => {
            run.record("enact.run.end_reason", production.ended());
        }
        Ok(LoopEnd::Resting) => {}
        Err(run_loop::Error::Log(_)) => failed(run, "log"),
        Err(run_loop::Error::Unreadable(_) | run_loop::Error::NoBeginning) => failed(run, "unreadable"),
    }
}

/// The beats of a run as they come and go.
#[derive(Debug)]
pub(crate) struct RunSpans {
    run: Span,
    /// All calls of a run are one conversation.
    conversation: RunId,
    open: Option<BeatSpan>,
    /// The deadlines that calls in flight have, by the timer's id: a beat's, and one for each hidden call.
    deadlines: BTreeMap<CallId, Deadline>,
}

/// Whether a time is up, shared with those for whom it counts: a call that is dropped then was late, one that
/// is dropped otherwise was not wanted any more.
#[derive(Debug, Clone, Default)]
struct Deadline(Arc<AtomicBool>);

#[derive(Debug)]
struct BeatSpan {
    number: u32,
    span: Span,
    asked: u64,
    answered: u64,
    failed: u64,
    /// Calls of actors that nothing has come of yet.
    waiting: BTreeSet<CallId>,
    /// Its actors' deadline, once one of them has been asked.
    deadline: Deadline,
}

impl RunSpans {
    pub(crate) fn of(run: Span, conversation: RunId) -> RunSpans {
        RunSpans { run, conversation, open: None, deadlines: BTreeMap::new() }
    }

    /// Closes the beat that is over and opens the one that is played now.
    pub(crate) fn enter_beat(&mut self, now: Option<u32>) {
        if self.run.is_disabled() || self.open.as_ref().map(|beat| beat.number) == now {
            return;
        }
        self.open = None;
        self.deadlines.retain(|_, deadline| deadline.is_referenced());
        self.open = now.map(|number| BeatSpan::open(&self.run, number));
    }

    /// A call that is about to leave. Those for an actor belong to their beat; hidden ones run beside beats
    /// and may outlast them, so they belong to the run. `timer` is the one that limits the call.
    pub(crate) fn call(
        &mut self,
        ask: &Ask,
        timer: Option<CallId>,
        model: &dyn Model,
        request: &Request,
    ) -> CallSpan {
        if self.run.is_disabled() {
            return CallSpan { span: Span::none(), deadline: None };
        }
        let deadline =
            timer.map(|timer| self.deadlines.entry(timer).or_default().clone()).unwrap_or_default();
        if let (Some(beat), true) = (&mut self.open, ask.actor.is_some()) {
            beat.asked += 1;
            beat.waiting.insert(ask.call);
            beat.deadline = deadline.clone();
        }
        let beat = self.open.as_ref();
        let parent = beat.filter(|_| ask.actor.is_some()).map_or(&self.run, |beat| &beat.span);
        let span = call((parent, self.conversation), beat.map(|beat| beat.number), ask, model, request);
        CallSpan { span, deadline: Some(deadline) }
    }

    /// An outcome that the rules are about to hear of.
    pub(crate) fn record_outcome<C>(&mut self, what: &Happened<C>) {
        if let Happened::TimeUp { call } = what
            && let Some(deadline) = self.deadlines.get(call)
        {
            deadline.pass();
        }
        let Some(beat) = &mut self.open else { return };
        match what {
            Happened::Answered { call, .. } if beat.waiting.remove(call) => beat.answered += 1,
            Happened::Failed { call, .. } if beat.waiting.remove(call) => beat.failed += 1,
            _ => {}
        }
    }
}

impl Deadline {
    fn pass(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn has_passed(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Whether a call still refers to it.
    fn is_referenced(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }
}

impl BeatSpan {
    fn open(run: &Span, number: u32) -> BeatSpan {
        let span = tracing::debug_span!(
            parent: run,
            "beat",
            enact.beat = i64::from(number),
            enact.asked = Empty,
            enact.answered = Empty,
            enact.failed = Empty,
            enact.settled = Empty,
        );
        let (waiting, deadline) = (BTreeSet::new(), Deadline::default());
        BeatSpan { number, span, asked: 0, answered: 0, failed: 0, waiting, deadline }
    }

    fn settled(&self) -> &'static str {
        if self.waiting.is_empty() {
            "all_in"
        } else if self.deadline.has_passed() {
            "deadline"
        } else {
            "cut_short"
        }
    }
}

/// Also when the run ends or is given up: then the beat was cut short.
impl Drop for BeatSpan {
    fn drop(&mut self) {
        self.span.record("enact.asked", number(self.asked));
        self.span.record("enact.answered", number(self.answered));
        self.span.record("enact.failed", number(self.failed));
        self.span.record("enact.settled", self.settled());
    }
}

/// A call as telemetry sees it, from before it leaves until something came of it or it is dropped.
#[derive(Debug)]
pub(crate) struct CallSpan {
    span: Span,
    /// Nothing once it has an outcome, or without a subscriber.
    deadline: Option<Deadline>,
}

impl CallSpan {
    pub(crate) fn span(&self) -> Span {
        self.span.clone()
    }

    pub(crate) fn record_outcome(mut self, outcome: &Result<Answer, Failure>) {
        self.deadline = None;
        let usage = match outcome {
            Ok(answer) => answer.usage,
            Err(failure) => {
                failed(&self.span, error_type(failure.kind));
                failure.usage
            }
        };
        if let Some(usage) = usage.filter(|usage| !usage.tells_nothing()) {
            used(&self.span, usage);
        }
    }
}

impl Drop for CallSpan {
    fn drop(&mut self) {
        if let Some(deadline) = self.deadline.take() {
            failed(&self.span, if deadline.has_passed() { "timeout" } else { "cancelled" });
        }
    }
}

fn call(
    (parent, conversation): (&Span, RunId),
    beat: Option<u32>,
    ask: &Ask,
    model: &dyn Model,
    request: &Request,
) -> Span {
    let card = model.card();
    let name = card.model.as_deref().unwrap_or(&ask.model);
    tracing::debug_span!(
        parent: parent,
        "call",
        otel.name = %format_args!("chat {name}"),
        // Built-in players answer within this process.
        otel.kind = if card.provider.is_some() { "client" } else { "internal" },
        otel.status_code = Empty,
        gen_ai.operation.name = "chat",
        gen_ai.provider.name = provider(card.provider.as_deref()),
        gen_ai.request.model = name,
        gen_ai.request.max_tokens = i64::from(max_tokens(card.max_tokens, request)),
        gen_ai.conversation.id = %conversation,
        gen_ai.agent.name = ask.actor.as_ref().map(|name| name.as_str()),
        // What follows is the model's to tell: see `CallTelemetry`.
        gen_ai.request.stream = Empty,
        gen_ai.response.model = Empty,
        gen_ai.response.id = Empty,
        gen_ai.response.finish_reasons = Empty,
        gen_ai.response.time_to_first_chunk = Empty,
        gen_ai.usage.reasoning.output_tokens = Empty,
        server.address = Empty,
        server.port = Empty,
        enact.tries = Empty,
        gen_ai.output.type = if request.schema.is_some() { "json" } else { "text" },
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        gen_ai.usage.cache_read.input_tokens = Empty,
        gen_ai.usage.cache_write.input_tokens = Empty,
        error.type = Empty,
        enact.actor = ask.actor.as_ref().map(|name| name.as_str()),
        enact.purpose = ask.purpose.as_str(),
        enact.beat = beat.map(i64::from),
    )
}

/// An operator's limit is on lines, not on answers of a certain shape.
fn max_tokens(own: Option<u32>, request: &Request) -> u32 {
    match (own, &request.schema) {
        (Some(own), None) => own.min(request.max_tokens),
        _ => request.max_tokens,
    }
}

/// The conventions' name for a provider, where it is not our own.
fn provider(ours: Option<&str>) -> &str {
    match ours {
        None => "enact",
        Some("gemini") => "gcp.gemini",
        Some("mistral") => "mistral_ai",
        Some("xai") => "x_ai",
        Some(same) => same,
    }
}

/// The conventions count cached tokens among the input as well.
fn used(span: &Span, usage: Usage) {
    let input = usage.uncached.saturating_add(usage.cache_read).saturating_add(usage.cache_write);
    span.record("gen_ai.usage.input_tokens", number(input));
    span.record("gen_ai.usage.output_tokens", number(usage.output));
    span.record("gen_ai.usage.cache_read.input_tokens", number(usage.cache_read));
    span.record("gen_ai.usage.cache_write.input_tokens", number(usage.cache_write));
}

fn error_type(kind: FailureKind) -> &'static str {
    match kind {
        // The conventions' word for an error that is not classified.
        FailureKind::Other => "_OTHER",
        known => known.as_str(),
    }
}

fn failed(span: &Span, kind: &'static str) {
    span.record("error.type", kind);
    span.record("otel.status_code", "ERROR");
}

#[cfg(test)]
mod tests;
