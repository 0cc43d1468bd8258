//! What the benchmarks play: actors that answer after a set time, in a scene that runs its full length.

use std::{sync::Arc, time::Duration};

use enact_drama::scene::{SceneConfig, View};
use enact_engine::{
    Stage,
    model::{Answer, Failure, Model, ModelCard, Request},
};

/// Answers after a set time, each time with another question, so that the scene does not end early.
#[derive(Debug)]
pub(crate) struct Timed {
    pub(crate) delay: fn(seed: u64, actor: &str, beat: u32) -> Duration,
}

#[async_trait::async_trait]
impl Model for Timed {
    fn card(&self) -> ModelCard {
        ModelCard::free("answers on time")
    }

    async fn answer(&self, request: Request) -> Result<Answer, Failure> {
        let Some(view) = request.view::<View>() else {
            return Err(Failure::new("only plays characters"));
        };
        let delay = (self.delay)(view.scene.seed, view.me.as_str(), view.beat);
        let text = format!(
            "[TO: {}, TONE: tense, *leans forward*] \"Round {}: have you ever wondered what {}-{} would say about all of this?\"",
            view.scene.cast[0].1,
            view.beat,
            view.me,
            view.beat * 7919 % 1009,
        );
        // An adapter has sent the request by now and keeps none of it while it waits.
        drop(request);
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        Ok(text.as_str().into())
    }
}

const NAMES: [&str; 5] = ["alice", "bob", "charlie", "dora", "emil"];

pub(crate) fn config(actors: usize, beats: u32, seed: u64) -> SceneConfig {
    SceneConfig {
        name: "benchmark".into(),
        prompt: "They talk about everything and nothing.".into(),
        characters: NAMES[..actors].iter().map(|name| (*name).to_owned()).collect(),
        max_beats: Some(i64::from(beats)),
        seed: Some(seed),
        ..SceneConfig::default()
    }
}

pub(crate) fn stage(delay: fn(u64, &str, u32) -> Duration) -> Stage {
    let stage = Stage::new("timed", Arc::new(Timed { delay }));
    NAMES.iter().fold(stage, |stage, name| {
        stage.sheet(*name, format!("# {name}\n\n## Personality\n- Curious\n- Talks a lot\n"))
    })
}
