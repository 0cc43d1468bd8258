//! Who hears which comment.

use super::{Routed, SlotId, Turn};
use crate::dice::Dice;

/// How many comments a slot replies to: more at once and no reply could take up each of them.
pub(super) const MOST_COMMENTS: usize = 3;

/// Routes comments, given as who said them and to whom: for each slot that got any, the comments it is told.
pub(super) fn routes(comments: &[(SlotId, SlotId)], seed: u64) -> Vec<Routed> {
    let mut targets: Vec<SlotId> = comments.iter().map(|(_, to)| *to).collect();
    targets.sort_unstable();
    targets.dedup();
    targets.into_iter().map(|to| route(to, comments, seed)).collect()
}

fn route(to: SlotId, comments: &[(SlotId, SlotId)], seed: u64) -> Routed {
    let mut from: Vec<SlotId> = comments.iter().filter(|(_, at)| *at == to).map(|(from, _)| *from).collect();
    from.sort_unstable();
    if from.len() > MOST_COMMENTS {
        let who = format!("routing {}", to.name());
        Dice::new(seed, &who, u32::from(Turn::Comment.index())).shuffle(&mut from);
    }
    let mut dropped = from.split_off(from.len().min(MOST_COMMENTS));
    from.sort_unstable();
    dropped.sort_unstable();
    Routed { to, from, dropped }
}

/// The target of a comment that has no valid one: the peer with the fewest comments so far.
pub(super) fn least_commented(
    by: SlotId,
    peers: &[SlotId],
    comments: &[(SlotId, SlotId)],
    seed: u64,
) -> SlotId {
    let count = |peer: &SlotId| comments.iter().filter(|(_, to)| to == peer).count();
    let fewest = peers.iter().map(count).min();
    let equal: Vec<SlotId> = peers.iter().copied().filter(|peer| Some(count(peer)) == fewest).collect();
    // By dice, not by number: otherwise the first slot would get every stray comment.
    let who = format!("stray comment {}", by.name());
    Dice::new(seed, &who, u32::from(Turn::Comment.index()))
        .pick(&equal)
        .copied()
        .expect("a slot that comments has a peer")
}

/// Puts peers into the order in which one slot reads them. Each has its own, because the peer that is read
/// first is chosen more often.
pub(super) fn shuffled<T>(mut peers: Vec<T>, of: SlotId, seed: u64) -> Vec<T> {
    let who = format!("peers {}", of.name());
    Dice::new(seed, &who, u32::from(Turn::Comment.index())).shuffle(&mut peers);
    peers
}
