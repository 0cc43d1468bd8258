use async_trait::async_trait;
use enact_drama::{Name, model_card::ModelCard, production::Purpose};
use tracing_subscriber::{Registry, registry::LookupSpan};

use super::*;

#[derive(Debug)]
struct Nobody;

#[async_trait]
impl Model for Nobody {
    fn card(&self) -> ModelCard {
        ModelCard::free("nobody")
    }

    async fn answer(&self, _: Request) -> Result<Answer, Failure> {
        Err(Failure::new("nobody is here"))
    }
}

fn request() -> Request {
    Request { max_tokens: 1, timeout_ms: 1, ..Request::default() }
}

fn ask(call: u64, actor: Option<&str>, purpose: Purpose) -> Ask {
    let actor = actor.map(|name| Name::new(name).unwrap());
    Ask { call: CallId(call), model: "nobody".into(), actor, purpose, place: 0 }
}

fn parent(span: &Span) -> &'static str {
    let parent = span.with_subscriber(|(id, subscriber)| {
        let registry = subscriber.downcast_ref::<Registry>().unwrap();
        registry.span(id).unwrap().parent().unwrap().name()
    });
    parent.unwrap()
}

/// A judge that takes its time must not make a beat look as long.
#[test]
fn hidden_calls_belong_to_the_run() {
    let _listening = tracing::subscriber::set_default(tracing_subscriber::registry());
    let mut beats = RunSpans::of(tracing::info_span!("run"), RunId(Default::default()));
    beats.enter_beat(Some(4));
    let reply =
        beats.call(&ask(1, Some("alice"), Purpose::named("reply")), Some(CallId(9)), &Nobody, &request());
    let verdict = beats.call(&ask(2, None, Purpose::named("judge")), Some(CallId(8)), &Nobody, &request());
    assert_eq!((parent(&reply.span), parent(&verdict.span)), ("beat", "run"));
    assert_eq!(beats.open.as_ref().map(|beat| beat.asked), Some(1), "the beat does not wait for it");
    beats.enter_beat(None);
    let between =
        beats.call(&ask(3, Some("alice"), Purpose::named("reply")), Some(CallId(9)), &Nobody, &request());
    assert_eq!(parent(&between.span), "run", "no beat, no other place");
}

#[test]
fn nobody_listening_keeps_nothing() {
    let mut beats = RunSpans::of(Span::none(), RunId(Default::default()));
    beats.enter_beat(Some(0));
    let seen =
        beats.call(&ask(1, Some("alice"), Purpose::named("reply")), Some(CallId(9)), &Nobody, &request());
    assert!(seen.span.is_disabled() && seen.deadline.is_none() && beats.open.is_none());
}

/// A judge that is late says nothing of the actors, nor they of it.
#[test]
fn only_those_are_late_whose_own_time_is_up() {
    let _listening = tracing::subscriber::set_default(tracing_subscriber::registry());
    let late = |seen: &CallSpan| seen.deadline.as_ref().unwrap().has_passed();
    let mut beats = RunSpans::of(tracing::info_span!("run"), RunId(Default::default()));
    beats.enter_beat(Some(4));
    let reply =
        beats.call(&ask(1, Some("alice"), Purpose::named("reply")), Some(CallId(9)), &Nobody, &request());
    let verdict = beats.call(&ask(2, None, Purpose::named("judge")), Some(CallId(8)), &Nobody, &request());
    let event =
        beats.call(&ask(3, None, Purpose::named("world_event")), Some(CallId(7)), &Nobody, &request());
    beats.record_outcome(&Happened::<()>::TimeUp { call: CallId(8) });
    assert_eq!((late(&reply), late(&verdict), late(&event)), (false, true, false));
    assert_eq!(beats.open.as_ref().unwrap().settled(), "cut_short");
    beats.record_outcome(&Happened::<()>::TimeUp { call: CallId(9) });
    assert_eq!((late(&reply), late(&event)), (true, false));
    assert_eq!(beats.open.as_ref().unwrap().settled(), "deadline");
    // What outlasts its beat keeps its deadline; what is over leaves nothing behind.
    drop((reply, verdict));
    beats.enter_beat(Some(5));
    assert_eq!(beats.deadlines.keys().collect::<Vec<_>>(), [&CallId(7)]);
    beats.record_outcome(&Happened::<()>::TimeUp { call: CallId(7) });
    assert!(late(&event));
}
