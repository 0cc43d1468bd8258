//! What the clients of a production are told, where that is not its log.

use std::marker::PhantomData;

use serde::Serialize;
use serde_json::Value;

use crate::{CallId, Fact, Name, Seq, record::Event};

/// What the clients of a production are told, fact by fact.
///
/// Some facts are told with what earlier ones said: a reader who begins in the middle of a log lets it see
/// the beginning first, and leaves out what comes of that.
pub trait ClientEvents: Sized + Send + 'static {
    type Event: Event;

    fn begin(first: &Fact<Self::Event>) -> Option<Self>;

    /// What clients hear of a fact, if anything. Every fact of a log goes through here once, in order.
    fn on_fact(&mut self, fact: &Fact<Self::Event>) -> Option<ClientEvent>;

    /// The id of the event that the fact with this seq gave just now: what `Last-Event-ID` names. A production
    /// whose ids are others finds the seq again by itself.
    fn id(&self, seq: Seq) -> String {
        seq.0.to_string()
    }

    /// What clients hear of a piece of an answer that is still coming. Only the production knows how to read
    /// a part of one.
    fn on_delta(&mut self, delta: &Delta) -> Option<ClientEvent> {
        let _ = delta;
        None
    }
}

/// One server-sent event. It has the [id](ClientEvents::id) of the fact it was made of; those made of live text
/// have none.
#[derive(Debug, Clone, PartialEq)]
pub struct ClientEvent {
    pub name: &'static str,
    pub data: Value,
}

/// Clients of this production read its log.
#[derive(Debug)]
pub struct NoClientEvents<E>(PhantomData<fn(E)>);

impl<E: Event> ClientEvents for NoClientEvents<E> {
    type Event = E;

    fn begin(_: &Fact<E>) -> Option<Self> {
        None
    }

    fn on_fact(&mut self, _: &Fact<E>) -> Option<ClientEvent> {
        None
    }
}

/// A piece of an answer that is still coming. It is provisional: a call that fails takes it back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Delta {
    pub call: CallId,
    pub actor: Name,
    pub text: String,
    /// How many bytes of the answer came before it: who missed some of them cannot read the rest as JSON.
    #[serde(skip)]
    pub at: usize,
}
