//! A character that plays the user: another session, in which the two have changed places. What one says is
//! the other's message.

use enact_drama::{
    Name, Problem,
    dice::Dice,
    episode::{Choice, CompletionMode, EpisodeCharacter, EpisodeSetup, EpisodeTemplate},
    sheet::Sheet,
};
use enact_engine::{Session, Stage, node::new_run};

use super::files::StoryProject;

/// Who plays the user.
#[derive(Debug)]
pub(super) struct OtherPlayer {
    session: Session,
    seed: u64,
    moves: u32,
}

/// What it is told about where it is.
const NOTES: &str = include_str!("other_player.txt");

impl OtherPlayer {
    /// A character of the project, played by the model that plays the one whom the episode is with.
    pub(super) async fn new(
        project: &StoryProject,
        name: &str,
        setup: &EpisodeSetup,
        stage: &Stage,
    ) -> anyhow::Result<OtherPlayer> {
        let name = Name::new(name).map_err(|error| Problem::config(format!("--as: {error}")))?;
        let sheet = project.sheet(&name, None)?;
        let display = Sheet::read(name.as_str(), &sheet)?.display;
        let run = new_run();
        let template = EpisodeTemplate {
            slug: setup.template.slug.clone(),
            title: setup.template.title.clone(),
            character: name.to_string(),
            situation: setup.template.situation.clone(),
            dramatic_question: setup.template.dramatic_question.clone(),
            notes: Some(NOTES.trim().replace("{character}", &setup.character.display)),
            completion_mode: CompletionMode::Open,
            tension: setup.template.tension,
            ..EpisodeTemplate::default()
        };
        let changed = EpisodeSetup {
            run,
            template,
            series: None,
            other_series: Vec::new(),
            character: EpisodeCharacter { name, display, sheet },
            director: None,
            // The two must not roll the same.
            seed: setup.seed.wrapping_add(1),
            ..setup.clone()
        };
        let seed = changed.seed;
        Ok(OtherPlayer { session: Session::begin(stage, changed).await?, seed, moves: 0 })
    }

    /// What it says to what it has just heard.
    pub(super) async fn answers(&mut self, heard: &str) -> anyhow::Result<String> {
        let reply = self.session.send(heard).await?;
        Ok(reply.answer.dialogue)
    }

    /// Which of the options it takes, by its place.
    pub(super) fn chooses(&mut self, choice: &Choice) -> usize {
        self.moves += 1;
        Dice::new(self.seed, "chooses", self.moves).below(choice.options.len())
    }
}
