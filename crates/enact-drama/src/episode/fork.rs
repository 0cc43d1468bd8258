//! A branch of an episode: everything through the end of a turn, under another id.

use std::sync::Arc;

use rand_chacha::{
    ChaCha20Rng,
    rand_core::{Rng, SeedableRng},
};

use super::EpisodeEvent;
use crate::{Code, Fact, Problem, RunId, production::Fork};

pub(super) fn fork(facts: &[Fact<EpisodeEvent>], fork: Fork) -> Result<Vec<Fact<EpisodeEvent>>, Problem> {
    if fork.point.line.is_some() {
        return Err(Problem::config("an episode is forked at a turn, not at a line"));
    }
    let turn = fork.point.beat;
    let last = last_of(facts, turn).ok_or_else(|| {
        let played =
            facts.iter().filter(|fact| matches!(fact.event, EpisodeEvent::TurnCompleted { .. })).count();
        Problem::new(Code::BeatNotPlayed, format!("turn {turn} has not been played"))
            .hint(format!("turns 0 to {played} can be forked at"))
    })?;
    let mut forked = facts[..=last].to_vec();
    for fact in &mut forked {
        // What the character thought stays in the run in which it was thought.
        if let EpisodeEvent::Thought { internal, .. } = &mut fact.event {
            internal.clear();
        }
    }
    let EpisodeEvent::EpisodeBegan { setup } = &mut forked[0].event else {
        return Err(Problem::config("this log does not begin like an episode"));
    };
    let mut own = (**setup).clone();
    let run = std::mem::replace(&mut own.run, fork.run);
    own.seed = fork.seed;
    own.share_id = share_id(&own.share_id, fork.run);
    *setup = Arc::new(own);
    let seq = forked[last].seq.next();
    forked.push(Fact { seq, at: fork.at, event: EpisodeEvent::Forked { run, turn } });
    Ok(forked)
}

/// A result is shared under an id of its own, from which nobody learns that of the run it branched off from.
fn share_id(of_parent: &str, run: RunId) -> String {
    let mut key = [0; 32];
    for (at, byte) in of_parent.bytes().enumerate() {
        key[at % key.len()] ^= byte.rotate_left((at / key.len()) as u32);
    }
    for (at, byte) in run.0.as_bytes().iter().enumerate() {
        key[at] = key[at].wrapping_add(*byte);
    }
    let (mut random, mut bytes) = (ChaCha20Rng::from_seed(key), [0; 32]);
    random.fill_bytes(&mut bytes);
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The index of the last fact that belongs to a turn, its end not included: a branch goes on.
fn last_of(facts: &[Fact<EpisodeEvent>], turn: u32) -> Option<usize> {
    if turn == 0 {
        return Some(0);
    }
    let is_it = |fact: &Fact<EpisodeEvent>| matches!(fact.event, EpisodeEvent::TurnCompleted { turn: this, .. } if this == turn);
    let at = facts.iter().position(is_it)?;
    let more = facts[at + 1..].iter().take_while(|fact| {
        matches!(fact.event, EpisodeEvent::ChoiceOffered { .. } | EpisodeEvent::Suggested { .. })
    });
    Some(at + more.count())
}
