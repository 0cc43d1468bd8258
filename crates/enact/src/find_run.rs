//! Finds the run that a person names.

use enact_drama::{Problem, Production};
use enact_engine::{Log, log::RunSummary};

use crate::Registry;

/// Shorter beginnings of an id say too little: runs of the same minute share their first digits.
const SHORTEST_PREFIX: usize = 4;

/// Finds a run of a production, where `latest` is the newest of that.
pub(crate) async fn find_run_of<P: Production>(
    log: &dyn Log,
    wanted: &str,
    registry: &Registry,
) -> anyhow::Result<RunSummary> {
    if wanted != "latest" {
        let found = find_run(log, wanted).await?;
        check_is::<P>(&found, registry)?;
        return Ok(found);
    }
    let newest = log.runs().await?.into_iter().find(|run| run.production == P::NAME);
    Ok(newest.ok_or_else(|| {
        Problem::config(format!("there is no {} here yet", P::NAME))
            .hint("`enact runs` lists the runs there are; --data-dir looks elsewhere")
    })?)
}

/// Whether a run is one of this production: each is played on by a command of its own.
pub(crate) fn check_is<P: Production>(run: &RunSummary, registry: &Registry) -> Result<(), Problem> {
    let name = run.production.as_str();
    if name == P::NAME {
        return Ok(());
    }
    let hint = match registry.named(name) {
        Ok(production) => {
            let resume = production.resume_hint();
            format!("`{resume}` plays a {name} on, `enact replay` shows it")
        }
        Err(unknown) => unknown.to_string(),
    };
    Err(Problem::config(format!("run {} is a {name}, not a {}", run.run, P::NAME)).hint(hint))
}

/// Finds a run by its id, the start of its id, its name (the newest one of that), or `latest`.
pub(crate) async fn find_run(log: &dyn Log, wanted: &str) -> anyhow::Result<RunSummary> {
    let runs = log.runs().await?;
    let newest = runs.iter().find(|run| wanted == "latest" || run.name == wanted);
    if let Some(run) = newest {
        return Ok(run.clone());
    }
    let wanted = wanted.to_ascii_lowercase();
    let mut matching =
        runs.iter().filter(|run| wanted.len() >= SHORTEST_PREFIX && run.run.to_string().starts_with(&wanted));
    match (matching.next(), matching.next()) {
        (Some(run), None) => Ok(run.clone()),
        (Some(_), Some(_)) => Err(Problem::config(format!("'{wanted}' is the start of more than one run"))
            .hint("give more of its id; `enact runs` lists them")
            .into()),
        _ => Err(Problem::config(format!("no run '{wanted}' here"))
            .hint("`enact runs` lists those there are; --data-dir looks elsewhere")
            .into()),
    }
}
