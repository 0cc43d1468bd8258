//! `enact runs`: what is kept.

use std::{io::Write, process::ExitCode};

use enact_drama::{Production, chorus::Chorus, show};
use enact_engine::log::{RunSummary, Status};

use crate::{args::Runs, output::stdout, store::Location};

pub(crate) async fn runs(args: &Runs, location: &Location) -> anyhow::Result<ExitCode> {
    // Nothing played yet is no mistake here.
    let runs = match location.kept().await? {
        Some(kept) => kept.store().runs().await?,
        None => Vec::new(),
    };
    let mut out = stdout();
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&runs)?)?;
    } else if runs.is_empty() {
        writeln!(out, "No runs yet. `enact run SCENE` plays one.")?;
    } else {
        table(&mut out, &runs)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn table(out: &mut impl Write, runs: &[RunSummary]) -> std::io::Result<()> {
    let widest = runs.iter().map(|run| run.name.len()).max().unwrap_or(0).max("NAME".len());
    let kind = runs.iter().map(|run| run.production.len()).max().unwrap_or(0);
    writeln!(
        out,
        "{:<36}  {:<kind$}  {:<widest$}  {:<19}  {:>6}  STATUS",
        "RUN", "KIND", "NAME", "STARTED (UTC)", "EVENTS"
    )?;
    for run in runs {
        let status = match (run.status, &run.reason) {
            (Status::Finished, Some(reason)) => reason.as_str(),
            (Status::Finished, None) => "finished",
            (Status::Waiting, _) => "waiting to be played",
            (Status::Playing, _) => "playing now",
            (Status::Interrupted, _) if run.production == Chorus::NAME => {
                "interrupted (enact chorus --resume)"
            }
            (Status::Interrupted, _) => "interrupted (enact run --resume)",
        };
        let started = show::date_time(run.started_at);
        writeln!(
            out,
            "{:<36}  {:<kind$}  {:<widest$}  {started:<19}  {:>6}  {status}",
            run.run.to_string(),
            run.production,
            run.name,
            run.events
        )?;
    }
    Ok(())
}
