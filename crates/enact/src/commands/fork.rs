//! `enact fork`: a run again from one of its beats on, otherwise. Its production says what is made of that.

use std::process::ExitCode;

use enact_drama::Problem;

use crate::{Context, Forking, find_run::find_run};

pub(crate) async fn fork(wanted: &Forking, context: &Context<'_>) -> anyhow::Result<ExitCode> {
    let found = find_run(&*context.location.existing().await?.store(), &wanted.run).await?;
    let production = context.registry.named(&found.production).map_err(Problem::from)?;
    production.fork(&found, wanted, context).await
}
