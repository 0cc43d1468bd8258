//! `enact fork`: a run again from one of its beats on, otherwise.

use std::{io::Write, path::Path, process::ExitCode};

use enact_drama::{
    Fact, RunId,
    production::Fork,
    scene::comparison::{Branches, branches_page, outline},
    scene::report::Story,
    scene::{self, SceneEvent},
};
use enact_engine::Stage;

use super::{
    comparison::{self, Page, Played, Ready, Rounds},
    make_room_for_files, story_of,
};
use crate::{Context, Forking, exit_codes::INTERRUPTED, models::Models, output::stdout, store::Kept};

pub(super) async fn fork(run: RunId, args: &Forking, context: &Context<'_>) -> anyhow::Result<ExitCode> {
    let location = context.location;
    // Everything that can be found wrong is found wrong before the first branch.
    let (facts, parent) = story_of(&*location.existing().await?.store(), run).await?;
    check_beat(&facts, &parent, args.beat)?;
    // A log does not say where its scene lay; whoever forks from elsewhere names the configuration.
    let config = context.load_config(Path::new("."))?;
    let models = context.models(&config);
    models.again(&parent.setup.players()).await?;
    let page = args.html.as_deref().map(Page::at).transpose()?;

    let kept = location.open().await?;
    make_room_for_files(location)?;
    let contenders = ["branch".to_owned()];
    let (log, data_dir) = (kept.store(), &*location.data_dir);
    let rounds = Rounds { contenders: &contenders, runs: args.runs, jobs: args.jobs, log, data_dir };
    let played = rounds
        .play(comparison::ctrl_c(), async |_, round| {
            branch(args, round, &parent, &models, &kept, context).await
        })
        .await;
    drop(rounds);
    kept.close().await;
    show(args, page.as_ref(), &parent, played)
}

/// Whether the run has such a beat.
fn check_beat(facts: &[Fact<SceneEvent>], parent: &Story, beat: u32) -> anyhow::Result<()> {
    let setup = &parent.setup;
    let fork = Fork { beat, run: setup.run, seed: setup.seed, at: parent.started_at };
    let forked = scene::fork(facts, fork);
    forked.map(|_| ()).map_err(|not_there| not_there.problem().into())
}

/// Readies one branch. Its models are made anew: a script or a recording serves one run.
async fn branch(
    args: &Forking,
    round: usize,
    parent: &Story,
    models: &Models<'_>,
    kept: &Kept,
    context: &Context<'_>,
) -> anyhow::Result<Ready> {
    let mut stage = Stage::empty().store(kept.store());
    for (name, model) in models.again(&parent.setup.players()).await? {
        stage = stage.model(name, model);
    }
    let seed = args.seed.map(|seed| seed.wrapping_add(round as u64));
    let run = stage.fork(&context.productions, parent.setup.run, args.beat, seed).await?;
    Ok(Ready::GoesOn { stage, run })
}

/// What is there is shown, also when it ended early.
fn show(args: &Forking, page: Option<&Page>, parent: &Story, played: Played) -> anyhow::Result<ExitCode> {
    let Played { stories, cancelled, error } = played;
    let stories: Vec<Story> = stories.into_iter().flatten().collect();
    // Programs get one document: the comparison, or what went wrong.
    if if args.json { error.is_none() } else { !stories.is_empty() } {
        let branches = Branches::of(parent, args.beat, &stories);
        let mut out = stdout();
        if args.json {
            writeln!(out, "{}", serde_json::to_string_pretty(&branches)?)?;
        } else {
            comparison::print(&mut out, &outline(&branches, comparison::columns()))?;
        }
        if let Some(page) = page {
            page.write(&branches_page(&branches))?;
            if !args.json {
                writeln!(out, "\nPage: {}", page.path().display())?;
            }
        }
    }
    if let Some(error) = error {
        return Err(error);
    }
    if let Some(cause) = comparison::nobody_played(&stories) {
        anstream::eprintln!("Every branch failed: nobody could answer: {cause}");
        return Ok(ExitCode::FAILURE);
    }
    if cancelled {
        anstream::eprintln!("Cancelled: branches that were not finished are not in the comparison.");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}
