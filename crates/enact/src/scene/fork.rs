//! `enact fork`: a run again from one of its beats on, otherwise.

use std::{io::Write, process::ExitCode};

use enact_drama::{
    Fact, RunId,
    production::{Fork, ForkPoint},
    scene::comparison::{Branches, branches_page, outline},
    scene::report::SceneReport,
    scene::{self, SceneEvent},
};
use enact_engine::Stage;

use super::{
    comparison::{self, Look, PageFile, Ready, Rounds},
    make_room_for_files, story_of,
};
use crate::{
    CliContext, Forking,
    commands::fork::{make_fork, refuse_comparison},
    models::ModelFactory,
    screen::stdout,
    store::OpenStore,
};

pub(super) async fn fork(run: RunId, args: &Forking, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
    let location = context.location;
    // Everything that can be found wrong is found wrong before the first branch.
    let (facts, parent) = story_of(&*location.open_existing().await?.store(), run).await?;
    check_point(&facts, &parent, args.beat)?;
    let config = context.config_here()?;
    let models = context.models(&config);
    models.remake(&parent.setup.players()).await?;
    if parent.setup.cast.iter().any(|role| parent.setup.is_human(&role.name)) {
        return fork_with_people(run, args, context).await;
    }
    let page = args.html.as_deref().map(PageFile::at).transpose()?;

    let kept = location.open().await?;
    make_room_for_files(location)?;
    let entrants = ["branch".to_owned()];
    let (log, data_dir) = (kept.store(), &*location.data_dir);
    let rounds = Rounds { entrants: &entrants, runs: args.runs, jobs: args.jobs, log, data_dir };
    let played = rounds
        .play(comparison::ctrl_c(), async |_, round| {
            branch(args, round, &parent, &models, &kept, context).await
        })
        .await;
    drop(rounds);
    kept.close().await;
    let stories: Vec<SceneReport> = played.stories.iter().flatten().cloned().collect();
    let branches = Branches::of(&parent, args.beat, &stories);
    let look = Look { nouns: ["branch", "branches"], table: outline, html: branches_page };
    played.show(&branches, look, args.json, page.as_ref())
}

/// Branches are played unattended, and a person would be asked in vain: they are only made, to be played on one
/// by one.
async fn fork_with_people(run: RunId, args: &Forking, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
    refuse_comparison("scene with people", args)?;
    let mut out = stdout();
    for round in 0..args.runs {
        let forked = make_fork(run, args, round, context).await?;
        writeln!(out, "Play on: enact run --resume {forked}{}", context.location.flag())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether the run has such a beat, and such a line.
fn check_point(facts: &[Fact<SceneEvent>], parent: &SceneReport, point: ForkPoint) -> anyhow::Result<()> {
    let fork =
        Fork { point, run: parent.setup.run, seed: parent.setup.seed, at: parent.started_at, random: [0; 2] };
    let forked = scene::fork(facts, fork);
    forked.map(|_| ()).map_err(|not_there| not_there.problem().into())
}

/// Readies one branch. Its models are made anew: a script or a recording serves one run.
async fn branch(
    args: &Forking,
    round: usize,
    parent: &SceneReport,
    models: &ModelFactory<'_>,
    kept: &OpenStore,
    context: &CliContext<'_>,
) -> anyhow::Result<Ready> {
    let mut stage = Stage::empty().store(kept.store());
    for (name, model) in models.remake(&parent.setup.players()).await? {
        stage = stage.model(name, model);
    }
    let seed = args.seed.map(|seed| seed.wrapping_add(round as u64));
    let run = stage.fork(&context.productions, parent.setup.run, args.beat, seed).await?;
    Ok(Ready::Resumed { stage, run })
}
