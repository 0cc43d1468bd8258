//! Scenes on a server: sheets by their plain names out of one folder, or with the request.

mod offers;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use async_trait::async_trait;
use enact_drama::{
    Name, Problem,
    budget::Budget,
    scene::{Checked, SceneConfig, ScenePrompts, SceneSetup},
};
use enact_engine::{
    project_files::{self, SheetLinks},
    run_blocking,
};
use enact_server::{
    productions::ServerProduction,
    scene::{EditedKind, PrepareScene, ProjectFile, ProjectOffers, ReadGoal, SceneRoutes},
};

use super::{
    args::ModelOptions,
    check::goals,
    prepare::{Cast, CastSheet, ScenePlan},
    prompts,
};
use crate::{
    ServedProject,
    config::{Config, NONE},
    models::problem_of,
};

/// What the folder of sheets is called in messages: its path is not told over the network.
const SHEETS: &str = ".claude/agents";

/// The part of a server that plays scenes.
pub(super) async fn server(project: &Arc<ServedProject>) -> Result<Arc<dyn ServerProduction>, Problem> {
    let cast_dir = cast_dir(project.cast_dir())?;
    for problem in problems(project).await {
        tracing::warn!(%problem, hint = problem.hint, "runs will not be played as configured");
    }
    let (prompts, misnamed) = prompts::prompts(project.config())?;
    for note in misnamed {
        tracing::warn!("{note}");
    }
    Ok(Arc::new(SceneRoutes::new(Arc::new(SceneCaster::new(project.clone(), cast_dir, prompts)))))
}

/// Where the sheets are; without any, every request has to bring its own.
fn cast_dir(named: Option<&Path>) -> Result<Option<PathBuf>, Problem> {
    match named {
        Some(folder) if !folder.is_dir() => {
            Err(Problem::config(format!("--cast-dir: there is no folder '{}'", folder.display()))
                .hint("name the folder that the character sheets are in"))
        }
        Some(folder) => Ok(Some(folder.to_owned())),
        None => Ok(project_files::find_cast_dir(Path::new("."))),
    }
}

/// Problems of the models that every scene uses (default, judge, events).
async fn problems(project: &ServedProject) -> Vec<Problem> {
    let Config { default, judge, events, .. } = project.config();
    let mut problems = Vec::new();
    for (name, task) in [(default, "plays by default"), (judge, "judges"), (events, "writes events")] {
        if let Some(name) = name.as_deref().filter(|name| *name != NONE) {
            problems.extend(project.check_model(name, task).await.err());
        }
    }
    problems
}

/// Casts the scenes of requests.
#[derive(Debug)]
struct SceneCaster {
    project: Arc<ServedProject>,
    /// Without one every sheet has to come with its request.
    cast_dir: Option<PathBuf>,
    /// Read once, when the server starts: what is wrong with a template is the operator's to know.
    prompts: ScenePrompts,
    /// Who advises, and what a run may use.
    options: ModelOptions,
}

impl SceneCaster {
    fn new(project: Arc<ServedProject>, cast_dir: Option<PathBuf>, prompts: ScenePrompts) -> SceneCaster {
        let budget = project.config().serve.budget();
        let options =
            ModelOptions { budget: budget.cost, budget_tokens: budget.tokens, ..ModelOptions::default() };
        SceneCaster { project, cast_dir, prompts, options }
    }

    /// The sheets of a cast: those that came with the request before the project's own.
    async fn sheets(&self, names: &[Name], mut inline: Vec<(Name, String)>) -> Result<Cast, Problem> {
        let mut sheets = Vec::with_capacity(names.len());
        for name in names {
            let given = inline.iter().position(|(given, _)| given == name);
            sheets.push(match given {
                Some(index) => self.inline(inline.swap_remove(index))?,
                None => CastSheet::read(self.load(name.clone()).await?)?,
            });
        }
        if let Some((name, _)) = inline.first() {
            let cast: Vec<&str> = names.iter().map(Name::as_str).collect();
            let message = format!("sheets: '{name}' is not in the cast ({})", cast.join(", "));
            return Err(Problem::config(message).suggest(name.as_str(), cast).in_field("sheets"));
        }
        Ok(Cast { folder: PathBuf::from(SHEETS), sheets, prompts: self.prompts.clone() })
    }

    async fn load(&self, name: Name) -> Result<(Name, String), Problem> {
        let Some(folder) = self.cast_dir.clone() else {
            return Err(Problem::no_such_character(name.as_str())
                .hint("this project has no sheets: send them with the scene, as 'sheets'"));
        };
        let there = folder.display().to_string();
        // A caller who can post a scene is told what its sheets say, however the operator came by them.
        let loaded = run_blocking(move || {
            let project = match folder.ends_with(SHEETS) {
                true => project_files::project_of(&folder),
                false => &folder,
            };
            let links = SheetLinks::Within { folder: project, hint: "put the sheet itself there" };
            project_files::load_sheets(&folder, &[name], links)
        })
        .await;
        let sheets = loaded.map_err(|problem| Problem {
            file: problem.file.map(|file| file.replace(&there, SHEETS)),
            hint: problem.hint.map(|hint| hint.replace(&there, SHEETS)),
            ..problem
        })?;
        let [sheet] = <[_; 1]>::try_from(sheets).expect("as many sheets as names");
        Ok(sheet)
    }

    /// A sheet that came with a request. One written for Claude Code may ask for a model that is not
    /// configured here, which then means the default.
    fn inline(&self, sheet: (Name, String)) -> Result<CastSheet, Problem> {
        let what = format!("the sheet of '{}'", sheet.0);
        let mut sheet = CastSheet::read(sheet)?;
        match &sheet.requested {
            Some(requested)
                if self.project.config().is_claudes_own(&requested.model)
                    && self.project.config().get(&requested.model).is_none() =>
            {
                sheet.requested = None;
            }
            Some(requested) => self.project.check_model_allowed(&what, &requested.model)?,
            None => {}
        }
        Ok(sheet)
    }

    fn check_requested(&self, checked: &Checked) -> Result<(), Problem> {
        checked.models.iter().try_for_each(|(who, requested)| {
            self.project.check_model_allowed(&format!("models: {who}"), &requested.model)
        })
    }
}

/// The smaller of two limits, where there are any.
fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

#[async_trait]
impl PrepareScene for SceneCaster {
    async fn cast(
        &self,
        scene: SceneConfig,
        sheets: Vec<(Name, String)>,
        budget: Budget,
    ) -> Result<SceneSetup, Problem> {
        let project = &*self.project;
        let checked = scene.check()?;
        self.check_requested(&checked).map_err(|problem| problem.in_field("models"))?;
        // A caller may ask for less than the operator allows.
        let options = ModelOptions {
            budget: least(self.options.budget, budget.cost),
            budget_tokens: least(self.options.budget_tokens, budget.tokens),
            ..ModelOptions::default()
        };
        let cast = self.sheets(&checked.characters, sheets).await?;
        let plan = ScenePlan {
            scene,
            file: None,
            home: Path::new(""),
            cast_dir: None,
            config: project.config(),
            models: &[],
            options: &options,
            stream: false,
        };
        let prepared = plan.cast(&checked, cast, &project.model_factory()).await;
        let prepared = prepared.map_err(|error| project.redact_for_caller(problem_of(error)))?;
        Ok(prepared.setup)
    }

    async fn edited(&self, kind: EditedKind, name: &Name) -> Option<ProjectFile> {
        if !self.project.is_editable() {
            return None;
        }
        let (cast_dir, name) = (self.cast_dir.clone().unwrap_or_else(|| PathBuf::from(SHEETS)), name.clone());
        Some(run_blocking(move || offers::project_file(&cast_dir, kind, &name)).await)
    }

    fn read_goals(&self, setup: &SceneSetup) -> Vec<ReadGoal> {
        goals::read(setup)
    }

    async fn offers(&self) -> ProjectOffers {
        let (project, folder) = (self.project.clone(), self.cast_dir.clone());
        run_blocking(move || offers::offers(&project, folder.as_deref())).await
    }
}

#[cfg(test)]
mod tests;
