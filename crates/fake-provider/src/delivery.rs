//! An act turned into bytes: which frames are sent, and how it ends.

use std::collections::VecDeque;

use bytes::Bytes;

use crate::{
    act::{Act, Fault},
    cache::tokens,
    http,
    problem::Problem,
    prompt::Prompt,
    seen::{Api, Seen},
    wire::{self, Answer},
};

/// What is sent of an answer.
#[derive(Debug)]
pub(crate) struct Delivery {
    pub(crate) content_type: &'static str,
    pub(crate) frames: VecDeque<Frame>,
    pub(crate) ending: Ending,
}

#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) bytes: Bytes,
    /// How much of the answer's text it carries, which is billed when it leaves.
    pub(crate) text_bytes: usize,
    /// Whether the pause between pieces comes first.
    pub(crate) paused: bool,
}

/// What happens after the last frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The answer was whole.
    Whole,
    /// The body ends properly, but the answer does not.
    Short,
    /// The connection breaks.
    Cut,
    /// The connection stays open and nothing follows.
    Hang,
}

impl Delivery {
    pub(crate) fn streamed(api: Api, answer: &Answer<'_>, act: &Act) -> Self {
        let wire::Frames { head, mut pieces, tail } =
            wire::frames(api, answer, act.pieces.unwrap_or(Act::PIECES));
        let (keep, after, ending) = match &act.fault {
            Some(Fault::HangAfter(count)) => (*count, Bytes::new(), Ending::Hang),
            Some(Fault::CutAfter(count)) => (*count, Bytes::new(), Ending::Cut),
            Some(Fault::EndWithoutStop) => (pieces.len(), Bytes::new(), Ending::Short),
            Some(Fault::StreamError(trouble)) => {
                let error = wire::stream_error(api, *trouble, answer.id);
                (pieces.len().div_ceil(2), error.into(), Ending::Short)
            }
            Some(Fault::NotJson) => (1, wire::garbage(api).into(), Ending::Short),
            _ => (pieces.len(), tail, Ending::Whole),
        };
        pieces.truncate(keep);
        let mut frames = VecDeque::with_capacity(pieces.len() + 2);
        frames.push_back(Frame { bytes: head, text_bytes: 0, paused: false });
        frames.extend(pieces.into_iter().enumerate().map(|(index, piece)| Frame {
            bytes: piece.frame,
            text_bytes: piece.text_bytes,
            paused: index > 0,
        }));
        frames.push_back(Frame { bytes: after, text_bytes: 0, paused: false });
        frames.retain(|frame| !frame.bytes.is_empty());
        Self { content_type: wire::stream_type(api), frames, ending }
    }

    /// Plain answers break where streamed ones do, half-way through their body.
    pub(crate) fn plain(api: Api, answer: &Answer<'_>, act: &Act) -> Self {
        let body = match act.fault {
            Some(Fault::NotJson) => return Self::page(),
            _ => Bytes::from(wire::plain(api, answer).to_string()),
        };
        let ending = match act.fault {
            Some(Fault::HangAfter(_)) => Ending::Hang,
            Some(Fault::CutAfter(_)) => Ending::Cut,
            Some(Fault::EndWithoutStop) => Ending::Short,
            _ => Ending::Whole,
        };
        let sent = if ending == Ending::Whole { body.len() } else { body.len() / 2 };
        let text_bytes = answer.text.len() * sent / body.len().max(1);
        let frame = Frame { bytes: body.slice(..sent), text_bytes, paused: false };
        Self { content_type: "application/json", frames: VecDeque::from([frame]), ending }
    }

    fn page() -> Self {
        let frame =
            Frame { bytes: Bytes::from_static(http::GATEWAY_PAGE.as_bytes()), text_bytes: 0, paused: false };
        Self { content_type: "text/html", frames: VecDeque::from([frame]), ending: Ending::Short }
    }
}

/// Why a fault leads to no answer at all, if it does.
pub(crate) fn problem(fault: &Fault, seen: &Seen, prompt: &Prompt<'_>) -> Option<Problem> {
    match fault {
        Fault::Status(404, _) => Some(Problem::UnknownModel(seen.model.clone())),
        Fault::Status(status, _) => Some(Problem::Status(*status)),
        Fault::WrongKey => Some(Problem::WrongKey),
        Fault::TooLong => {
            let tokens = tokens(prompt.bytes());
            Some(Problem::TooLong { tokens, limit: tokens.saturating_sub(1) })
        }
        Fault::StreamError(trouble) if !prompt.streamed => Some(Problem::Status(trouble.status(seen.api))),
        _ => None,
    }
}
