//! Short scenes, written as facts, and what is heard of them.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use enact_drama::{
    Fact, Name, Seq,
    model_card::ModelCard,
    production::Report,
    reply::{Action, Reply},
    report::recording::{CueTimes, Plan},
    scene::report::SceneReport,
    scene::{Cut, Said, SceneConfig, SceneEvent},
};
use enact_engine::{
    Stage,
    model::{Answer, Failure, Model, Request},
    recording::{Error, Recording, record},
};
use tempfile::TempDir;

use super::tones::Tones;

pub(crate) struct Scene {
    events: Vec<SceneEvent>,
}

impl Scene {
    /// Alice and Bob, who sound as their sheets say.
    pub(crate) fn new() -> Scene {
        let stage = Stage::new("unasked", Arc::new(Unasked))
            .sheet("alice", "---\nvoice: friendly_casual\n---\n# Alice")
            .sheet("bob", "---\nvoice: warm_professional\n---\n# Bob");
        let config = SceneConfig {
            name: "tones".into(),
            prompt: "They talk.".into(),
            characters: ["alice", "bob"].map(str::to_owned).into(),
            ..SceneConfig::default()
        };
        let setup = stage.cast(config).unwrap();
        Scene { events: vec![SceneEvent::Began { setup: Arc::new(setup) }] }
    }

    pub(crate) fn says(self, who: &str, words: &str) -> Scene {
        self.line(who, Action::Speak, words)
    }

    /// A character breaks into the newest line, after some of its words.
    pub(crate) fn breaks_in(mut self, who: &str, after: &str, words: &str) -> Scene {
        let cut = self.events.iter().enumerate().rev().find_map(|(index, event)| match event {
            SceneEvent::LineAdded { said: Said::Actor { reply, .. } } => {
                Some((Seq(index as u64), reply.content.find(after).unwrap() + after.len()))
            }
            _ => None,
        });
        let (line, at) = cut.unwrap();
        let cut = Cut { at, by: Name::new(who).unwrap() };
        self = self.line(who, Action::Interrupt, words);
        self.events.push(SceneEvent::LineCut { line, cut });
        self
    }

    pub(crate) fn event(mut self, text: &str) -> Scene {
        self.events.push(SceneEvent::LineAdded { said: Said::World { text: text.to_owned() } });
        self
    }

    pub(crate) fn plan(self) -> Plan {
        let facts = self.events.into_iter().zip(0..).map(|(event, seq)| Fact { seq: Seq(seq), at: 0, event });
        Plan::of(&SceneReport::of(&facts.collect::<Vec<_>>()).unwrap().document())
    }

    fn line(mut self, who: &str, action: Action, words: &str) -> Scene {
        let reply = Reply {
            action,
            target: None,
            tone: "calm".into(),
            content: words.into(),
            interrupt_after: None,
            nonverbal: None,
        };
        let said = Said::Actor { who: Name::new(who).unwrap(), reply };
        self.events.push(SceneEvent::LineAdded { said });
        self
    }
}

/// A recording, and its files.
pub(crate) struct Listened {
    pub(crate) recording: Recording,
    pub(crate) samples: Vec<i16>,
    pub(crate) rate: u32,
    pub(crate) captions: String,
    _folder: TempDir,
}

pub(crate) async fn recorded(scene: Scene, voice: Tones) -> Result<Listened, Error> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("recording.wav");
    let recording = record(&scene.plan(), Arc::new(voice), &file, |_| ()).await?;
    let (rate, samples) = read(&file);
    let captions = std::fs::read_to_string(&recording.captions).unwrap();
    Ok(Listened { recording, samples, rate, captions, _folder: folder })
}

pub(crate) fn read(file: &Path) -> (u32, Vec<i16>) {
    let mut reader = hound::WavReader::open(file).unwrap();
    let rate = reader.spec().sample_rate;
    (rate, reader.samples::<i16>().map(Result::unwrap).collect())
}

impl Listened {
    /// The samples of a line, by its place in the plan.
    pub(crate) fn line(&self, index: usize) -> &[i16] {
        let CueTimes { start_ms, end_ms } = self.recording.heard[index];
        let at = |ms: u64| (ms * u64::from(self.rate) / 1_000) as usize;
        &self.samples[at(start_ms)..at(end_ms)]
    }
}

pub(crate) fn left(folder: &TempDir) -> Vec<PathBuf> {
    std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// Is never asked: the lines are written already.
#[derive(Debug)]
struct Unasked;

#[async_trait::async_trait]
impl Model for Unasked {
    fn card(&self) -> ModelCard {
        ModelCard::free("unasked")
    }

    async fn answer(&self, _: Request) -> Result<Answer, Failure> {
        Err(Failure::new("not to be asked"))
    }
}
