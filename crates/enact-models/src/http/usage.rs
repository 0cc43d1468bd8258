//! What a call used, read from the frames of its answer as they pass.

use std::sync::{Arc, Mutex, PoisonError};

use enact_drama::usage::{UntoldTries, Usage};
use genai::chat::{ChatFrameSink, FrameCtx, RawFrameRef};
use serde::Deserialize;
use serde_json::Value;

/// No call has more tokens than this: a server that says so is not believed.
const MOST_TOKENS: u64 = 1_000_000_000;

/// Frames without one of these words are not parsed. Most frames are a few words of the answer, which `genai`
/// parses already: searching them costs a fraction of parsing them twice.
const MARKERS: [&str; 6] = ["_tokens", "TokenCount", "eval_count", "refusal", "blockReason", "error"];

/// Reads the usage of one answer, and the two things that `genai` overlooks, off the wire.
///
/// The raw frames are read rather than what `genai` makes of them, because they also tell what was used up to
/// the point where an answer broke off.
#[derive(Debug, Default)]
pub(super) struct UsageMeter(Mutex<MeterState>);

#[derive(Debug, Default, Clone)]
struct MeterState {
    counts: TokenCounts,
    /// Whether some count was absurd, which makes all of them doubtful.
    absurd: bool,
    in_band_error: Option<InBandError>,
    completion: Completion,
}

/// How an attempt ended, which decides how far its counts are trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Completion {
    /// It broke off, or is still under way: more may have been used than was reported.
    #[default]
    Open,
    /// The answer came to its end, so that its last counts are the whole.
    Ended,
    /// No answer was begun, which costs nothing.
    Rejected,
}

/// An error within the stream of an answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum InBandError {
    /// The model or the provider will not answer this.
    Refused,
    /// An error that Ollama reports within a stream.
    Error(Value),
}

/// The last count of each kind.
#[derive(Debug, Default, Clone, Copy)]
struct TokenCounts {
    input: Option<u64>,
    /// Whether the input contains what was read from and written to caches. Anthropic counts that apart.
    inclusive: bool,
    cache_read: Option<u64>,
    cache_write: Option<u64>,
    output: Option<u64>,
}

impl UsageMeter {
    /// What was used, if that was reported: never zeros in place of unknown counts.
    pub(super) fn usage(&self) -> Option<Usage> {
        let state = self.read();
        if state.absurd {
            return None;
        }
        let TokenCounts { input, inclusive, cache_read, cache_write, output } = state.counts;
        let mut usage = Usage::NONE;
        usage.cache_read = cache_read.unwrap_or(0);
        usage.cache_write = cache_write.unwrap_or(0);
        usage.output = output?;
        usage.uncached = match inclusive {
            true => input?.saturating_sub(usage.cache_read).saturating_sub(usage.cache_write),
            false => input?,
        };
        Some(usage)
    }

    /// The answer has come to its end.
    pub(super) fn ended(&self) {
        self.read().completion = Completion::Ended;
    }

    /// There was no answer at all, only an error in its place.
    pub(super) fn rejected(&self) {
        let mut state = self.read();
        if state.counts.input.is_none() && state.counts.output.is_none() {
            state.completion = Completion::Rejected;
        }
    }

    /// What the attempt used.
    fn spent(&self) -> Option<Usage> {
        let completion = self.read().completion;
        match completion {
            Completion::Rejected => Some(Usage::NONE),
            Completion::Ended => self.usage(),
            Completion::Open => self.usage().map(|usage| Usage { partial: true, ..usage }),
        }
    }

    pub(super) fn in_band_error(&self) -> Option<InBandError> {
        self.read().in_band_error.clone()
    }

    fn read(&self) -> std::sync::MutexGuard<'_, MeterState> {
        // Nothing panics while it is held; and if it did, the counts would be as good as before.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ChatFrameSink for UsageMeter {
    fn on_frame(&self, _: &FrameCtx, frame: RawFrameRef<'_>) {
        if !MARKERS.iter().any(|word| frame.data.contains(word)) {
            return;
        }
        // What is no JSON (`[DONE]`), and what has another shape, counts nothing.
        if let Ok(frame) = serde_json::from_str::<ProviderFrame>(frame.data) {
            self.read().take(frame);
        }
    }
}

/// The usage of one call: a meter for each attempt.
#[derive(Debug, Default)]
pub(super) struct CallUsage(Mutex<Vec<Arc<UsageMeter>>>);

impl CallUsage {
    /// A meter for the next attempt.
    pub(super) fn meter(&self) -> Arc<UsageMeter> {
        let meter = Arc::new(UsageMeter::default());
        self.meters().push(Arc::clone(&meter));
        meter
    }

    /// What all attempts together used. Unknown if it is not known of the last one, which is the one that
    /// answered.
    pub(super) fn total(&self) -> Option<Usage> {
        self.meters().last()?.spent()?;
        self.partial_total()
    }

    /// What is known to have been used; partial, if some attempt did not report it.
    pub(super) fn partial_total(&self) -> Option<Usage> {
        let attempts: Vec<Option<Usage>> = self.meters().iter().map(|meter| meter.spent()).collect();
        let known = attempts.iter().flatten().copied().reduce(|mut sum, usage| {
            sum += usage;
            sum
        })?;
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
        self.meters().len() as u32
    }

    /// How many attempts were billed, or may have been.
    pub(super) fn paid_tries(&self) -> usize {
        self.meters().iter().filter(|meter| meter.read().completion != Completion::Rejected).count()
    }

    fn meters(&self) -> std::sync::MutexGuard<'_, Vec<Arc<UsageMeter>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A frame of any provider, as far as it is of interest here.
#[derive(Deserialize)]
struct ProviderFrame {
    /// OpenAI, and the end of Anthropic's.
    #[serde(default)]
    usage: Option<Value>,
    /// The beginning of Anthropic's. Ollama's messages have no usage in them.
    #[serde(default)]
    message: Option<Value>,
    /// Gemini.
    #[serde(default, rename = "usageMetadata")]
    usage_metadata: Option<Value>,
    #[serde(default, rename = "promptFeedback")]
    prompt_feedback: Option<Value>,
    /// OpenAI: a model that declines to fill in a schema says so beside the content.
    #[serde(default)]
    choices: Option<Value>,
    /// Ollama.
    #[serde(default)]
    prompt_eval_count: Option<Value>,
    #[serde(default)]
    prompt_eval_cached_count: Option<Value>,
    #[serde(default)]
    eval_count: Option<Value>,
    #[serde(default)]
    error: Option<Value>,
}

impl MeterState {
    fn take(&mut self, frame: ProviderFrame) {
        let begun = frame.message.as_ref().and_then(|message| message.get("usage"));
        for usage in begun.into_iter().chain(&frame.usage) {
            if usage.get("prompt_tokens").is_some() {
                self.take_openai(usage);
            } else {
                self.take_anthropic(usage);
            }
        }
        if let Some(usage) = &frame.usage_metadata {
            self.take_gemini(usage);
        }
        if frame.eval_count.is_some() {
            self.counts.inclusive = true;
            self.counts.input = self.count(frame.prompt_eval_count.as_ref());
            self.counts.cache_read = self.count(frame.prompt_eval_cached_count.as_ref());
            self.counts.output = self.count(frame.eval_count.as_ref());
        }
        let blocked = |feedback: &Value| feedback.get("blockReason").is_some();
        let declined = |choices: &Value| {
            choices.pointer("/0/delta/refusal").and_then(Value::as_str).is_some_and(|text| !text.is_empty())
        };
        if frame.prompt_feedback.as_ref().is_some_and(blocked) || frame.choices.as_ref().is_some_and(declined)
        {
            self.in_band_error = Some(InBandError::Refused);
        } else if let Some(error) = frame.error.filter(|error| !error.is_null()) {
            self.in_band_error = Some(InBandError::Error(error));
        }
    }

    /// Reported twice: what went in at the beginning, and again with what came out at the end.
    fn take_anthropic(&mut self, usage: &Value) {
        self.counts.inclusive = false;
        let TokenCounts { input, cache_read, cache_write, output, .. } = self.counts;
        self.counts.input = self.count(usage.get("input_tokens")).or(input);
        self.counts.cache_read = self.count(usage.get("cache_read_input_tokens")).or(cache_read);
        self.counts.cache_write = self.count(usage.get("cache_creation_input_tokens")).or(cache_write);
        self.counts.output = self.count(usage.get("output_tokens")).or(output);
    }

    fn take_openai(&mut self, usage: &Value) {
        let details = |name: &str| usage.get("prompt_tokens_details").and_then(|details| details.get(name));
        self.counts.inclusive = true;
        self.counts.input = self.count(usage.get("prompt_tokens"));
        self.counts.cache_read = self.count(details("cached_tokens"));
        self.counts.cache_write = self.count(details("cache_write_tokens"));
        self.counts.output = self.count(usage.get("completion_tokens"));
    }

    /// Reported with every frame, growing. Zeros are left out, and thoughts come on top.
    fn take_gemini(&mut self, usage: &Value) {
        self.counts.inclusive = true;
        self.counts.input = self.count(usage.get("promptTokenCount"));
        self.counts.cache_read = self.count(usage.get("cachedContentTokenCount"));
        let said = self.count(usage.get("candidatesTokenCount")).unwrap_or(0);
        let thought = self.count(usage.get("thoughtsTokenCount")).unwrap_or(0);
        self.counts.output = Some(said + thought);
    }

    fn count(&mut self, value: Option<&Value>) -> Option<u64> {
        let value = value.filter(|value| !value.is_null())?;
        let count = value.as_u64().filter(|count| *count <= MOST_TOKENS);
        self.absurd |= count.is_none();
        count
    }
}

#[cfg(test)]
mod tests;
