//! `LISTEN` and `NOTIFY`: tells other nodes of new runs, commands and records, and hears theirs.
//!
//! `NOTIFY` takes a lock that all databases of a server share, until its transaction is over. So it is never
//! part of the transaction that something is told of: notifications are gathered, and sent at most every few
//! milliseconds, ids only.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use enact_drama::RunId;
use enact_engine::store::Notification;
use sqlx::postgres::PgListener;
use tokio::{
    sync::{Notify, broadcast},
    task::JoinSet,
};
use uuid::Uuid;

use super::{
    open::Server,
    reconnect::{Reconnecting, with_timeout},
};

/// Capacity of the channel of notifications; a receiver that lags polls the store instead.
const NOTIFICATION_BUFFER: usize = 1024;

/// Minimum time between two `NOTIFY`s. Users do not see the difference, and a hundred nodes leave the lock
/// free for most of the time.
const NOTIFY_INTERVAL: Duration = Duration::from_millis(20);

/// Timeout of a NOTIFY. Later than that, the other nodes have found the change by polling.
const NOTIFY_TIMEOUT: Duration = Duration::from_secs(2);

/// Postgres takes fewer than 8,000 bytes at a time.
const MOST_BYTES: usize = 7_900;

/// How long before a lost connection is tried again.
const RECONNECT_DELAY: Duration = Duration::from_millis(250);

/// A connection that was silent for this long may have been cut without a word, and is opened anew.
const LISTEN_TIMEOUT: Duration = Duration::from_secs(60);

/// Tells and hears.
#[derive(Debug)]
pub(super) struct Notifier {
    outbox: Arc<Outbox>,
    heard: broadcast::Sender<Notification>,
    channel: String,
    node: Uuid,
    /// Ended when this is dropped.
    _tasks: JoinSet<()>,
}

/// What others have yet to be told.
#[derive(Debug, Default)]
struct Outbox {
    pending: Mutex<Pending>,
    some: Notify,
}

#[derive(Debug, Default, PartialEq)]
struct Pending {
    waiting: bool,
    commands: BTreeSet<RunId>,
    grown: BTreeSet<RunId>,
}

impl Notifier {
    /// Starts both tasks. Each schema has a channel of its own.
    pub(super) async fn start(server: &Server, schema: &str, node: Uuid) -> sqlx::Result<Notifier> {
        let (outbox, heard) = (Arc::new(Outbox::default()), broadcast::Sender::new(NOTIFICATION_BUFFER));
        let channel = channel(schema);
        // Not waiting for the disk shortens the time for which the lock is held, and there is nothing to
        // lose.
        let reconnecting = Reconnecting::new(server.options.clone().options([("synchronous_commit", "off")]));
        let listening =
            ListenTask { server: server.clone(), channel: channel.clone(), node, heard: heard.clone() };
        let listener = listening.open().await?;
        let mut tasks = JoinSet::new();
        tasks.spawn(notify_others(outbox.clone(), reconnecting, channel.clone(), node));
        tasks.spawn(listening.listen(listener));
        Ok(Notifier { outbox, heard, channel, node, _tasks: tasks })
    }

    pub(super) fn notify(&self, notification: Notification) {
        // There may be no receiver.
        let _ = self.heard.send(notification);
        {
            let mut pending = self.outbox.pending();
            match notification {
                Notification::RunQueued => pending.waiting = true,
                Notification::CommandPosted(run) => drop(pending.commands.insert(run)),
                Notification::LogGrew(run) => drop(pending.grown.insert(run)),
            }
        }
        self.outbox.some.notify_one();
    }

    pub(super) fn notifications(&self) -> broadcast::Receiver<Notification> {
        self.heard.subscribe()
    }

    /// Where and how to say at once that runs wait: for a node that leaves.
    pub(super) fn shutdown_payload(&self) -> (&str, Vec<String>) {
        (&self.channel, Pending { waiting: true, ..Pending::default() }.payloads(self.node))
    }
}

impl Outbox {
    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pending {
    /// Payloads: the node's id, then `w`, `c<run>` and `g<run>`, split to fit the limit.
    fn payloads(&self, node: Uuid) -> Vec<String> {
        let waiting = self.waiting.then(|| "w".to_owned());
        let commands = self.commands.iter().map(|run| format!("c{}", run.0.simple()));
        let grown = self.grown.iter().map(|run| format!("g{}", run.0.simple()));
        let mut payloads: Vec<String> = Vec::new();
        for word in waiting.into_iter().chain(commands).chain(grown) {
            match payloads.last_mut() {
                Some(payload) if payload.len() + 1 + word.len() <= MOST_BYTES => {
                    payload.push(' ');
                    payload.push_str(&word);
                }
                _ => payloads.push(format!("{} {word}", node.simple())),
            }
        }
        payloads
    }
}

/// What a payload tells, and who. What is not understood, a newer version may have said.
fn read(payload: &str) -> Option<(Uuid, impl Iterator<Item = Notification>)> {
    let (node, words) = payload.split_once(' ')?;
    let notifications = words.split(' ').filter_map(|word| match (word.get(..1)?, word.get(1..)?) {
        ("w", "") => Some(Notification::RunQueued),
        ("c", run) => Uuid::try_parse(run).ok().map(|run| Notification::CommandPosted(RunId(run))),
        ("g", run) => Uuid::try_parse(run).ok().map(|run| Notification::LogGrew(RunId(run))),
        _ => None,
    });
    Some((Uuid::try_parse(node).ok()?, notifications))
}

/// Names of channels have at most 63 bytes, and names of schemas as many.
fn channel(schema: &str) -> String {
    let mut channel = format!("enact {schema}");
    channel.truncate(channel.floor_char_boundary(63));
    channel
}

async fn notify_others(outbox: Arc<Outbox>, mut reconnecting: Reconnecting, channel: String, node: Uuid) {
    loop {
        outbox.some.notified().await;
        let pending = std::mem::take(&mut *outbox.pending());
        let payloads = pending.payloads(node);
        if !payloads.is_empty() {
            // What could not be told will be found: others look for themselves now and then.
            let _ = with_timeout(NOTIFY_TIMEOUT, notify(&mut reconnecting, &channel, &payloads)).await;
            tokio::time::sleep(NOTIFY_INTERVAL).await;
        }
    }
}

async fn notify(reconnecting: &mut Reconnecting, channel: &str, payloads: &[String]) -> sqlx::Result<()> {
    let mut connection = reconnecting.take().await?;
    sqlx::query(NOTIFY).bind(channel).bind(payloads).execute(&mut connection).await?;
    reconnecting.requeue(connection);
    Ok(())
}

/// Takes the channel and an array of what is to be said.
pub(super) const NOTIFY: &str = "SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload";

/// The task that hears.
struct ListenTask {
    server: Server,
    channel: String,
    node: Uuid,
    heard: broadcast::Sender<Notification>,
}

impl ListenTask {
    /// On a connection from a pool of its own. A listener that is dropped says so to the server and waits for
    /// the answer, which never comes on a connection that was cut off; for as long, its place in the pool is
    /// lost.
    async fn open(&self) -> sqlx::Result<PgListener> {
        let opened = async {
            let mut listener = PgListener::connect_with(&self.server.pool(1)).await?;
            listener.eager_reconnect(false);
            listener.listen(&self.channel).await?;
            Ok(listener)
        };
        with_timeout(LISTEN_TIMEOUT, opened).await
    }

    /// However a connection ends, another is tried.
    async fn listen(self, mut listener: PgListener) {
        loop {
            self.read_notifications(&mut listener).await;
            listener = loop {
                match self.open().await {
                    Ok(listener) => break listener,
                    Err(_) => tokio::time::sleep(RECONNECT_DELAY).await,
                }
            };
            // Notifications may have been missed meanwhile.
            let _ = self.heard.send(Notification::RunQueued);
        }
    }

    /// Returns when the connection is lost, or may be.
    async fn read_notifications(&self, listener: &mut PgListener) {
        while let Ok(Some(told)) = with_timeout(LISTEN_TIMEOUT, listener.try_recv()).await {
            let Some((from, notifications)) = read(told.payload()) else { continue };
            if from != self.node {
                for notification in notifications {
                    let _ = self.heard.send(notification);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_told_is_heard_in_pieces_that_fit(
            waiting: bool,
            commands in prop::collection::btree_set(any::<u128>(), 0..400),
            grown in prop::collection::btree_set(any::<u128>(), 0..400),
        ) {
            let runs = |ids: BTreeSet<u128>| ids.into_iter().map(|id| RunId(Uuid::from_u128(id))).collect();
            let told = Pending { waiting, commands: runs(commands), grown: runs(grown) };
            let node = Uuid::from_u128(7);
            let mut heard = Pending::default();
            for payload in told.payloads(node) {
                prop_assert!(payload.len() < 8_000);
                let (from, notifications) = read(&payload).unwrap();
                prop_assert_eq!(from, node);
                for notification in notifications {
                    match notification {
                        Notification::RunQueued => heard.waiting = true,
                        Notification::CommandPosted(run) => prop_assert!(heard.commands.insert(run)),
                        Notification::LogGrew(run) => prop_assert!(heard.grown.insert(run)),
                    }
                }
            }
            prop_assert_eq!(heard, told);
        }

        #[test]
        fn whatever_is_heard_is_no_reason_to_panic(payload in ".*") {
            if let Some((_, notifications)) = read(&payload) {
                let _ = notifications.count();
            }
        }
    }

    #[test]
    fn what_a_newer_version_says_is_passed_over() {
        let node = Uuid::from_u128(7);
        let payload = format!("{} x w é c123 wz", node.simple());
        let (from, notifications) = read(&payload).unwrap();
        assert_eq!((from, notifications.collect::<Vec<_>>()), (node, vec![Notification::RunQueued]));
    }
}
