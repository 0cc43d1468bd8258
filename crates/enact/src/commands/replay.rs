//! `enact replay`: a run again, as it was.
//!
//! Whatever the speed, what is printed is the run's transcript, byte for byte.

use std::{
    io::{BufRead, IsTerminal, Write},
    process::ExitCode,
    time::Duration,
};

use enact_drama::report::{Passage, passages};

use super::report;
use crate::{CliContext, args::ReplayArgs, screen::stdout};

pub(crate) async fn replay(args: &ReplayArgs, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
    let report = report(context, &args.run).await?;
    let mut out = stdout();
    if args.step && std::io::stdin().is_terminal() {
        anstream::eprintln!("(Enter shows the next line)\n");
    }
    let mut shown_ms = 0;
    for Passage { at_ms, text } in passages(&report.document()) {
        if let Some(at_ms) = at_ms {
            out.flush()?;
            wait(args, at_ms.saturating_sub(shown_ms)).await;
            shown_ms = at_ms;
        }
        write!(out, "{text}")?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

async fn wait(args: &ReplayArgs, gap_ms: u64) {
    if let Some(speed) = args.speed {
        tokio::time::sleep(Duration::from_millis(gap_ms).div_f64(speed)).await;
    } else if args.step {
        // At the end of input no Enter can come any more, and the rest is shown at once.
        let _ = std::io::stdin().lock().read_line(&mut String::new());
    }
}
