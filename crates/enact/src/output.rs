//! Writing to standard output, and what to do when nobody reads it any more.

use std::io::{self, Write};

/// Standard output that takes a closed pipe (`enact export … | head`) for the end of interest, not for an error.
pub(crate) fn stdout() -> impl Write {
    Quietly(anstream::stdout())
}

/// The same for what is no text: every byte as it is, where [`stdout`] leaves out colours that nobody could see.
pub(crate) fn bytes() -> impl Write {
    Quietly(io::stdout().lock())
}

struct Quietly<W>(W);

impl<W: Write> Write for Quietly<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        unless_closed(self.0.write(bytes), bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        unless_closed(self.0.flush(), ())
    }
}

fn unless_closed<T>(result: io::Result<T>, otherwise: T) -> io::Result<T> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(otherwise),
        other => other,
    }
}
