//! What the clients of a production are told of a run, as server-sent events: for any production that has
//! [`Client`](Production::Client) events.

use std::sync::Arc;

use axum::{
    http::{HeaderMap, HeaderValue, header::LOCATION},
    response::Response,
};
use bytes::Bytes;
use enact_drama::{
    Production, Record, RunId, Seq,
    production::{ClientEvent, ClientEvents, Delta},
};
use enact_engine::{Store, log::RunSummary, node::Placed};

pub use crate::following::Wanted;
use crate::{
    error::{Code, Refusal},
    following::{Place, Telling, Told, stream},
    routes::Api,
    sse,
    submission::say_repeated,
};

/// Records read at a time: most runs are one page, and an imported log may be of any length.
const PAGE: usize = 256;

/// Answers with the events of a run from where the caller wants them (`Last-Event-ID`, or `from`), and then with what happens,
/// as it happens. Each has the seq of the fact it was made of as its id; those made of live text have none. The stream ends with
/// the run: the last event says so in the production's own words.
///
/// A run of another production is [refused](Code::WrongProduction).
pub async fn follow<P: Production>(
    api: &Api,
    run: &RunSummary,
    wanted: &Wanted,
    headers: &HeaderMap,
) -> Result<Response, Refusal> {
    let place = Place::of(wanted, headers, run)?;
    let telling = Clients::<P>::at(&**api.node.store(), run.run, place.from).await?;
    Ok(stream(api, run, place, telling))
}

/// The answer to a request that made a run, or had made it before: its events from the first on. `Location` says where the run is.
pub async fn from_beginning<P: Production>(api: &Api, placed: Placed) -> Result<Response, Refusal> {
    let store = api.node.store();
    let found = store.find(placed.run).await?;
    let telling = Clients::<P>::at(&**store, placed.run, Seq(0)).await?;
    let mut response = stream(api, &found, Place::BEGINNING, telling);
    if let Ok(location) = HeaderValue::from_str(&format!("/v1/runs/{}", placed.run)) {
        response.headers_mut().insert(LOCATION, location);
    }
    say_repeated(&mut response, placed);
    Ok(response)
}

/// Tells a run as its production tells clients.
struct Clients<P: Production> {
    client: P::Client,
}

impl<P: Production> Clients<P> {
    /// As it is for a reader who has heard everything before a seq.
    async fn at(store: &dyn Store, run: RunId, seq: Seq) -> Result<Clients<P>, Refusal> {
        let began = store.read_some(run, Seq(0), 1).await?;
        let Some(began) = began.first().filter(|first| first.kind == P::BEGINS_WITH) else {
            let message = format!("run {run} is not a {}", P::NAME);
            return Err(Refusal::new(Code::WrongProduction, message)
                .with("run", run.to_string())
                .hint(format!("follow it at /v1/runs/{run}/events")));
        };
        let client = P::Client::begin(&began.fact()?).ok_or_else(|| {
            Refusal::new(Code::RunUnreadable, format!("run {run} does not begin like a {}", P::NAME))
        })?;
        let mut clients = Clients { client };
        // The first record may be told of as well, which a reader from further on has heard.
        let mut next = Seq(0);
        while next < seq {
            let most = usize::try_from(seq.0 - next.0).unwrap_or(PAGE).min(PAGE);
            let before = store.read_some(run, next, most).await?;
            // A log that is imported may end anywhere.
            let Some(last) = before.last() else { break };
            next = last.seq.next();
            before.iter().for_each(|record| drop(clients.hear(record)));
        }
        Ok(clients)
    }

    /// What there is to say of a record. What this version does not know is passed over.
    fn hear(&mut self, record: &Record) -> Option<ClientEvent> {
        self.client.on_fact(&record.fact().ok()?)
    }
}

impl<P: Production> Telling for Clients<P> {
    fn happened(&mut self, records: &[Arc<Record>]) -> Told {
        let (mut text, mut events) = (Vec::new(), 0);
        for record in records {
            if let Some(event) = self.hear(record) {
                sse::push_event(&mut text, record.seq, event.name, &event.data);
                events += 1;
            }
        }
        Told { text: Bytes::from(text), events }
    }

    fn heard(&mut self, delta: &Delta) -> Bytes {
        let event = self.client.on_delta(delta);
        event.map_or_else(Bytes::new, |event| sse::unnumbered(event.name, &event.data))
    }

    /// The production's last event has said it.
    fn over(&self) -> impl Future<Output = Bytes> + Send {
        std::future::ready(Bytes::new())
    }
}
