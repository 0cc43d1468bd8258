//! `enact compare`: one scene, several models, side by side.

use std::{collections::BTreeSet, io::Write, path::Path, process::ExitCode};

use enact_drama::{
    Name, Problem,
    scene::SceneConfig,
    scene::comparison::{Comparison, Contender, page as page_of, table},
};
use enact_engine::project_files;

use super::{
    args::{Company, Compare, ModelFlag},
    comparison::{self, Contender as Named, Page, Played, Ready, Rounds},
    make_room_for_files,
    prepare::{Plan, Prepared},
};
use crate::{Context, config::Config, exit_codes::INTERRUPTED, output::stdout};

pub(super) async fn compare(args: Compare, context: &Context<'_>) -> anyhow::Result<ExitCode> {
    let home = args.home();
    let mut scene = project_files::read_scene_file(&args.scene)?;
    scene.max_beats = args.max_beats.or(scene.max_beats);
    scene.seed = args.seed.or(scene.seed);
    let contest = Contest { args: &args, config: context.load_config(home)?, home, context };
    comparison::check(&args.with, &contest.config)?;

    // Everything that can be found wrong is found wrong before the first run.
    let mut ready = Vec::with_capacity(args.with.len());
    for contender in &args.with {
        ready.push(contest.prepare(contender, scene.clone()).await?);
    }
    let page = args.html.as_deref().map(Page::at).transpose()?;
    say_notes(&args, &ready);
    // By the names that setups keep: after the first round `recorded:latest` would be a run of this comparison.
    let named = ready.iter().zip(&args.with).filter_map(|(prepared, contender)| {
        let model = prepared.setup.cast.first()?.model.clone();
        Some(Named { model, context: contender.context })
    });
    let named: Vec<Named> = named.collect();
    let Some(Prepared { setup, .. }) = ready.into_iter().next() else {
        return Err(Problem::config("nobody is compared").hint("--with names who is").into());
    };

    let location = context.location;
    let kept = location.open().await?;
    make_room_for_files(location)?;
    let names: Vec<String> = args.with.iter().map(ToString::to_string).collect();
    let (log, data_dir) = (kept.store(), &*location.data_dir);
    let rounds = Rounds { contenders: &names, runs: args.runs, jobs: args.jobs, log, data_dir };
    let played = rounds
        .play(comparison::ctrl_c(), async |contender, round| {
            // Contenders play each round with the same seed, so that they meet the same chances.
            let seed = Some(setup.seed.wrapping_add(round as u64));
            let prepared = contest.prepare(&named[contender], SceneConfig { seed, ..scene.clone() }).await?;
            Ok(Ready::from(prepared))
        })
        .await;
    drop(rounds);
    kept.close().await;
    show(&args, page.as_ref(), setup.name, names, played)
}

/// Readies runs.
struct Contest<'a> {
    args: &'a Compare,
    config: Config,
    home: &'a Path,
    context: &'a Context<'a>,
}

impl Contest<'_> {
    /// Models are made anew for every run: a script or a recording serves one.
    async fn prepare(&self, contender: &Named, scene: SceneConfig) -> anyhow::Result<Prepared> {
        let args = self.args;
        let everyone = ModelFlag { character: None, model: contender.model.clone() };
        let company = Company {
            context: contender.context.or(args.company.context),
            judge: args.company.judge.clone(),
            events: args.company.events.clone(),
            ..args.company
        };
        let plan = Plan {
            scene,
            file: Some(&args.scene),
            home: self.home,
            cast_dir: args.cast_dir.as_deref(),
            config: &self.config,
            models: &[everyone],
            company: &company,
        };
        plan.prepare(self.context).await
    }
}

/// What a person should know, once, though several contenders may have it to say.
fn say_notes(args: &Compare, ready: &[Prepared]) {
    let notes: BTreeSet<&String> = ready.iter().flat_map(|prepared| &prepared.notes).collect();
    if !args.json {
        for note in notes {
            anstream::eprintln!("note: {note}");
        }
    }
}

/// What is there is shown, also when it ended early.
fn show(
    args: &Compare,
    page: Option<&Page>,
    scene: Name,
    contenders: Vec<String>,
    played: Played,
) -> anyhow::Result<ExitCode> {
    // Programs get one document: the comparison, or what went wrong.
    let shown = match args.json {
        true => played.error.is_none(),
        false => played.stories.iter().any(|stories| !stories.is_empty()),
    };
    let contenders = contenders.into_iter().zip(&played.stories);
    let contenders = contenders.map(|(name, stories)| Contender::of(name, stories)).collect();
    let comparison = Comparison { scene, contenders };
    if shown {
        let mut out = stdout();
        if args.json {
            writeln!(out, "{}", serde_json::to_string_pretty(&comparison)?)?;
        } else {
            comparison::print(&mut out, &table(&comparison, comparison::columns()))?;
        }
        if let Some(page) = page {
            page.write(&page_of(&comparison))?;
            if !args.json {
                writeln!(out, "\nPage: {}", page.path().display())?;
            }
        }
    }
    if let Some(error) = played.error {
        return Err(error);
    }
    if let Some(cause) = comparison::nobody_played(played.stories.iter().flatten()) {
        anstream::eprintln!("Every run failed: nobody could answer: {cause}");
        return Ok(ExitCode::FAILURE);
    }
    if played.cancelled {
        anstream::eprintln!("Cancelled: runs that were not finished are not in the comparison.");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}
