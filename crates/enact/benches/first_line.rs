//! From starting the program to its first line: the whole of `enact run`, disk included. The bar is 50 ms.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

use std::{
    io::{BufRead, BufReader},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

const SCENE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/the-apology/scene.md");

fn main() {
    let runs = if std::env::args().any(|arg| arg == "--test") { 2 } else { 40 };
    let mut times: Vec<Duration> = (0..runs).map(|_| first_line()).collect();
    times.sort();
    println!("start to first line, {runs} runs, each in a new data folder");
    println!("  median {:.1} ms, slowest {:.1} ms", ms(times[times.len() / 2]), ms(times[times.len() - 1]));
}

fn first_line() -> Duration {
    let folder = tempfile::tempdir().expect("a folder");
    let began = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_enact"))
        // Paced, so that the first line is not held back by those that follow.
        .args(["run", SCENE, "--max-beats", "1", "--pace", "0.001"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.starts_with("Alice [")));
    let took = began.elapsed();
    lines.for_each(drop);
    child.wait().expect("it ends");
    took
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
