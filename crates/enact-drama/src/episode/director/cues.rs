//! The one thing that the character is asked to do in a turn.

use super::{Directive, EpisodeExchange, Urgency, holds};
use crate::{
    dice::Dice,
    episode::{Episode, EpisodeCue},
};

/// The directive for the turn that begins, if any cue is due: the most pressing, then the one of highest
/// priority, then a draw among those left, by their weights.
pub(in crate::episode) fn directive(episode: &Episode, message: &str) -> Option<Directive> {
    let turn = episode.turn_count() + 1;
    let exchange = EpisodeExchange { turn, user: message, said: "" };
    let due = |cue: &&EpisodeCue| episode.is_open(&cue.id) && is_due(cue, episode, &exchange);
    let due: Vec<&EpisodeCue> = episode.setup().template.cues.iter().filter(due).collect();
    let rank = |cue: &EpisodeCue| (urgency(cue, turn), cue.priority);
    let best = due.iter().map(|cue| rank(cue)).max()?;
    let best: Vec<&EpisodeCue> = due.into_iter().filter(|cue| rank(cue) == best).collect();
    let all: u32 = best.iter().map(|cue| cue.weight).sum();
    let mut drawn = Dice::new(episode.setup().seed, "director", turn).below(all as usize) as u32;
    let cue = best.iter().find(|cue| {
        let is_it = drawn < cue.weight;
        drawn = drawn.saturating_sub(cue.weight);
        is_it
    })?;
    let (urgency, instruction) = (urgency(cue, turn), cue.instruction.clone());
    Some(Directive { cue: cue.id.clone(), urgency, instruction })
}

/// What the character is told because of the flags that are set.
pub(in crate::episode) fn injections(episode: &Episode) -> Vec<&str> {
    let injections = episode.setup().template.injections.iter();
    let told = injections.filter(|injection| episode.flags().contains_key(&injection.if_flag));
    told.map(|injection| injection.inject.as_str()).collect()
}

fn is_due(cue: &EpisodeCue, episode: &Episode, exchange: &EpisodeExchange<'_>) -> bool {
    let in_time = exchange.turn + 1 >= cue.turn;
    let prepared = cue.needs_cues.iter().all(|id| episode.has_landed(id))
        && cue.needs_flags.iter().all(|flag| episode.flags().contains_key(flag));
    // Past its turn a cue no longer waits for the right tension.
    let fits = exchange.turn > cue.turn
        || cue.tension.is_none_or(|(from, to)| (from..=to).contains(&episode.tension()));
    let barred = cue.unless.as_ref().is_some_and(|unless| holds(unless, episode, exchange).is_some());
    in_time && prepared && fits && !barred
}

fn urgency(cue: &EpisodeCue, turn: u32) -> Urgency {
    match turn {
        turn if turn > cue.deadline => Urgency::Overdue,
        turn if turn >= cue.turn => Urgency::Required,
        _ => Urgency::Suggested,
    }
}
