//! Prepares a scene: flags, file, sheets and configuration become a stage and a setup.

use std::path::{Path, PathBuf};

use enact_drama::{
    Name, Problem,
    budget::Budget,
    scene::{AdviserChoice, Checked, NoJudge, RequestedModel, SceneConfig, ScenePrompts, SceneSetup},
    sheet::Sheet,
};
use enact_engine::{
    Stage,
    project_files::{self, SheetLinks},
};

use super::{
    args::{ModelFlag, ModelOptions},
    model_choice::{ChosenModels, ModelChoice},
    prompts,
};
use crate::{
    CliContext,
    config::{Config, ModelEntry, NONE, Reference, check_adviser},
    models::{ModelFactory, key, plays, script},
};

/// A scene that is to be played, and everything that says by which models.
#[derive(Debug)]
pub(crate) struct ScenePlan<'a> {
    pub(crate) scene: SceneConfig,
    /// The file it was read from.
    pub(crate) file: Option<&'a Path>,
    /// Where its cast is looked for.
    pub(crate) home: &'a Path,
    /// Where its cast is, if a flag says so.
    pub(crate) cast_dir: Option<&'a Path>,
    pub(crate) config: &'a Config,
    pub(crate) models: &'a [ModelFlag],
    pub(crate) options: &'a ModelOptions,
    /// Whether answers are asked for as streams although they are not followed: their first words are timed.
    pub(crate) stream: bool,
}

/// A scene that can be played.
#[derive(Debug)]
pub(crate) struct PreparedScene {
    pub(crate) stage: Stage,
    pub(crate) setup: SceneSetup,
    /// What a person should know before it begins.
    pub(crate) notes: Vec<String>,
}

/// The sheets of a scene's cast, in its order, and the templates of what they are told.
#[derive(Debug)]
pub(crate) struct Cast {
    /// Where those that were read are.
    pub(crate) folder: PathBuf,
    pub(crate) sheets: Vec<CastSheet>,
    pub(crate) prompts: ScenePrompts,
}

/// A character's sheet, and the model it is to be played by, as far as the sheet has a say in it.
#[derive(Debug)]
pub(crate) struct CastSheet {
    pub(crate) name: Name,
    pub(crate) text: String,
    pub(crate) requested: Option<RequestedModel>,
}

impl CastSheet {
    pub(crate) fn read((name, text): (Name, String)) -> Result<CastSheet, Problem> {
        let sheet = Sheet::read(name.as_str(), &text)?;
        let place = sheet.model_place;
        let requested = sheet.model.map(|model| RequestedModel { model, place });
        Ok(CastSheet { name, text, requested })
    }
}

impl ScenePlan<'_> {
    /// Checks and resolves everything. Nothing is written yet, and no model is asked.
    pub(crate) async fn prepare(self, context: &CliContext<'_>) -> anyhow::Result<PreparedScene> {
        let checked = self.scene.check().map_err(|problem| self.in_scene(problem))?;
        let folder = self.cast_dir.map(Path::to_owned).or_else(|| project_files::find_cast_dir(self.home));
        let folder = folder.ok_or_else(|| {
            let mut problem = project_files::no_cast_dir(self.home, &checked.characters);
            // Flags are the command line's business, not the engine's.
            problem.hint = problem.hint.map(|hint| format!("{hint}; --cast-dir names another"));
            problem
        })?;
        let project = project_files::project_of(&folder);
        let hint = format!(
            "put the sheet itself there; or, if you trust the project, name its sheets: --cast-dir {}",
            folder.display()
        );
        let links = match self.cast_dir {
            None if !self.config.trusts(project) => SheetLinks::Within { folder: project, hint: &hint },
            _ => SheetLinks::Followed,
        };
        let sheets = project_files::load_sheets(&folder, &checked.characters, links)?.into_iter();
        let sheets = sheets.map(CastSheet::read).collect::<Result<_, _>>()?;
        let models = context.models(self.config).in_context(self.options.context).streaming(self.stream);
        let (prompts, misnamed) = prompts::prompts(self.config)?;
        let mut prepared = self.cast(&checked, Cast { folder, sheets, prompts }, &models).await?;
        prepared.notes.extend(misnamed);
        Ok(prepared)
    }

    /// Like [`prepare`](ScenePlan::prepare), with the sheets at hand.
    pub(crate) async fn cast(
        self,
        checked: &Checked,
        cast: Cast,
        models: &ModelFactory<'_>,
    ) -> anyhow::Result<PreparedScene> {
        let requested = cast.sheets.iter().map(|sheet| (sheet.name.clone(), sheet.requested.clone()));
        let parts = ModelChoice {
            flags: self.models,
            scene: &checked.models,
            scene_file: self.file,
            sheets: &requested.collect::<Vec<_>>(),
            cast_dir: &cast.folder,
            config: self.config,
        }
        .decide()?;
        let mut stage = self.stage_with_models(&parts, models).await?.scene_prompts(cast.prompts);
        for CastSheet { name, text, .. } in cast.sheets {
            stage = stage.sheet(name.to_string(), text);
        }
        let strangers = self.strangers(&parts)?;
        let setup = stage.cast(self.scene)?;
        let withheld = setup.models.keys().filter_map(|name| match self.config.refer(name) {
            Ok(Reference::Language(entry)) if has_key(&entry) => self.config.withheld(&entry),
            _ => None,
        });
        let notes = parts.notes.into_iter().chain(withheld).chain(strangers).collect();
        Ok(PreparedScene { stage, setup, notes })
    }

    /// A note for each whom a script has lines for and who is not in the cast: such lines are never said.
    fn strangers(&self, parts: &ChosenModels) -> Result<Vec<String>, Problem> {
        let mut notes = Vec::new();
        for model in parts.by_model().into_keys() {
            let Reference::Script(file) = self.config.refer(model)? else { continue };
            for (actor, line) in script(&file)?.actors() {
                if !parts.models.iter().any(|(name, _)| name.as_str() == actor) {
                    let of = format!("{file}, line {line}: '{actor}' is not in the cast");
                    notes.push(format!("{of}, and what is written for them is not said"));
                }
            }
        }
        Ok(notes)
    }

    /// A stage with all models that play, judge and write events.
    async fn stage_with_models(
        &self,
        parts: &ChosenModels,
        models: &ModelFactory<'_>,
    ) -> anyhow::Result<Stage> {
        let mut stage = Stage::empty();
        for (name, characters) in parts.by_model() {
            let (kept_as, model) = models.make(name, &plays(&characters)).await?;
            for (character, _) in parts.models.iter().filter(|(_, model)| model == name) {
                stage = stage.part(character.clone(), &kept_as);
            }
            stage = stage.model(kept_as, model);
        }
        let scenes_own = self.scene.judge.map(|NoJudge::None| NONE);
        let judge =
            adviser("--judge", &[self.options.judge.as_deref(), scenes_own, self.config.judge.as_deref()])?;
        let events = adviser("--events", &[self.options.events.as_deref(), self.config.events.as_deref()])?;
        let mut choices = [(judge, "judges"), (events, "writes events")];
        for (choice, task) in &mut choices {
            if let AdviserChoice::Model(name) = choice {
                let (kept_as, model) = models.make(name, task).await?;
                name.clone_from(&kept_as);
                stage = stage.model(kept_as, model);
            }
        }
        let [(judge, _), (events, _)] = choices;
        stage = stage.judge(judge).event_writer(events);
        for (name, model) in models.make_fallbacks(&stage.cards()).await? {
            stage = stage.model(name, model);
        }
        let ModelOptions { budget: cost, budget_tokens: tokens, .. } = *self.options;
        Ok(stage.budget(Budget { cost, tokens }))
    }

    /// A problem that knows its line is about the scene's file, and so is one about a file with nothing to
    /// play in it.
    fn in_scene(&self, problem: Problem) -> Problem {
        match (self.file, problem.place) {
            (Some(file), Some(_)) => problem.in_file(file.display()),
            (Some(file), None) if self.scene.prompt.trim().is_empty() => {
                problem.in_file(file.display()).hint(
                    "it is the text below the front matter, or 'prompt' in JSON: the situation and its goal",
                )
            }
            (Some(file), None) => project_files::place_in_scene_file(problem, file),
            _ => problem,
        }
    }
}

fn has_key(entry: &ModelEntry) -> bool {
    let environment = |name: &str| std::env::var(name).ok();
    entry.key_variable.as_deref().is_some_and(|variable| key(variable, environment).is_some())
}

/// The first that was said of it, by a flag, the scene or the configuration.
fn adviser(flag: &str, said: &[Option<&str>]) -> Result<AdviserChoice, Problem> {
    match said.iter().flatten().next() {
        None => Ok(AdviserChoice::ByDefault),
        Some(&NONE) => Ok(AdviserChoice::None),
        Some(name) => check_adviser(flag, name).map(|()| AdviserChoice::from(*name)),
    }
}
