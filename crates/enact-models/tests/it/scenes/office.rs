//! The scene the tests play, and who plays it.

use std::sync::Arc;

use enact_drama::scene::{AdviserChoice, SceneConfig};
use enact_engine::Stage;
use enact_models::{ApiKey, Provider, Settings, connect};
use fake_provider::{FakeProvider, PlannedResponse, Seen};

pub(crate) const CAST: [&str; 3] = ["alice", "bob", "charlie"];

/// Settings for a model at a fake provider that speaks Anthropic's format.
pub(crate) fn sonnet(server: &FakeProvider) -> Settings {
    Settings {
        base_url: Some(server.base_url()),
        key: Some(ApiKey::new("sk-test")),
        retries: 0,
        ..Settings::new(Provider::Anthropic, "claude-sonnet-4-5")
    }
}

/// A stage where one model plays all three, and nothing else is asked unless a test names it.
pub(crate) fn stage(settings: Settings) -> Stage {
    let none = AdviserChoice::None;
    let stage = Stage::new("lead", connect(settings).unwrap()).judge(none.clone()).event_writer(none);
    CAST.iter().fold(stage, |stage, name| stage.sheet(*name, sheet(name)))
}

/// An ordinary sheet: some three hundred words.
pub(crate) fn sheet(name: &str) -> String {
    let habits = (0..24).map(|n| {
        format!("- In situation {n} {name} first looks for who might be hurt, then says plainly what has to be done.\n")
    });
    format!("# {name}\n\n## Personality\n{}", habits.collect::<String>())
}

/// Three colleagues for so many beats, without a goal that could end it.
pub(crate) fn config(beats: u32) -> SceneConfig {
    SceneConfig {
        name: "office".into(),
        prompt: "Three colleagues wait for the outcome of a meeting that they were not asked to. ".repeat(20),
        characters: CAST.map(str::to_owned).to_vec(),
        initial_speaker: Some("alice".into()),
        max_beats: Some(i64::from(beats)),
        ..SceneConfig::default()
    }
}

/// Who is asked, and in which beat.
pub(crate) fn asked(seen: &Seen) -> (String, u32) {
    let prompt = seen.prompt();
    let last = prompt.last_message();
    let beat = last.rsplit("BEAT: ").next().and_then(|rest| rest.lines().next()?.parse().ok());
    let who = last.lines().rev().find_map(|line| line.strip_prefix("You are ")?.split('.').next());
    (who.unwrap_or_default().to_owned(), beat.unwrap_or(u32::MAX))
}

/// A reply that differs from all before and leaves something open; every seventh interrupts.
pub(crate) fn lively(seen: &Seen) -> PlannedResponse {
    let (who, beat) = asked(seen);
    let number = seen.number;
    PlannedResponse::text(match number % 7 {
        6 => format!(
            r#"[INTERRUPT after "do you", TONE: cross] "No, {who} says, not matter {number} now, will you?""#
        ),
        _ => format!(
            r#"[TONE: tense, *shrugs*] "{who} here, in round {beat}: do you, by any chance, know about matter {number}, or should we ask?""#
        ),
    })
}

pub(crate) fn answers(
    act: impl Fn(&Seen) -> PlannedResponse + Send + Sync + 'static,
) -> fake_provider::Builder {
    FakeProvider::builder().key("sk-test").script(act)
}

/// Only what plays the scene, without the question whether the key is any good.
pub(crate) fn calls(server: &FakeProvider) -> Vec<Seen> {
    server.seen().into_iter().filter(|seen| seen.method == "POST").collect()
}

pub(crate) fn shared(stage: Stage) -> Arc<Stage> {
    Arc::new(stage)
}
