//! What the server saw of a request, and what became of it.

use std::{collections::BTreeMap, fmt, ops::AddAssign, sync::Arc, time::Instant};

use serde_json::Value;

use crate::prompt::Prompt;

/// Whose wire format a request speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Api {
    Anthropic,
    OpenAi,
    Gemini,
    Ollama,
}

impl Api {
    pub const ALL: [Self; 4] = [Self::Anthropic, Self::OpenAi, Self::Gemini, Self::Ollama];
}

/// One request as it arrived, and how it ended if it has.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Its place in the order of arrival, from 0.
    pub number: u64,
    pub api: Api,
    pub method: String,
    /// With its query, as the client sent it.
    pub path: String,
    /// Empty for requests that name none.
    pub model: String,
    /// Names in lower case; of a header sent twice, the last value.
    pub headers: BTreeMap<String, String>,
    /// `Null` where there was none, or none that is JSON.
    pub body: Arc<Value>,
    /// When its head had been read.
    pub arrived: Instant,
    /// When the first byte of an answer went out.
    pub began: Option<Instant>,
    /// When the last byte had been handed over, or the client had gone.
    pub finished: Option<Instant>,
    /// The most requests that were in flight at one time while this one was, itself included.
    pub in_flight: usize,
    pub outcome: Outcome,
    /// As billed, which is not what a lying answer claims.
    pub usage: Usage,
}

impl Seen {
    /// The prompt in one shape for all formats. Reads the body anew each time.
    pub fn prompt(&self) -> Prompt<'_> {
        Prompt::read(self.api, &self.body, &self.path)
    }
}

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It is still being answered.
    InFlight,
    /// A whole answer in the right form went out, whatever its text is worth.
    Answered,
    /// The server refused it or broke off, as its act demanded.
    Failed,
    /// The client went away before the end.
    Dropped,
}

/// Tokens as billed. The three kinds of input add up to the whole prompt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    pub uncached: u64,
    pub cache_read: u64,
    /// Written to live five minutes.
    pub cache_write: u64,
    /// Written to live an hour, which costs more.
    pub cache_write_1h: u64,
    pub output: u64,
}

impl Usage {
    /// All input, at whatever price.
    pub fn input(&self) -> u64 {
        self.uncached + self.cache_read + self.cache_write + self.cache_write_1h
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.uncached += other.uncached;
        self.cache_read += other.cache_read;
        self.cache_write += other.cache_write;
        self.cache_write_1h += other.cache_write_1h;
        self.output += other.output;
    }
}

/// One line, so that a failing assertion over many requests can be read.
impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Usage { uncached, cache_read, cache_write, cache_write_1h, output } = self.usage;
        write!(
            f,
            "#{} {:?} {} {} {:?}: {uncached} uncached, {cache_read} read, {} written, {output} out",
            self.number,
            self.api,
            self.path,
            self.model,
            self.outcome,
            cache_write + cache_write_1h,
        )
    }
}
