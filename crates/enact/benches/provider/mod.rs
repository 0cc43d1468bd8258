//! The provider in a process of its own.

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdout, Command, Stdio},
    time::Duration,
};

use fake_provider::{FakeProvider, PlannedResponse};

const SERVE: &str = "ENACT_BENCH_PROVIDER";
const FORGETFUL: &str = "forgetful";

/// When and how long, by the provider's own clock.
pub(crate) struct Timing {
    pub(crate) arrived: Duration,
    pub(crate) took: Duration,
}

/// A provider that runs until this is dropped.
pub(crate) struct Remote {
    child: Child,
    answers: BufReader<ChildStdout>,
    base_url: String,
}

impl Remote {
    /// Answers after so long, and remembers every request.
    pub(crate) fn start(answer_ms: u64) -> Remote {
        Remote::with(answer_ms.to_string())
    }

    /// Answers after so long, and remembers nothing: for more requests than memory could hold.
    pub(crate) fn forgetful(answer_ms: u64) -> Remote {
        Remote::with(format!("{answer_ms} {FORGETFUL}"))
    }

    /// The same, with streams in so many pieces.
    pub(crate) fn forgetful_in_frames(answer_ms: u64, frames: usize) -> Remote {
        Remote::with(format!("{answer_ms} {FORGETFUL} {frames}"))
    }

    fn with(manner: String) -> Remote {
        let program = std::env::current_exe().expect("this program");
        let mut child = Command::new(program)
            .env(SERVE, manner)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a provider");
        let mut base_url = String::new();
        let mut answers = BufReader::new(child.stdout.take().expect("its output"));
        answers.read_line(&mut base_url).expect("its address");
        Remote { child, answers, base_url: base_url.trim().to_owned() }
    }

    pub(crate) fn base_url(&self) -> &str {
        &self.base_url
    }

    /// Every answer so far, in the order of arrival.
    pub(crate) fn timings(&mut self) -> Vec<Timing> {
        let input = self.child.stdin.as_mut().expect("its input");
        writeln!(input, "timings").expect("a question");
        let lines = self.answers.by_ref().lines().map_while(Result::ok);
        let micros = |text: Option<&str>| text.and_then(|n| n.parse().ok()).map(Duration::from_micros);
        let mut timings = Vec::new();
        for line in lines.take_while(|line| line != "end") {
            let mut fields = line.split(' ');
            let (arrived, took) = (micros(fields.next()), micros(fields.next()));
            timings.extend(arrived.zip(took).map(|(arrived, took)| Timing { arrived, took }));
        }
        timings
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

/// How to serve, if this process is to be the provider.
pub(crate) fn asked_to_serve() -> Option<String> {
    std::env::var(SERVE).ok()
}

/// Serves until standard input is closed.
#[expect(clippy::print_stdout, reason = "this is how the two processes talk")]
pub(crate) fn serve(manner: &str) {
    let words: Vec<&str> = manner.split(' ').collect();
    let answers_after = Duration::from_millis(words[0].parse().expect("a number of milliseconds"));
    let frames = words.get(2).map(|frames| frames.parse().expect("a number of frames"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let lively = move |seen: &fake_provider::Seen| {
        let number = seen.number;
        let text = format!(
            "[TONE: tense, *leans forward*] \"Number {number}: have you ever wondered what {} would say to all this?\"",
            number * 7919 % 100_003
        );
        PlannedResponse { pieces: frames, ..PlannedResponse::text(text).after(answers_after) }
    };
    let server = FakeProvider::builder().script(lively);
    let server = if words.len() > 1 { server.without_record() } else { server };
    let server = runtime.block_on(server.start());
    println!("{}", server.base_url());
    let began = std::time::Instant::now();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        if line == "timings" {
            for seen in server.seen().iter().filter(|seen| seen.method == "POST") {
                let finished = seen.finished.unwrap_or(seen.arrived);
                println!(
                    "{} {}",
                    seen.arrived.saturating_duration_since(began).as_micros(),
                    (finished - seen.arrived).as_micros()
                );
            }
            println!("end");
        }
    }
}
