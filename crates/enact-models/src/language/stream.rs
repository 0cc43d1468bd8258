//! One try: a request goes out, an answer is listened to.

use futures::StreamExt;
use genai::{
    ServiceTarget,
    chat::{ChatOptions, ChatRequest, ChatStreamEvent, StopReason, StreamEnd},
};

use super::{
    classify::ModelErrors,
    error::{AttemptError, Error},
    meter::{Complaint, Meter},
    speech::Speech,
};
use crate::Provider;

/// Nobody says this much in one beat: a server that goes on and on is cut off.
const LONGEST_ANSWER: usize = 1024 * 1024;

/// What local models put around their thoughts, where their server knows nothing of reasoning and passes it on as text.
pub(super) const THINKING: &str = "<think>";
pub(super) const THOUGHT: &str = "</think>";

/// Sends a request and listens until the answer has ended; what is being said can be heard meanwhile. Dropping the future
/// closes the connection.
pub(super) async fn listen(
    client: &genai::Client,
    target: ServiceTarget,
    (chat, options): (ChatRequest, ChatOptions),
    meter: &Meter,
    errors: &ModelErrors,
    mut speech: Speech<'_>,
) -> Result<String, AttemptError> {
    let broken = |error, begun| AttemptError { error, begun };
    let tokens = options.max_tokens.unwrap_or_default();
    let mut stream = client
        .exec_chat_stream(target, chat, Some(&options))
        .await
        .map_err(|error| broken(errors.from_genai(error), false))?
        .stream;
    let mut text = String::new();
    let mut begun = false;
    while let Some(event) = stream.next().await {
        match event {
            Ok(ChatStreamEvent::Chunk(chunk)) => {
                begun = true;
                text.push_str(&chunk.content);
                if text.len() > LONGEST_ANSWER {
                    return Err(broken(Error::TooLong { limit: LONGEST_ANSWER }, begun));
                }
                speech.hear(&chunk.content);
            }
            // Thoughts are paid for like words.
            Ok(ChatStreamEvent::ReasoningChunk(_)) => begun = true,
            Ok(ChatStreamEvent::End(end)) => {
                meter.ended();
                let text = finish(errors, meter, text, &end, tokens).map_err(|error| broken(error, begun))?;
                speech.end();
                return Ok(text);
            }
            Ok(_) => {}
            Err(error) => {
                let error = complaint(errors, meter).unwrap_or_else(|| errors.from_genai(error));
                return Err(broken(error, begun));
            }
        }
    }
    // The server closed the connection in good order, but never said that this was all.
    Err(broken(complaint(errors, meter).unwrap_or(Error::Truncated), begun))
}

/// What an answer comes to that has ended.
fn finish(
    errors: &ModelErrors,
    meter: &Meter,
    text: String,
    end: &StreamEnd,
    tokens: u32,
) -> Result<String, Error> {
    if let Some(error) = complaint(errors, meter) {
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

fn complaint(errors: &ModelErrors, meter: &Meter) -> Option<Error> {
    match meter.complaint()? {
        Complaint::Refused => Some(Error::Refused),
        Complaint::Error(error) => Some(errors.from_stream(&error)),
    }
}

/// Thoughts stand at the beginning.
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
