//! The timeout of writes to a client that reads nothing.

use std::{
    future::Future,
    io,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use tokio::time::{Sleep, sleep};

/// Writes fail once no byte was taken for so long. Slow clients are fine: each byte starts the timeout again.
#[derive(Debug)]
pub(super) struct WriteTimeout {
    timeout: Duration,
    /// Only while a write waits: an idle connection has no timer.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl WriteTimeout {
    pub(super) fn new(timeout: Duration) -> WriteTimeout {
        WriteTimeout { timeout, waiting: None }
    }

    /// What came of an attempt to write, or that it has taken too long.
    pub(super) fn limit<T>(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.waiting = None;
            return written;
        }
        let timeout = self.timeout;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(timeout)));
        waiting
            .as_mut()
            .poll(cx)
            .map(|()| Err(io::Error::new(io::ErrorKind::TimedOut, "write timeout: the client reads nothing")))
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt, duplex},
        time::Instant,
    };

    use super::*;
    use crate::serve::{client_socket::ClientSocket, linger::UnreadBody};

    const TIMEOUT: Duration = Duration::from_secs(60);

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_nothing_times_out() {
        let (socket, _client) = duplex(8);
        let start = Instant::now();
        let error =
            ClientSocket::new(socket, TIMEOUT, UnreadBody::default()).write_all(&[0; 100]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert_eq!(start.elapsed(), TIMEOUT);
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_client_does_not() {
        let (socket, mut client) = duplex(8);
        let reader = tokio::spawn(async move {
            for _ in 0..100 {
                sleep(TIMEOUT / 2).await;
                client.read_u8().await.unwrap();
            }
        });
        ClientSocket::new(socket, TIMEOUT, UnreadBody::default()).write_all(&[0; 100]).await.unwrap();
        reader.await.unwrap();
    }
}
