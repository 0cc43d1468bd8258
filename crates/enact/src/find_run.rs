//! Which run somebody means.

use enact_drama::{Problem, Production, chorus::Chorus, production::Kind, scene::Scene};
use enact_engine::{Log, log::RunSummary};

/// Shorter beginnings of an id say too little: runs of the same minute share their first digits.
const SHORTEST_PREFIX: usize = 4;

/// Finds a run of a production, where `latest` is the newest of that.
pub(crate) async fn find_run_of(log: &dyn Log, wanted: &str, production: Kind) -> anyhow::Result<RunSummary> {
    if wanted != "latest" {
        let found = find_run(log, wanted).await?;
        check_is(&found, production)?;
        return Ok(found);
    }
    let name = name(production);
    let newest = log.runs().await?.into_iter().find(|run| run.production == name);
    Ok(newest.ok_or_else(|| {
        Problem::config(format!("there is no {name} here yet"))
            .hint("`enact runs` lists the runs there are; --data-dir looks elsewhere")
    })?)
}

/// Whether a run is one of this production: scenes and choruses are played on by different commands, and only scenes have beats.
pub(crate) fn check_is(run: &RunSummary, production: Kind) -> Result<(), Problem> {
    if run.production == name(production) {
        return Ok(());
    }
    let problem =
        Problem::config(format!("run {} is a {}, not a {}", run.run, run.production, name(production)));
    Err(match run.production.as_str() {
        Chorus::NAME => problem.hint("`enact chorus --resume` plays a chorus on, `enact replay` shows it"),
        Scene::NAME => problem.hint("`enact run --resume` plays a scene on, `enact replay` shows it"),
        _ => problem,
    })
}

fn name(production: Kind) -> &'static str {
    match production {
        Kind::Scene => Scene::NAME,
        Kind::Chorus => Chorus::NAME,
    }
}

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
