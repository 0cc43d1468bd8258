//! Answers taken from an earlier run.

#[cfg(test)]
mod tests;

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicUsize, Ordering},
};

use async_trait::async_trait;
use enact_drama::{
    Name,
    model_card::ModelCard,
    production::{Answer, Failure, Purpose},
    recorded_answers::RecordedAnswer,
    request::Request,
    usage::Usage,
};
use enact_engine::{Model, model::Timing};

/// A model that answers what was answered in a recorded run of any production: the same texts in the same
/// order, the same failures.
///
/// It serves to play a run again under changed rules. Usage is reported again, but costs nothing. Beyond the
/// recording all actors are silent, and hidden calls fail, so that the rules go on alone; in productions
/// where an actor cannot be silent, such as a chorus, it fails too. One recording serves one run: an actor
/// that was asked twice in a beat answers first the one thing and then the other.
///
/// An actor that is asked a second time answers after all who were asked with the first: in a chorus a
/// comment that found no slot twice may therefore go to another slot than it did.
#[derive(Debug)]
pub struct Recorded {
    title: String,
    /// What each actor gave in each beat, once for each time it was asked.
    replies: BTreeMap<(u32, Name), Answers>,
    /// What hidden calls gave.
    hidden: BTreeMap<Purpose, HiddenAnswers>,
}

/// Answers to hidden calls for one purpose, in order, each with the beat it was asked in.
#[derive(Debug, Default)]
struct HiddenAnswers {
    answers: Vec<(u32, Result<Answer, Failure>)>,
    given: AtomicUsize,
}

/// Answers to the same question, in order.
#[derive(Debug, Default)]
struct Answers {
    /// Never empty: answers are kept because of the first of them.
    answers: Vec<Result<Answer, Failure>>,
    given: AtomicUsize,
}

/// The time of a hidden call that the recorded run ended too early to be answered: after all others, so that
/// the replayed run ends first too.
const LAST_MS: u64 = u64::MAX;

impl Recorded {
    /// `title` says which run it was, for people.
    pub fn new(title: impl Into<String>, answers: Vec<RecordedAnswer>) -> Recorded {
        let mut recorded =
            Recorded { title: title.into(), replies: BTreeMap::new(), hidden: BTreeMap::new() };
        for RecordedAnswer { beat, actor, purpose, outcome } in answers {
            match actor {
                Some(actor) => recorded.replies.entry((beat, actor)).or_default().answers.push(outcome),
                None => recorded.hidden.entry(purpose).or_default().answers.push((beat, outcome)),
            }
        }
        recorded
    }
}

#[async_trait]
impl Model for Recorded {
    fn card(&self) -> ModelCard {
        // The recorded usage is reported again, but costs nothing this time.
        ModelCard {
            hidden_calls: self.hidden.keys().cloned().collect(),
            ..ModelCard::free_without_memory(format!("recording ({})", self.title))
        }
    }

    fn timing(&self) -> Timing {
        Timing::Simulated
    }

    async fn answer(&self, request: Request) -> Result<Answer, Failure> {
        let Some(actor) = request.actor else { return self.hidden(&request.purpose, request.beat) };
        let beat = request.beat.unwrap_or_default();
        match (self.replies.get(&(beat, actor.clone())), request.silence) {
            (Some(answers), _) => answers.next_or_last(),
            (None, Some(silence)) => {
                Ok(Answer { text: silence.to_owned(), usage: Some(Usage::NONE), ..Answer::default() })
            }
            (None, None) => {
                let failure = Failure::new(format!("the recording holds nothing of {actor} in turn {beat}"));
                Err(Failure { usage: Some(Usage::NONE), ..failure })
            }
        }
    }
}

impl Recorded {
    fn hidden(&self, purpose: &Purpose, beat: Option<u32>) -> Result<Answer, Failure> {
        self.hidden.get(purpose).and_then(|answers| answers.next(beat)).unwrap_or_else(|| {
            let (usage, took_ms) = (Some(Usage::NONE), LAST_MS);
            Err(Failure { usage, took_ms, ..Failure::new("the recording holds no further answer to this") })
        })
    }
}

impl HiddenAnswers {
    /// The answer of this beat, so that a resumed run is not given an answer twice; else the next in order,
    /// since changed rules may ask the same in another beat.
    fn next(&self, beat: Option<u32>) -> Option<Result<Answer, Failure>> {
        // A purpose is asked for once at a time, so no other call comes between the load and the store.
        let from = self.given.load(Ordering::Relaxed);
        let left = self.answers.get(from..)?;
        let skipped = left.iter().position(|(asked, _)| Some(*asked) == beat).unwrap_or(0);
        self.given.store(from + skipped + 1, Ordering::Relaxed);
        left.get(skipped).map(|(_, answer)| answer.clone())
    }
}

impl Answers {
    /// The next answer, if there is one left.
    fn next(&self) -> Option<Result<Answer, Failure>> {
        self.answers.get(self.given.fetch_add(1, Ordering::Relaxed)).cloned()
    }

    /// The next answer, or the last one again.
    fn next_or_last(&self) -> Result<Answer, Failure> {
        let last = || self.answers[self.answers.len() - 1].clone();
        self.next().unwrap_or_else(last)
    }
}
