//! Branching: another run that shares the beginning of this one.

use std::sync::Arc;

use serde_json::json;

use super::SceneEvent;
use crate::{
    Code, Problem,
    production::Fork,
    record::{Fact, Seq},
};

/// The run cannot be forked there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotFork {
    #[error("the log does not begin like that of a scene")]
    NotAScene,
    #[error("beat {beat} has not been played to its end: the last one that has is {last}")]
    Beyond { beat: u32, last: u32 },
    #[error("no beat has been played to its end yet")]
    TooEarly,
}

impl CannotFork {
    /// The same as a problem, with a hint at what can be forked.
    pub fn problem(&self) -> Problem {
        let not_played = || Problem::new(Code::BeatNotPlayed, self.to_string());
        match self {
            CannotFork::NotAScene => Problem::config(self.to_string()),
            CannotFork::TooEarly => not_played().hint("its first beat can be forked once it is over"),
            CannotFork::Beyond { beat, last } => not_played()
                .hint(if *last == 0 {
                    "only beat 0 can be forked".to_owned()
                } else {
                    format!("any beat from 0 to {last} can be forked")
                })
                .context(json!({"beat": beat, "lastBeat": last})),
        }
    }
}

/// The facts a new run begins with that shares everything through the end of a beat with the run of `facts`,
/// and goes on with a seed of its own.
pub fn fork(facts: &[Fact<SceneEvent>], fork: Fork) -> Result<Vec<Fact<SceneEvent>>, CannotFork> {
    let Fork { beat, run, seed, at } = fork;
    let Some(SceneEvent::Began { setup }) = facts.first().map(|fact| &fact.event) else {
        return Err(CannotFork::NotAScene);
    };
    let parent = setup.run;
    let settled = |fact: &Fact<SceneEvent>| match fact.event {
        SceneEvent::BeatSettled { beat } => Some(beat),
        _ => None,
    };
    let Some(end) = facts.iter().position(|fact| settled(fact) == Some(beat)) else {
        let last = facts.iter().rev().find_map(settled);
        return Err(last.map_or(CannotFork::TooEarly, |last| CannotFork::Beyond { beat, last }));
    };
    let mut setup = (**setup).clone();
    setup.run = run;
    setup.seed = seed;
    let mut forked = facts[..=end].to_vec();
    forked[0].event = SceneEvent::Began { setup: Arc::new(setup) };
    let event = SceneEvent::Forked { run: parent, beat };
    forked.push(Fact { seq: Seq(forked.len() as u64), at, event });
    Ok(forked)
}
