//! `enact replay`: a run again, as it was.
//!
//! Whatever the speed, what is printed is the run's transcript, byte for byte.

use std::{
    io::{BufRead, Write},
    path::Path,
    process::ExitCode,
    time::Duration,
};

use enact_drama::show;

use super::story;
use crate::{args::Replay, output::stdout};

pub(crate) async fn replay(args: &Replay, data_dir: &Path) -> anyhow::Result<ExitCode> {
    let (facts, story) = story(data_dir, &args.run).await?;
    let transcript = show::transcript(&story);
    let mut out = stdout();
    // A transcript is blocks with blank lines between them, and a shown line is one block: each waits for its time.
    let mut rest = transcript.as_str();
    let mut last_at = story.started_at;
    for shown in story.shown() {
        let text = shown.text(&story.setup);
        let Some(start) = rest.find(&format!("\n{text}\n")) else { continue };
        let (before, from) = rest.split_at(start + 1);
        write!(out, "{before}")?;
        out.flush()?;
        let at = facts.iter().find(|fact| fact.seq == shown.id()).map_or(last_at, |fact| fact.at);
        wait(args, at - last_at).await;
        last_at = at;
        write!(out, "{text}")?;
        rest = &from[text.len()..];
    }
    write!(out, "{rest}")?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

async fn wait(args: &Replay, gap_ms: i64) {
    if let Some(speed) = args.speed {
        let gap = Duration::from_millis(gap_ms.max(0) as u64);
        tokio::time::sleep(gap.div_f64(speed)).await;
    } else if args.step {
        // At the end of input nobody can press Enter any more, and the rest is shown at once.
        let _ = std::io::stdin().lock().read_line(&mut String::new());
    }
}
