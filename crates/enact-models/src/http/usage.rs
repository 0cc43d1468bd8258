//! What a call used: the counts of each attempt, as far as they were told.

use std::sync::{Mutex, PoisonError};

use enact_drama::{
    request::Request,
    usage::{NanoUsd, UntoldTries, Usage},
};

use super::{
    answer::IncomingAnswer,
    wire::{CountField, MoneyField},
};
use crate::response_details::ResponseDetails;

/// No call has more tokens than this: a server that says so is not believed.
const MOST_TOKENS: u64 = 1_000_000_000;

/// No call costs more dollars than this, either.
const MOST_DOLLARS: f64 = 1_000_000.0;

/// The last count of each kind. Those that are not told again stay as they were.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct TokenCounts {
    input: Option<u64>,
    /// Whether the input contains what was read from and written to caches.
    inclusive: bool,
    cache_read: Option<u64>,
    cache_write: Option<u64>,
    output: Option<u64>,
    /// How much of the output was thought.
    reasoning: Option<u64>,
    billed: Option<NanoUsd>,
    /// Whether they were told before anything was put out.
    provisional: bool,
    /// Whether some count was absurd, which makes all of them doubtful.
    absurd: bool,
}

impl TokenCounts {
    /// All input, with what is cached.
    pub(super) fn set_inclusive_input(&mut self, count: CountField) {
        self.inclusive = true;
        self.input = self.believed(count).or(self.input);
    }

    /// The input without what is cached.
    pub(super) fn set_exclusive_input(&mut self, count: CountField) {
        self.inclusive = false;
        self.input = self.believed(count).or(self.input);
    }

    pub(super) fn set_cache_read(&mut self, count: CountField) {
        self.cache_read = self.believed(count).or(self.cache_read);
    }

    pub(super) fn set_cache_write(&mut self, count: CountField) {
        self.cache_write = self.believed(count).or(self.cache_write);
    }

    pub(super) fn set_output(&mut self, count: CountField) {
        self.output = self.believed(count).or(self.output);
    }

    /// Part of the output, and told by some only.
    pub(super) fn set_reasoning(&mut self, count: CountField) {
        if let CountField::Told(count @ ..=MOST_TOKENS) = count {
            self.reasoning = Some(count);
        }
    }

    pub(super) fn reasoning(&self) -> Option<u64> {
        self.reasoning
    }

    /// Says whether the counts are those of the beginning, or whether they hold.
    pub(super) fn set_provisional(&mut self, provisional: bool) {
        self.provisional = provisional;
    }

    /// What the provider says that the call cost, in dollars.
    pub(super) fn set_billed(&mut self, cost: MoneyField) {
        if let Some(dollars) = cost.0.filter(|dollars| (0.0..MOST_DOLLARS).contains(dollars)) {
            self.billed = Some(NanoUsd((dollars * 1e9).round() as u64));
        }
    }

    fn believed(&mut self, count: CountField) -> Option<u64> {
        match count {
            CountField::Missing => None,
            CountField::Told(count) if count <= MOST_TOKENS => Some(count),
            CountField::Told(_) | CountField::Absurd => {
                self.absurd = true;
                None
            }
        }
    }

    /// What was used, if that was told: never zeros in place of unknown counts. A server that says zero of
    /// everything does not count.
    pub(super) fn usage(&self) -> Option<Usage> {
        let TokenCounts {
            input,
            inclusive,
            cache_read,
            cache_write,
            output,
            billed,
            provisional,
            absurd,
            ..
        } = *self;
        let (cache_read, cache_write) = (cache_read.unwrap_or(0), cache_write.unwrap_or(0));
        let uncached = match inclusive {
            // More was cached than went in: what is said of the one or the other is wrong.
            true => input?.checked_sub(cache_read)?.checked_sub(cache_write)?,
            false => input?,
        };
        let output = output?;
        let usage =
            Usage { uncached, cache_read, cache_write, output, billed, partial: provisional, untold: None };
        (!absurd && usage.total() > 0).then_some(usage)
    }
}

/// The usage of one call: what each attempt used, nothing where that is not known; and what the last answer
/// told about itself.
#[derive(Debug, Default)]
pub(super) struct CallUsage {
    attempts: Mutex<Vec<Option<Usage>>>,
    details: Mutex<ResponseDetails>,
}

impl CallUsage {
    /// What is known to have been used; partial, if some attempt did not tell, and then with how many of them
    /// there were: a budget is charged for those, and not for tries that were never made.
    pub(super) fn total(&self) -> Option<Usage> {
        let attempts = self.attempts();
        if attempts.is_empty() {
            return None;
        }
        let known = attempts.iter().flatten().fold(Usage::NONE, |mut sum, usage| {
            sum += *usage;
            sum
        });
        let count = |of: fn(&Option<Usage>) -> bool| attempts.iter().filter(|usage| of(usage)).count() as u32;
        let untold = UntoldTries {
            output: count(|usage| usage.is_some_and(|usage| usage.partial)),
            all: count(Option::is_none),
        };
        let partial = untold != UntoldTries::default();
        Some(Usage { partial, untold: partial.then_some(untold), ..known })
    }

    /// How many attempts were made.
    pub(super) fn tries(&self) -> u32 {
        self.attempts().len() as u32
    }

    /// Whether as many attempts were billed, or may have been, as the budget has room for. Rejections are
    /// free.
    pub(super) fn is_paid_up(&self, request: &Request) -> bool {
        let paid = self.attempts().iter().filter(|spent| **spent != Some(Usage::NONE)).count();
        request.paid_tries.is_some_and(|most| paid >= most as usize)
    }

    /// What the last answer that came told about itself.
    pub(super) fn take_details(&self) -> ResponseDetails {
        std::mem::take(&mut *self.details.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn attempts(&self) -> std::sync::MutexGuard<'_, Vec<Option<Usage>>> {
        // Nothing panics while it is held; and if it did, the counts would be as good as before.
        self.attempts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One attempt: its answer as far as it came. However it ends, also when it is dropped because time has run
/// out, what it used is entered.
#[derive(Debug)]
pub(super) struct Attempt<'a> {
    call: &'a CallUsage,
    pub(super) answer: IncomingAnswer,
    rejected: bool,
}

impl<'a> Attempt<'a> {
    pub(super) fn new(call: &'a CallUsage) -> Attempt<'a> {
        Attempt { call, answer: IncomingAnswer::default(), rejected: false }
    }

    /// An error came in place of an answer, which costs nothing.
    pub(super) fn reject(&mut self) {
        self.rejected = true;
    }

    fn spent(&self) -> Option<Usage> {
        if self.rejected {
            return Some(Usage::NONE);
        }
        // Of an answer that broke off, more may have been used than was told by then.
        let broke_off = !self.answer.is_complete();
        self.answer.counts.usage().map(|usage| Usage { partial: usage.partial || broke_off, ..usage })
    }
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        self.call.attempts().push(self.spent());
        if self.answer.is_recognised() {
            let reasoning_tokens = self.answer.counts.reasoning();
            let details = std::mem::take(&mut self.answer.details);
            *self.call.details.lock().unwrap_or_else(PoisonError::into_inner) =
                ResponseDetails { reasoning_tokens, ..details };
        }
    }
}

#[cfg(test)]
mod tests;
