//! The process: told once, heard to its end, gone whichever way the call ends.

use std::{process::Stdio, time::Duration};

use enact_drama::text::shortened;
use enact_engine::process::ProcessGroup;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWriteExt},
    process::{Child, ChildStdin, Command},
    sync::watch,
    time::sleep,
};

use crate::error::Error;

/// All that one call may write: a quarter of an hour of speech at the highest rate anybody speaks at.
const LONGEST_OUTPUT: usize = 64 * 1024 * 1024;

/// How long what a program wrote may take to arrive after it has ended: it lies in a pipe already.
const LINGER: Duration = Duration::from_millis(500);

/// How much of its complaints is kept: the end, where the reason is.
const COMPLAINTS: usize = 4 * 1024;

/// As much of a complaint as fits into a line of a log.
const LONGEST_COMPLAINT: usize = 200;

/// A running program. Dropping it ends it and all it has started.
///
/// Fields are dropped in this order: the group while its leader still holds its number, then the leader.
#[derive(Debug)]
pub(super) struct Call<'a> {
    name: &'a str,
    group: ProcessGroup,
    child: Child,
}

impl<'a> Call<'a> {
    pub(super) fn start(mut command: Command, name: &'a str) -> Result<Call<'a>, Error> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        #[cfg(unix)]
        command.process_group(0);
        let child = command.spawn().map_err(|error| Error::NotRun {
            program: name.to_owned(),
            why: error.to_string(),
            kind: error.kind(),
        })?;
        Ok(Call { name, group: ProcessGroup::led_by(child.id()), child })
    }

    /// Says everything and listens until the program has ended. Its complaints are told without what `hide` takes out of them.
    pub(super) async fn converse(
        &mut self,
        text: &str,
        hide: impl Fn(String) -> String,
    ) -> Result<Vec<u8>, Error> {
        let Call { name, group, child } = self;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let over = watch::Sender::new(false);
        let end = async {
            let status = child.wait().await;
            // It has said everything, and whatever it left behind would only keep its streams open.
            group.end();
            over.send_replace(true);
            status
        };
        // All at once: a program that speaks before it has heard everything must not wait for us, nor we for it.
        let (sound, complaints) = (sound(stdout, over.subscribe()), end_of(stderr, over.subscribe()));
        let ((), sound, complaints, status) = tokio::join!(say(stdin, text), sound, complaints, end);
        let sound = sound.ok_or(Error::TooLongToHear { limit_mb: LONGEST_OUTPUT / 1024 / 1024 })?;
        let how = match status {
            Ok(status) if status.success() && !sound.is_empty() => return Ok(sound),
            Ok(status) if status.success() => "said nothing".to_owned(),
            Ok(status) => match status.code() {
                Some(code) => format!("failed with exit code {code}"),
                None => "was ended by a signal".to_owned(),
            },
            Err(_) => "was lost".to_owned(),
        };
        let complaints = hide(complaints);
        let said = complaints.lines().rev().map(one_line).find(|line| !line.is_empty()).unwrap_or_default();
        Err(Error::Broke { program: (*name).to_owned(), how, said })
    }
}

async fn say(stdin: Option<ChildStdin>, text: &str) {
    let Some(mut stdin) = stdin else { return };
    // A program that does not listen says itself why it has ended.
    let _ = stdin.write_all(text.as_bytes()).await;
    let _ = stdin.write_all(b"\n").await;
    let _ = stdin.shutdown().await;
}

/// All that is written to a stream, unless that is too much.
async fn sound(stream: Option<impl AsyncRead + Unpin>, over: watch::Receiver<bool>) -> Option<Vec<u8>> {
    let mut sound = Vec::new();
    let Some(stream) = stream else { return Some(sound) };
    let mut stream = stream.take(LONGEST_OUTPUT as u64 + 1);
    tokio::select! {
        biased;
        // What breaks off here is found out when it is read.
        _ = stream.read_to_end(&mut sound) => {}
        () = long_over(over) => {}
    }
    (sound.len() <= LONGEST_OUTPUT).then_some(sound)
}

/// The end of what is written to a stream.
async fn end_of(stream: Option<impl AsyncRead + Unpin>, over: watch::Receiver<bool>) -> String {
    let Some(mut stream) = stream else { return String::new() };
    let mut end = Vec::new();
    let read = async {
        let mut piece = [0; 1024];
        while let Ok(read @ 1..) = stream.read(&mut piece).await {
            end.extend_from_slice(&piece[..read]);
            if let surplus @ 1.. = end.len().saturating_sub(COMPLAINTS) {
                // Not in the middle of a word, which may be one that is to be hidden.
                let whole = end[surplus..].iter().position(u8::is_ascii_whitespace);
                end.drain(..whole.map_or(end.len(), |gap| surplus + gap));
            }
        }
    };
    tokio::select! {
        biased;
        () = read => {}
        () = long_over(over) => {}
    }
    String::from_utf8_lossy(&end).into_owned()
}

/// Waits until a program has ended and all it wrote must have been read. Somebody who has left its group may hold its streams open
/// for ever, and has nothing to say.
async fn long_over(mut over: watch::Receiver<bool>) {
    // Whoever tells has ended otherwise if this fails.
    let _ = over.wait_for(|over| *over).await;
    sleep(LINGER).await;
}

fn one_line(line: &str) -> String {
    let words: Vec<&str> =
        line.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()).collect();
    shortened(&words.join(" "), LONGEST_COMPLAINT).into_owned()
}
