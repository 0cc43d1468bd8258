//! Connections that are cut without a word.

use std::{
    pin::pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use enact_drama::RunId;
use enact_engine::{
    Log, Store,
    log::{Batch, Error, Status},
    store::Wake,
};
use enact_store::{PostgresStore, postgres::Options};
use enact_testkit::{PATIENCE, in_time, pass, until, until_some};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
};

use super::{HOUR, command, database, enqueue, new_run, node, numbers, records};

#[tokio::test]
async fn a_claim_whose_answer_was_lost_is_made_again() {
    let url = database::fresh().await;
    let (proxy, onlooker) = (Proxy::start(&url).await, node(&url).await);
    let options = Options { heartbeat: HOUR, lease: HOUR, connections: 1, ..Options::default() };
    let store = PostgresStore::open_with(&proxy.url, options).await.unwrap();
    let kept = enqueue(&onlooker).await;
    let [playing] = store.claim_waiting(1).await.unwrap()[..] else { panic!("one waits") };
    let lost = enqueue(&onlooker).await;

    // The database gets the query, but its answer is lost.
    proxy.swallow_answers();
    let (failed, ()) = tokio::join!(store.claim_waiting(9), async {
        until_some(async || {
            Some(onlooker.find(lost).await.unwrap()).filter(|run| run.status == Status::Playing)
        })
        .await;
        proxy.cut();
    });
    assert!(matches!(failed, Err(Error::Storage(_))), "{failed:?}");
    assert!(onlooker.claim_waiting(9).await.unwrap().is_empty(), "its node lives");

    let [again] = until_some(async || store.claim_waiting(9).await.ok()).await[..] else {
        panic!("it is found")
    };
    assert_eq!(again.run, lost);
    for claim in [playing, again] {
        store.append(&claim, Batch::of(records([1]))).await.unwrap();
    }
    assert_eq!(numbers(&onlooker, kept).await, [0, 1]);
}

#[tokio::test]
async fn who_does_not_wait_for_a_claim_loses_no_run() {
    let url = database::fresh().await;
    let (proxy, onlooker) = (Proxy::start(&url).await, node(&url).await);
    let options = Options { heartbeat: HOUR, lease: HOUR, connections: 1, ..Options::default() };
    let store = PostgresStore::open_with(&proxy.url, options).await.unwrap();
    assert!(store.claim_waiting(9).await.unwrap().is_empty());
    let run = enqueue(&onlooker).await;
    proxy.swallow_answers();
    tokio::select! {
        claims = store.claim_waiting(9) => panic!("{claims:?}"),
        _ = until_some(async || Some(onlooker.find(run).await.unwrap()).filter(|run| run.status == Status::Playing)) => {}
    }
    proxy.cut();
    let claims = until_some(async || store.claim_waiting(9).await.ok()).await;
    assert_eq!(claims.iter().map(|claim| claim.run).collect::<Vec<_>>(), [run]);
}

#[tokio::test]
async fn a_run_woken_by_a_command_whose_answer_was_lost_is_played() {
    let url = database::fresh().await;
    let (proxy, onlooker) = (Proxy::start(&url).await, node(&url).await);
    let options = Options { heartbeat: HOUR, lease: HOUR, connections: 1, ..Options::default() };
    let store = PostgresStore::open_with(&proxy.url, options).await.unwrap();
    let [lost, kept] = [resting(&onlooker).await, resting(&onlooker).await];
    let playing = store.post(kept, command("go"), Wake::Claim).await.unwrap().claim.unwrap();

    proxy.swallow_answers();
    let (failed, ()) = tokio::join!(store.post(lost, command("go"), Wake::Claim), async {
        until_some(async || {
            Some(onlooker.find(lost).await.unwrap()).filter(|run| run.status == Status::Playing)
        })
        .await;
        proxy.cut();
    });
    assert!(matches!(failed, Err(Error::Storage(_))), "{failed:?}");
    assert!(onlooker.claim_waiting(9).await.unwrap().is_empty(), "its node lives");

    let [again] = until_some(async || store.claim_waiting(9).await.ok()).await[..] else {
        panic!("it is found")
    };
    assert_eq!(again.run, lost);
    let [posted] = &store.inbox(lost).await.unwrap()[..] else { panic!("the command is there once") };
    store.append(&again, Batch::of(records([1])).taken(posted.id)).await.unwrap();
    store.append(&playing, Batch::of(records([1]))).await.unwrap();
}

/// A node that has no room claims nothing, for however long.
#[tokio::test]
async fn a_run_whose_claim_was_lost_by_a_node_without_room_is_played_by_others() {
    let url = database::fresh().await;
    let (proxy, onlooker) = (Proxy::start(&url).await, node(&url).await);
    let options = Options { heartbeat: HOUR, lease: HOUR, connections: 1, ..Options::default() };
    let store = PostgresStore::open_with(&proxy.url, options).await.unwrap();
    let [lost, kept] = [resting(&onlooker).await, resting(&onlooker).await];
    let playing = store.post(kept, command("go"), Wake::Claim).await.unwrap().claim.unwrap();
    let waiting = enqueue(&onlooker).await;

    proxy.swallow_answers();
    let (failed, ()) = tokio::join!(store.post(lost, command("go"), Wake::Claim), async {
        until_some(async || {
            Some(onlooker.find(lost).await.unwrap()).filter(|run| run.status == Status::Playing)
        })
        .await;
        proxy.cut();
    });
    assert!(matches!(failed, Err(Error::Storage(_))), "{failed:?}");
    pass(Duration::from_secs(600)).await;

    let none = until_some(async || store.claim_waiting(0).await.ok()).await;
    assert!(none.is_empty(), "{none:?}");
    let freed = onlooker.claim_waiting(9).await.unwrap();
    let mut freed: Vec<RunId> = freed.iter().map(|claim| claim.run).collect();
    freed.sort();
    assert_eq!(freed, [lost, waiting], "the one whose claim was lost, and not the one that is played");
    store.append(&playing, Batch::of(records([1]))).await.unwrap();
}

#[tokio::test]
async fn a_run_comes_to_rest_though_the_answer_was_lost() {
    let url = database::fresh().await;
    let (proxy, onlooker) = (Proxy::start(&url).await, node(&url).await);
    // An attempt may take a quarter of the lease, which is all that this test waits for.
    let (heartbeat, lease) = (Duration::from_millis(500), Duration::from_secs(4));
    let options = Options { heartbeat, lease, ..Options::default() };
    let store = PostgresStore::open_with(&proxy.url, options).await.unwrap();
    let mut claim = store.create(new_run()).await.unwrap();
    store.append(&claim, Batch::of(records([0]))).await.unwrap();
    for number in 1..=2 {
        if number == 1 {
            proxy.swallow_answers()
        } else {
            proxy.swallow_all()
        };
        assert!(store.rest(claim, None).await.unwrap());
        assert_eq!(onlooker.find(claim.run).await.unwrap().status, Status::Resting);
        let posted = until_some(async || store.post(claim.run, command("go"), Wake::Claim).await.ok()).await;
        claim = posted.claim.unwrap();
        store.append(&claim, Batch::of(records([number])).taken(posted.id)).await.unwrap();
    }
}

/// A run with one record that rests.
async fn resting(store: &PostgresStore) -> RunId {
    let claim = store.create(new_run()).await.unwrap();
    store.append(&claim, Batch::of(records([0]))).await.unwrap();
    assert!(store.rest(claim, None).await.unwrap());
    claim.run
}

#[tokio::test]
async fn a_writer_whose_connection_is_silent_opens_another_while_its_lease_lasts() {
    let url = database::fresh().await;
    let (proxy, onlooker) = (Proxy::start(&url).await, node(&url).await);
    // An attempt may take a quarter of the lease, which passes at once here. The rest is for the machine.
    let lease = Duration::from_secs(80);
    let options = Options { heartbeat: HOUR, lease, ..Options::default() };
    let store = PostgresStore::open_with(&proxy.url, options).await.unwrap();
    let claim = store.create(new_run()).await.unwrap();
    store.append(&claim, Batch::of(records([0]))).await.unwrap();
    let holds = |bytes: &[u8]| bytes.windows(5).any(|part| part == b"noted");
    for seq in [1, 2] {
        let opened = proxy.opened();
        // What was sent on the old connections may have arrived: then it is not stored again.
        match seq {
            1 => proxy.swallow_answers(),
            _ => proxy.swallow_all(),
        }
        let silent = async {
            match seq {
                1 => until(async || numbers(&onlooker, claim.run).await == [0, 1]).await,
                _ => proxy.swallowed(holds).await,
            }
        };
        let mut appending = pin!(store.append(&claim, Batch::of(records([seq]))));
        tokio::select! {
            outcome = &mut appending => panic!("nobody has answered it: {outcome:?}"),
            () = silent => {}
        }
        pass(lease / 4).await;
        in_time(appending).await.unwrap();
        assert!(proxy.opened() > opened);
    }
    assert_eq!(numbers(&onlooker, claim.run).await, [0, 1, 2]);
}

#[tokio::test]
async fn a_host_that_is_silent_holds_nobody_for_ever() {
    let url = database::fresh().await;
    let (proxy, onlooker) = (Proxy::start(&url).await, node(&url).await);
    // A second wait of this length would exceed the test's own timeout.
    let answer_timeout = PATIENCE * 3 / 4;
    let options = Options { connections: 2, answer_timeout, heartbeat: HOUR, lease: HOUR };
    let store = PostgresStore::open_with(&proxy.url, options).await.unwrap();
    let run = enqueue(&store).await;
    // More often than there are connections: one that is silent does not keep its place in the pool.
    for _ in 0..3 {
        tokio::try_join!(store.ready(), store.ready()).unwrap();
        proxy.swallow_all();
        let silent = async {
            proxy.swallowed(|bytes| !bytes.is_empty()).await;
            pass(answer_timeout).await;
        };
        let asked = async {
            tokio::join!(
                store.claim_waiting(9),
                store.inboxes(),
                store.post(run, command("pause"), Wake::Queue),
                silent
            )
        };
        let (claims, inboxes, posted, ()) = in_time(asked).await;
        let outcomes = [claims.map(drop), inboxes.map(drop), posted.map(drop)];
        assert!(outcomes.iter().any(|o| matches!(o, Err(Error::Storage(_)))), "{outcomes:?}");
    }
    until_some(async || store.ready().await.ok()).await;
    assert_eq!(onlooker.find(run).await.unwrap().events, 1);
}

/// What Postgres says when it has nothing else to say.
const READY: [u8; 6] = [b'Z', 0, 0, 0, 5, b'I'];

/// Stands between a store and its server. Whatever befalls the connections there are, new ones work.
struct Proxy {
    url: String,
    /// How many connections were opened so far.
    now: Arc<AtomicU64>,
    fates: watch::Sender<(u64, Fate)>,
    /// All that was asked in vain since the last fate was decided.
    swallowed: Arc<Mutex<Vec<u8>>>,
}

/// What becomes of connections that were opened before now.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    SwallowAnswers,
    SwallowAll,
    Cut,
}

impl Proxy {
    async fn start(url: &str) -> Proxy {
        let (before, rest) = url.split_once('@').unwrap();
        let (server, after) = rest.split_once('/').unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("{before}@{}/{after}", listener.local_addr().unwrap());
        let (now, fates) = (Arc::new(AtomicU64::new(0)), watch::Sender::new((0, Fate::Cut)));
        let swallowed = Arc::new(Mutex::new(Vec::new()));
        let (clock, watched, server) = (now.clone(), fates.clone(), server.to_owned());
        let drain = swallowed.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let born = clock.fetch_add(1, Ordering::SeqCst);
                let server = TcpStream::connect(&server).await.unwrap();
                tokio::spawn(relay(client, server, born, watched.subscribe(), drain.clone()));
            }
        });
        Proxy { url, now, fates, swallowed }
    }

    fn swallow_answers(&self) {
        self.decide(Fate::SwallowAnswers);
    }

    fn swallow_all(&self) {
        self.decide(Fate::SwallowAll);
    }

    fn cut(&self) {
        self.decide(Fate::Cut);
    }

    fn opened(&self) -> u64 {
        self.now.load(Ordering::SeqCst)
    }

    /// Waits until something was asked in vain.
    async fn swallowed(&self, wanted: impl Fn(&[u8]) -> bool) {
        until(async || wanted(&self.swallowed.lock().unwrap())).await;
    }

    fn decide(&self, fate: Fate) {
        self.swallowed.lock().unwrap().clear();
        self.fates.send_replace((self.now.load(Ordering::SeqCst), fate));
    }
}

async fn relay(
    mut client: TcpStream,
    mut server: TcpStream,
    born: u64,
    mut fates: watch::Receiver<(u64, Fate)>,
    swallowed: Arc<Mutex<Vec<u8>>>,
) {
    let (mut question, mut answer) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    let mut fate = None;
    loop {
        tokio::select! {
            biased;
            changed = fates.changed() => {
                let (before, decided) = *fates.borrow_and_update();
                if changed.is_err() || (born < before && decided == Fate::Cut) {
                    return;
                }
                if born < before {
                    fate = Some(decided);
                }
            }
            read = client.read(&mut question) => match read {
                Ok(0) | Err(_) => return,
                Ok(length) if fate == Some(Fate::SwallowAll) => {
                    swallowed.lock().unwrap().extend(&question[..length]);
                }
                Ok(length) => if server.write_all(&question[..length]).await.is_err() { return },
            },
            read = server.read(&mut answer) => match read {
                Ok(0) | Err(_) => return,
                // A check of the connection is answered; the query that follows is never
                // answered.
                Ok(length) if fate == Some(Fate::SwallowAnswers) && answer[..length] == READY => {
                    if client.write_all(&READY).await.is_err() { return }
                }
                Ok(_) if fate.is_some() => {}
                Ok(length) => if client.write_all(&answer[..length]).await.is_err() { return },
            },
        }
    }
}
