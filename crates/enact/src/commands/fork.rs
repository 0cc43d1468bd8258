//! `enact fork`: a run again from one of its beats on, otherwise.

use std::{io::Write, path::Path, process::ExitCode};

use enact_drama::{
    Fact,
    scene::{self, SceneEvent},
    show::{
        Story,
        comparison::{Branches, branches_page, outline},
    },
};
use enact_engine::Stage;

use super::{run::INTERRUPTED, story};
use crate::{
    args::Fork,
    compare::{self, Page, Played, Ready, Rounds},
    config::Config,
    models::Models,
    output::stdout,
    store::{Kept, Location},
};

pub(crate) async fn fork(
    args: &Fork,
    config: Option<&Path>,
    location: &Location,
) -> anyhow::Result<ExitCode> {
    // Everything that can be found wrong is found wrong before the first branch.
    let (facts, parent) = story(location, &args.run).await?;
    check_beat(&facts, &parent, args.beat)?;
    // A log does not say where its scene lay; whoever forks from elsewhere names the configuration.
    let config = Config::load(config, Path::new("."))?;
    let models = Models::new(&config, Some(location), None);
    models.again(&parent.setup.players()).await?;
    let page = args.html.as_deref().map(Page::at).transpose()?;

    let kept = location.open().await?;
    location.make_room_for_files()?;
    let contenders = ["branch".to_owned()];
    let (log, data_dir) = (kept.store(), &*location.data_dir);
    let rounds = Rounds { contenders: &contenders, runs: args.runs, jobs: args.jobs, log, data_dir };
    let played = rounds
        .play(compare::ctrl_c(), async |_, round| branch(args, round, &parent, &models, &kept).await)
        .await;
    drop(rounds);
    kept.close().await;
    show(args, page.as_ref(), &parent, played)
}

/// Whether the run has such a beat.
fn check_beat(facts: &[Fact<SceneEvent>], parent: &Story, beat: u32) -> anyhow::Result<()> {
    let forked = scene::fork(facts, beat, parent.setup.run, parent.setup.seed, parent.started_at);
    forked.map(|_| ()).map_err(|not_there| not_there.problem().into())
}

/// Readies one branch. Its models are made anew: a script or a recording serves one run.
async fn branch(
    args: &Fork,
    round: usize,
    parent: &Story,
    models: &Models<'_>,
    kept: &Kept,
) -> anyhow::Result<Ready> {
    let mut stage = Stage::empty().log(kept.store());
    for (name, model) in models.again(&parent.setup.players()).await? {
        stage = stage.model(name, model);
    }
    let seed = args.seed.map(|seed| seed.wrapping_add(round as u64));
    let run = stage.fork(parent.setup.run, args.beat, seed).await?;
    Ok(Ready::GoesOn { stage, run })
}

/// What is there is shown, also when it ended early.
fn show(args: &Fork, page: Option<&Page>, parent: &Story, played: Played) -> anyhow::Result<ExitCode> {
    let Played { stories, cancelled, error } = played;
    let stories: Vec<Story> = stories.into_iter().flatten().collect();
    // Programs get one document: the comparison, or what went wrong.
    if if args.json { error.is_none() } else { !stories.is_empty() } {
        let branches = Branches::of(parent, args.beat, &stories);
        let mut out = stdout();
        if args.json {
            writeln!(out, "{}", serde_json::to_string_pretty(&branches)?)?;
        } else {
            compare::print(&mut out, &outline(&branches, compare::columns()))?;
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
    if let Some(cause) = compare::nobody_played(&stories) {
        anstream::eprintln!("Every branch failed: nobody could answer: {cause}");
        return Ok(ExitCode::FAILURE);
    }
    if cancelled {
        anstream::eprintln!("Cancelled: branches that were not finished are not in the comparison.");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}
