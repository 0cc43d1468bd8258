//! What a node plays with: the project's characters, and the models of `enact.toml`.
//!
//! Requests come from others than the operator, so that they get less than the command line does: sheets by their plain names
//! out of one folder, models by the names the operator gave them, and no file, address or model beside those.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use async_trait::async_trait;
use enact_drama::{
    Name, Problem, RunId,
    chorus::{self, Agent},
    did_you_mean,
    production::Player,
    scene::{Checked, SceneConfig, Setup, Wish},
    voice::VoiceChain,
};
use enact_engine::{
    Artefacts, Models as ByName, Studio, casting,
    node::{self, NewChorus},
};
use uuid::Uuid;

use crate::{
    args::Company,
    chorus::Choir,
    config::{Config, IMPROVISER, INHERIT, NONE, Reference},
    models::{Made, Models, parts::plays, problem_of},
    prepare::{Cast, CastSheet, Plan},
    voices::{self, Speaking},
};

/// What the folder of sheets is called in complaints: where it really lies is nobody's business over the network.
const SHEETS: &str = ".claude/agents";

/// A project that is served.
#[derive(Debug)]
pub(crate) struct Project {
    config: Config,
    /// Without one every sheet has to come with its request.
    cast_dir: Option<PathBuf>,
    /// Who advises, and what a run may use.
    company: Company,
    made: Arc<Made>,
    /// Who takes part in choruses.
    choir: Choir,
    voices: voices::Made,
    /// Where what they say aloud is kept.
    artefacts: Artefacts,
}

impl Project {
    pub(crate) fn new(
        config: Config,
        cast_dir: Option<PathBuf>,
        artefacts: Artefacts,
    ) -> Result<Project, Problem> {
        let budget = config.serve.budget;
        let company = Company { budget: budget.cost, budget_tokens: budget.tokens, ..Company::default() };
        let choir = Choir::new(&config, None)?.within(budget);
        let (made, voices) = (Arc::default(), voices::Made::default());
        Ok(Project { config, cast_dir, company, made, choir, voices, artefacts })
    }

    pub(crate) fn choir(&self) -> &Choir {
        &self.choir
    }

    /// What choruses are spoken with, for whoever starts a server; nothing where nobody speaks.
    pub(crate) fn voice(&self) -> Result<Option<Speaking>, Problem> {
        self.choir.voice.as_ref().map(|chain| self.voices.chain(&self.config, chain)).transpose()
    }

    /// What keeps those from being asked who are asked in every run, for whoever starts a server: a key that is missing
    /// is better known before the first request.
    pub(crate) async fn problems(&self) -> Vec<Problem> {
        let Config { default, judge, events, .. } = &self.config;
        let mut problems = Vec::new();
        for (name, task) in [(default, "plays by default"), (judge, "judges"), (events, "writes events")] {
            if let Some(name) = name.as_deref().filter(|name| *name != NONE)
                && let Err(error) = self.maker().make(name, task).await
            {
                problems.push(problem_of(error));
            }
        }
        let told = [default, judge, events];
        for (model, agents) in self.choir.by_model() {
            if told.iter().any(|told| told.as_deref() == Some(model)) {
                continue;
            }
            if let Err(error) = self.maker().make(model, &plays(&agents)).await {
                problems.push(problem_of(error));
            }
        }
        problems
    }

    /// A complaint for those who are not the operator: files by their names alone. They may lie in folders with blanks in
    /// their names, so that only this side knows where a path ends.
    fn outward(&self, problem: Problem) -> Problem {
        let Some(file) = &self.config.file else { return problem };
        let (Some(name), path) = (file.file_name(), file.display().to_string()) else { return problem };
        let name = name.to_string_lossy();
        let told = Problem {
            message: problem.message.replace(&path, &name),
            file: problem.file.as_ref().map(|file| file.replace(&path, &name)),
            hint: problem.hint.as_ref().map(|hint| hint.replace(&path, &name)),
            ..problem.clone()
        };
        if told != problem {
            tracing::warn!(%problem, hint = problem.hint, "a run cannot be played as configured");
        }
        told
    }

    fn maker(&self) -> Models<'_> {
        // Nothing is looked up in a data folder: requests name no recordings.
        Models::new(&self.config, None, None).sharing(self.made.clone())
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
            let problem =
                Problem::config(format!("sheets: '{name}' is not in the cast ({})", cast.join(", ")));
            return Err(match did_you_mean(name.as_str(), cast) {
                Some(near) => problem.hint(format!("did you mean '{near}'?")),
                None => problem,
            });
        }
        Ok(Cast { folder: PathBuf::from(SHEETS), sheets })
    }

    async fn load(&self, name: Name) -> Result<(Name, String), Problem> {
        let Some(folder) = self.cast_dir.clone() else {
            return Err(Problem::no_such_character(name.as_str())
                .hint("this project has no sheets: send them with the scene, as 'sheets'"));
        };
        let there = folder.display().to_string();
        let loaded = tokio::task::spawn_blocking(move || casting::load_sheets(&folder, &[name])).await;
        let sheets = match loaded {
            Ok(loaded) => loaded.map_err(|problem| Problem {
                file: problem.file.map(|file| file.replace(&there, SHEETS)),
                hint: problem.hint.map(|hint| hint.replace(&there, SHEETS)),
                ..problem
            })?,
            Err(panicked) => std::panic::resume_unwind(panicked.into_panic()),
        };
        let [sheet] = <[_; 1]>::try_from(sheets).expect("as many sheets as names");
        Ok(sheet)
    }

    /// A sheet that came with a request. One written for Claude Code may wish for a model that nobody configured, which
    /// then means whoever plays by default.
    fn inline(&self, sheet: (Name, String)) -> Result<CastSheet, Problem> {
        let what = format!("the sheet of '{}'", sheet.0);
        let mut sheet = CastSheet::read(sheet)?;
        match &sheet.wish {
            Some(wish) if Config::is_claudes_own(&wish.model) && self.config.get(&wish.model).is_none() => {
                sheet.wish = None;
            }
            Some(wish) => self.grant(&what, wish)?,
            None => {}
        }
        Ok(sheet)
    }

    /// Whether a request may wish for this model.
    fn grant(&self, what: &str, wish: &Wish) -> Result<(), Problem> {
        let name = wish.model.as_str();
        if name == IMPROVISER || name == INHERIT || self.config.get(name).is_some() {
            return Ok(());
        }
        let problem = Problem::config(format!("{what}: there is no model '{}' here", shown(name)));
        let configured = self.config.models.iter().map(|entry| entry.name.as_str());
        let known: Vec<&str> = std::iter::once(IMPROVISER).chain(configured).collect();
        Err(match did_you_mean(name, known.iter().copied()) {
            Some(near) => problem.hint(format!("did you mean '{near}'?")),
            None => problem.hint(format!("there are: {}", known.join(", "))),
        })
    }

    fn check_wishes(&self, checked: &Checked) -> Result<(), Problem> {
        checked.models.iter().try_for_each(|(who, wish)| self.grant(&format!("models: {who}"), wish))
    }
}

#[async_trait]
impl node::Project for Project {
    async fn cast(&self, scene: SceneConfig, sheets: Vec<(Name, String)>) -> Result<Setup, Problem> {
        let checked = scene.check()?;
        self.check_wishes(&checked)?;
        let cast = self.sheets(&checked.characters, sheets).await?;
        let plan = Plan {
            scene,
            file: None,
            home: Path::new(""),
            cast_dir: None,
            config: &self.config,
            models: &[],
            company: &self.company,
            location: None,
        };
        let prepared = plan.cast(&checked, cast, &self.maker()).await;
        let prepared = prepared.map_err(|error| self.outward(problem_of(error)))?;
        Ok(prepared.setup)
    }

    fn agents(&self) -> Vec<Agent> {
        self.choir.agents()
    }

    async fn assemble(&self, chorus: NewChorus) -> Result<chorus::Setup, Problem> {
        let NewChorus { message, seats, threads } = chorus;
        let wanted = chorus::Wanted { message, seats, threads, seed: None };
        let assembled = self.choir.assemble(RunId(Uuid::now_v7()), wanted, &self.maker()).await;
        Ok(assembled.map_err(|problem| self.outward(problem))?.setup)
    }

    async fn studio(&self, voices: &VoiceChain) -> Result<Studio, Problem> {
        let made = self.voices.chain(&self.config, voices).map_err(|problem| self.outward(problem))?;
        Ok(Studio { voice: made.voice, artefacts: self.artefacts.clone() })
    }

    fn artefacts(&self) -> Option<Artefacts> {
        Some(self.artefacts.clone())
    }

    async fn models(&self, players: &[Player]) -> Result<ByName, Problem> {
        for Player { name, .. } in players {
            if let Ok(Reference::Script(_) | Reference::Recorded(_)) = self.config.refer(name) {
                return Err(Problem::config(format!(
                    "it is played by '{}': scripts and recordings are only for the command line",
                    shown(name)
                ))
                .hint("`enact run --resume` plays it on"));
            }
        }
        let models = self.maker().again(players).await;
        Ok(models.map_err(|error| self.outward(problem_of(error)))?.into_iter().collect())
    }
}

/// How much of a name a complaint repeats.
const LONGEST_SHOWN: usize = 80;

fn shown(name: &str) -> String {
    name.chars().take(LONGEST_SHOWN).flat_map(char::escape_debug).collect()
}

#[cfg(test)]
mod tests;
