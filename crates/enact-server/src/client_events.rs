//! What the clients of a production are told of a run, as server-sent events: for any production that has
//! [`Client`](Production::Client) events.

use std::sync::Arc;

use axum::response::Response;
use bytes::Bytes;
use enact_drama::{
    Fact, Production, Record, RunId, Seq,
    production::{ClientEvent, ClientEvents, Delta},
};
use enact_engine::{
    Store,
    log::RunSummary,
    newest_checkpoint,
    node::{FollowEvent, Follower},
};

pub use crate::event_stream::{FollowRequest, StreamQuery};
use crate::{
    error::{ApiError, ErrorCode},
    event_stream::{Encoded, EventEncoder, EventText, stream},
    routes::ApiState,
    run_request::MadeRun,
    sse,
};

/// Records read at a time: most runs are one page, and an imported log may be of any length.
const PAGE: usize = 256;

/// Answers with the events of a run from where the caller wants them (`Last-Event-ID`, or `from`), and then
/// with what happens, as it happens. Each has the seq of the fact it was made of as its id; those made of
/// live text have none. The stream ends with the run: the last event says so in the production's own words.
///
/// A run of another production is refused with the code `not_one`.
pub async fn follow<P: Production>(request: FollowRequest, not_one: ErrorCode) -> Result<Response, ApiError> {
    let FollowRequest { api, run, follower } = request;
    let encoder = ClientEncoder::<P>::at(&**api.node.store(), run.run, follower.next_seq()).await;
    let encoder = encoder.map_err(|error| match error.code {
        ErrorCode::WrongProduction => ApiError { code: not_one, ..error },
        _ => error,
    })?;
    Ok(stream(&api, run.run, follower, encoder))
}

/// The events of a run from a seq on, up to the first of a name: what follows from one command to a run that
/// rests between them.
pub(crate) struct EventsUntil<P: Production> {
    run: RunId,
    follower: Follower,
    encoder: ClientEncoder<P>,
}

impl<P: Production> EventsUntil<P> {
    /// Begins to listen: what is asked for from now on is heard word by word. `before` is the log as far as it
    /// was read, and holds all facts before `from`.
    pub(crate) fn listen(
        api: &ApiState,
        run: &RunSummary,
        before: &[Fact<P::Event>],
        from: Seq,
        last: &'static str,
    ) -> Result<EventsUntil<P>, ApiError> {
        let mut encoder = ClientEncoder::<P>::of(run.run, before.first())?;
        for fact in before.iter().take_while(|fact| fact.seq < from) {
            encoder.client.on_fact(fact);
        }
        encoder.last = Some(last);
        Ok(EventsUntil { run: run.run, follower: api.node.follow_found(run, from), encoder })
    }

    /// Has each event told in another way, and says at the end that it was all.
    pub(crate) fn retold(mut self, retold: fn(&mut ClientEvent), end: &'static str) -> EventsUntil<P> {
        (self.encoder.retold, self.encoder.end) = (Some(retold), end);
        self
    }

    pub(crate) fn answer(self, api: &ApiState) -> Response {
        stream(api, self.run, self.follower, self.encoder)
    }

    /// All of them, once the last has come. Fewer if the server stops before that.
    pub(crate) async fn collect(mut self) -> Result<Vec<ClientEvent>, ApiError> {
        let mut events = Vec::new();
        loop {
            match self.follower.next().await? {
                Some(FollowEvent::Records(records)) => {
                    for record in records {
                        events.extend(self.encoder.encode(&record));
                        if events.last().map(|event: &ClientEvent| event.name) == self.encoder.last {
                            return Ok(events);
                        }
                    }
                }
                Some(FollowEvent::Delta(_)) => {}
                Some(FollowEvent::Closed) | None => return Ok(events),
            }
        }
    }
}

/// The answer to a request that made a run, or had made it before: its events from the first on. `Location`
/// says where the run is.
pub async fn from_beginning<P: Production>(api: &ApiState, made: MadeRun) -> Result<Response, ApiError> {
    let encoder = match &made.first {
        Some(first) => ClientEncoder::<P>::new(made.run, Some(first))?,
        None => ClientEncoder::<P>::at(&**api.node.store(), made.run, Seq(0)).await?,
    };
    Ok(made.label(stream(api, made.run, api.node.follow_new(made.run), encoder)))
}

/// Encodes what a production's clients are told.
struct ClientEncoder<P: Production> {
    client: P::Client,
    /// The event that ends the stream, where that is not the end of the run.
    last: Option<&'static str>,
    is_over: bool,
    /// How else an event is told.
    retold: Option<fn(&mut ClientEvent)>,
    /// What stands after the last event.
    end: &'static str,
}

impl<P: Production> ClientEncoder<P> {
    /// For a reader of the run from its first record on.
    fn new(run: RunId, first: Option<&Record>) -> Result<ClientEncoder<P>, ApiError> {
        let Some(first) = first.filter(|first| first.kind == P::BEGINS_WITH) else {
            let message = format!("run {run} is not a {}", P::NAME);
            return Err(ApiError::new(ErrorCode::WrongProduction, message)
                .with("run", run.to_string())
                .hint(format!("follow it at /v1/runs/{run}/events")));
        };
        ClientEncoder::of(run, Some(&first.fact()?))
    }

    /// For a reader of a run that begins with this fact.
    fn of(run: RunId, first: Option<&Fact<P::Event>>) -> Result<ClientEncoder<P>, ApiError> {
        let client = first.and_then(P::Client::begin).ok_or_else(|| {
            ApiError::new(ErrorCode::RunUnreadable, format!("run {run} does not begin like a {}", P::NAME))
        })?;
        Ok(ClientEncoder { client, last: None, is_over: false, retold: None, end: "" })
    }

    /// For a reader who has seen everything before a seq.
    async fn at(store: &dyn Store, run: RunId, seq: Seq) -> Result<ClientEncoder<P>, ApiError> {
        let first = store.read_some(run, Seq(0), 1).await?;
        let mut encoder = ClientEncoder::new(run, first.first())?;
        // The first record may have an event as well, which a reader from further on has seen.
        let mut next = Seq(0);
        // A long log need not be told again from its beginning.
        if let Some(first) = first.first().filter(|_| seq.0 > PAGE as u64)
            && let Some((state, covered)) = newest_checkpoint::<P>(store, run, first).await?
            && let Some(client) = state.client().filter(|_| covered <= seq)
        {
            (encoder.client, next) = (client, covered);
        }
        while next < seq {
            let most = usize::try_from(seq.0 - next.0).unwrap_or(PAGE).min(PAGE);
            let before = store.read_some(run, next, most).await?;
            // A log that is imported may end anywhere.
            let Some(last) = before.last() else { break };
            next = last.seq.next();
            before.iter().for_each(|record| drop(encoder.encode(record)));
        }
        Ok(encoder)
    }

    /// The event of a record, if it has one. What this version does not know is passed over.
    fn encode(&mut self, record: &Record) -> Option<ClientEvent> {
        self.client.on_fact(&record.fact().ok()?)
    }
}

impl<P: Production> EventEncoder for ClientEncoder<P> {
    fn encode_records(&mut self, records: Vec<Arc<Record>>) -> Encoded {
        let (mut text, mut events) = (Vec::new(), 0);
        for record in records {
            if let Some(mut event) = self.encode(&record).filter(|_| !self.is_over) {
                self.is_over = self.last == Some(event.name);
                self.retold.into_iter().for_each(|retold| retold(&mut event));
                sse::push_event(&mut text, &self.client.id(record.seq), event.name, &event.data);
                events += 1;
                if self.is_over {
                    text.extend_from_slice(self.end.as_bytes());
                }
            }
        }
        Encoded { text: EventText::Short(Bytes::from(text)), events }
    }

    fn encode_delta(&mut self, delta: &Delta) -> Bytes {
        let event = self.client.on_delta(delta);
        event.map_or_else(Bytes::new, |event| sse::unnumbered(event.name, &event.data))
    }

    fn is_over(&self) -> bool {
        self.is_over
    }

    /// Empty: the production's own last event ends the stream.
    fn encode_end(&self) -> impl Future<Output = Bytes> + Send {
        std::future::ready(Bytes::new())
    }
}
