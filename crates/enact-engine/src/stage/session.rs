//! An episode on a stage: a session with a character, message by message.

use enact_drama::{
    Fact, Name, Problem, Production, RunId, Seq,
    episode::{
        Episode, EpisodeCharacter, EpisodeCommand, EpisodeEvent, EpisodeSetup, EpisodeTemplate,
        StructuredAnswer, report::DirectorOutput,
    },
    record::read_facts,
    sheet::Sheet,
};
use tokio::sync::mpsc;
use uuid::Uuid;

use super::{Error, Stage};
use crate::{
    node::new_run,
    run_loop::{self, Signal},
};

/// A session that is talked with. It rests between two messages: its log is all there is of it then.
///
/// ```
/// use std::sync::Arc;
///
/// use enact_engine::{
///     Model, Session, Stage,
///     episode::read_episode,
///     model::{Answer, Failure, ModelCard, Request},
/// };
///
/// /// Always has an answer, and always the same.
/// #[derive(Debug)]
/// struct Barkeeper;
///
/// #[async_trait::async_trait]
/// impl Model for Barkeeper {
///     fn card(&self) -> ModelCard {
///         ModelCard::free("a barkeeper, hard-coded")
///     }
///
///     async fn answer(&self, _: Request) -> Result<Answer, Failure> {
///         let answer = r#"{"action": "She looks up", "dialogue": "Depends who asks.", "mood": "amused"}"#;
///         Ok(Answer::from(answer))
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let episode = "---\ncharacter: mina\ncompletion_mode: turn_limited\nturn_budget: 2\nevaluation: flirt_archetype\n---\n\
///                A bar, late.\n\n## Opening\nWe close at two.\n";
/// let episode = read_episode(episode, "last-call")?;
/// let stage = Stage::new("barkeeper", Arc::new(Barkeeper)).sheet("mina", "# Mina\nRuns the bar.");
///
/// let session = Session::start(&stage, episode).await?;
/// let first = session.send("Is this seat taken?").await?;
/// assert_eq!(first.content, "*She looks up*\n\"Depends who asks.\"");
/// assert_eq!(first.director.turn_count, 1);
/// assert_eq!(first.director.director_state["current_beat"], "escalation");
/// assert!(!first.director.is_complete && first.director.evaluation.is_none());
///
/// let last = session.send("haha, I do").await?;
/// assert!(last.director.is_complete);
/// assert_eq!(serde_json::to_value(last.director.completion_trigger)?, "turn_limit");
/// assert_eq!(last.director.evaluation.unwrap()["archetype"], "playful_tease");
/// assert_eq!(last.director.next_suggestion.unwrap()["type"], "character_continuity");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Session {
    stage: Stage,
    run: RunId,
}

/// What came of a message.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionReply {
    /// The answer as people see it.
    pub content: String,
    pub answer: StructuredAnswer,
    pub director: DirectorOutput,
}

impl Session {
    /// Begins a session of an episode with the sheet and the models of a stage. The character of the episode
    /// must have a [sheet](Stage::sheet) there.
    pub async fn start(stage: &Stage, episode: EpisodeTemplate) -> Result<Session, Error> {
        let name = Name::new(episode.character.clone())
            .map_err(|error| Problem::config(format!("the character: {error}")))?;
        let sheet = stage.sheets.iter().rev().find(|(known, _)| *known == name).map(|(_, text)| text.clone());
        let sheet = sheet.ok_or_else(|| Problem::no_such_character(name.as_str()))?;
        let run = new_run();
        let character =
            EpisodeCharacter { display: Sheet::read(name.as_str(), &sheet)?.display, name, sheet };
        let share_id = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
        let models = (stage.default_model.as_str(), stage.cards());
        let setup = EpisodeSetup::new(run, episode, character, models, share_id);
        Session::begin(stage, setup).await
    }

    /// Begins a session in which everything is decided already.
    pub async fn begin(stage: &Stage, setup: EpisodeSetup) -> Result<Session, Error> {
        let run = setup.run;
        let first = EpisodeEvent::EpisodeBegan { setup: setup.into() };
        // Nothing comes through a closed channel, so that it rests at once.
        let mut signals = mpsc::channel(1).1;
        stage.play::<Episode>(first, &mut (), &mut signals).await?;
        Ok(Session { stage: stage.clone(), run })
    }

    /// Goes on with a session that is in the stage's store.
    pub fn resume(stage: &Stage, run: RunId) -> Session {
        Session { stage: stage.clone(), run }
    }

    /// Which run it is.
    pub fn run(&self) -> RunId {
        self.run
    }

    /// Says something, and waits for what comes of it. A message that is not answered counts no turn, and may
    /// be sent again.
    pub async fn send(&self, text: impl Into<String>) -> Result<SessionReply, Error> {
        self.message(Some(text.into()), None).await
    }

    /// Takes an option of the choice that is offered, by its id: its label becomes the message.
    pub async fn choose(&self, option: impl Into<String>) -> Result<SessionReply, Error> {
        self.message(None, Some(option.into())).await
    }

    /// The session as it stands.
    pub async fn episode(&self) -> Result<Episode, Error> {
        let facts = self.facts().await?;
        Ok(enact_drama::production::fold(&facts).ok_or(run_loop::Error::NoBeginning)?)
    }

    async fn message(&self, text: Option<String>, choice_id: Option<String>) -> Result<SessionReply, Error> {
        let episode = self.episode().await?;
        if episode.ended().is_some() {
            return Err(Problem::config("the session is over").into());
        }
        let command = EpisodeCommand::Message { id: new_run().to_string(), text, choice_id };
        let command = episode.check(command)?;
        episode.check_now(&command)?;
        let before = self.facts().await?.len();
        let (sender, mut signals) = mpsc::channel(1);
        let _ = sender.try_send(Signal::command::<Episode>(&command));
        drop(sender);
        self.stage.resume::<Episode>(self.run, &mut (), &mut signals).await?;
        let facts = self.facts().await?;
        let answer = facts[before..].iter().find_map(|fact| match &fact.event {
            EpisodeEvent::Answered { answer, .. } => Some(Ok(answer.clone())),
            EpisodeEvent::AnswerFailed { error, last: true, .. } => {
                Some(Err(Problem::config(format!("no answer came: {error}")).hint("send it again")))
            }
            _ => None,
        });
        let answer = answer.unwrap_or_else(|| Err(Problem::config("the message was not taken")))?;
        let director = DirectorOutput::of(&facts).ok_or(run_loop::Error::NoBeginning)?;
        Ok(SessionReply { content: answer.content(), answer, director })
    }

    async fn facts(&self) -> Result<Vec<Fact<EpisodeEvent>>, Error> {
        Ok(read_facts(&self.stage.store.read(self.run, Seq(0)).await?)?)
    }
}
