//! Who may append.

use enact_drama::RunId;
use enact_engine::{
    Store,
    log::{Batch, Claim, CommandId, Error},
    store::Wake,
};
use proptest::prelude::*;
use tokio::task::JoinSet;

use super::{Stage, begin, command, records, shown, stored};

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
    /// Appends this many records behind what it believes is the end, following from the command it has read,
    /// if any.
    Append(u64),
    Release,
    Post,
    /// Reads the oldest command.
    Read,
}

/// Turns of two owners: a `true` is the first's.
pub(crate) fn moves() -> impl Strategy<Value = Vec<(bool, Move)>> {
    let one = prop_oneof![
        Just(Move::Claim),
        (0..4u64).prop_map(Move::Append),
        Just(Move::Release),
        Just(Move::Post),
        Just(Move::Read),
    ];
    prop::collection::vec((any::<bool>(), one), 1..60)
}

/// Owners act on what they last knew, as processes do that were stopped and come back: whatever they try,
/// each seq is stored once, each command is taken once, and what was accepted is what is there.
pub(crate) async fn owners_who_take_turns_store_each_seq_once(stage: Stage, moves: Vec<(bool, Move)>) {
    let claim = begin(&*stage.first).await;
    let mut first = Player { store: &*stage.first, claim: Some(claim), length: 0, command: None };
    let mut second = Player { store: &*stage.second, claim: None, length: 0, command: None };
    let mut there = There::default();
    for (is_first, next) in moves {
        let player = if is_first { &mut first } else { &mut second };
        player.act(claim.run, next, &mut there).await;
        assert_eq!(stored(player.store, claim.run).await, shown(&records(0..there.length)));
    }
    let listed = stage.first.runs().await.unwrap();
    assert_eq!(listed.first().map_or(0, |run| run.events), there.length);
    for player in [first, second] {
        if let Some(claim) = player.claim {
            player.store.release(claim).await.unwrap();
        }
    }
    stage.second.claim(claim.run).await.unwrap();
    let left: Vec<CommandId> = stage.second.inboxes().await.unwrap().iter().map(|posted| posted.id).collect();
    assert_eq!(left, there.commands);
}

/// What was accepted.
#[derive(Default)]
struct There {
    length: u64,
    /// Posted and not taken.
    commands: Vec<CommandId>,
}

struct Player<'a> {
    store: &'a dyn Store,
    /// The last claim it got, whatever became of it since.
    claim: Option<Claim>,
    /// How long it believes the log to be.
    length: u64,
    /// What it has read and not answered.
    command: Option<CommandId>,
}

impl Player<'_> {
    async fn act(&mut self, run: RunId, next: Move, there: &mut There) {
        match (next, self.claim) {
            (Move::Claim, _) => match self.store.claim(run).await {
                Ok(claim) => {
                    let length = stored(self.store, run).await.len() as u64;
                    *self = Player { claim: Some(claim), length, command: None, ..*self };
                }
                Err(Error::Busy(_)) => {}
                Err(other) => panic!("{other}"),
            },
            (Move::Append(count), Some(claim)) => self.append(claim, count, there).await,
            (Move::Release, Some(claim)) => self.store.release(claim).await.unwrap(),
            (Move::Post, _) => match self.store.post(run, command("pause"), Wake::Queue).await {
                Ok(posted) => there.commands.push(posted.id),
                Err(Error::Idle(_)) => {}
                Err(other) => panic!("{other}"),
            },
            (Move::Read, Some(_)) => {
                self.command = self.store.inboxes().await.unwrap().first().map(|command| command.id);
            }
            (Move::Append(_) | Move::Release | Move::Read, None) => {}
        }
    }

    async fn append(&mut self, claim: Claim, count: u64, there: &mut There) {
        let appended = Batch::of(records(self.length..self.length + count));
        match self.store.append(&claim, Batch { taken: self.command, ..appended }).await {
            Ok(()) => {
                self.length += count;
                there.length += count;
                if let Some(taken) = self.command.take() {
                    let before = there.commands.len();
                    there.commands.retain(|command| *command != taken);
                    assert_eq!(there.commands.len() + 1, before, "{taken:?} was taken before");
                }
            }
            Err(Error::Conflict(_)) => {}
            Err(other) => panic!("{other}"),
        }
    }
}
