//! Answers taken from an earlier run.

#[cfg(test)]
mod tests;

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicUsize, Ordering},
};

use async_trait::async_trait;
use enact_drama::{
    Name, Problem, Record,
    production::{Answer, Failure},
    request::Request,
    scene::{ModelCard, SceneEvent},
    usage::Usage,
};
use enact_engine::{Model, model::Timing};

use crate::scripted::SILENT;

/// A model that answers what was answered in a recorded run: the same texts in the same order, the same failures.
///
/// It serves to play a run again under changed rules, and to see what a run would cost with other prices. Beyond the
/// recording everybody is silent. One recording serves one run: an actor who was asked twice in a beat answers
/// first the one thing and then the other.
#[derive(Debug)]
pub struct Recorded {
    title: String,
    parts: BTreeMap<(u32, Name), Part>,
}

/// What an actor gave in one beat, once for each time it was asked.
#[derive(Debug, Default)]
struct Part {
    /// Never empty: a part is there because of its first take.
    takes: Vec<Result<Answer, Failure>>,
    played: AtomicUsize,
}

impl Recorded {
    /// Reads the log of a scene.
    pub fn from_log(records: &[Record]) -> Result<Recorded, Problem> {
        let mut events = Vec::with_capacity(records.len());
        for record in records {
            let fact = record.fact::<SceneEvent>().map_err(|e| Problem::config(e.to_string()))?;
            events.push(fact.event);
        }
        Recorded::from_events(&events)
    }

    /// Reads the facts of a scene, the first of which says which one it is.
    pub fn from_events(events: &[SceneEvent]) -> Result<Recorded, Problem> {
        let Some(SceneEvent::Began { setup }) = events.first() else {
            let problem =
                Problem::config("this is not the log of a scene: it does not say how the scene began");
            return Err(problem.hint("a recording is read from its first event on"));
        };
        let title = format!("{}, run {}", setup.name, setup.run);
        Ok(Recorded { title, parts: parts(events) })
    }
}

#[async_trait]
impl Model for Recorded {
    fn card(&self) -> ModelCard {
        // The recorded usage is given again, but this time nobody pays for it.
        ModelCard::free_without_memory(format!("recording ({})", self.title))
    }

    fn timing(&self) -> Timing {
        Timing::Simulated
    }

    async fn answer(&self, request: Request) -> Result<Answer, Failure> {
        let part = request.view.and_then(|view| self.parts.get(&(view.beat, view.me)));
        match part {
            Some(part) => part.next(),
            None => Ok(Answer { text: SILENT.to_owned(), usage: Some(Usage::NONE), took_ms: 0 }),
        }
    }
}

impl Part {
    /// The next take, or the last one again.
    fn next(&self) -> Result<Answer, Failure> {
        let take = self.played.fetch_add(1, Ordering::Relaxed).min(self.takes.len() - 1);
        self.takes[take].clone()
    }
}

fn parts(events: &[SceneEvent]) -> BTreeMap<(u32, Name), Part> {
    let mut parts: BTreeMap<(u32, Name), Part> = BTreeMap::new();
    let mut current = 0;
    let mut last_ms = None;
    for event in events {
        let (actor, take) = match event {
            SceneEvent::BeatOpened { beat, .. } => {
                current = *beat;
                last_ms = None;
                continue;
            }
            SceneEvent::Replied { actor, raw, usage, took_ms, .. } => {
                let took_ms = after(last_ms, *took_ms);
                last_ms = Some(took_ms);
                (actor, Ok(Answer { text: raw.clone(), usage: *usage, took_ms }))
            }
            SceneEvent::CallFailed { actor, error, usage, .. } => {
                let took_ms = after(last_ms, 0);
                last_ms = Some(took_ms);
                (actor, Err(Failure { error: error.clone(), usage: *usage, took_ms }))
            }
            _ => continue,
        };
        parts.entry((current, actor.clone())).or_default().takes.push(take);
    }
    parts
}

/// When a reply arrives that was recorded after another: as it did, but in any case later. The measured times alone
/// do not give the recorded order, since calls of one beat do not leave at the same instant.
fn after(last_ms: Option<u64>, took_ms: u64) -> u64 {
    last_ms.map_or(took_ms, |last| took_ms.max(last + 1))
}
