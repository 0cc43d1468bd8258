//! `enact compare`: one scene, several models, side by side.

use std::{collections::BTreeSet, path::Path, process::ExitCode};

use enact_drama::{
    Problem,
    scene::SceneConfig,
    scene::comparison::{Comparison, Contender, page as page_of, table},
};
use enact_engine::project_files;

use super::{
    args::{CompareArgs, ModelFlag, ModelOptions},
    comparison::{self, Entrant, Look, PageFile, Ready, Rounds},
    make_room_for_files,
    prepare::{PreparedScene, ScenePlan},
};
use crate::{CliContext, config::Config, screen::notes};

pub(super) async fn compare(args: CompareArgs, context: &CliContext<'_>) -> anyhow::Result<ExitCode> {
    let home = args.home();
    let mut scene = project_files::read_scene_file(&args.scene)?;
    scene.max_beats = args.max_beats.or(scene.max_beats);
    scene.seed = args.seed.or(scene.seed);
    // Runs that are compared begin alike, and leave nothing behind.
    scene.remember = false;
    let contest = Contest { args: &args, config: context.load_config(home)?, home, context };
    comparison::check(&args.with, &contest.config)?;

    // Everything that can be found wrong is found wrong before the first run.
    let mut ready = Vec::with_capacity(args.with.len());
    for entrant in &args.with {
        ready.push(contest.prepare(entrant, scene.clone()).await?);
    }
    let page = args.html.as_deref().map(PageFile::at).transpose()?;
    if !args.json {
        // Each once, though several models may have it to say.
        notes(ready.iter().flat_map(|prepared| &prepared.notes).collect::<BTreeSet<_>>());
    }
    // By the names that setups keep: after the first round `recorded:latest` would be a run of this
    // comparison.
    let named = ready.iter().zip(&args.with).filter_map(|(prepared, entrant)| {
        let model = prepared.setup.cast.first()?.model.clone();
        Some(Entrant { model, context: entrant.context })
    });
    let named: Vec<Entrant> = named.collect();
    let Some(PreparedScene { setup, .. }) = ready.into_iter().next() else {
        return Err(Problem::config("there is nothing to compare").hint("--with names the models").into());
    };

    let location = context.location;
    let kept = location.open().await?;
    make_room_for_files(location)?;
    let names: Vec<String> = args.with.iter().map(ToString::to_string).collect();
    let (log, data_dir) = (kept.store(), &*location.data_dir);
    let rounds = Rounds { entrants: &names, runs: args.runs, jobs: args.jobs, log, data_dir };
    let played = rounds
        .play(comparison::ctrl_c(), async |entrant, round| {
            // All models play each round with the same seed, so that they meet the same chances.
            let seed = Some(setup.seed.wrapping_add(round as u64));
            let prepared = contest.prepare(&named[entrant], SceneConfig { seed, ..scene.clone() }).await?;
            Ok(Ready::from(prepared))
        })
        .await;
    drop(rounds);
    kept.close().await;
    let contenders = names.into_iter().zip(&played.stories);
    let contenders = contenders.map(|(name, stories)| Contender::of(name, stories)).collect();
    let comparison = Comparison { scene: setup.name, contenders };
    let look = Look { nouns: ["run", "runs"], table, html: page_of };
    played.show(&comparison, look, args.json, page.as_ref())
}

/// Readies runs.
struct Contest<'a> {
    args: &'a CompareArgs,
    config: Config,
    home: &'a Path,
    context: &'a CliContext<'a>,
}

impl Contest<'_> {
    /// Models are made anew for every run: a script or a recording serves one.
    async fn prepare(&self, entrant: &Entrant, scene: SceneConfig) -> anyhow::Result<PreparedScene> {
        let args = self.args;
        let everyone = ModelFlag { character: None, model: entrant.model.clone() };
        let options = ModelOptions {
            context: entrant.context.or(args.options.context),
            judge: args.options.judge.clone(),
            events: args.options.events.clone(),
            ..args.options
        };
        let plan = ScenePlan {
            scene,
            file: Some(&args.scene),
            home: self.home,
            cast_dir: args.cast_dir.as_deref(),
            config: &self.config,
            models: &[everyone],
            options: &options,
            stream: true,
        };
        let prepared = plan.prepare(self.context).await?;
        if let Some(role) = prepared.setup.cast.iter().find(|role| prepared.setup.is_human(&role.name)) {
            let told =
                format!("'{}' is played by a person, and no person is asked in a comparison", role.name);
            return Err(Problem::config(told).hint("'human' plays with enact run and enact serve").into());
        }
        Ok(prepared)
    }
}
