//! The process: told the text, read to its end, gone whichever way the call ends.

use std::{process::Stdio, time::Duration};

use enact_engine::process::{ProcessGroup, describe_failure, read_tail, spawn_group, write_input};
use enact_http::redact::explanation;
use tokio::{
    io::{AsyncRead, AsyncReadExt},
    process::{Child, ChildStderr, Command},
    sync::watch,
    time::sleep,
};

use crate::error::Error;

/// All that one call may write: a quarter of an hour of speech at the highest rate in use.
const LONGEST_OUTPUT: usize = 64 * 1024 * 1024;

/// How long reading may go on after the program has ended: what it wrote lies in a pipe already.
const DRAIN_TIMEOUT: Duration = Duration::from_millis(500);

/// How much of its standard error is kept.
const KEPT_STDERR: usize = 4 * 1024;

/// A running program. Dropping it ends it and all it has started.
///
/// Fields are dropped in this order: the group while its leader still holds its number, then the leader.
#[derive(Debug)]
pub(super) struct SpeechProcess<'a> {
    name: &'a str,
    group: ProcessGroup,
    child: Child,
}

impl<'a> SpeechProcess<'a> {
    pub(super) fn start(mut command: Command, name: &'a str) -> Result<SpeechProcess<'a>, Error> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let (child, group) = spawn_group(&mut command).map_err(|error| Error::NotRun {
            program: name.to_owned(),
            why: error.to_string(),
            kind: error.kind(),
        })?;
        Ok(SpeechProcess { name, group, child })
    }

    /// Writes the text and reads until the program has ended. Errors quote its standard error after `redact`.
    pub(super) async fn run(
        &mut self,
        text: &str,
        redact: impl Fn(String) -> String,
    ) -> Result<Vec<u8>, Error> {
        let SpeechProcess { name, group, child } = self;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let input = [text.as_bytes(), b"\n"].concat();
        let exited = watch::Sender::new(false);
        let exit = async {
            let status = child.wait().await;
            // Processes that it left behind would only keep its streams open.
            group.end();
            exited.send_replace(true);
            status
        };
        // All at once: a program that writes before it has read everything must not wait for us, nor we for
        // it.
        let (output, stderr) =
            (read_output(stdout, exited.subscribe()), read_stderr(stderr, exited.subscribe()));
        let ((), output, stderr, status) = tokio::join!(write_input(stdin, &input), output, stderr, exit);
        let output = output.ok_or(Error::TooLongToHear { limit_mb: LONGEST_OUTPUT / 1024 / 1024 })?;
        let how = match status {
            Ok(status) if status.success() && !output.is_empty() => return Ok(output),
            Ok(status) if status.success() => "said nothing".to_owned(),
            Ok(status) => describe_failure(status),
            Err(_) => "was lost".to_owned(),
        };
        let stderr = redact(stderr);
        let lines = stderr.lines().rev().map(|line| explanation(line, None));
        let said = lines.into_iter().find(|line| !line.is_empty()).unwrap_or_default();
        Err(Error::ProgramFailed { program: (*name).to_owned(), how, said })
    }
}

/// All that is written to a stream, unless that is too much.
async fn read_output(
    stream: Option<impl AsyncRead + Unpin>,
    exited: watch::Receiver<bool>,
) -> Option<Vec<u8>> {
    let mut output = Vec::new();
    let Some(stream) = stream else { return Some(output) };
    let mut stream = stream.take(LONGEST_OUTPUT as u64 + 1);
    tokio::select! {
        biased;
        // An output that breaks off here is found out when it is decoded.
        _ = stream.read_to_end(&mut output) => {}
        () = exited_long_ago(exited) => {}
    }
    (output.len() <= LONGEST_OUTPUT).then_some(output)
}

async fn read_stderr(stderr: Option<ChildStderr>, exited: watch::Receiver<bool>) -> String {
    let mut tail = Vec::new();
    tokio::select! {
        biased;
        () = read_tail(stderr, KEPT_STDERR, &mut tail) => {}
        () = exited_long_ago(exited) => {}
    }
    String::from_utf8_lossy(&tail).into_owned()
}

/// Waits until the program has ended and its pipes must have been read. A process that has left its group may
/// hold them open for ever, and has nothing to say.
async fn exited_long_ago(mut exited: watch::Receiver<bool>) {
    // Fails if the sender is gone, which means the same.
    let _ = exited.wait_for(|exited| *exited).await;
    sleep(DRAIN_TIMEOUT).await;
}
