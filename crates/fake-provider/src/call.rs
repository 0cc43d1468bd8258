//! One request being answered: keeps its times, sends its frames, and notices when the client goes away.

use std::{
    collections::VecDeque,
    future, io,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::body::Body;
use bytes::Bytes;
use futures::{Stream, StreamExt, stream};

use crate::{
    cache::{CacheAccount, tokens},
    delivery::{AnswerEnd, AnswerFrame, AnswerFrames},
    running::wait_until,
    seen::RequestOutcome,
    seen_requests::SeenRequests,
};

/// Lives as long as a client waits for the answer. Dropped before it was finished, it records that the client
/// left: the HTTP library drops handlers and bodies when their connection closes.
#[derive(Debug)]
pub(crate) struct OpenCall {
    requests: Arc<SeenRequests>,
    number: u64,
    arrived: Instant,
    sent_text_bytes: usize,
    finished: bool,
}

impl OpenCall {
    pub(crate) fn new(requests: Arc<SeenRequests>, number: u64, arrived: Instant) -> Self {
        Self { requests, number, arrived, sent_text_bytes: 0, finished: false }
    }

    /// Waits until so long after the request's arrival: what has been spent on it since counts.
    pub(crate) async fn wait(&self, latency: Duration) {
        wait_until(self.arrived + latency).await;
    }

    /// The first byte is about to leave.
    pub(crate) fn begin(&self, account: &CacheAccount) {
        self.requests.begin(self.number, account);
    }

    pub(crate) fn finish(mut self, outcome: RequestOutcome) {
        self.close(outcome);
    }

    /// The body that sends the frames, with the pause before those that want one.
    pub(crate) fn deliver(mut self, mut delivery: AnswerFrames, pause: Duration) -> Body {
        // One frame needs no stream, and a body of known length goes out with its head.
        if delivery.ending == AnswerEnd::Whole
            && delivery.frames.len() == 1
            && let Some(frame) = delivery.frames.pop_front()
        {
            self.sent_text_bytes = frame.text_bytes;
            self.close(RequestOutcome::Answered);
            return Body::from(frame.bytes);
        }
        let AnswerFrames { frames, ending, .. } = delivery;
        let sending = Sending { call: self, frames, ending, pause, due: Instant::now() };
        Body::from_stream(sending.into_stream())
    }

    fn close(&mut self, outcome: RequestOutcome) {
        if !self.finished {
            self.finished = true;
            self.requests.finish(self.number, outcome, tokens(self.sent_text_bytes));
        }
    }
}

impl Drop for OpenCall {
    fn drop(&mut self) {
        self.close(RequestOutcome::Dropped);
    }
}

/// A body on its way.
struct Sending {
    call: OpenCall,
    frames: VecDeque<AnswerFrame>,
    ending: AnswerEnd,
    pause: Duration,
    /// When the last frame was due: pauses are counted from there, so that being late once does not add up.
    due: Instant,
}

impl Sending {
    fn into_stream(self) -> impl Stream<Item = io::Result<Bytes>> + Send {
        stream::unfold(Some(self), |sending| async { sending?.next().await }).fuse()
    }

    async fn next(mut self) -> Option<(io::Result<Bytes>, Option<Self>)> {
        let Some(frame) = self.frames.pop_front() else { return self.end().await };
        if frame.paused && !self.pause.is_zero() {
            self.due += self.pause;
            wait_until(self.due).await;
        }
        self.call.sent_text_bytes += frame.text_bytes;
        // Clients hang up as soon as they have read the last frame, so the call is over when it leaves.
        if self.frames.is_empty() {
            self.settle();
        }
        Some((Ok(frame.bytes), Some(self)))
    }

    /// Everything has been sent that will be.
    fn settle(&mut self) {
        match self.ending {
            AnswerEnd::Whole => self.call.close(RequestOutcome::Answered),
            AnswerEnd::Short => self.call.close(RequestOutcome::Failed),
            AnswerEnd::Cut | AnswerEnd::Hang => {}
        }
    }

    async fn end(mut self) -> Option<(io::Result<Bytes>, Option<Self>)> {
        match self.ending {
            AnswerEnd::Whole | AnswerEnd::Short => {
                self.settle();
                None
            }
            AnswerEnd::Hang => future::pending().await,
            AnswerEnd::Cut => {
                // The HTTP library throws away what it has not flushed when a body fails, and it flushes when
                // it has to wait for more.
                tokio::task::yield_now().await;
                self.call.close(RequestOutcome::Failed);
                Some((Err(io::Error::from(io::ErrorKind::ConnectionReset)), None))
            }
        }
    }
}
