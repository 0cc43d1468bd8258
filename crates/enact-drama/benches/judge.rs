//! What a line costs the judge: every line of the labelled cases, heard by judges of other goals than their own,
//! as most lines of a scene have nothing to do with its goals.
//!
//! `cargo bench -p enact-drama --bench judge` prints the time. For instructions, run the program that it built in
//! `target/release/deps` under `valgrind --tool=callgrind` twice, with `--passes 1` and `--passes 3`: the difference is
//! what two passes cost.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

use std::{fs, path::Path, time::Instant};

use enact_drama::{
    judge::{Acts, Goal, Heard, Judge},
    reply::Action,
};

const CAST: [&str; 3] = ["Alice", "Bob", "Charlie"];

const GOALS: [&str; 4] = [
    "Bob apologizes to Alice for missing the deadline",
    "Alice accepts the apology",
    "Charlie tells Alice that the client has left",
    "Everyone agrees on next steps",
];

/// A judge hears as many lines as a scene has.
const SCENE: usize = 40;

fn main() {
    let mut args = std::env::args().skip_while(|arg| arg != "--passes").skip(1);
    let passes: usize = args.next().and_then(|passes| passes.parse().ok()).unwrap_or(1);
    let lines = lines();
    let goals = GOALS.map(|goal| Goal::read(goal, &CAST));
    let new = Judge::new(&goals, &CAST);
    let (began, mut met) = (Instant::now(), 0);
    for _ in 0..passes {
        for scene in lines.chunks(SCENE) {
            let acts: Vec<Acts> = scene.iter().map(|line| Acts::of(line)).collect();
            let heard = scene.iter().zip(&acts).enumerate().map(|(at, (line, acts))| Heard {
                speaker: CAST[at % CAST.len()],
                content: line,
                tone: None,
                action: Action::Speak,
                target: None,
                cuts: None,
                acts,
            });
            let heard: Vec<Heard<'_>> = heard.collect();
            let (mut judge, source) = (new.clone(), &heard[..]);
            (0..heard.len()).for_each(|line| judge.hear(&source, line));
            met += judge.verdict(&source).goals.iter().filter(|goal| goal.met == Some(true)).count();
        }
    }
    let each = began.elapsed().as_secs_f64() * 1e6 / (passes * lines.len()) as f64;
    println!("{} lines, {passes} times: {each:.1} µs a line ({met} goals met)", lines.len());
}

/// The lines of the corpus, without their speakers.
fn lines() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/judge");
    let mut files: Vec<_> =
        fs::read_dir(folder).expect("the corpus").filter_map(|file| Some(file.ok()?.path())).collect();
    files.sort();
    let mut found = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|ext| ext == "toml")) {
        let text = fs::read_to_string(file).expect("a file of the corpus");
        let read: toml::Table = text.parse().expect("a file of the corpus is TOML");
        let cases = read["case"].as_array().into_iter().flatten();
        let lines = cases.flat_map(|case| case["lines"].as_array().into_iter().flatten());
        let said = lines.filter_map(|line| Some(line.as_str()?.split_once(": ")?.1.to_owned()));
        found.extend(said);
    }
    found
}
