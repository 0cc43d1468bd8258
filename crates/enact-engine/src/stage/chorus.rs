//! Choruses on a stage.

use std::sync::Arc;

use enact_drama::{
    RunId, Seq,
    chorus::report::Story,
    chorus::{Chorus, ChorusEvent, Ensemble, Setup, Wanted as Wish},
    production::Report,
    record::read_facts,
};
use tokio::sync::mpsc;
use uuid::Uuid;

use super::{Error, Stage};
use crate::{
    Voice,
    perform::{self, Signal, Watcher},
};

impl Stage {
    /// Has this voice say aloud what choruses say.
    pub fn voice(mut self, voice: Arc<dyn Voice>) -> Stage {
        self.voice = Some(voice);
        self
    }

    /// Gets a chorus ready: checks what is wanted, and has the stage's models answer for its agents. Nothing is written yet.
    pub fn assemble(&self, ensemble: Ensemble, wanted: Wish) -> Result<Setup, Error> {
        let models = self.models.iter().map(|(name, model)| (name.clone(), model.card())).collect();
        let ensemble = Ensemble { models, ..ensemble };
        Ok(ensemble.assemble(RunId(Uuid::now_v7()), wanted).map_err(Box::new)?)
    }

    /// Plays a chorus from beginning to end.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use enact_engine::{
    ///     Model, Stage,
    ///     chorus::{Agent, AgentId, Ensemble, Turn, View, Wanted},
    ///     model::{Answer, Failure, ModelCard, Request},
    /// };
    ///
    /// /// Somebody who agrees with everybody.
    /// #[derive(Debug)]
    /// struct Agreeable;
    ///
    /// #[async_trait::async_trait]
    /// impl Model for Agreeable {
    ///     fn card(&self) -> ModelCard {
    ///         ModelCard::free("agrees, hard-coded")
    ///     }
    ///
    ///     async fn answer(&self, request: Request) -> Result<Answer, Failure> {
    ///         let view = request.view::<View>().ok_or_else(|| Failure::new("only sings"))?;
    ///         let answer = match view.turn {
    ///             Turn::Respond => r#"{"text": "Gladly.", "voice_profile": "calm_soothing"}"#.to_owned(),
    ///             Turn::Comment => {
    ///                 let to = view.peers[0].slot_id;
    ///                 format!(r#"{{"targetSlotId": {to}, "comment": "Well said.", "voice_profile": "calm_soothing"}}"#)
    ///             }
    ///             Turn::Reply => r#"{"text": "Thank you.", "voice_profile": "calm_soothing"}"#.to_owned(),
    ///         };
    ///         Ok(Answer::from(answer.as_str()))
    ///     }
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let agent = |id: &str| Agent {
    ///     id: AgentId::new(id).expect("a plain id"),
    ///     name: id.to_owned(),
    ///     provider: "nobody".into(),
    ///     description: "agrees".into(),
    ///     color: "#cc785c".into(),
    /// };
    /// let ensemble = Ensemble {
    ///     agents: vec![(agent("ada"), "agreeable".into()), (agent("bea"), "agreeable".into())],
    ///     ..Ensemble::default()
    /// };
    /// let wanted = Wanted {
    ///     message: "Shall we begin?".into(),
    ///     seats: vec![(1, "ada".into()), (2, "bea".into())],
    ///     ..Wanted::default()
    /// };
    /// let stage = Stage::new("agreeable", Arc::new(Agreeable));
    /// let story = stage.run_chorus(stage.assemble(ensemble, wanted)?).await?;
    ///
    /// let said: Vec<usize> = story.rounds.iter().map(|round| round.said.len()).collect();
    /// assert_eq!(said, [2, 2, 2]);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn run_chorus(&self, setup: Setup) -> Result<Story, Error> {
        // Nobody holds the other end: nothing is wanted from outside.
        let (_, mut signals) = mpsc::channel(1);
        self.play_chorus(setup, &mut (), &mut signals).await
    }

    /// Plays a chorus. `watcher` sees every fact once it is stored; `signals` brings what comes from outside.
    pub async fn play_chorus(
        &self,
        setup: Setup,
        watcher: &mut dyn Watcher<ChorusEvent>,
        signals: &mut mpsc::Receiver<Signal>,
    ) -> Result<Story, Error> {
        let run = setup.run;
        self.play_production::<Chorus>(run, Chorus::beginning(setup), watcher, signals).await?;
        self.story(run).await
    }

    /// Plays on from where a chorus's log ends: what was asked and had no answer is asked again, what was being said is said again.
    pub async fn resume_chorus(
        &self,
        run: RunId,
        watcher: &mut dyn Watcher<ChorusEvent>,
        signals: &mut mpsc::Receiver<Signal>,
    ) -> Result<Story, Error> {
        self.resume_production::<Chorus>(run, watcher, signals).await?;
        self.story(run).await
    }

    /// What a chorus has come to, from its log alone.
    async fn story(&self, run: RunId) -> Result<Story, Error> {
        let _turn = self.finishing.acquire().await;
        let records = self.log.read(run, Seq(0)).await?;
        let facts = read_facts(&records).map_err(perform::Error::from)?;
        Ok(Story::of(&facts).ok_or(perform::Error::NoBeginning)?)
    }
}
