//! Which run somebody means.

use enact_drama::Problem;
use enact_engine::{Log, log::RunSummary};

/// Shorter beginnings of an id say too little: runs of the same minute share their first digits.
const SHORTEST_PREFIX: usize = 4;

/// Finds a run by its id, the start of its id, the name of its scene (the newest one), or `latest`.
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
