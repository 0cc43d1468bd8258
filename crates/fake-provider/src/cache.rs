//! Prompt caches, accounted for as the providers document them.
//!
//! Anthropic caches prefixes that end at a breakpoint the client has set; OpenAI, Gemini and Ollama cache by
//! themselves, in steps. In both cases an entry can be read only once the first answer that writes it has
//! begun, so requests sent at the same moment all pay for writing. That is why looking up and writing are two
//! calls.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    time::{Duration, Instant},
};

use crate::{
    prompt::{Prompt, PromptBlock, Ttl},
    seen::{Api, BilledUsage},
};

/// Near enough to what tokenizers make of English, and exact enough to be asserted on.
const BYTES_PER_TOKEN: usize = 4;

/// Prefixes shorter than this are not cached by most models.
pub(crate) const DEFAULT_MINIMUM_TOKENS: u64 = 1024;

/// Anthropic refuses requests with more.
pub(crate) const MAX_BREAKPOINTS: usize = 4;

/// From each breakpoint Anthropic looks for an entry in this many places, its own being the first.
const LOOK_BACK_BLOCKS: usize = 20;

/// Beyond their minimum, automatic caches grow in such steps.
const STEP_TOKENS: u64 = 128;

/// Expired entries are swept out when this many have gathered, and from then on each time their number has
/// doubled, so that sweeping costs each write a constant.
const FIRST_SWEEP: usize = 65_536;

pub(crate) fn tokens(bytes: usize) -> u64 {
    bytes.div_ceil(BYTES_PER_TOKEN) as u64
}

/// The prefixes that can be read, of all models.
#[derive(Debug)]
pub(crate) struct PrefixCache {
    minimum_tokens: u64,
    entries: HashMap<u64, CachedPrefix>,
    next_sweep: usize,
}

#[derive(Debug)]
struct CachedPrefix {
    expires: Instant,
    ttl: Ttl,
}

/// What a request costs, and what it leaves in the cache once its answer has begun.
#[derive(Debug, Default)]
pub(crate) struct CacheAccount {
    /// Of input; the output is not known yet.
    pub(crate) usage: BilledUsage,
    writes: Vec<(u64, Ttl)>,
}

impl PrefixCache {
    pub(crate) fn new(minimum_tokens: u64) -> Self {
        Self { minimum_tokens, entries: HashMap::new(), next_sweep: FIRST_SWEEP }
    }

    /// What of the prompt is read now, and what will be written.
    pub(crate) fn look_up(
        &mut self,
        api: Api,
        model: &str,
        prompt: &Prompt<'_>,
        now: Instant,
    ) -> CacheAccount {
        match api {
            Api::Anthropic => self.at_breakpoints(&PrefixMarks::of_blocks(api, model, &prompt.blocks), now),
            Api::OpenAi | Api::Gemini | Api::Ollama => {
                self.in_steps(&PrefixMarks::of_steps(api, model, &prompt.blocks, self.minimum_tokens), now)
            }
        }
    }

    /// The answer has begun: what it writes can be read from now on.
    pub(crate) fn publish(&mut self, account: &CacheAccount, now: Instant) {
        for &(prefix, ttl) in &account.writes {
            self.entries.insert(prefix, CachedPrefix { expires: now + ttl.duration(), ttl });
        }
        if self.entries.len() >= self.next_sweep {
            self.entries.retain(|_, entry| entry.expires > now);
            self.next_sweep = FIRST_SWEEP.max(2 * self.entries.len());
        }
    }

    fn at_breakpoints(&mut self, marks: &PrefixMarks, now: Instant) -> CacheAccount {
        let breakpoints: Vec<usize> =
            (0..marks.places.len()).filter(|&at| marks.places[at].breakpoint.is_some()).collect();
        // Of two breakpoints the later one finds whatever is longer, unless it looks back too short a way.
        let read_at = breakpoints.iter().rev().find_map(|&end| {
            let furthest = (end + 1).saturating_sub(LOOK_BACK_BLOCKS);
            (furthest..=end).rev().find(|&at| self.touch(marks.places[at].prefix, now))
        });
        let read = read_at.map_or(0, |at| marks.places[at].tokens);
        let mut account = CacheAccount::default();
        // An hour's entries come before the five-minute ones, so what is written falls into two stretches.
        let (mut hour_end, mut end) = (read, read);
        for &at in breakpoints.iter().filter(|&&at| read_at.is_none_or(|read_at| at > read_at)) {
            let place = &marks.places[at];
            let Some(ttl) = place.breakpoint.filter(|_| place.tokens >= self.minimum_tokens) else {
                continue;
            };
            account.writes.push((place.prefix, ttl));
            end = place.tokens;
            if ttl == Ttl::OneHour {
                hour_end = end;
            }
        }
        account.usage = BilledUsage {
            uncached: marks.total - end,
            cache_read: read,
            cache_write: end - hour_end,
            cache_write_1h: hour_end - read,
            output: 0,
        };
        account
    }

    fn in_steps(&mut self, marks: &PrefixMarks, now: Instant) -> CacheAccount {
        let read = marks.places.iter().rev().find(|place| self.touch(place.prefix, now));
        let cache_read = read.map_or(0, |place| place.tokens);
        CacheAccount {
            usage: BilledUsage { uncached: marks.total - cache_read, cache_read, ..BilledUsage::default() },
            // Writing anew what was read keeps its shorter prefixes alive as well.
            writes: marks.places.iter().map(|place| (place.prefix, Ttl::FiveMinutes)).collect(),
        }
    }

    /// Whether a prefix can be read. Reading it renews its life.
    fn touch(&mut self, prefix: u64, now: Instant) -> bool {
        let Some(entry) = self.entries.get_mut(&prefix).filter(|entry| entry.expires > now) else {
            return false;
        };
        entry.expires = now + entry.ttl.duration();
        true
    }
}

impl Ttl {
    fn duration(self) -> Duration {
        match self {
            Self::FiveMinutes => Duration::from_secs(5 * 60),
            Self::OneHour => Duration::from_secs(60 * 60),
        }
    }
}

/// The places at which a prefix of the prompt could end, found by hashing it once from end to end.
struct PrefixMarks {
    places: Vec<PrefixMark>,
    total: u64,
}

struct PrefixMark {
    /// The hash of everything up to here, the model included.
    prefix: u64,
    tokens: u64,
    breakpoint: Option<Ttl>,
}

impl PrefixMarks {
    /// One place after each block.
    fn of_blocks(api: Api, model: &str, blocks: &[PromptBlock<'_>]) -> Self {
        let mut hasher = seeded(api, model);
        let mut bytes = 0;
        let mut places = Vec::with_capacity(blocks.len());
        for block in blocks {
            block.role.hash(&mut hasher);
            block.text.hash(&mut hasher);
            bytes += block.text.len();
            let (prefix, tokens) = (hasher.finish(), tokens(bytes));
            places.push(PrefixMark { prefix, tokens, breakpoint: block.breakpoint });
        }
        Self { places, total: tokens(bytes) }
    }

    /// One place after the minimum and after each step beyond it, wherever blocks begin and end.
    fn of_steps(api: Api, model: &str, blocks: &[PromptBlock<'_>], minimum_tokens: u64) -> Self {
        let mut hasher = seeded(api, model);
        let mut places = Vec::new();
        let mut next_tokens = minimum_tokens.max(1);
        let mut bytes = 0;
        for block in blocks {
            block.role.hash(&mut hasher);
            let mut rest = block.text.as_bytes();
            while !rest.is_empty() {
                let until_next = (next_tokens as usize).saturating_mul(BYTES_PER_TOKEN) - bytes;
                let (now, later) = rest.split_at(until_next.min(rest.len()));
                hasher.write(now);
                bytes += now.len();
                rest = later;
                if now.len() == until_next {
                    places.push(PrefixMark {
                        prefix: hasher.finish(),
                        tokens: next_tokens,
                        breakpoint: None,
                    });
                    next_tokens += STEP_TOKENS;
                }
            }
        }
        Self { places, total: tokens(bytes) }
    }
}

/// Caches are kept apart by model. The hasher is the one with fixed keys: accounts must not differ between
/// runs.
fn seeded(api: Api, model: &str) -> DefaultHasher {
    let mut hasher = DefaultHasher::new();
    (api, model).hash(&mut hasher);
    hasher
}

#[cfg(test)]
mod tests;
