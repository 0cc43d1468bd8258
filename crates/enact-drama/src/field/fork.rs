//! A branch of a field: everything through a second of it, under another id and with other dice.

use std::sync::Arc;

use super::event::FieldEvent;
use crate::{Code, Fact, Problem, production::Fork};

pub(super) fn fork(facts: &[Fact<FieldEvent>], fork: Fork) -> Result<Vec<Fact<FieldEvent>>, Problem> {
    if fork.point.line.is_some() {
        return Err(Problem::config("a field is forked at a second, not at a line"));
    }
    let second = fork.point.beat;
    let (mut last, mut reached) = (0, 0);
    for (at, fact) in facts.iter().enumerate() {
        if let FieldEvent::Advanced { to, .. } = fact.event {
            if to / 10 > second {
                reached = to / 10;
                break;
            }
            reached = to / 10;
        }
        if !matches!(fact.event, FieldEvent::Ended { .. }) {
            last = at;
        }
    }
    if reached < second {
        return Err(Problem::new(Code::BeatNotPlayed, format!("second {second} has not been played"))
            .hint(format!("seconds 0 to {reached} can be forked at")));
    }
    let mut forked = facts[..=last].to_vec();
    let Some(FieldEvent::FieldBegan { setup }) = forked.first_mut().map(|fact| &mut fact.event) else {
        return Err(Problem::config("this log does not begin like a field"));
    };
    let mut own = (**setup).clone();
    let run = std::mem::replace(&mut own.run, fork.run);
    *setup = Arc::new(own);
    let seq = forked[last].seq.next();
    forked.push(Fact { seq, at: fork.at, event: FieldEvent::Forked { run, second, seed: fork.seed } });
    Ok(forked)
}
