//! A branch of an episode: everything through the end of a turn, under another id.

use std::sync::Arc;

use super::{EpisodeEvent, event::redacted};
use crate::{Code, Fact, Problem, production::Fork};

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
        if let Some(redacted) = redacted(&fact.event) {
            fact.event = redacted;
        }
    }
    let EpisodeEvent::EpisodeBegan { setup } = &mut forked[0].event else {
        return Err(Problem::config("this log does not begin like an episode"));
    };
    let mut own = (**setup).clone();
    let run = std::mem::replace(&mut own.run, fork.run);
    own.seed = fork.seed;
    // A result is shared under an id of its own, which does not follow from that of the other run.
    own.share_id = format!("{:032x}{:032x}", fork.random[0], fork.random[1]);
    *setup = Arc::new(own);
    let seq = forked[last].seq.next();
    forked.push(Fact { seq, at: fork.at, event: EpisodeEvent::Forked { run, turn } });
    Ok(forked)
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
