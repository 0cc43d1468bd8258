//! Plays whole scenes with improvisers and without an engine: the rules, the players and nothing between
//! them.

use std::collections::BTreeMap;

use enact_drama::{
    Ask, Effect, Fact, Happened, Input, Name, Production, RunId,
    model_card::ModelCard,
    production::Answer,
    reply::{Action, Reply},
    request::Request,
    scene::{
        Command, Line, Scene, SceneConfig, SceneEnd, SceneEvent, SceneFormat, SceneOptions, SceneSetup,
        read_scene,
    },
    usage::Usage,
};

use crate::improviser::{improvise, template::sentences};

/// A scene that has been played.
pub(super) struct Played {
    pub(super) scene: Scene,
    pub(super) events: Vec<SceneEvent>,
}

pub(super) fn config(prompt: &str, cast: &[&str], opener: Option<&str>) -> SceneConfig {
    SceneConfig {
        name: "test".to_owned(),
        prompt: prompt.to_owned(),
        characters: cast.iter().map(|name| (*name).to_owned()).collect(),
        initial_speaker: opener.map(str::to_owned),
        ..SceneConfig::default()
    }
}

/// Sheets that say nothing but a name.
pub(super) fn bare_sheets(config: &SceneConfig) -> Vec<(Name, String)> {
    let sheet = |name: &String| {
        let (first, rest) = name.split_at(1);
        (Name::new(name.as_str()).unwrap(), format!("# {}{rest}\n", first.to_uppercase()))
    };
    config.characters.iter().map(sheet).collect()
}

pub(super) fn play(config: SceneConfig, sheets: Vec<(Name, String)>, seed: u64) -> Played {
    play_with(config, sheets, seed, |request| Some(improvise(request.view().unwrap())))
}

/// Plays the same scene with many seeds; without sheets, by people of whom only the name is known.
pub(super) fn plays(
    seeds: u64,
    scene: impl Fn() -> (SceneConfig, Option<Vec<(Name, String)>>),
) -> impl Iterator<Item = (u64, Played)> {
    (0..seeds).map(move |seed| {
        let (config, sheets) = scene();
        let sheets = sheets.unwrap_or_else(|| bare_sheets(&config));
        (seed, play(config, sheets, seed))
    })
}

/// Plays a scene in which some answers may come from elsewhere; nothing is a failed call.
pub(super) fn play_with(
    config: SceneConfig,
    sheets: Vec<(Name, String)>,
    seed: u64,
    answer: impl Fn(&Request) -> Option<(String, u64)>,
) -> Played {
    let models = BTreeMap::from([("improviser".to_owned(), ModelCard::free("improviser"))]);
    let options = SceneOptions { models, ..SceneOptions::default() };
    let run = RunId(uuid::Uuid::nil());
    let setup = SceneSetup::cast(run, config, sheets, options, |_, _| "improviser".to_owned(), seed).unwrap();
    let began = Fact { seq: enact_drama::Seq(0), at: 0, event: Scene::beginning(setup) };
    let mut played = Played { scene: Scene::begin(&began).unwrap(), events: vec![began.event] };
    played.happens(Happened::Started);
    while played.scene.end_reason().is_none() {
        let asks: Vec<Ask> = played
            .scene
            .pending()
            .into_iter()
            .filter_map(|effect| match effect {
                Effect::Ask(ask) => Some(ask),
                Effect::Speak(_) | Effect::Timer { .. } => None,
            })
            .collect();
        assert!(!asks.is_empty(), "a scene that goes on asks somebody");
        let mut answers: Vec<_> = asks.iter().map(|ask| (answer(&played.scene.request(ask)), ask)).collect();
        answers.sort_by_key(|(answer, ask)| (answer.as_ref().map(|(_, ms)| *ms), ask.place));
        for (answer, ask) in answers {
            let call = ask.call;
            played.happens(match answer {
                Some((text, took_ms)) => Happened::Answered {
                    call,
                    answer: Answer { text, usage: Some(Usage::NONE), took_ms, first_word_ms: None },
                },
                None => Happened::Failed { call, failure: enact_drama::production::Failure::new("gone") },
            });
        }
    }
    played
}

impl Played {
    fn happens(&mut self, what: Happened<Command>) {
        for event in self.scene.decide(&Input { at: 0, what }) {
            let fact = Fact { seq: self.scene.next_seq(), at: 0, event };
            self.scene.apply(&fact);
            self.events.push(fact.event);
        }
    }

    pub(super) fn beats(&self) -> u32 {
        self.events.iter().filter(|event| matches!(event, SceneEvent::BeatSettled { .. })).count() as u32
    }

    pub(super) fn reason(&self) -> SceneEnd {
        self.scene.end_reason().unwrap()
    }

    /// What was said, and by whom.
    pub(super) fn spoken(&self) -> impl Iterator<Item = (&str, &Line)> {
        let lines = self.scene.lines().iter().filter(|line| line.spoken().is_some());
        lines.filter_map(|line| Some((line.actor()?.0.as_str(), line)))
    }

    /// Nothing said twice, nothing the parser had to guess, no cut that missed.
    pub(super) fn assert_clean(&self, seed: u64) {
        assert!(self.repeated().is_empty(), "seed {seed}: {:?}\n{}", self.repeated(), self.read());
        assert!(self.warnings().is_empty(), "seed {seed}: {:?}", self.warnings());
    }

    fn replies(&self) -> impl Iterator<Item = (&Name, &Reply)> {
        self.events.iter().filter_map(|event| match event {
            SceneEvent::Replied { actor, reply, .. } => Some((actor, reply)),
            _ => None,
        })
    }

    pub(super) fn count(&self, action: Action) -> usize {
        self.replies().filter(|(_, reply)| reply.action == action).count()
    }

    pub(super) fn warnings(&self) -> Vec<String> {
        let all = self.events.iter().filter_map(|event| match event {
            SceneEvent::Replied { warnings, raw, .. } if !warnings.is_empty() => {
                Some(format!("{raw:?}: {warnings:?}"))
            }
            SceneEvent::CutMissed { by, phrase } => Some(format!("{by} cut nothing after {phrase}")),
            _ => None,
        });
        all.collect()
    }

    /// Who cut whom, and what was heard of the line.
    pub(super) fn cuts(&self) -> Vec<(String, String, String)> {
        let cut = |line: &Line| {
            let (who, _) = line.actor()?;
            Some((line.cut.as_ref()?.by.to_string(), who.to_string(), line.heard().to_owned()))
        };
        self.scene.lines().iter().filter_map(cut).collect()
    }

    /// Sentences that were said twice.
    pub(super) fn repeated(&self) -> Vec<String> {
        let lines = self.scene.lines();
        let mut said: Vec<String> =
            lines.iter().filter_map(|line| line.spoken()).flat_map(sentences).collect();
        said.sort_unstable();
        said.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0].clone()).collect()
    }

    /// The transcript, as one reads it.
    pub(super) fn read(&self) -> String {
        let setup = self.scene.setup();
        let mut text = String::new();
        let mut beat = u32::MAX;
        for line in self.scene.lines().iter() {
            let mark = if line.beat == beat { "   ".to_owned() } else { format!("{:>2} ", line.beat) };
            beat = line.beat;
            text.push_str(&format!("{mark}{}\n", enact_drama::scene::report::line_text(setup, line)));
        }
        text.push_str(&format!("   {:?} after {} beats\n", self.reason(), self.beats()));
        text
    }
}

macro_rules! example {
    ($story:literal, $scene:literal, [$($name:literal),+]) => {{
        let scene = include_str!(concat!("../../../../../examples/", $story, "/", $scene));
        let sheets = vec![$((
            Name::new($name).unwrap(),
            include_str!(concat!("../../../../../examples/", $story, "/.claude/agents/", $name, ".md")).to_owned(),
        )),+];
        (scene, sheets)
    }};
}

/// The example stories as they are in the repository.
pub(super) fn the_apology() -> (SceneConfig, Vec<(Name, String)>) {
    let (scene, sheets) = example!("the-apology", "scene.md", ["alice", "bob", "charlie"]);
    (read_scene(scene, SceneFormat::Markdown { default_name: "scene" }).unwrap(), sheets)
}

pub(super) fn heated_discussion() -> (SceneConfig, Vec<(Name, String)>) {
    let (scene, sheets) = example!("heated-discussion", "scene.md", ["alice", "bob", "charlie"]);
    (read_scene(scene, SceneFormat::Markdown { default_name: "scene" }).unwrap(), sheets)
}

pub(super) fn quick_apology() -> (SceneConfig, Vec<(Name, String)>) {
    let (scene, sheets) = example!("quick-apology", "scene.json", ["alice", "bob"]);
    (read_scene(scene, SceneFormat::Json).unwrap(), sheets)
}
