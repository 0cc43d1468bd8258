use std::time::Duration;

use enact_drama::{CallId, Name, RunId};
use proptest::{collection::vec, prelude::*};
use tokio::runtime::{Builder, Runtime};
use uuid::Uuid;

use super::*;
use crate::{
    Log,
    log::{Batch, Claim, MemoryStore, NewRun},
    node::{feed::Feeds, log_tail::RING_RECORDS},
    run_loop::DeltaSink,
};

/// A little more than the time between two looks at a run that is played elsewhere.
const SOON: Duration = Duration::from_millis(1_100);

/// What may happen to a run and to those who follow it.
#[derive(Debug, Clone)]
enum Move {
    /// So many records are stored by this node, which tells of them, after some live text.
    GrowHere(usize),
    /// By another, with a notification of it or without.
    GrowThere(usize, bool),
    /// From now on it is played here, or elsewhere.
    Here,
    There,
    /// A follower joins and wants every record from a seq on.
    Come(u64),
    /// A follower leaves.
    Leave(usize),
    /// A follower polls so often, and waits at most this many milliseconds each time.
    Read(usize, usize, u64),
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let growth = || prop_oneof![4 => 1..5usize, 1 => 1..2 * RING_RECORDS];
    vec(
        prop_oneof![
            4 => growth().prop_map(Move::GrowHere),
            3 => (growth(), any::<bool>()).prop_map(|(records, notified)| Move::GrowThere(records, notified)),
            1 => Just(Move::Here),
            1 => Just(Move::There),
            3 => (0..300u64).prop_map(Move::Come),
            1 => (0..8usize).prop_map(Move::Leave),
            8 => (0..8usize, 1..6usize, 0..1_500u64).prop_map(|(who, often, ms)| Move::Read(who, often, ms)),
        ],
        1..60,
    )
}

/// A run, its log, and what this node knows of it.
struct Theatre {
    feeds: Arc<Feeds>,
    /// Held by the task that plays the run on this node.
    playing: Option<Arc<Feed>>,
    store: Arc<MemoryStore>,
    claim: Claim,
    next: u64,
    followers: Vec<Reader>,
}

/// One who follows, and checks what it sees.
struct Reader {
    follower: Follower,
    from: u64,
    next: u64,
}

impl Reader {
    fn saw(&mut self, seen: Option<FollowEvent>) {
        match seen {
            Some(FollowEvent::Records(records)) => {
                assert!(!records.is_empty());
                for record in records {
                    assert_eq!(record.seq.0, self.next, "nothing is missed and nothing comes twice");
                    self.next += 1;
                }
                assert_eq!(self.follower.next_seq().0, self.next);
            }
            Some(FollowEvent::Delta(delta)) => {
                // The tests say before which record a text was heard.
                let before: u64 = delta.text.parse().unwrap();
                let late = before < self.next && self.next > self.from;
                assert!(!late, "heard before {before}, when everything before {} was seen", self.next);
            }
            Some(FollowEvent::Closed) => panic!("nobody closes anything"),
            None => {}
        }
    }
}

impl Theatre {
    async fn new() -> Theatre {
        let store = Arc::new(MemoryStore::default());
        let run = RunId(Uuid::now_v7());
        let about = NewRun {
            run,
            production: "scene",
            name: "test".into(),
            at: 0,
            parent: None,
            account: String::new(),
        };
        let claim = store.create(about).await.unwrap();
        Theatre { feeds: Arc::default(), playing: None, store, claim, next: 0, followers: Vec::new() }
    }

    async fn append(&mut self, records: usize, ended: bool) -> Vec<Arc<Record>> {
        let seqs = self.next..self.next + records as u64;
        let text = |seq: u64| {
            let padding = "x".repeat((seq as usize * 97) % 700);
            format!(r#"{{"seq":{seq},"at":0,"kind":"asked","v":1,"body":"{padding}"}}"#)
        };
        let records: Vec<Arc<Record>> =
            seqs.map(|seq| Arc::new(serde_json::from_str(&text(seq)).unwrap())).collect();
        self.next += records.len() as u64;
        let ended = ended.then(|| "stalled".to_owned());
        let batch = Batch { records: records.clone(), ended, ..Batch::default() };
        self.store.append(&self.claim, batch).await.unwrap();
        records
    }

    async fn make(&mut self, happens: Move) {
        let run = self.claim.run;
        match happens {
            Move::GrowHere(records) => {
                if self.playing.is_none() {
                    return;
                }
                self.speak();
                let records = self.append(records, false).await;
                if let Some(feed) = &self.playing {
                    feed.push(&records, false);
                }
            }
            Move::GrowThere(records, notified) => {
                if self.playing.is_none() {
                    self.append(records, false).await;
                    if notified {
                        self.feeds.wake(run);
                    }
                }
            }
            Move::Here => {
                let feed = self.feeds.of(run);
                feed.play_here(Seq(self.next));
                self.playing = Some(feed);
            }
            Move::There => {
                if let Some(feed) = self.playing.take() {
                    feed.play_elsewhere();
                }
            }
            Move::Come(from) => {
                let follower = Follower::new(self.feeds.of(run), self.store.clone(), Seq(from));
                self.followers.push(Reader { follower, from, next: from });
            }
            Move::Leave(who) => {
                if who < self.followers.len() {
                    self.followers.remove(who);
                }
            }
            Move::Read(who, often, ms) => {
                let timeout = Duration::from_millis(ms);
                let Some(reader) = self.followers.get_mut(who) else { return };
                for _ in 0..often {
                    let Ok(seen) = tokio::time::timeout(timeout, reader.follower.next()).await else {
                        break;
                    };
                    reader.saw(seen.unwrap());
                }
            }
        }
    }

    fn speak(&self) {
        if let Some(feed) = self.playing.as_ref().filter(|feed| feed.has_listeners()) {
            let actor = Name::new("alice").unwrap();
            feed.send(Delta { call: CallId(0), actor, text: self.next.to_string(), at: 0 });
        }
    }

    /// Ends the run, wherever it is played; everybody gets to see the rest.
    async fn end(mut self) {
        let last = self.append(1, true).await;
        if let Some(feed) = self.playing.take() {
            feed.push(&last, true);
            feed.play_elsewhere();
        }
        for mut reader in std::mem::take(&mut self.followers) {
            let from = reader.next;
            let rest = async {
                while let Some(seen) = reader.follower.next().await.unwrap() {
                    reader.saw(Some(seen));
                }
            };
            tokio::time::timeout(SOON, rest).await.expect("nobody waits longer than until the next look");
            assert_eq!(reader.next, from.max(self.next), "all of it was seen");
        }
        assert_eq!(self.feeds.len(), 0, "nothing is kept of a run that nobody follows");
    }
}

fn paused() -> Runtime {
    Builder::new_current_thread().enable_time().start_paused(true).build().unwrap()
}

proptest! {
    #[test]
    fn nothing_is_missed_or_repeated_whatever_happens_meanwhile(moves in moves()) {
        paused().block_on(async {
            let mut theatre = Theatre::new().await;
            for happens in moves {
                theatre.make(happens).await;
            }
            theatre.end().await;
        });
    }
}

#[tokio::test(start_paused = true)]
async fn somebody_slow_reads_the_log_and_holds_no_more_than_a_page() {
    let mut theatre = Theatre::new().await;
    theatre.make(Move::Here).await;
    theatre.make(Move::Come(0)).await;
    for _ in 0..100 {
        theatre.make(Move::GrowHere(20)).await;
    }
    let reader = &mut theatre.followers[0];
    let mut pages = 0;
    while reader.next < 2_000 {
        let Some(FollowEvent::Records(records)) = reader.follower.next().await.unwrap() else { continue };
        assert!(records.len() <= PAGE.max(RING_RECORDS));
        reader.next += records.len() as u64;
        pages += 1;
    }
    assert!(pages >= 2_000 / PAGE, "{pages}");
    theatre.end().await;
}

#[tokio::test(start_paused = true)]
async fn nothing_is_kept_for_nobody() {
    let mut theatre = Theatre::new().await;
    theatre.make(Move::Here).await;
    theatre.make(Move::GrowHere(10)).await;
    assert_eq!(theatre.playing.as_ref().unwrap().known().at_hand(), (0, 0));
    theatre.make(Move::Come(0)).await;
    for _ in 0..50 {
        theatre.make(Move::GrowHere(3)).await;
        let (records, bytes) = theatre.playing.as_ref().unwrap().known().at_hand();
        assert!(
            (3..=RING_RECORDS).contains(&records) && bytes <= 8 * 1024,
            "{records} records, {bytes} bytes"
        );
    }
    theatre.make(Move::Leave(0)).await;
    theatre.make(Move::GrowHere(1)).await;
    assert_eq!(theatre.playing.as_ref().unwrap().known().at_hand(), (0, 0));
}
