//! What a call used, read from the frames of its answer as they pass.

use std::sync::{Arc, Mutex, PoisonError};

use enact_drama::usage::Usage;
use genai::chat::{ChatFrameSink, FrameCtx, RawFrameRef};
use serde::Deserialize;
use serde_json::Value;

/// No call has more tokens than this: a server that says so is not believed.
const MOST_TOKENS: u64 = 1_000_000_000;

/// A frame that matters here has one of these in it. Most frames are a few words of the answer, which `genai` takes apart
/// already: looking them through costs a fraction of doing it twice.
const TELLING: [&str; 6] = ["_tokens", "TokenCount", "eval_count", "refusal", "blockReason", "error"];

/// Reads the usage of one answer, and the two things that `genai` overlooks, off the wire.
///
/// The raw frames are read rather than what `genai` makes of them, because they also tell what was used up to the point
/// where an answer broke off.
#[derive(Debug, Default)]
pub(super) struct Meter(Mutex<Reading>);

#[derive(Debug, Default, Clone)]
struct Reading {
    counts: Counts,
    /// Whether some count was absurd, which makes all of them doubtful.
    absurd: bool,
    complaint: Option<Complaint>,
    fate: Fate,
}

/// What became of a try, which decides how far its counts are to be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Fate {
    /// It broke off, or is still under way: more may have been used than was told.
    #[default]
    Open,
    /// The answer came to its end, so that its last counts are the whole.
    Ended,
    /// Nobody began to answer: that costs nothing.
    TurnedAway,
}

/// Something a frame says beside the answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Complaint {
    /// The model or the provider will not answer this.
    Refused,
    /// An error that Ollama reports within a stream.
    Error(Value),
}

/// The last that was said of each kind.
#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    input: Option<u64>,
    /// Whether the input contains what was read from and written to caches. Anthropic counts that apart.
    inclusive: bool,
    cache_read: Option<u64>,
    cache_write: Option<u64>,
    output: Option<u64>,
}

impl Meter {
    /// What was used, if that has been said: never zeros for want of knowledge.
    pub(super) fn usage(&self) -> Option<Usage> {
        let reading = self.read();
        if reading.absurd {
            return None;
        }
        let Counts { input, inclusive, cache_read, cache_write, output } = reading.counts;
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
        self.read().fate = Fate::Ended;
    }

    /// There was no answer at all, only an error in its place.
    pub(super) fn turned_away(&self) {
        let mut reading = self.read();
        if reading.counts.input.is_none() && reading.counts.output.is_none() {
            reading.fate = Fate::TurnedAway;
        }
    }

    /// What the try came to.
    fn spent(&self) -> Option<Usage> {
        let fate = self.read().fate;
        match fate {
            Fate::TurnedAway => Some(Usage::NONE),
            Fate::Ended => self.usage(),
            Fate::Open => self.usage().map(|usage| Usage { partial: true, ..usage }),
        }
    }

    pub(super) fn complaint(&self) -> Option<Complaint> {
        self.read().complaint.clone()
    }

    fn read(&self) -> std::sync::MutexGuard<'_, Reading> {
        // Nothing panics while it is held; and if it did, the counts would be as good as before.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ChatFrameSink for Meter {
    fn on_frame(&self, _: &FrameCtx, frame: RawFrameRef<'_>) {
        if !TELLING.iter().any(|word| frame.data.contains(word)) {
            return;
        }
        // What is no JSON (`[DONE]`), and what has another shape, counts nothing.
        if let Ok(frame) = serde_json::from_str::<Frame>(frame.data) {
            self.read().take(frame);
        }
    }
}

/// The meters of one call: one for each time it was tried.
#[derive(Debug, Default)]
pub(super) struct Bill(Mutex<Vec<Arc<Meter>>>);

impl Bill {
    /// A meter for the next try.
    pub(super) fn meter(&self) -> Arc<Meter> {
        let meter = Arc::new(Meter::default());
        self.meters().push(Arc::clone(&meter));
        meter
    }

    /// What all tries together used. Unknown if it is not known of the last one, which is the one that answered.
    pub(super) fn of_answer(&self) -> Option<Usage> {
        self.meters().last()?.spent()?;
        self.so_far()
    }

    /// What is known to have been used; partial, if some try did not tell.
    pub(super) fn so_far(&self) -> Option<Usage> {
        let tries: Vec<Option<Usage>> = self.meters().iter().map(|meter| meter.spent()).collect();
        let known = tries.iter().flatten().copied().reduce(|mut sum, usage| {
            sum += usage;
            sum
        })?;
        Some(Usage { partial: known.partial || tries.contains(&None), ..known })
    }

    fn meters(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Meter>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A frame of any provider, as far as it is of interest here.
#[derive(Deserialize)]
struct Frame {
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

impl Reading {
    fn take(&mut self, frame: Frame) {
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
            self.complaint = Some(Complaint::Refused);
        } else if let Some(error) = frame.error.filter(|error| !error.is_null()) {
            self.complaint = Some(Complaint::Error(error));
        }
    }

    /// Said twice: what went in at the beginning, and again with what came out at the end.
    fn take_anthropic(&mut self, usage: &Value) {
        self.counts.inclusive = false;
        let Counts { input, cache_read, cache_write, output, .. } = self.counts;
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

    /// Said with every frame, growing. Zeros are left out, and thoughts come on top.
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
