//! Branching: another run that shares the beginning of this one.

use std::sync::Arc;

use serde_json::json;

use super::{Said, SceneEvent};
use crate::{
    Code, Problem,
    production::{Fork, ForkPoint},
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
    #[error("beat {beat} has not begun: the last one that has is {last}")]
    NotBegun { beat: u32, last: u32 },
    #[error("beat {beat} has no line {line}: it has {}", lines_of(*.lines))]
    NoSuchLine { beat: u32, line: u32, lines: u32 },
}

fn lines_of(lines: u32) -> String {
    match lines {
        0 => "none".to_owned(),
        1 => "one line".to_owned(),
        _ => format!("{lines} lines"),
    }
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
            CannotFork::NotBegun { beat, last } => not_played()
                .hint(format!("lines of any beat from 0 to {last} can be forked"))
                .context(json!({"beat": beat, "lastBeat": last})),
            CannotFork::NoSuchLine { beat, line, lines } => not_played()
                .hint(match lines {
                    0 => "name the beat alone, or another one".to_owned(),
                    1 => format!("{beat}.1 can be forked"),
                    _ => format!("{beat}.1 to {beat}.{lines} can be forked"),
                })
                .context(json!({"beat": beat, "line": line, "lines": lines})),
        }
    }
}

/// The facts a new run begins with that shares everything through the end of a beat, or of one of its lines,
/// with the run of `facts`, and goes on with a seed of its own.
pub fn fork(facts: &[Fact<SceneEvent>], fork: Fork) -> Result<Vec<Fact<SceneEvent>>, CannotFork> {
    let Fork { point: ForkPoint { beat, line }, run, seed, at, .. } = fork;
    let Some(SceneEvent::Began { setup }) = facts.first().map(|fact| &fact.event) else {
        return Err(CannotFork::NotAScene);
    };
    let parent = setup.run;
    let end = match line {
        None => end_of_beat(facts, beat)?,
        Some(line) => end_of_line(facts, beat, line)?,
    };
    let mut setup = (**setup).clone();
    setup.run = run;
    setup.seed = seed;
    let mut forked = facts[..=end].to_vec();
    forked[0].event = SceneEvent::Began { setup: Arc::new(setup) };
    let event = SceneEvent::Forked { run: parent, beat, line };
    forked.push(Fact { seq: Seq(forked.len() as u64), at, event });
    Ok(forked)
}

/// The last place at which a run can be forked: the end of its last beat or, where that was broken off, its
/// last line. Nothing where there is none yet.
pub fn last_fork_point(facts: &[Fact<SceneEvent>]) -> Option<ForkPoint> {
    let mut last = None;
    let mut open = None;
    for fact in facts {
        match fact.event {
            SceneEvent::BeatOpened { beat, .. } => open = Some((beat, 0)),
            SceneEvent::BeatSettled { beat } => {
                (last, open) = (Some(ForkPoint::from(beat)), None);
            }
            SceneEvent::LineAdded { .. } => {
                if let Some((beat, lines)) = &mut open {
                    *lines += 1;
                    last = Some(ForkPoint { beat: *beat, line: Some(*lines) });
                }
            }
            _ => {}
        }
    }
    last
}

/// Where a beat has settled.
fn end_of_beat(facts: &[Fact<SceneEvent>], beat: u32) -> Result<usize, CannotFork> {
    let settled = |fact: &Fact<SceneEvent>| match fact.event {
        SceneEvent::BeatSettled { beat } => Some(beat),
        _ => None,
    };
    facts.iter().position(|fact| settled(fact) == Some(beat)).ok_or_else(|| {
        let last = facts.iter().rev().find_map(settled);
        last.map_or(CannotFork::TooEarly, |last| CannotFork::Beyond { beat, last })
    })
}

/// Where a line of a beat is said, with what came of the same answer. What the moderator lets happen once the
/// beat has settled is no line of it here: it happens again when a branch goes on.
fn end_of_line(facts: &[Fact<SceneEvent>], beat: u32, line: u32) -> Result<usize, CannotFork> {
    let opened = |fact: &Fact<SceneEvent>| match fact.event {
        SceneEvent::BeatOpened { beat, .. } => Some(beat),
        _ => None,
    };
    let Some(begin) = facts.iter().position(|fact| opened(fact) == Some(beat)) else {
        let last = facts.iter().rev().find_map(opened);
        return Err(last.map_or(CannotFork::TooEarly, |last| CannotFork::NotBegun { beat, last }));
    };
    let is_over =
        |event: &SceneEvent| matches!(event, SceneEvent::BeatSettled { .. } | SceneEvent::Ended { .. });
    let of_beat = facts.iter().enumerate().skip(begin).take_while(|(_, fact)| !is_over(&fact.event));
    let lines = of_beat.filter(|(_, fact)| matches!(fact.event, SceneEvent::LineAdded { .. }));
    let lines: Vec<usize> = lines.map(|(at, _)| at).collect();
    let at = line.checked_sub(1).and_then(|line| lines.get(line as usize));
    let at = at.ok_or(CannotFork::NoSuchLine { beat, line, lines: lines.len() as u32 })?;
    Ok(whole_answer(facts, *at))
}

/// The last fact of the answer that a line came of. An actor that failed once too often is benched with a line
/// of its own, and one that is back says so before it says anything else.
fn whole_answer(facts: &[Fact<SceneEvent>], line: usize) -> usize {
    let event = |at: usize| facts.get(at).map(|fact| &fact.event);
    let before = line.checked_sub(1).and_then(event);
    if let Some(SceneEvent::Benched { .. }) = event(line + 1) {
        let said_so = matches!(event(line + 2), Some(SceneEvent::LineAdded { said: Said::System { .. } }));
        return line + 1 + usize::from(said_so);
    }
    let Some(SceneEvent::Returned { actor }) = before else { return line };
    let mut at = line + 1;
    while let Some(SceneEvent::LineCut { .. } | SceneEvent::CutMissed { .. }) = event(at) {
        at += 1;
    }
    match event(at) {
        Some(SceneEvent::LineAdded { said: Said::Actor { who, .. } }) if who == actor => at,
        _ => line,
    }
}
