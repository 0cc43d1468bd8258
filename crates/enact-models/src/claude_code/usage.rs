//! What a call used, as the command tells it: message by message while they come, and in sum with its result.

#[cfg(test)]
mod tests;

use enact_drama::usage::{NanoUsd, Usage};
use serde_json::Value;

/// The tokens of a call, counted while its messages come.
#[derive(Debug, Default)]
pub(super) struct StreamUsage {
    /// What the messages before the current one used.
    before: Usage,
    /// The current message, which is told several times: when it begins, with each of its pieces, at its end.
    current: Option<(String, Usage)>,
    progress: MessageProgress,
}

/// How far the current message has come, where the command sends its events.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum MessageProgress {
    /// No events were seen.
    #[default]
    Unknown,
    Begun,
    /// It has told its final count.
    Ended,
}

impl StreamUsage {
    /// A message begins.
    pub(super) fn begin(&mut self, id: &str, usage: Option<Usage>) {
        self.count(id, usage.unwrap_or_default());
        self.progress = MessageProgress::Begun;
    }

    /// Takes in what a message is told to have used. A later number of the same message replaces an earlier,
    /// smaller one.
    pub(super) fn count(&mut self, id: &str, usage: Usage) {
        match &mut self.current {
            Some((current, told)) if current == id => *told = most(*told, usage),
            current => {
                if let Some((_, earlier)) = current.replace((id.to_owned(), usage)) {
                    self.before += earlier;
                }
            }
        }
    }

    /// Takes in what the current message is told to have used.
    pub(super) fn count_current(&mut self, usage: Usage) {
        if let Some((_, told)) = &mut self.current {
            *told = most(*told, usage);
        }
    }

    /// The current message has ended, and no more of it will be told.
    pub(super) fn end(&mut self) {
        self.progress = MessageProgress::Ended;
    }

    /// Whether a message has begun: from then on the call costs something.
    pub(super) fn has_begun(&self) -> bool {
        self.progress != MessageProgress::Unknown
    }

    /// Whether a message has begun and not ended.
    pub(super) fn is_under_way(&self) -> bool {
        self.progress == MessageProgress::Begun
    }

    /// What was told so far, by a command that gave no result.
    pub(super) fn so_far(&self) -> Option<Usage> {
        let (_, current) = self.current.as_ref()?;
        let mut sum = self.before;
        sum += *current;
        Some(Usage { partial: self.progress != MessageProgress::Ended, ..sum })
    }

    /// What the result says in sum. It leaves out what broke off or did not fit, so whatever is known to have
    /// been used besides counts as well: the highest number wins, for each kind of tokens.
    pub(super) fn with_result(&self, result: &Value) -> Option<Usage> {
        let sum = usage(result);
        let models = result.get("modelUsage").and_then(Value::as_object);
        let by_model = models.into_iter().flat_map(|models| models.values()).filter_map(of_model);
        let by_model = by_model.reduce(|mut sum, usage| {
            sum += usage;
            sum
        });
        let told = sum.into_iter().chain(by_model).reduce(most)?;
        let all = self.so_far().map_or(told, |so_far| most(told, Usage { partial: false, ..so_far }));
        Some(Usage { partial: self.is_under_way() && all != told, ..all })
    }
}

/// The tokens and the cost that a message reports; nothing if it reports neither.
pub(super) fn usage(message: &Value) -> Option<Usage> {
    let billed = message.get("total_cost_usd").and_then(Value::as_f64).and_then(nano_usd);
    let tokens = |key: &str| message.get("usage").and_then(|usage| usage.get(key)).and_then(Value::as_u64);
    let (input, output) = (tokens("input_tokens"), tokens("output_tokens"));
    if input.is_none() && output.is_none() && billed.is_none() {
        return None;
    }
    Some(Usage {
        uncached: input.unwrap_or_default(),
        cache_read: tokens("cache_read_input_tokens").unwrap_or_default(),
        cache_write: tokens("cache_creation_input_tokens").unwrap_or_default(),
        output: output.unwrap_or_default(),
        billed,
        ..Usage::NONE
    })
}

/// What one of the models used that the command has asked. It asks others than the one that answers, too.
fn of_model(model: &Value) -> Option<Usage> {
    let tokens = |key: &str| model.get(key).and_then(Value::as_u64);
    let (input, output) = (tokens("inputTokens"), tokens("outputTokens"));
    (input.is_some() || output.is_some()).then(|| Usage {
        uncached: input.unwrap_or_default(),
        cache_read: tokens("cacheReadInputTokens").unwrap_or_default(),
        cache_write: tokens("cacheCreationInputTokens").unwrap_or_default(),
        output: output.unwrap_or_default(),
        ..Usage::NONE
    })
}

/// The higher number of each kind.
fn most(one: Usage, other: Usage) -> Usage {
    Usage {
        uncached: one.uncached.max(other.uncached),
        cache_read: one.cache_read.max(other.cache_read),
        cache_write: one.cache_write.max(other.cache_write),
        output: one.output.max(other.output),
        billed: one.billed.max(other.billed),
        partial: one.partial || other.partial,
        ..Usage::NONE
    }
}

/// Reported dollars, unless they make no sense.
fn nano_usd(usd: f64) -> Option<NanoUsd> {
    // Casting saturates, so that an absurd sum is an absurd sum and nothing worse.
    (usd.is_finite() && usd >= 0.0).then(|| NanoUsd((usd * 1e9).round() as u64))
}
