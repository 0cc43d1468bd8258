//! Who may append.

use enact_drama::RunId;
use enact_engine::log::{Batch, Claim, Error, Log};
use proptest::prelude::*;
use tokio::task::JoinSet;

use crate::{Stage, begin, records, shown, stored};

pub(crate) async fn a_run_has_one_owner_until_it_is_released(stage: Stage) {
    let claim = begin(&*stage.first).await;
    for log in [&stage.first, &stage.second] {
        assert!(matches!(log.claim(claim.run).await, Err(Error::Busy(run)) if run == claim.run));
    }
    stage.first.release(claim).await.unwrap();
    let taken = stage.second.claim(claim.run).await.unwrap();
    assert_eq!(taken.run, claim.run);
    assert!(taken.epoch > claim.epoch);
    assert!(matches!(stage.first.claim(claim.run).await, Err(Error::Busy(_))));
}

pub(crate) async fn an_old_claim_appends_nothing(stage: Stage) {
    let old = begin(&*stage.first).await;
    stage.first.append(&old, Batch::of(records([0]))).await.unwrap();
    stage.first.release(old).await.unwrap();
    let new = stage.second.claim(old.run).await.unwrap();
    assert!(matches!(stage.first.append(&old, Batch::of(records([1]))).await, Err(Error::Conflict(_))));
    stage.second.append(&new, Batch::of(records([1]))).await.unwrap();
    assert!(matches!(stage.first.append(&old, Batch::of(records([2]))).await, Err(Error::Conflict(_))));
    assert_eq!(stored(&*stage.first, old.run).await, shown(&records(0..2)));
}

pub(crate) async fn a_released_claim_appends_nothing(stage: Stage) {
    let claim = begin(&*stage.first).await;
    stage.first.release(claim).await.unwrap();
    assert!(matches!(stage.first.append(&claim, Batch::of(records([0]))).await, Err(Error::Conflict(_))));
    assert!(stored(&*stage.first, claim.run).await.is_empty());
}

pub(crate) async fn an_old_claim_releases_nothing(stage: Stage) {
    let old = begin(&*stage.first).await;
    stage.first.release(old).await.unwrap();
    let new = stage.second.claim(old.run).await.unwrap();
    stage.first.release(old).await.unwrap();
    assert!(matches!(stage.first.claim(old.run).await, Err(Error::Busy(_))));
    stage.second.append(&new, Batch::of(records([0]))).await.unwrap();
}

pub(crate) async fn of_many_who_claim_at_once_one_succeeds(stage: Stage) {
    let claim = begin(&*stage.first).await;
    stage.first.release(claim).await.unwrap();
    let mut claiming = JoinSet::new();
    for log in [&stage.first, &stage.second].into_iter().cycle().take(20) {
        let log = log.clone();
        claiming.spawn(async move { log.claim(claim.run).await });
    }
    let (won, lost): (Vec<_>, Vec<_>) = claiming.join_all().await.into_iter().partition(Result::is_ok);
    assert_eq!(won.len(), 1);
    assert!(lost.iter().all(|outcome| matches!(outcome, Err(Error::Busy(_)))), "{lost:?}");
}

/// What one of two owners does next.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Move {
    Claim,
    /// Appends this many records behind what it believes is the end.
    Append(u64),
    Release,
}

/// Turns of two owners: a `true` is the first's.
pub(crate) fn moves() -> impl Strategy<Value = Vec<(bool, Move)>> {
    let one = prop_oneof![Just(Move::Claim), (1..4u64).prop_map(Move::Append), Just(Move::Release)];
    prop::collection::vec((any::<bool>(), one), 1..40)
}

/// Owners act on what they last knew, as processes do that were stopped and come back: whatever they try, each seq is
/// stored once, and what was accepted is what is there.
pub(crate) async fn owners_who_take_turns_store_each_seq_once(stage: Stage, moves: Vec<(bool, Move)>) {
    let claim = begin(&*stage.first).await;
    let mut first = Player { log: &*stage.first, claim: Some(claim), length: 0 };
    let mut second = Player { log: &*stage.second, claim: None, length: 0 };
    let mut accepted = 0;
    for (is_first, next) in moves {
        let player = if is_first { &mut first } else { &mut second };
        accepted += player.act(claim.run, next).await;
        assert_eq!(stored(player.log, claim.run).await, shown(&records(0..accepted)));
    }
    let listed = stage.first.runs().await.unwrap();
    assert_eq!(listed.first().map_or(0, |run| run.events), accepted);
}

struct Player<'a> {
    log: &'a dyn Log,
    /// The last claim it got, whatever became of it since.
    claim: Option<Claim>,
    /// How long it believes the log to be.
    length: u64,
}

impl Player<'_> {
    /// How many records were accepted.
    async fn act(&mut self, run: RunId, next: Move) -> u64 {
        match (next, self.claim) {
            (Move::Claim, _) => {
                match self.log.claim(run).await {
                    Ok(claim) => {
                        self.claim = Some(claim);
                        self.length = stored(self.log, run).await.len() as u64;
                    }
                    Err(Error::Busy(_)) => {}
                    Err(other) => panic!("{other}"),
                }
                0
            }
            (Move::Append(count), Some(claim)) => {
                let appended = records(self.length..self.length + count);
                match self.log.append(&claim, Batch::of(appended)).await {
                    Ok(()) => {
                        self.length += count;
                        count
                    }
                    Err(Error::Conflict(_)) => 0,
                    Err(other) => panic!("{other}"),
                }
            }
            (Move::Release, Some(claim)) => {
                self.log.release(claim).await.unwrap();
                0
            }
            (Move::Append(_) | Move::Release, None) => 0,
        }
    }
}
