//! The one thing that the character is asked to do in a turn.

use super::{Directive, EpisodeExchange, Urgency, holds, pacing};
use crate::{
    dice::Dice,
    episode::{Episode, EpisodeCue},
};

/// What a cue weighs at least that fits the arc badly: it may happen all the same.
const LEAST_FIT: i32 = 5;

/// The directive for the turn that begins, if any cue is due: the one of highest priority, of equals the most
/// pressing, then a draw among those left, by their weights and how well they fit the author's arc.
pub(in crate::episode) fn directive(episode: &Episode, message: &str) -> Option<Directive> {
    let turn = episode.turn_count() + 1;
    let exchange = EpisodeExchange { turn, user: message, said: "" };
    let due = |cue: &&EpisodeCue| episode.is_open(&cue.id) && is_due(cue, episode, &exchange);
    let due: Vec<&EpisodeCue> = episode.setup().template.cues.iter().filter(due).collect();
    let rank = |cue: &EpisodeCue| (cue.priority, urgency(cue, turn));
    let best = due.iter().map(|cue| rank(cue)).max()?;
    let best: Vec<&EpisodeCue> = due.into_iter().filter(|cue| rank(cue) == best).collect();
    let weights: Vec<u32> = best.iter().map(|cue| cue.weight * fit(cue, episode, turn)).collect();
    let all: u32 = weights.iter().sum();
    let mut drawn = Dice::new(episode.setup().seed, "director", turn).below(all as usize) as u32;
    let (cue, _) = best.iter().zip(weights).find(|(_, weight)| {
        let is_it = drawn < *weight;
        drawn = drawn.saturating_sub(*weight);
        is_it
    })?;
    let (urgency, instruction) = (urgency(cue, turn), cue.instruction.clone());
    Some(Directive { cue: cue.id.clone(), urgency, instruction })
}

/// How well the tension that a cue leads to fits the author's arc, up to 100; 1 for all where there is none.
fn fit(cue: &EpisodeCue, episode: &Episode, turn: u32) -> u32 {
    let Some(wanted) = pacing::arc_at(&episode.setup().template, turn) else { return 1 };
    let off = (wanted - (i32::from(episode.tension()) + cue.moves)).abs();
    (100 - off).max(LEAST_FIT).unsigned_abs()
}

fn is_due(cue: &EpisodeCue, episode: &Episode, exchange: &EpisodeExchange<'_>) -> bool {
    let in_time = exchange.turn + 1 >= cue.turn;
    let prepared = cue.needs_cues.iter().all(|id| episode.has_landed(id))
        && cue
            .needs_flags
            .iter()
            .all(|flag| episode.flags().contains_key(flag) || is_heard(flag, episode, exchange));
    // Past its turn a cue no longer waits for the right tension, and past its deadline for nothing.
    let fits = exchange.turn > cue.turn
        || cue.tension.is_none_or(|(from, to)| (from..=to).contains(&episode.tension()));
    let waits = !cue.is_key && cue.moves > 0 && episode.pace().calms() && exchange.turn <= cue.deadline;
    let barred = cue.unless.as_ref().is_some_and(|unless| holds(unless, episode, exchange).is_some());
    in_time && prepared && fits && !waits && !barred
}

/// Whether the message itself sets a flag: who names the murderer is answered as somebody who did.
fn is_heard(flag: &str, episode: &Episode, exchange: &EpisodeExchange<'_>) -> bool {
    let mut rules = episode.setup().template.flags.iter().filter(|rule| rule.flag == flag);
    rules.any(|rule| holds(&rule.when, episode, exchange).is_some())
}

fn urgency(cue: &EpisodeCue, turn: u32) -> Urgency {
    match turn {
        turn if turn > cue.deadline => Urgency::Overdue,
        turn if turn >= cue.turn => Urgency::Required,
        _ => Urgency::Suggested,
    }
}
