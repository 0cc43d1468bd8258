//! `enact reindex`: what productions derive from their logs, made anew. Checkpoints are dropped, and made
//! again as runs are played.

use std::{io::Write, process::ExitCode};

use enact_drama::{Seq, row::settle};
use enact_engine::{
    Productions, Store,
    log::{self, RunSummary},
};

use crate::{CliContext, screen::stdout};

/// How often a run is read again because its log has grown meanwhile. One that grows that fast writes its
/// rows itself.
const MOST_TRIES: u32 = 10;

pub(crate) async fn reindex(context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
    // Nothing played yet is no mistake here.
    let Some(kept) = context.location.open_if_exists().await? else { return counted(0, 0) };
    let store = kept.store();
    let (runs, rows) = reindex_all(&*store, &store.runs().await?, &context.productions).await?;
    drop(store);
    kept.close().await;
    counted(runs, rows)
}

/// Says how many runs there are, and how many rows they have.
async fn reindex_all(
    store: &dyn Store,
    all: &[RunSummary],
    productions: &Productions,
) -> Result<(usize, usize), log::Error> {
    let (mut runs, mut rows) = (0, 0);
    for run in all {
        match reindexed(store, run, productions).await {
            Ok(Reindexed::Derived(derived)) => (runs, rows) = (runs + 1, rows + derived),
            Ok(Reindexed::Left(why)) => anstream::eprintln!("note: run {} is left as it is: {why}", run.run),
            // It was deleted since it was listed: there is nothing left to derive anything from.
            Err(log::Error::NotFound(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok((runs, rows))
}

/// What became of one run.
#[derive(Debug)]
enum Reindexed {
    /// It has so many rows.
    Derived(usize),
    /// Why nothing could be derived.
    Left(String),
}

/// Derives the rows of one run anew.
async fn reindexed(
    store: &dyn Store,
    run: &RunSummary,
    productions: &Productions,
) -> Result<Reindexed, log::Error> {
    let production = match productions.named(&run.production) {
        Ok(production) => production,
        Err(unknown) => return Ok(Reindexed::Left(unknown.to_string())),
    };
    for _ in 0..MOST_TRIES {
        let records = store.read(run.run, Seq(0)).await?;
        let rows = match production.rows(&records) {
            Ok(rows) => settle(rows),
            Err(unreadable) => return Ok(Reindexed::Left(unreadable.to_string())),
        };
        let derived = rows.len();
        if store.replace_rows(run.run, Seq(records.len() as u64), rows).await? {
            return Ok(Reindexed::Derived(derived));
        }
    }
    Ok(Reindexed::Left("its log grows faster than it can be read".to_owned()))
}

fn counted(runs: usize, rows: usize) -> anyhow::Result<ExitCode> {
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    writeln!(stdout(), "{runs} run{}, {rows} row{}", plural(runs), plural(rows))?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use enact_drama::{RunId, scene::Scene};
    use enact_engine::log::{MemoryStore, NewRun};
    use uuid::Uuid;

    use super::*;

    #[tokio::test]
    async fn a_run_that_is_deleted_meanwhile_keeps_no_other_from_being_derived() {
        let store = MemoryStore::default();
        let mut listed = Vec::new();
        for _ in 0..3 {
            let (run, name, account) = (RunId(Uuid::now_v7()), "duet".to_owned(), String::new());
            let about = NewRun { run, production: "scene", name, at: 0, parent: None, account };
            store.import(about, Vec::new(), Vec::new(), None).await.unwrap();
            listed.push(store.find(run).await.unwrap());
        }
        store.delete(listed[0].run).await.unwrap();
        let productions = Productions::default().with::<Scene>();
        assert_eq!(reindex_all(&store, &listed, &productions).await.unwrap(), (2, 0));
    }
}
