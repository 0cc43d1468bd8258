//! One attempt: a request goes out, the stream of its answer is read.

use futures::StreamExt;
use genai::{
    ServiceTarget,
    chat::{ChatOptions, ChatRequest, ChatStreamEvent, StopReason, StreamEnd},
};

use super::{
    classify::ModelErrors,
    error::{AttemptError, Error},
    live_text::LiveFilter,
    usage::{InBandError, UsageMeter},
};
use crate::Provider;

/// Far more than a line of any beat: a server that sends more may never stop.
const LONGEST_ANSWER: usize = 1024 * 1024;

/// What local models put around their thoughts, where their server knows nothing of reasoning and passes it
/// on as text.
pub(super) const THINKING: &str = "<think>";
pub(super) const THOUGHT: &str = "</think>";

/// Sends a request and reads until the answer has ended, passing on live text meanwhile. Dropping the future
/// closes the connection.
pub(super) async fn read_stream(
    client: &genai::Client,
    target: ServiceTarget,
    (chat, options): (ChatRequest, ChatOptions),
    meter: &UsageMeter,
    errors: &ModelErrors,
    mut filter: LiveFilter<'_>,
) -> Result<String, AttemptError> {
    let failed = |error, begun| AttemptError { error, begun };
    let tokens = options.max_tokens.unwrap_or_default();
    let mut stream = client
        .exec_chat_stream(target, chat, Some(&options))
        .await
        .map_err(|error| failed(errors.classify_genai(error), false))?
        .stream;
    let mut text = String::new();
    let mut begun = false;
    while let Some(event) = stream.next().await {
        match event {
            Ok(ChatStreamEvent::Chunk(chunk)) => {
                begun = true;
                text.push_str(&chunk.content);
                if text.len() > LONGEST_ANSWER {
                    return Err(failed(Error::TooLong { limit: LONGEST_ANSWER }, begun));
                }
                filter.push(&chunk.content);
            }
            // Thoughts are paid for like words.
            Ok(ChatStreamEvent::ReasoningChunk(_)) => begun = true,
            Ok(ChatStreamEvent::End(end)) => {
                meter.ended();
                let text = finish(errors, meter, text, &end, tokens).map_err(|error| failed(error, begun))?;
                filter.finish();
                return Ok(text);
            }
            Ok(_) => {}
            Err(error) => {
                let error = in_band_error(errors, meter).unwrap_or_else(|| errors.classify_genai(error));
                return Err(failed(error, begun));
            }
        }
    }
    // The server closed the connection in good order, but never said that this was all.
    Err(failed(in_band_error(errors, meter).unwrap_or(Error::Truncated), begun))
}

/// The text of an answer that has ended.
fn finish(
    errors: &ModelErrors,
    meter: &UsageMeter,
    text: String,
    end: &StreamEnd,
    tokens: u32,
) -> Result<String, Error> {
    if let Some(error) = in_band_error(errors, meter) {
        return Err(error);
    }
    let stop = end.captured_stop_reason.as_ref();
    if matches!(stop, Some(StopReason::ContentFilter(_))) {
        return Err(Error::Refused);
    }
    // For these two `genai` makes up an end where there was none; a real one says why it ended.
    let may_be_made_up = matches!(errors.settings.provider, Provider::Gemini | Provider::Ollama);
    if stop.is_none() && may_be_made_up {
        return Err(Error::Truncated);
    }
    let text = without_thoughts(text);
    if text.trim().is_empty() {
        return Err(match stop {
            Some(StopReason::MaxTokens(_)) => Error::NoTokensLeft { tokens },
            _ => Error::Empty,
        });
    }
    Ok(text)
}

fn in_band_error(errors: &ModelErrors, meter: &UsageMeter) -> Option<Error> {
    match meter.in_band_error()? {
        InBandError::Refused => Some(Error::Refused),
        InBandError::Error(error) => Some(errors.classify_stream(&error)),
    }
}

/// Thoughts only count as such at the beginning.
pub(super) fn without_thoughts(text: String) -> String {
    match text.trim_start().strip_prefix(THINKING) {
        Some(thinking) => match thinking.split_once(THOUGHT) {
            Some((_, said)) => said.trim_start().to_owned(),
            // Cut off before it came to the point.
            None => String::new(),
        },
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thoughts_are_not_said() {
        for (text, said) in [
            ("[TONE: calm] \"Yes.\"", "[TONE: calm] \"Yes.\""),
            ("<think>Hm.</think>\n\n[SILENT]", "[SILENT]"),
            ("\n<think>\nHm, hm.\n</think>[SILENT]", "[SILENT]"),
            ("<think>Hm, hm", ""),
            ("I <think> so</think>.", "I <think> so</think>."),
        ] {
            assert_eq!(without_thoughts(text.to_owned()), said, "{text}");
        }
    }
}
