//! The improviser plays episodes: those that are shipped, with users of several kinds, and any other.

mod content;
mod danger;
mod replies;
mod shipped;

use std::{collections::BTreeMap, sync::Arc};

use enact_drama::{
    Fact, Name, RunId, Seq,
    episode::{
        Episode, EpisodeCharacter, EpisodeCommand, EpisodeEvent, EpisodePrompts, EpisodeSetup,
        EpisodeTemplate, EpisodeView, read_episode,
    },
    model_card::ModelCard,
    production::{Answer, Effect, Happened, Input, Production},
};

use super::improvise_episode;

/// An episode that the improviser plays, without an engine.
struct PlayedEpisode {
    episode: Episode,
    facts: Vec<Fact<EpisodeEvent>>,
}

impl PlayedEpisode {
    fn begin(template: EpisodeTemplate, sheet: &str, display: &str, seed: u64) -> PlayedEpisode {
        let name = Name::new(&template.character).expect("a plain name");
        let setup = EpisodeSetup {
            run: RunId(uuid::Uuid::from_u128(7)),
            template,
            series: None,
            other_series: Vec::new(),
            character: EpisodeCharacter { name, display: display.to_owned(), sheet: sheet.to_owned() },
            model: "test".to_owned(),
            director: None,
            models: BTreeMap::from([("test".to_owned(), ModelCard::free("test"))]),
            prompts: EpisodePrompts::built_in(),
            memories: Vec::new(),
            so_far: Vec::new(),
            context: enact_drama::episode::EpisodeContext::default(),
            share_id: "share".to_owned(),
            seed,
            answer_timeout_ms: 1_000,
        };
        let event = EpisodeEvent::EpisodeBegan { setup: Arc::new(setup) };
        let first = Fact { seq: Seq(0), at: 0, event };
        let episode = Episode::begin(&first).expect("an episode begins like this");
        PlayedEpisode { episode, facts: vec![first] }
    }

    fn happens(&mut self, what: Happened<EpisodeCommand>) {
        let at = self.facts.len() as i64;
        for event in self.episode.decide(&Input { at, what }) {
            let fact = Fact { seq: Seq(self.facts.len() as u64), at, event };
            self.episode.apply(&fact);
            self.facts.push(fact);
        }
    }

    /// The user says something, or chooses, and the improviser answers.
    fn exchange(&mut self, text: Option<&str>, choice: Option<&str>) {
        let id = format!("m{}", self.facts.len());
        let (text, choice_id) = (text.map(str::to_owned), choice.map(str::to_owned));
        self.happens(Happened::Commanded(EpisodeCommand::Message { id, text, choice_id }));
        let ask = self.episode.pending().into_iter().find_map(|effect| match effect {
            Effect::Ask(ask) => Some(ask),
            _ => None,
        });
        let ask = ask.expect("an answer is asked for");
        let request = self.episode.request(&ask);
        let view: &EpisodeView = request.view().expect("the request is of an episode");
        let (said, _) = improvise_episode(view);
        self.happens(Happened::Answered { call: ask.call, answer: Answer::from(said.as_str()) });
    }

    /// The options that the user was offered after the last message.
    fn offered(&self) -> Vec<String> {
        let last =
            self.facts.iter().rposition(|fact| matches!(fact.event, EpisodeEvent::MessageReceived { .. }));
        let since = self.facts[last.unwrap_or_default()..].iter();
        let offered = since.filter_map(|fact| match &fact.event {
            EpisodeEvent::ChoiceOffered { choice, .. } => Some(choice),
            _ => None,
        });
        offered.flat_map(|choice| choice.options.iter().map(|option| option.id.clone())).collect()
    }

    fn answers(&self) -> impl Iterator<Item = (&enact_drama::episode::StructuredAnswer, &[String])> {
        self.facts.iter().filter_map(|fact| match &fact.event {
            EpisodeEvent::Answered { answer, warnings, .. } => Some((answer, warnings.as_slice())),
            _ => None,
        })
    }

    fn transcript(&self) -> String {
        let lines = self.facts.iter().filter_map(|fact| match &fact.event {
            EpisodeEvent::MessageReceived { text, .. } => Some(format!("> {text}")),
            EpisodeEvent::Answered { answer, .. } => Some(answer.content()),
            EpisodeEvent::CueLanded { cue, .. } => Some(format!("  [{cue}]")),
            EpisodeEvent::Completed { trigger, ending, .. } => Some(format!("  [{trigger:?} {ending:?}]")),
            _ => None,
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// An episode that says as little as can be.
fn template(front_matter: &str) -> EpisodeTemplate {
    let text = format!("---\ncharacter: mina\n{front_matter}\n---\nA bar by the harbour, late.\n");
    read_episode(&text, "test").expect("the episode can be read")
}

#[test]
fn a_despairing_user_is_never_played_with() {
    for front_matter in ["evaluation: flirt_archetype", "evaluation: mystery_progress", "tension: 20"] {
        let mut played = PlayedEpisode::begin(template(front_matter), "# Mina", "Mina", 1);
        for _ in 0..8 {
            played.exchange(Some("I want to kill myself."), None);
            let (answer, _) = played.answers().last().expect("there is an answer");
            assert!(answer.action.is_none() && answer.dialogue.contains("lease"), "{}", answer.dialogue);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_answers_and_another_gives_others() {
    let played = |seed| {
        let mut played = PlayedEpisode::begin(template("tension: 20"), "# Mina", "Mina", seed);
        for message in ["Hello.", "What is that?", "I like the harbour at night.", "ok"] {
            played.exchange(Some(message), None);
        }
        played.transcript()
    };
    assert_eq!(played(1), played(1));
    assert_ne!(played(1), played(2));
}

#[test]
fn what_an_author_waits_for_is_said() {
    let front_matter = "beats:\n  - {id: phone, instruction: Her phone rings. She ignores it., turn: 1, when: \"said: my sister\"}";
    let mut played = PlayedEpisode::begin(template(front_matter), "# Mina", "Mina", 3);
    played.exchange(Some("What is that?"), None);
    let (answer, _) = played.answers().last().expect("there is an answer");
    assert_eq!(answer.action.as_deref(), Some("Her phone rings. She ignores it"));
    assert!(answer.dialogue.contains("my sister"), "{}", answer.dialogue);
}

#[test]
fn a_moment_that_waits_for_the_user_is_played_once() {
    let front_matter =
        "beats:\n  - {id: ask, instruction: She asks who called., turn: 1, when: \"keyword: my mother\"}";
    let mut played = PlayedEpisode::begin(template(front_matter), "# Mina", "Mina", 3);
    for _ in 0..6 {
        played.exchange(Some("I don't want to say."), None);
    }
    let asked =
        played.answers().filter(|(answer, _)| answer.action.as_deref() == Some("She asks who called"));
    assert_eq!(asked.count(), 1, "{}", played.transcript());
}

#[test]
fn an_episode_that_waits_for_a_resolution_gets_one() {
    let mode = "completion_mode: beat_gated\ncompletion_criteria: {require_resolution: true}";
    for budget in ["turn_budget: 4\n", ""] {
        let mut played = PlayedEpisode::begin(template(&format!("{budget}{mode}")), "# Mina", "Mina", 3);
        for _ in 0..14 {
            if played.episode.ended().is_none() {
                played.exchange(Some("ok"), None);
            }
        }
        assert_eq!(played.episode.ended(), Some("completed"), "{}", played.transcript());
    }
}
