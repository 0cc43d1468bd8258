//! Which model answers: from its name on the command line, or from a log that is resumed.

use std::{path::Path, sync::Arc};

use anyhow::Context;
use enact_drama::{Problem, Seq};
use enact_engine::Model;
use enact_models::{Improviser, Recorded, Scripted};

use crate::{commands::open_existing, find_run::find_run};

pub(crate) const IMPROVISER: &str = "improviser";

/// Makes the model a name stands for. Setups keep the name, so that a resumed run finds its model again.
pub(crate) async fn model(name: &str, data_dir: &Path) -> anyhow::Result<Arc<dyn Model>> {
    match name.split_once(':') {
        None if name == IMPROVISER => Ok(Arc::new(Improviser)),
        Some(("script", file)) => {
            let text = std::fs::read_to_string(file)
                .map_err(|error| Problem::config(format!("cannot read the script {file}: {error}")))?;
            let script = Scripted::parse(&text).map_err(|problem| problem.in_file(file))?;
            Ok(Arc::new(script.titled(file)))
        }
        Some(("recorded", run)) => {
            let log = open_existing(data_dir).await?;
            let run = find_run(&*log, run).await?.run;
            let records = log.read(run, Seq(0)).await?;
            Ok(Arc::new(Recorded::from_log(&records).context("this run cannot be used as a recording")?))
        }
        _ => Err(Problem::config(format!("unknown model '{name}'"))
            .hint("use 'improviser', 'script:FILE' or 'recorded:RUN'")
            .into()),
    }
}
