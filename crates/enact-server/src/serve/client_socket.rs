//! The socket of a connection: its writes time out when the client reads nothing, and closing it waits for a
//! client that is still sending.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::{
    linger::{Linger, UnreadBody},
    write_timeout::WriteTimeout,
};

#[derive(Debug)]
pub(super) struct ClientSocket<S> {
    socket: S,
    write_timeout: WriteTimeout,
    linger: Linger,
}

impl<S> ClientSocket<S> {
    pub(super) fn new(socket: S, write_timeout: Duration, unread: UnreadBody) -> ClientSocket<S> {
        ClientSocket { socket, write_timeout: WriteTimeout::new(write_timeout), linger: Linger::new(unread) }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for ClientSocket<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_read(cx, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for ClientSocket<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.socket).poll_write(cx, bytes);
        self.write_timeout.limit(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.socket).poll_write_vectored(cx, slices);
        self.write_timeout.limit(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let ClientSocket { socket, linger, .. } = &mut *self;
        linger.poll_shutdown(socket, cx)
    }
}
