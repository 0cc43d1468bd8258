//! Answers taken from an earlier run.

mod chorus;

#[cfg(test)]
mod tests;

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicUsize, Ordering},
};

use async_trait::async_trait;
use enact_drama::{
    CallId, Name, Problem, Production, Record,
    chorus::Chorus,
    production::{Answer, Failure, Kind, Purpose},
    record::Unreadable,
    request::{Request, View},
    scene::{ModelCard, Scene, SceneEvent},
    usage::Usage,
};
use enact_engine::{Model, model::Timing};

use crate::scripted::SILENT;

/// A model that answers what was answered in a recorded run, a scene or a chorus: the same texts in the same order, the same
/// failures.
///
/// It serves to play a run again under changed rules. What was used is told again, but nobody pays for it again, whoever
/// billed it then. Beyond the recording everybody is silent, and hidden calls fail, so that the rules go on alone; the slots of
/// a chorus, which cannot be silent, fail too. One recording serves one run: an actor who was asked twice in a beat answers
/// first the one thing and then the other.
///
/// Whoever is asked a second time answers after all who were asked with the first: in a chorus a comment that found nobody
/// twice may therefore go to somebody else than it did.
#[derive(Debug)]
pub struct Recorded {
    title: String,
    /// What each actor gave in each beat, once for each time it was asked; each slot in each turn, in a chorus.
    parts: BTreeMap<(u32, Name), Takes>,
    /// What hidden calls gave.
    advice: BTreeMap<Purpose, Advice>,
}

/// Answers to hidden calls for one purpose, in order, each with the beat it was asked in.
#[derive(Debug, Default)]
struct Advice {
    takes: Vec<(u32, Result<Answer, Failure>)>,
    played: AtomicUsize,
}

/// Answers to the same question, in order.
#[derive(Debug, Default)]
struct Takes {
    /// Never empty: takes are kept because of the first of them.
    takes: Vec<Result<Answer, Failure>>,
    played: AtomicUsize,
}

/// After everybody else: a hidden call that the recorded run did not live to hear of must not be heard of before the run
/// given again has ended too.
const LAST_MS: u64 = u64::MAX;

impl Recorded {
    /// Reads the log of a scene or a chorus.
    pub fn from_log(records: &[Record]) -> Result<Recorded, Problem> {
        match records.first().and_then(Kind::of) {
            Some(Kind::Chorus) => chorus::recorded(&events::<Chorus>(records)?),
            Some(Kind::Scene) | None => Recorded::from_events(&events::<Scene>(records)?),
        }
    }

    /// Reads the facts of a scene, the first of which says which one it is.
    pub fn from_events(events: &[SceneEvent]) -> Result<Recorded, Problem> {
        let Some(SceneEvent::Began { setup }) = events.first() else {
            let problem =
                Problem::config("this is not the log of a scene: it does not say how the scene began");
            return Err(problem.hint("a recording is read from its first event on"));
        };
        let mut recorded = Recorded {
            title: format!("{}, run {}", setup.name, setup.run),
            parts: BTreeMap::new(),
            advice: BTreeMap::new(),
        };
        recorded.listen(events);
        Ok(recorded)
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
        let (beat, me) = match &request.view {
            Some(View::Scene(view)) => (view.beat, &view.me),
            Some(View::Chorus(view)) => (u32::from(view.turn.index()), &view.me),
            None => return self.advise(purpose(&request), request.beat),
        };
        match self.parts.get(&(beat, me.clone())) {
            Some(part) => part.next_or_last(),
            None if request.chorus().is_some() => {
                let failure = Failure::new(format!("the recording holds nothing of {me} in turn {beat}"));
                Err(Failure { usage: Some(Usage::NONE), ..failure })
            }
            None => Ok(Answer { text: SILENT.to_owned(), usage: Some(Usage::NONE), took_ms: 0 }),
        }
    }
}

impl Recorded {
    fn advise(&self, purpose: Purpose, beat: Option<u32>) -> Result<Answer, Failure> {
        self.advice.get(&purpose).and_then(|advice| advice.next(beat)).unwrap_or_else(|| {
            let (usage, took_ms) = (Some(Usage::NONE), LAST_MS);
            Err(Failure { usage, took_ms, ..Failure::new("the recording holds no further answer to this") })
        })
    }

    fn listen(&mut self, events: &[SceneEvent]) {
        let mut current = 0;
        let mut last_ms = None;
        let mut consulted: BTreeMap<CallId, (Purpose, u32)> = BTreeMap::new();
        for event in events {
            match event {
                SceneEvent::BeatOpened { beat, .. } => {
                    current = *beat;
                    last_ms = None;
                }
                SceneEvent::Consulted { call, purpose, .. } => {
                    consulted.insert(*call, (*purpose, current));
                }
                SceneEvent::Replied { actor, raw, usage, took_ms, .. } => {
                    let take = answered(raw, *usage, *took_ms);
                    self.part(current, actor).push(after(&mut last_ms, take));
                }
                SceneEvent::CallFailed { actor, error, usage, .. } => {
                    self.part(current, actor).push(after(&mut last_ms, failed(error, *usage)));
                }
                SceneEvent::Advised { call, raw, usage, took_ms, .. } => {
                    let Some((purpose, beat)) = consulted.remove(call) else { continue };
                    let take = after(&mut last_ms, answered(raw, *usage, *took_ms));
                    self.advice.entry(purpose).or_default().takes.push((beat, take));
                }
                SceneEvent::AdviceFailed { call, error, usage } => {
                    let Some((purpose, beat)) = consulted.remove(call) else { continue };
                    let take = after(&mut last_ms, failed(error, *usage));
                    self.advice.entry(purpose).or_default().takes.push((beat, take));
                }
                _ => {}
            }
        }
    }

    fn part(&mut self, beat: u32, actor: &Name) -> &mut Vec<Result<Answer, Failure>> {
        &mut self.parts.entry((beat, actor.clone())).or_default().takes
    }
}

impl Advice {
    /// What was said in this beat, so that a run that is taken over does not hear again what it has heard before; else
    /// the next in order: changed rules may ask in another beat, but they want the same thing.
    fn next(&self, beat: Option<u32>) -> Option<Result<Answer, Failure>> {
        // Nobody is asked twice at once for the same purpose, so there is nothing to tear between the two.
        let from = self.played.load(Ordering::Relaxed);
        let left = self.takes.get(from..)?;
        let skipped = left.iter().position(|(asked, _)| Some(*asked) == beat).unwrap_or(0);
        self.played.store(from + skipped + 1, Ordering::Relaxed);
        left.get(skipped).map(|(_, take)| take.clone())
    }
}

impl Takes {
    /// The next take, if there is one left.
    fn next(&self) -> Option<Result<Answer, Failure>> {
        self.takes.get(self.played.fetch_add(1, Ordering::Relaxed)).cloned()
    }

    /// The next take, or the last one again.
    fn next_or_last(&self) -> Result<Answer, Failure> {
        let last = || self.takes[self.takes.len() - 1].clone();
        self.next().unwrap_or_else(last)
    }
}

/// All events of a log.
fn events<P: Production>(records: &[Record]) -> Result<Vec<P::Event>, Problem> {
    let events = records.iter().map(|record| Ok(record.fact::<P::Event>()?.event));
    events.collect::<Result<_, Unreadable>>().map_err(|unreadable| Problem::config(unreadable.to_string()))
}

fn answered(raw: &str, usage: Option<Usage>, took_ms: u64) -> Result<Answer, Failure> {
    Ok(Answer { text: raw.to_owned(), usage: unpaid(usage), took_ms })
}

fn failed(error: &str, usage: Option<Usage>) -> Result<Answer, Failure> {
    Err(Failure { usage: unpaid(usage), ..Failure::new(error) })
}

/// What was billed was billed once.
fn unpaid(usage: Option<Usage>) -> Option<Usage> {
    usage.map(|usage| Usage { billed: None, ..usage })
}

/// What a hidden call is for: requests do not say, but each kind wants an answer of its own shape.
fn purpose(request: &Request) -> Purpose {
    match &request.schema {
        Some(schema) if schema.name == Purpose::WorldEvent.as_str() => Purpose::WorldEvent,
        _ => Purpose::Judge,
    }
}

/// When an answer arrives that was recorded after another: as it did, but in any case later. The measured times alone
/// do not give the recorded order, since the calls of one beat do not leave at the same instant.
fn after(last_ms: &mut Option<u64>, mut take: Result<Answer, Failure>) -> Result<Answer, Failure> {
    let took_ms = match &mut take {
        Ok(answer) => &mut answer.took_ms,
        Err(failure) => &mut failure.took_ms,
    };
    *took_ms = last_ms.map_or(*took_ms, |last| last.saturating_add(1).max(*took_ms));
    *last_ms = Some(*took_ms);
    take
}
