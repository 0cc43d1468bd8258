//! Scenes on a stage: cast from a configuration and sheets, and written to files when they are over.

pub(super) use enact_drama::scene::SceneOptions;
use enact_drama::{
    Name, RunId, Seq,
    budget::Budget,
    dice::seed_of,
    production::Report,
    record::read_facts,
    scene::report::{SceneReport, SceneResult},
    scene::{AdviserChoice, Scene, SceneConfig, SceneEvent, ScenePrompts, SceneSetup},
    sheet::{CLAUDE_MODEL_ALIASES, INHERIT, Sheet},
};
use tokio::sync::mpsc;

use super::{Error, Stage};
use crate::{
    blocking::run_blocking,
    node::new_run,
    outputs,
    run_loop::{self, Observer, Signal},
};

impl Stage {
    /// Gives a character's sheet as text. A name that is not plain can be no character's, and is passed over.
    pub fn sheet(mut self, name: impl Into<String>, text: impl Into<String>) -> Stage {
        self.sheets.extend(Name::new(name).ok().map(|name| (name, text.into())));
        self
    }

    /// The model that plays every character of which nothing else is said.
    pub fn default_model(mut self, name: impl Into<String>) -> Stage {
        self.default_model = name.into();
        self
    }

    /// Has a character played by this model, whatever its sheet says.
    pub fn part(mut self, character: Name, model: impl Into<String>) -> Stage {
        self.parts.insert(character, model.into());
        self
    }

    /// Which model is asked beside the rules whether the goal is reached; by default the cheapest of the language
    /// models that play, if any do.
    pub fn judge(mut self, choice: impl Into<AdviserChoice>) -> Stage {
        self.scene_options.judge = choice.into();
        self
    }

    /// Which model writes world events once the author's own are used up; by default the one that judges.
    pub fn event_writer(mut self, choice: impl Into<AdviserChoice>) -> Stage {
        self.scene_options.event_writer = choice.into();
        self
    }

    /// Ends a scene before the beat that would use more.
    pub fn budget(mut self, budget: Budget) -> Stage {
        self.scene_options.budget = budget;
        self
    }

    /// Has models told by a project's own templates.
    pub fn scene_prompts(mut self, prompts: ScenePrompts) -> Stage {
        self.scene_options.prompts = prompts;
        self
    }

    /// Casts a scene: checks it, and resolves everything it needs. Nothing is written yet.
    pub fn cast(&self, config: SceneConfig) -> Result<SceneSetup, Error> {
        let run = new_run();
        let wishes = config.models.clone();
        let model_of = |name: &Name, sheet: &Sheet| {
            let wish = wishes.iter().find(|(who, _)| who.eq_ignore_ascii_case(name.as_str()));
            self.model_of(name, wish.map(|(_, wish)| &wish.model).or(sheet.model.as_ref()))
        };
        let scene_options = SceneOptions { models: self.cards(), ..self.scene_options.clone() };
        Ok(SceneSetup::cast(run, config, self.sheets.clone(), scene_options, model_of, seed_of(run))?)
    }

    /// Claude's own names for its models mean the default model, unless the stage has one of that name.
    fn model_of(&self, name: &Name, wish: Option<&String>) -> String {
        let is_claudes = |model: &str| model == INHERIT || CLAUDE_MODEL_ALIASES.contains(&model);
        match self.parts.get(name).or(wish) {
            Some(model) if self.models.contains_key(model) || !is_claudes(model) => model.clone(),
            _ => self.default_model.clone(),
        }
    }

    /// Plays a scene from beginning to end. Nothing reaches it from outside.
    pub async fn run_scene(&self, config: SceneConfig) -> Result<SceneResult, Error> {
        let first = Scene::beginning(self.cast(config)?);
        let (run, _) = self.begin::<Scene>(first, &mut (), None).await?;
        Ok(self.finish_scene(run).await?.1)
    }

    /// [Plays](Stage::play) a scene that was cast, and writes its files.
    pub async fn play_scene(
        &self,
        setup: SceneSetup,
        observer: &mut dyn Observer<SceneEvent>,
        signals: &mut mpsc::Receiver<Signal>,
    ) -> Result<SceneResult, Error> {
        let run = setup.run;
        self.play::<Scene>(Scene::beginning(setup), observer, signals).await?;
        Ok(self.finish_scene(run).await?.1)
    }

    /// [Plays](Stage::resume) a scene on. The files of one that has ended are only written again.
    pub async fn resume_scene(
        &self,
        run: RunId,
        observer: &mut dyn Observer<SceneEvent>,
        signals: &mut mpsc::Receiver<Signal>,
    ) -> Result<SceneResult, Error> {
        self.resume::<Scene>(run, observer, signals).await?;
        Ok(self.finish_scene(run).await?.1)
    }

    /// What a scene has come to, for people and for programs, from its log alone. Its files are written as
    /// well, where the stage writes any.
    pub async fn finish_scene(&self, run: RunId) -> Result<(SceneReport, SceneResult), Error> {
        let _turn = self.finishing.acquire().await;
        let records = self.store.read(run, Seq(0)).await?;
        let Some(data_dir) = self.data_dir.clone() else {
            let story = SceneReport::of(&read_facts(&records)?).ok_or(run_loop::Error::NoBeginning)?;
            let result = SceneResult::of(&story, String::new());
            return Ok((story, result));
        };
        // Files are written off the threads that play.
        Ok(run_blocking(move || outputs::write(&data_dir, &records)).await?)
    }
}
