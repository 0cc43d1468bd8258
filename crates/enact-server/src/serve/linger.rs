//! Closing a connection whose client is still sending. A socket that is closed with bytes unread is reset,
//! and the client may lose the answer that was sent before: it sees "connection reset" in place of a 413. So
//! what still comes is read and thrown away for a while.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Sleep, sleep},
};

/// How long it is read on for. A client that is still sending then is slow, or does not want to end.
const LINGER_TIMEOUT: Duration = Duration::from_secs(5);
/// How much is thrown away: sixty times what a body may have by default.
const LINGER_BYTES: usize = 64 * 1024 * 1024;
/// How much is read at a time.
const STEP_BYTES: usize = 16 * 1024;

/// Whether a request of a connection was answered without reading all of its body.
#[derive(Debug, Clone, Default)]
pub(super) struct UnreadBody(Arc<AtomicBool>);

impl UnreadBody {
    /// A body that tells when it is dropped before it was read to its end.
    pub(super) fn watch(&self, body: Incoming) -> WatchedBody {
        WatchedBody { body, has_ended: false, unread: self.clone() }
    }
}

/// The body of a request.
#[derive(Debug)]
pub(super) struct WatchedBody {
    body: Incoming,
    has_ended: bool,
    unread: UnreadBody,
}

impl Body for WatchedBody {
    type Data = <Incoming as Body>::Data;
    type Error = <Incoming as Body>::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        self.has_ended |= !matches!(frame, Some(Ok(_)));
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for WatchedBody {
    fn drop(&mut self) {
        if !self.has_ended && !self.body.is_end_stream() {
            self.unread.0.store(true, Relaxed);
        }
    }
}

/// A socket that is closed only once its client has noticed.
#[derive(Debug)]
pub(super) struct Lingering<S> {
    socket: S,
    unread: UnreadBody,
    closing: Option<Closing>,
}

#[derive(Debug)]
struct Closing {
    timeout: Pin<Box<Sleep>>,
    bytes_left: usize,
}

impl<S> Lingering<S> {
    pub(super) fn new(socket: S, unread: UnreadBody) -> Lingering<S> {
        Lingering { socket, unread, closing: None }
    }
}

impl<S: AsyncRead + Unpin> Lingering<S> {
    /// Ready once the client has closed, too much has come or it took too long.
    fn poll_discard(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let closing = self.closing.get_or_insert_with(|| Closing {
            timeout: Box::pin(sleep(LINGER_TIMEOUT)),
            bytes_left: LINGER_BYTES,
        });
        let mut space = [0; STEP_BYTES];
        while closing.bytes_left > 0 {
            let mut buffer = ReadBuf::new(&mut space);
            match Pin::new(&mut self.socket).poll_read(cx, &mut buffer) {
                Poll::Ready(Ok(())) if !buffer.filled().is_empty() => {
                    closing.bytes_left = closing.bytes_left.saturating_sub(buffer.filled().len());
                }
                Poll::Ready(_) => return Poll::Ready(()),
                Poll::Pending => return closing.timeout.as_mut().poll(cx),
            }
        }
        Poll::Ready(())
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Lingering<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_read(cx, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Lingering<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.socket).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.socket).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.closing.is_none() {
            // The client learns that nothing more comes, and can still send.
            ready!(Pin::new(&mut self.socket).poll_shutdown(cx))?;
        }
        if self.unread.0.load(Relaxed) {
            ready!(self.poll_discard(cx));
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt, duplex},
        time::Instant,
    };

    use super::*;

    fn unread() -> UnreadBody {
        UnreadBody(Arc::new(AtomicBool::new(true)))
    }

    #[tokio::test(start_paused = true)]
    async fn what_still_comes_is_thrown_away_until_the_client_closes() {
        let (socket, mut client) = duplex(64);
        let sending = tokio::spawn(async move {
            client.write_all(&[0; 100_000]).await.unwrap();
            client.shutdown().await.unwrap();
            client
        });
        let began = Instant::now();
        Lingering::new(socket, unread()).shutdown().await.unwrap();
        assert!(began.elapsed() < LINGER_TIMEOUT);
        sending.await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_does_not_close_is_not_waited_for_long() {
        let (socket, mut client) = duplex(64);
        let began = Instant::now();
        Lingering::new(socket, unread()).shutdown().await.unwrap();
        assert_eq!(began.elapsed(), LINGER_TIMEOUT);
        assert_eq!(client.read(&mut [0; 8]).await.unwrap(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_sends_without_end_is_cut_off() {
        let (socket, mut client) = duplex(1 << 20);
        let sending = tokio::spawn(async move {
            let piece = vec![0; 1 << 20];
            let mut sent = 0;
            while client.write_all(&piece).await.is_ok() {
                sent += piece.len();
            }
            sent
        });
        Lingering::new(socket, unread()).shutdown().await.unwrap();
        assert!(sending.await.unwrap() <= LINGER_BYTES + (4 << 20));
    }

    #[tokio::test(start_paused = true)]
    async fn where_all_was_read_nothing_is_waited_for() {
        let (socket, _client) = duplex(64);
        let began = Instant::now();
        Lingering::new(socket, UnreadBody::default()).shutdown().await.unwrap();
        assert_eq!(began.elapsed(), Duration::ZERO);
    }
}
