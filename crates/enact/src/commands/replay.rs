//! `enact replay`: a run again, as it was.
//!
//! Whatever the speed, what goes into a pipe or a file is the run's transcript, byte for byte. On a terminal
//! it is the same in the form for readers.

use std::{
    io::{BufRead, IsTerminal, Write},
    process::ExitCode,
    time::Duration,
};

use enact_drama::report::{Passage, passages};

use super::report;
use crate::{
    CliContext,
    args::{ReplayArgs, Step},
    reader::{self, TextForm},
    screen::stdout,
};

pub(crate) async fn replay(args: &ReplayArgs, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
    let report = report(context, &args.run).await?;
    let mut out = stdout();
    if let Some(step) = args.step.filter(|_| std::io::stdin().is_terminal()) {
        anstream::eprintln!("(Enter shows the next {})\n", if step == Step::Beat { "beat" } else { "line" });
    }
    let mut shown_ms = 0;
    let document = report.document();
    let mut shown = match TextForm::chosen(args.format) {
        TextForm::Reader => reader::passages(&document, reader::columns()),
        TextForm::Wire => passages(&document),
    };
    if args.step == Some(Step::Beat) {
        shown = by_round(shown);
    }
    for Passage { at_ms, text, .. } in shown {
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

/// All passages of a round as one, with what follows them up to the next round.
fn by_round(passages: Vec<Passage>) -> Vec<Passage> {
    let mut rounds: Vec<Passage> = Vec::new();
    for passage in passages {
        let timed = rounds.last_mut().filter(|last| last.at_ms.is_some());
        match timed.filter(|last| passage.at_ms.is_none() || passage.round == last.round) {
            Some(last) => last.text.push_str(&passage.text),
            None => rounds.push(passage),
        }
    }
    rounds
}

async fn wait(args: &ReplayArgs, gap_ms: u64) {
    if let Some(speed) = args.speed {
        tokio::time::sleep(Duration::from_millis(gap_ms).div_f64(speed)).await;
    } else if args.step.is_some() {
        // At the end of input no Enter can come any more, and the rest is shown at once.
        let _ = std::io::stdin().lock().read_line(&mut String::new());
    }
}

#[cfg(test)]
mod tests {
    use enact_drama::{
        Seq,
        report::{Block, Document},
    };

    use super::*;

    #[test]
    fn a_beat_is_shown_at_once() {
        let event = |seq: u64, round, text: &str| Block::event(Seq(seq), round, text).at_ms(seq * 10);
        let blocks = [event(1, 0, "One"), event(2, 0, "Two"), event(3, 1, "Three"), event(4, 3, "Four")];
        let document = blocks.into_iter().fold(Document::new("toy", "x", 0), Document::block);
        let beats = by_round(passages(&document));
        let whole: String = beats.iter().map(|beat| beat.text.as_str()).collect();
        assert_eq!(whole, passages(&document).into_iter().map(|passage| passage.text).collect::<String>());
        let shown: Vec<(Option<u64>, usize)> =
            beats.iter().map(|beat| (beat.at_ms, beat.text.matches("[EVENT").count())).collect();
        assert_eq!(shown, [(None, 0), (Some(10), 2), (Some(30), 1), (Some(40), 1)]);
    }
}
