//! What the server is told to do with a request.

use std::{
    fmt,
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
    time::Duration,
};

use serde_json::Value;

use crate::seen::{Api, Seen};

/// How one request is answered. The default is a well-formed reply, at once.
#[derive(Clone, Debug, Default)]
pub struct PlannedResponse {
    /// What is said. `None`: a reply made from the request, or the smallest instance of its JSON schema.
    pub text: Option<String>,
    /// From the arrival of the request to the first byte.
    pub latency: Duration,
    /// Between streamed pieces.
    pub pause: Duration,
    /// How many pieces a streamed text comes in. `None`: [`PlannedResponse::PIECES`].
    pub pieces: Option<usize>,
    pub fault: Option<Fault>,
}

impl PlannedResponse {
    /// Enough to be cut in several places, few enough to be cheap.
    pub const PIECES: usize = 5;

    /// A good reply made from the request.
    pub fn reply() -> Self {
        Self::default()
    }

    /// Exactly this text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..Self::default() }
    }

    /// This value as text.
    pub fn json(value: &Value) -> Self {
        Self::text(value.to_string())
    }

    pub fn fault(fault: Fault) -> Self {
        Self { fault: Some(fault), ..Self::default() }
    }

    pub fn with_fault(self, fault: Fault) -> Self {
        Self { fault: Some(fault), ..self }
    }

    /// The first byte leaves this long after the request arrived.
    pub fn after(self, latency: Duration) -> Self {
        Self { latency, ..self }
    }

    /// This long between pieces.
    pub fn pausing(self, pause: Duration) -> Self {
        Self { pause, ..self }
    }

    pub fn in_pieces(self, pieces: usize) -> Self {
        Self { pieces: Some(pieces), ..self }
    }
}

/// What goes wrong. Where a fault is about streaming and the request is not, the nearest thing happens: a
/// body that is cut or ends early.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// An error in the provider's own words, with `Retry-After` if given. 404 is an unknown model.
    Status(u16, Option<Duration>),
    /// What the provider really says to a wrong key: a 401, but of Gemini a 400.
    WrongKey,
    /// The prompt exceeds the model's context.
    TooLong,
    /// Nothing is ever sent.
    Hang,
    /// Nothing more is sent after so many pieces, and the connection stays open.
    HangAfter(usize),
    /// The connection breaks after so many pieces.
    CutAfter(usize),
    /// All pieces, then a clean end of the body without stop reason, usage or the mark that ends a stream.
    EndWithoutStop,
    /// An error event after half of the pieces.
    StreamError(Trouble),
    /// A whole answer without text.
    Empty,
    /// The model declines, as the provider reports that.
    Refuse,
    /// A whole answer whose text does not follow the format or schema asked for.
    Malformed,
    /// A success whose body, or whose second piece, is not JSON: what a proxy in between sends.
    NotJson,
    /// A good answer, as a stream where none was asked for, and in one piece where one was.
    OtherDelivery,
    /// A good answer that claims a false usage.
    Lie(Lie),
    /// 307 to this address.
    Redirect(String),
}

/// What an error event in the middle of a stream reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    Overloaded,
    RateLimited,
    Internal,
}

impl Trouble {
    /// The status a plain answer would have had. Only Anthropic has a number of its own for being overloaded.
    pub fn status(self, api: Api) -> u16 {
        match (self, api) {
            (Self::Overloaded, Api::Anthropic) => 529,
            (Self::Overloaded, _) => 503,
            (Self::RateLimited, _) => 429,
            (Self::Internal, _) => 500,
        }
    }
}

/// How a usage is false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    /// No usage at all.
    Missing,
    /// Counts that no prompt of this size has, and whose sum still fits into 32 bits.
    Absurd,
    /// Counts whose sum does not: clients that add them up in 32 bits panic or wrap around.
    Huge,
    /// Counts below zero.
    Negative,
}

/// Decides what is done with each request. Called once for each, in the order of arrival.
pub struct Script<Request = Seen, Reply = PlannedResponse>(Arc<dyn Fn(&Request) -> Reply + Send + Sync>);

impl Script {
    pub fn new(decide: impl Fn(&Seen) -> PlannedResponse + Send + Sync + 'static) -> Self {
        Self::of(decide)
    }

    /// One act after the other in the order of arrival, then good replies.
    pub fn sequence(acts: Vec<PlannedResponse>) -> Self {
        Self::new(move |seen| {
            let number = usize::try_from(seen.number).unwrap_or(usize::MAX);
            acts.get(number).cloned().unwrap_or_default()
        })
    }

    /// What this script decides, but with faults: each happens to its part of all requests, between 0 and 1.
    /// Which requests meet which fault follows from the seed and the order of arrival. The script's timing
    /// holds for faults as well.
    pub fn with_faults(self, seed: u64, faults: impl IntoIterator<Item = (f64, Fault)>) -> Self {
        let faults: Vec<(f64, Fault)> = faults.into_iter().collect();
        Self::new(move |seen| {
            let mut hasher = DefaultHasher::new();
            (seed, seen.number).hash(&mut hasher);
            // The upper bits make a number between 0 and 1, which falls into one of the rates laid end to
            // end.
            let mut left = (hasher.finish() >> 11) as f64 / (1_u64 << 53) as f64;
            let fault = faults.iter().find(|(rate, _)| {
                let falls_into = left < *rate;
                left -= rate;
                falls_into
            });
            let act = self.decide(seen);
            match fault {
                Some((_, fault)) => act.with_fault(fault.clone()),
                None => act,
            }
        })
    }
}

impl<Request, Reply> Script<Request, Reply> {
    pub(crate) fn of(decide: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        Self(Arc::new(decide))
    }

    pub fn decide(&self, request: &Request) -> Reply {
        (self.0)(request)
    }
}

impl<Request, Reply: Default> Default for Script<Request, Reply> {
    fn default() -> Self {
        Self::of(|_| Reply::default())
    }
}

impl<Request, Reply> fmt::Debug for Script<Request, Reply> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Script")
    }
}

#[cfg(test)]
mod tests;
