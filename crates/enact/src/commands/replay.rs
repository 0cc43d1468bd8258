//! `enact replay`: a run again, as it was.
//!
//! Whatever the speed, what is printed is the run's transcript, byte for byte.

use std::{
    collections::HashMap,
    io::{BufRead, IsTerminal, Write},
    process::ExitCode,
    time::Duration,
};

use enact_drama::{
    Fact, Seq,
    scene::SceneEvent,
    show::{self, PlayTime},
};

use super::story;
use crate::{args::Replay, output::stdout, store::Location};

pub(crate) async fn replay(args: &Replay, location: &Location) -> anyhow::Result<ExitCode> {
    let (facts, story) = story(location, &args.run).await?;
    let transcript = show::transcript(&story);
    let played = played_ms(&facts);
    let mut out = stdout();
    if args.step && std::io::stdin().is_terminal() {
        anstream::eprintln!("(Enter shows the next line)\n");
    }
    // A transcript is blocks with blank lines between them, and a shown line is one block: each waits for its time.
    let mut rest = transcript.as_str();
    let mut shown_ms = 0;
    for shown in story.shown() {
        let text = shown.text(&story.setup);
        let Some(start) = rest.find(&format!("\n{text}\n")) else { continue };
        let (before, from) = rest.split_at(start + 1);
        write!(out, "{before}")?;
        out.flush()?;
        let at_ms = played.get(&shown.id()).copied().unwrap_or(shown_ms);
        wait(args, at_ms.saturating_sub(shown_ms)).await;
        shown_ms = at_ms;
        write!(out, "{text}")?;
        rest = &from[text.len()..];
    }
    write!(out, "{rest}")?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// How long the run had been played at each fact.
fn played_ms(facts: &[Fact<SceneEvent>]) -> HashMap<Seq, u64> {
    let Some(first) = facts.first() else { return HashMap::new() };
    let mut time = PlayTime::begin(first);
    let times = facts.iter().map(|fact| {
        time.pass(fact);
        (fact.seq, time.total_ms())
    });
    times.collect()
}

async fn wait(args: &Replay, gap_ms: u64) {
    if let Some(speed) = args.speed {
        tokio::time::sleep(Duration::from_millis(gap_ms).div_f64(speed)).await;
    } else if args.step {
        // At the end of input nobody can press Enter any more, and the rest is shown at once.
        let _ = std::io::stdin().lock().read_line(&mut String::new());
    }
}
