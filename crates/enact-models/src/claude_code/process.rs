//! The process: asked once, read until its result, gone whichever way the call ends.

use std::{io, pin::pin, process::ExitStatus, time::Duration};

use enact_drama::production::{Failure, FailureKind};
use enact_engine::process::{ProcessGroup, describe_failure, read_tail, spawn_group, write_input};
use enact_http::redact::explanation_without_keys;
use futures::future::{Either, join, select};
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, BufReader},
    process::{Child, ChildStderr, Command},
    time::timeout,
};

use super::{stream::ReplyStream, temp_dir::CallDir};
use crate::call_queue::CallPermit;

/// All that one call may write. A reply is a few kilobytes and the stream tells it three times over; thinking
/// may take a hundred times that.
const LONGEST_OUTPUT: u64 = 8 * 1024 * 1024;

/// How much of its standard error is kept.
const KEPT_STDERR: usize = 8 * 1024;

/// How long a command may take to exit once it has said everything.
const EXIT_TIMEOUT: Duration = Duration::from_secs(5);

/// A running command. Dropping it ends it and all it has started.
///
/// Fields are dropped in this order: the group while its leader still holds its number, the leader, then the
/// directory.
#[derive(Debug)]
pub(super) struct ClaudeProcess {
    group: ProcessGroup,
    child: Child,
    _dir: CallDir,
}

impl ClaudeProcess {
    pub(super) fn start(mut command: Command, dir: CallDir) -> io::Result<ClaudeProcess> {
        let (child, group) = spawn_group(&mut command)?;
        Ok(ClaudeProcess { group, child, _dir: dir })
    }

    /// Writes the question and reads until all is known or the output ends. What was understood stays in
    /// `reply`, whichever way this ends.
    pub(super) async fn run(&mut self, question: String, reply: &mut ReplyStream) -> Result<(), Failure> {
        let (stdin, stdout, stderr) =
            (self.child.stdin.take(), self.child.stdout.take(), self.child.stderr.take());
        let stderr = {
            // Both at once: a command that answers before it has read everything must not wait for us, nor we
            // for it.
            let write_and_read_stderr =
                pin!(join(write_input(stdin, question.as_bytes()), read_stderr(stderr)));
            let read = pin!(read_output(stdout, reply));
            let (end, stderr) = match select(read, write_and_read_stderr).await {
                Either::Left((Ok(OutputEnd::Eof), rest)) => {
                    let stderr = timeout(EXIT_TIMEOUT, rest).await;
                    (OutputEnd::Eof, stderr.map_or_else(|_| String::new(), |((), stderr)| stderr))
                }
                Either::Left((end, _)) => (end?, String::new()),
                Either::Right((((), stderr), read)) => (read.await?, stderr),
            };
            match end {
                OutputEnd::Settled => return Ok(()),
                OutputEnd::Eof => stderr,
            }
        };
        let status = timeout(EXIT_TIMEOUT, self.exited()).await.ok().and_then(Result::ok);
        let last_line = stderr.lines().rev().map(explanation_without_keys).find(|line| !line.is_empty());
        Err(reply.cut_short(&how_it_ended(status), last_line))
    }

    /// Lets the command exit in its own time while the call goes on: it may be writing its own files. Until
    /// then it holds on to its permit.
    pub(super) fn detach(mut self, permit: CallPermit) {
        tokio::spawn(async move {
            let _ = timeout(EXIT_TIMEOUT, self.exited()).await;
            drop(permit);
        });
    }

    async fn exited(&mut self) -> io::Result<ExitStatus> {
        let status = self.child.wait().await?;
        // Processes that it left behind would go on, and perhaps go on costing money.
        self.group.end();
        Ok(status)
    }
}

/// Why reading ended.
enum OutputEnd {
    /// All is known that is wanted.
    Settled,
    /// The output has ended without a result.
    Eof,
}

async fn read_output(
    stdout: Option<impl AsyncRead + Unpin>,
    reply: &mut ReplyStream,
) -> Result<OutputEnd, Failure> {
    let Some(stdout) = stdout else { return Ok(OutputEnd::Eof) };
    let mut lines = BufReader::new(stdout.take(LONGEST_OUTPUT));
    let mut line = Vec::new();
    loop {
        line.clear();
        match lines.read_until(b'\n', &mut line).await {
            Ok(0) if lines.get_ref().limit() == 0 => {
                let error = format!("Claude Code wrote more than {} MB", LONGEST_OUTPUT / 1024 / 1024);
                return Err(reply.failure(FailureKind::Other, error));
            }
            Ok(0) | Err(_) => return Ok(OutputEnd::Eof),
            Ok(_) => reply.line(&String::from_utf8_lossy(&line)),
        }
        if reply.is_settled() {
            return Ok(OutputEnd::Settled);
        }
    }
}

async fn read_stderr(stderr: Option<ChildStderr>) -> String {
    let mut tail = Vec::new();
    read_tail(stderr, KEPT_STDERR, &mut tail).await;
    String::from_utf8_lossy(&tail).into_owned()
}

/// What became of a command that gave no result.
fn how_it_ended(status: Option<ExitStatus>) -> String {
    match status {
        Some(status) if status.success() => "ended without a result".to_owned(),
        Some(status) => describe_failure(status),
        None => "closed its output without a result".to_owned(),
    }
}
