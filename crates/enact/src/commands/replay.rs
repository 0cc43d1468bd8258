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
    Fact, Record, Seq,
    chorus::ChorusEvent,
    scene::SceneEvent,
    show::{Format, PlayTime, Shown, Told, chorus},
};
use enact_engine::perform::known_facts;

use super::told;
use crate::{args::Replay, output::stdout, store::Location};

pub(crate) async fn replay(args: &Replay, location: &Location) -> anyhow::Result<ExitCode> {
    let (records, told) = told(location, &args.run).await?;
    let transcript = told.render(Format::Txt);
    let blocks = blocks(&records, &told);
    let mut out = stdout();
    if args.step && std::io::stdin().is_terminal() {
        anstream::eprintln!("(Enter shows the next line)\n");
    }
    // A transcript is blocks with blank lines between them, and a shown line is one block: each waits for its time.
    let mut rest = transcript.as_str();
    let mut shown_ms = 0;
    for Block { at_ms, text } in blocks {
        let Some(start) = rest.find(&format!("\n{text}\n")) else { continue };
        let (before, from) = rest.split_at(start + 1);
        write!(out, "{before}")?;
        out.flush()?;
        let at_ms = at_ms.unwrap_or(shown_ms);
        wait(args, at_ms.saturating_sub(shown_ms)).await;
        shown_ms = at_ms;
        write!(out, "{text}")?;
        rest = &from[text.len()..];
    }
    write!(out, "{rest}")?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Something that stands in a transcript as a block of its own.
struct Block {
    /// How long the run had been played when it came.
    at_ms: Option<u64>,
    text: String,
}

/// In the order in which the transcript has them.
fn blocks(records: &[Record], told: &Told) -> Vec<Block> {
    match told {
        Told::Scene(story) => {
            let played = played_ms(&known_facts(records));
            let block = |shown: Shown<'_>| Block {
                at_ms: played.get(&shown.id()).copied(),
                text: shown.text(&story.setup),
            };
            story.shown().into_iter().map(block).collect()
        }
        Told::Chorus(story) => {
            let played = sung_ms(&known_facts(records));
            let block = |id: Seq, text: String| Block { at_ms: played.get(&id).copied(), text };
            let rounds = story.rounds.iter().flat_map(|round| {
                let said = round.said.iter();
                let said = said.map(|said| block(said.id, chorus::said_text(story, round.turn, said)));
                let failed = round.failed.iter();
                said.chain(failed.map(|failed| block(failed.id, chorus::failed_text(story, failed))))
            });
            rounds.collect()
        }
    }
}

/// How long a scene had been played at each fact.
fn played_ms(facts: &[Fact<SceneEvent>]) -> HashMap<Seq, u64> {
    let Some(first) = facts.first() else { return HashMap::new() };
    let mut time = PlayTime::begin(first);
    let times = facts.iter().map(|fact| {
        time.pass(fact);
        (fact.seq, time.total_ms())
    });
    times.collect()
}

/// The same for a chorus: from its first turn on, without the time in which nobody played it.
fn sung_ms(facts: &[Fact<ChorusEvent>]) -> HashMap<Seq, u64> {
    let Some(mut story) = facts.first().and_then(chorus::Story::begin) else { return HashMap::new() };
    let times = facts[1..].iter().map(|fact| {
        story.apply(fact);
        (fact.seq, story.played_ms)
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
