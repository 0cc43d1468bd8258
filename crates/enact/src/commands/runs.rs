//! `enact runs`: the runs that are kept.

use std::{io::Write, process::ExitCode};

use enact_drama::report::date_time;
use enact_engine::log::{RunSummary, Status};

use crate::{
    CliContext, Registry,
    args::RunsArgs,
    screen::{print_json, stdout},
};

pub(crate) async fn runs(args: &RunsArgs, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
    // Nothing played yet is no mistake here.
    let runs = match context.location.open_if_exists().await? {
        Some(kept) => kept.store().runs().await?,
        None => Vec::new(),
    };
    let mut out = stdout();
    if args.json {
        print_json(&mut out, &runs)?;
    } else if runs.is_empty() {
        let hint = context.registry.all().next().map(|production| production.play_hint());
        writeln!(
            out,
            "No runs yet.{}",
            hint.map_or_else(String::new, |hint| format!(" `{hint}` plays one."))
        )?;
    } else {
        table(&mut out, &runs, context.registry)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn table(out: &mut impl Write, runs: &[RunSummary], registry: &Registry) -> std::io::Result<()> {
    let widest = runs.iter().map(|run| run.name.len()).max().unwrap_or(0).max("NAME".len());
    let kind = runs.iter().map(|run| run.production.len()).max().unwrap_or(0);
    writeln!(
        out,
        "{:<36}  {:<kind$}  {:<widest$}  {:<19}  {:>6}  STATUS",
        "RUN", "KIND", "NAME", "STARTED (UTC)", "EVENTS"
    )?;
    for run in runs {
        let status = status(run, registry);
        let started = date_time(run.started_at);
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

fn status(run: &RunSummary, registry: &Registry) -> String {
    match (run.status, &run.reason) {
        (Status::Finished, Some(reason)) => reason.clone(),
        (Status::Finished, None) => "finished".to_owned(),
        (Status::Waiting, _) => "waiting to be played".to_owned(),
        (Status::Playing, _) => "playing now".to_owned(),
        (Status::Resting, _) => "resting (waits for a command)".to_owned(),
        (Status::Paused, _) => "paused".to_owned(),
        (Status::Interrupted, _) => match registry.named(&run.production) {
            Ok(production) => format!("interrupted ({})", production.resume_hint()),
            Err(_) => "interrupted (this enact cannot play it on)".to_owned(),
        },
    }
}
