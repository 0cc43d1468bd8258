//! An act turned into bytes: which frames are sent, and how it ends.

use std::collections::VecDeque;

use bytes::Bytes;

use crate::{
    cache::tokens,
    http,
    planned_response::{Fault, PlannedResponse},
    prompt::Prompt,
    refusal::Refusal,
    seen::{Api, Seen},
    wire::{self, WireAnswer},
};

/// What is sent of an answer.
#[derive(Debug)]
pub(crate) struct AnswerFrames {
    pub(crate) content_type: &'static str,
    pub(crate) frames: VecDeque<AnswerFrame>,
    pub(crate) ending: AnswerEnd,
}

#[derive(Debug)]
pub(crate) struct AnswerFrame {
    pub(crate) bytes: Bytes,
    /// How much of the answer's text it carries, which is billed when it leaves.
    pub(crate) text_bytes: usize,
    /// Whether the pause between pieces comes first.
    pub(crate) paused: bool,
}

impl AnswerFrame {
    /// A frame without text.
    fn bare(bytes: Bytes) -> Self {
        Self { bytes, text_bytes: 0, paused: false }
    }
}

/// What happens after the last frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnswerEnd {
    /// The answer was whole.
    Whole,
    /// The body ends properly, but the answer does not.
    Short,
    /// The connection breaks.
    Cut,
    /// The connection stays open and nothing follows.
    Hang,
}

impl AnswerFrames {
    pub(crate) fn streamed(api: Api, answer: &WireAnswer<'_>, act: &PlannedResponse) -> Self {
        let (head, mut pieces, tail) =
            wire::frames(api, answer, act.pieces.unwrap_or(PlannedResponse::PIECES));
        let (keep, after, ending) = match &act.fault {
            Some(Fault::HangAfter(count)) => (*count, Bytes::new(), AnswerEnd::Hang),
            Some(Fault::CutAfter(count)) => (*count, Bytes::new(), AnswerEnd::Cut),
            Some(Fault::EndWithoutStop) => (pieces.len(), Bytes::new(), AnswerEnd::Short),
            Some(Fault::StreamError(trouble)) => {
                let error = wire::stream_error(api, *trouble, answer.id);
                (pieces.len().div_ceil(2), error.into(), AnswerEnd::Short)
            }
            Some(Fault::NotJson) => (1, wire::garbage(api).into(), AnswerEnd::Short),
            _ => (pieces.len(), tail, AnswerEnd::Whole),
        };
        pieces.truncate(keep);
        let frames = [AnswerFrame::bare(head)].into_iter().chain(pieces).chain([AnswerFrame::bare(after)]);
        let frames = frames.filter(|frame| !frame.bytes.is_empty()).collect();
        Self { content_type: wire::stream_type(api), frames, ending }
    }

    /// Plain answers break where streamed ones do, half-way through their body.
    pub(crate) fn plain(api: Api, answer: &WireAnswer<'_>, act: &PlannedResponse) -> Self {
        let body = match act.fault {
            Some(Fault::NotJson) => return Self::page(),
            _ => Bytes::from(wire::plain(api, answer).to_string()),
        };
        let ending = match act.fault {
            Some(Fault::HangAfter(_)) => AnswerEnd::Hang,
            Some(Fault::CutAfter(_)) => AnswerEnd::Cut,
            Some(Fault::EndWithoutStop) => AnswerEnd::Short,
            _ => AnswerEnd::Whole,
        };
        let sent = if ending == AnswerEnd::Whole { body.len() } else { body.len() / 2 };
        let text_bytes = answer.text.len() * sent / body.len().max(1);
        let frame = AnswerFrame { bytes: body.slice(..sent), text_bytes, paused: false };
        Self { content_type: "application/json", frames: VecDeque::from([frame]), ending }
    }

    fn page() -> Self {
        let frame = AnswerFrame::bare(Bytes::from_static(http::GATEWAY_PAGE.as_bytes()));
        Self { content_type: "text/html", frames: VecDeque::from([frame]), ending: AnswerEnd::Short }
    }
}

/// Why a fault leads to no answer at all, if it does.
pub(crate) fn refusal(fault: &Fault, seen: &Seen, prompt: &Prompt<'_>) -> Option<Refusal> {
    match fault {
        Fault::Status(404, _) => Some(Refusal::UnknownModel(seen.model.clone())),
        Fault::Status(status, _) => Some(Refusal::Status(*status)),
        Fault::WrongKey => Some(Refusal::WrongKey),
        Fault::TooLong => {
            let tokens = tokens(prompt.bytes());
            Some(Refusal::TooLong { tokens, limit: tokens.saturating_sub(1) })
        }
        Fault::StreamError(trouble) if !prompt.streamed => Some(Refusal::Status(trouble.status(seen.api))),
        _ => None,
    }
}
