//! Closing a connection whose client is still sending. A socket that is closed with bytes unread is reset,
//! and the client may lose the answer that was sent before: it sees "connection reset" in place of a 413. So
//! what still comes is read and thrown away for a while.

use std::{
    io,
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

/// The closing of a socket, which ends only once its client has noticed.
#[derive(Debug)]
pub(super) struct Linger {
    unread: UnreadBody,
    closing: Option<Closing>,
}

#[derive(Debug)]
struct Closing {
    timeout: Pin<Box<Sleep>>,
    bytes_left: usize,
}

impl Linger {
    pub(super) fn new(unread: UnreadBody) -> Linger {
        Linger { unread, closing: None }
    }

    /// Closes a socket. Ready once the client has closed too, too much has come or it took too long.
    pub(super) fn poll_shutdown<S: AsyncRead + AsyncWrite + Unpin>(
        &mut self,
        socket: &mut S,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        if self.closing.is_none() {
            // The client learns that nothing more comes, and can still send.
            ready!(Pin::new(&mut *socket).poll_shutdown(cx))?;
        }
        if self.unread.0.load(Relaxed) {
            ready!(self.poll_discard(socket, cx));
        }
        Poll::Ready(Ok(()))
    }

    fn poll_discard(&mut self, socket: &mut (impl AsyncRead + Unpin), cx: &mut Context<'_>) -> Poll<()> {
        let closing = self.closing.get_or_insert_with(|| Closing {
            timeout: Box::pin(sleep(LINGER_TIMEOUT)),
            bytes_left: LINGER_BYTES,
        });
        let mut space = [0; STEP_BYTES];
        while closing.bytes_left > 0 {
            let mut buffer = ReadBuf::new(&mut space);
            match Pin::new(&mut *socket).poll_read(cx, &mut buffer) {
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

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex},
        time::Instant,
    };

    use super::*;
    use crate::serve::client_socket::ClientSocket;

    async fn close(socket: DuplexStream, unread: UnreadBody) {
        ClientSocket::new(socket, Duration::MAX, unread).shutdown().await.unwrap();
    }

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
        close(socket, unread()).await;
        assert!(began.elapsed() < LINGER_TIMEOUT);
        sending.await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_does_not_close_is_not_waited_for_long() {
        let (socket, mut client) = duplex(64);
        let began = Instant::now();
        close(socket, unread()).await;
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
        close(socket, unread()).await;
        assert!(sending.await.unwrap() <= LINGER_BYTES + (4 << 20));
    }

    #[tokio::test(start_paused = true)]
    async fn where_all_was_read_nothing_is_waited_for() {
        let (socket, _client) = duplex(64);
        let began = Instant::now();
        close(socket, UnreadBody::default()).await;
        assert_eq!(began.elapsed(), Duration::ZERO);
    }
}
