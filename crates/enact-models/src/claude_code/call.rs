//! The process: asked once, read until its result, gone whichever way the call ends.

use std::{io, pin::pin, process::ExitStatus, time::Duration};

use enact_drama::production::{Failure, FailureKind};
use enact_engine::process::ProcessGroup;
use enact_http::redact::explanation_without_keys;
use futures::future::{Either, join, select};
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader},
    process::{Child, ChildStdin, Command},
};

use super::{folder::Folder, stream::Reading};

/// All that one call may write. A reply is a few kilobytes and the stream tells it three times over; thinking may take a
/// hundred times that. What is longer has gone astray.
const LONGEST_OUTPUT: u64 = 8 * 1024 * 1024;

/// How much of its complaints is kept: the end, where the reason is.
const COMPLAINTS: usize = 8 * 1024;

/// How long a command may take to end once it has said everything.
const LEAVING: Duration = Duration::from_secs(5);

/// A running command. Dropping it ends it and all it has started.
///
/// Fields are dropped in this order: the group while its leader still holds its number, the leader, then the folder.
#[derive(Debug)]
pub(super) struct Call {
    group: ProcessGroup,
    child: Child,
    _folder: Folder,
}

impl Call {
    pub(super) fn start(mut command: Command, folder: Folder) -> io::Result<Call> {
        #[cfg(unix)]
        command.process_group(0);
        let child = command.spawn()?;
        Ok(Call { group: ProcessGroup::led_by(child.id()), child, _folder: folder })
    }

    /// Says everything and listens until the result is there, or until there is nothing more to hear.
    /// What was understood stays in `reading`, whichever way this ends.
    pub(super) async fn converse(&mut self, question: String, reading: &mut Reading) -> Result<(), Failure> {
        let (stdin, stdout, stderr) =
            (self.child.stdin.take(), self.child.stdout.take(), self.child.stderr.take());
        let complaints = {
            // Both at once: a command that answers before it has heard everything must not wait for us, nor we for it.
            let aside = pin!(join(say(stdin, question), end_of(stderr)));
            let listen = pin!(listen(stdout, reading));
            let (heard, complaints) = match select(listen, aside).await {
                Either::Left((Ok(Heard::Everything), aside)) => {
                    let complaints = tokio::time::timeout(LEAVING, aside).await;
                    (Heard::Everything, complaints.map_or_else(|_| String::new(), |((), said)| said))
                }
                Either::Left((heard, _)) => (heard?, String::new()),
                Either::Right((((), complaints), listen)) => (listen.await?, complaints),
            };
            match heard {
                Heard::Result => return Ok(()),
                Heard::Everything => complaints,
            }
        };
        let status = tokio::time::timeout(LEAVING, self.ended()).await.ok().and_then(Result::ok);
        let complaint = complaints.lines().rev().map(explanation_without_keys).find(|line| !line.is_empty());
        Err(reading.broken_off(&how_it_ended(status), complaint))
    }

    /// Lets the command end in its own time, without keeping anybody waiting for it: it may be writing its own files.
    pub(super) fn leave(mut self) {
        tokio::spawn(async move {
            let _ = tokio::time::timeout(LEAVING, self.ended()).await;
        });
    }

    async fn ended(&mut self) -> io::Result<ExitStatus> {
        let status = self.child.wait().await?;
        // What it left behind would go on, and perhaps go on costing money.
        self.group.end();
        Ok(status)
    }
}

async fn say(stdin: Option<ChildStdin>, question: String) {
    let Some(mut stdin) = stdin else { return };
    // A command that does not listen says itself why it has ended.
    let _ = stdin.write_all(question.as_bytes()).await;
    let _ = stdin.shutdown().await;
}

/// What there was to hear.
enum Heard {
    /// The result, after which nothing of interest follows.
    Result,
    /// All there was, and no result in it.
    Everything,
}

async fn listen(stdout: Option<impl AsyncRead + Unpin>, reading: &mut Reading) -> Result<Heard, Failure> {
    let Some(stdout) = stdout else { return Ok(Heard::Everything) };
    let mut lines = BufReader::new(stdout.take(LONGEST_OUTPUT));
    let mut line = Vec::new();
    loop {
        line.clear();
        match lines.read_until(b'\n', &mut line).await {
            Ok(0) if lines.get_ref().limit() == 0 => {
                let limit = LONGEST_OUTPUT / 1024 / 1024;
                return Err(
                    reading.failure(FailureKind::Other, format!("Claude Code wrote more than {limit} MB"))
                );
            }
            Ok(0) | Err(_) => return Ok(Heard::Everything),
            Ok(_) => reading.line(&String::from_utf8_lossy(&line)),
        }
        if reading.is_over() {
            return Ok(Heard::Result);
        }
    }
}

/// The end of what is written to a stream.
async fn end_of(stream: Option<impl AsyncRead + Unpin>) -> String {
    let Some(mut stream) = stream else { return String::new() };
    let mut end = Vec::new();
    let mut piece = [0; 1024];
    while let Ok(read @ 1..) = stream.read(&mut piece).await {
        end.extend_from_slice(&piece[..read]);
        let surplus = end.len().saturating_sub(COMPLAINTS);
        end.drain(..surplus);
    }
    String::from_utf8_lossy(&end).into_owned()
}

/// What became of a command that gave no result.
fn how_it_ended(status: Option<ExitStatus>) -> String {
    match status {
        Some(status) if status.success() => "ended without a result".to_owned(),
        Some(status) => match status.code() {
            Some(code) => format!("failed with exit code {code}"),
            None => "was ended by a signal".to_owned(),
        },
        None => "stopped talking without a result".to_owned(),
    }
}
