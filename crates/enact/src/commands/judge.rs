//! `enact judge`: does a transcript reach a scene's goals?

use std::process::ExitCode;

use crate::args::Judge;

pub(crate) fn judge(args: &Judge) -> anyhow::Result<ExitCode> {
    anyhow::bail!("not yet: {:?} {:?}", args.scene, args.transcript)
}
