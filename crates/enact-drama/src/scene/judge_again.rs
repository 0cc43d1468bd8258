//! Judging a scene that was played before: by the rules, and by a model that is asked about it now.

use std::sync::Arc;

use super::{
    DEFAULT_MAX_BEATS, DEFAULT_REPLY_TIMEOUT_MS, DEFAULT_WINDOW, HiddenPurpose, Role, Said, Scene,
    SceneConfig, SceneEvent, ScenePrompts, SceneSetup, hidden_calls::HiddenCall, model_judge, moderator,
};
use crate::{
    Name, Problem, Production, RunId,
    budget::Budget,
    judge::{Transcript, Verdict, goals_of, names},
    model_card::ModelCard,
    production::CallId,
    record::Fact,
    reply::{Action, Reply},
    request::Request,
};

/// A transcript does not say which lines belong to one beat. The judge is told so many at a time.
const LINES_TOGETHER: usize = 8;

/// What a model is called that is only asked about a scene.
const JUDGE: &str = "judge";

impl Scene {
    /// A scene of which nothing is known but what its author wrote and what was said in it: there are no sheets.
    pub fn from_transcript(config: SceneConfig, transcript: &Transcript) -> Result<Scene, Problem> {
        let displays = transcript.cast(&config.characters);
        let cast = displays.iter().enumerate().map(|(place, display)| {
            let (display, sheet, model) = (display.clone(), String::new(), String::new());
            Ok(Role { name: role_name(place)?, display, sheet, model })
        });
        let cast = cast.collect::<Result<Vec<_>, Problem>>()?;
        let cast_names: Vec<&str> = displays.iter().map(String::as_str).collect();
        let setup = SceneSetup {
            run: RunId(uuid::Uuid::nil()),
            name: role_name(0)?,
            goals: goals_of(&config.goals, &config.prompt, &cast_names),
            cast,
            opener: None,
            max_beats: DEFAULT_MAX_BEATS,
            reply_timeout_ms: DEFAULT_REPLY_TIMEOUT_MS,
            window: DEFAULT_WINDOW,
            seed: 0,
            models: Default::default(),
            judge: None,
            event_writer: None,
            budget: Budget::default(),
            prompts: ScenePrompts::current(),
            remembered: Default::default(),
            config,
        };
        let mut scene = Scene::of(&Arc::new(setup));
        for (at, line) in transcript.lines.iter().enumerate() {
            if at % LINES_TOGETHER == 0 {
                let beat = u32::try_from(at / LINES_TOGETHER).unwrap_or(u32::MAX);
                let (to, deadline) = (Vec::new(), CallId(0));
                scene.tell(SceneEvent::BeatOpened { beat, to, deadline, timeout_ms: 0, reserved: None });
            }
            let said = match names::index_of(&line.speaker, &displays) {
                Some(who) => Said::Actor {
                    who: role_name(who)?,
                    reply: Reply {
                        action: if line.action == Action::Interrupt { Action::Speak } else { line.action },
                        target: line.target.clone(),
                        tone: line.tone.clone().unwrap_or_else(|| "neutral".to_owned()),
                        content: line.content.clone(),
                        interrupt_after: None,
                        nonverbal: None,
                    },
                },
                None => Said::World { text: line.content.clone() },
            };
            scene.tell(SceneEvent::LineAdded { said });
        }
        Ok(scene)
    }

    /// The scene of a log.
    pub fn of_facts(facts: &[Fact<SceneEvent>]) -> Option<Scene> {
        let (first, rest) = facts.split_first()?;
        let mut scene = Scene::begin(first)?;
        rest.iter().for_each(|fact| scene.fold(fact));
        Some(scene)
    }

    fn tell(&mut self, event: SceneEvent) {
        let fact = Fact { seq: self.next_seq, at: 0, event };
        self.fold(&fact);
    }

    /// What the rules make of it as it stands.
    pub fn judged_by_rules(&self) -> Verdict {
        moderator::verdict_on(self, &self.lines)
    }

    /// What a model is asked that is to judge it as it stands.
    pub fn question_for_judge(&self, card: &ModelCard) -> Request {
        let request = model_judge::request(self, &HiddenCall::planned(self, HiddenPurpose::Judge, JUDGE));
        let max_tokens =
            card.max_tokens.map_or(request.max_tokens, |allowed| allowed.max(request.max_tokens));
        Request { max_tokens, timeout_ms: self.setup().reply_timeout_ms, ..request }
    }

    /// Reads what a model has answered to that: its verdict, and what of it is not believed.
    pub fn read_judge(&self, answer: &str) -> Result<(Verdict, Vec<String>), String> {
        let (opinion, complaints) = model_judge::read(answer, self, self.beat.number)?;
        Ok((opinion.verdict, complaints))
    }
}

fn role_name(place: usize) -> Result<Name, Problem> {
    Name::new(format!("role-{}", place + 1)).map_err(|error| Problem::config(error.to_string()))
}
