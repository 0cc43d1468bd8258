//! Which model answers: from its name on the command line, or from a log that is resumed.

use std::{path::Path, sync::Arc};

use anyhow::Context;
use enact_drama::{Problem, Seq};
use enact_engine::Model;
use enact_models::{Improviser, Recorded, Scripted};

use crate::{commands::open_existing, find_run::find_run};

pub(crate) const IMPROVISER: &str = "improviser";

/// Makes the model a name stands for, and says what it is called from now on. Setups keep that name, so that a
/// resumed run finds its model again: `latest` would be another run by then.
pub(crate) async fn model(name: &str, data_dir: &Path) -> anyhow::Result<(String, Arc<dyn Model>)> {
    let keep = |model: Arc<dyn Model>| Ok((name.to_owned(), model));
    match name.split_once(':') {
        None if name == IMPROVISER => keep(Arc::new(Improviser)),
        Some(("script", file)) => {
            let text = std::fs::read_to_string(file)
                .map_err(|error| Problem::config(format!("cannot read the script {file}: {error}")))?;
            let script = Scripted::parse(&text).map_err(|problem| problem.in_file(file))?;
            keep(Arc::new(script.titled(file)))
        }
        Some(("recorded", run)) => {
            let log = open_existing(data_dir).await?;
            let run = find_run(&*log, run).await?.run;
            let records = log.read(run, Seq(0)).await?;
            let model = Recorded::from_log(&records).context("this run cannot be used as a recording")?;
            Ok((format!("recorded:{run}"), Arc::new(model)))
        }
        _ => Err(Problem::config(format!("unknown model '{name}'"))
            .hint("use 'improviser', 'script:FILE' or 'recorded:RUN'")
            .into()),
    }
}
