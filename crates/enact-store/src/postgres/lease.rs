//! Leases: one row for each node, alive as long as it is renewed.
//!
//! A lease runs by the clock of the database, so that nodes need not agree on the time. What a lease decides
//! is only when others may take runs over; writes to a run that was taken over are refused by its epoch.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use enact_engine::clock::unique_id;
use sqlx::PgConnection;
use tokio::{sync::watch, task::JoinHandle};
use uuid::Uuid;

use super::reconnect::{Reconnecting, with_timeout};

/// How long before a renewal that failed is tried again.
const RETRY_DELAY: Duration = Duration::from_millis(200);

/// How long a dead node's row is kept. It is not needed once its runs are taken over, but runs that are in no
/// queue name it until they are resumed.
const DEAD_NODE_RETENTION_SECS: f64 = 3600.0;

/// A node's right to play, for as long as it is renewed.
#[derive(Debug)]
pub(super) struct Lease {
    pub(super) node: Uuid,
    pub(super) lasts: Duration,
    /// When the last renewal that succeeded was asked for.
    renewed: Mutex<Instant>,
}

impl Lease {
    /// Makes a new node known.
    pub(super) async fn enter(reconnecting: &mut Reconnecting, lasts: Duration) -> sqlx::Result<Arc<Lease>> {
        let lease = Lease { node: unique_id(), lasts, renewed: Mutex::new(Instant::now()) };
        let mut connection = reconnecting.take().await?;
        // Deleting a node's row frees its runs (ON DELETE SET NULL).
        sqlx::query("DELETE FROM nodes WHERE expires_at < clock_timestamp() - make_interval(secs => $1)")
            .bind(DEAD_NODE_RETENTION_SECS)
            .execute(&mut connection)
            .await?;
        lease.renew(&mut connection).await?;
        reconnecting.requeue(connection);
        Ok(Arc::new(lease))
    }

    /// Renews the lease if it may have expired: a node that slept for long must not claim what others would
    /// take over at once.
    pub(super) async fn ensure(&self, connection: &mut PgConnection) -> sqlx::Result<()> {
        if self.renewed().elapsed() < self.lasts {
            return Ok(());
        }
        self.renew(connection).await
    }

    /// Writes something that changes nothing.
    pub(super) async fn touch(&self, connection: &mut PgConnection) -> sqlx::Result<()> {
        let touch = sqlx::query("UPDATE nodes SET expires_at = expires_at WHERE id = $1");
        touch.bind(self.node).execute(connection).await.map(drop)
    }

    async fn renew(&self, connection: &mut PgConnection) -> sqlx::Result<()> {
        let asked = Instant::now();
        // The row may be gone, if the node was taken for dead for very long.
        sqlx::query(
            "INSERT INTO nodes (id, expires_at) VALUES ($1, clock_timestamp() + make_interval(secs => $2))
             ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at",
        )
        .bind(self.node)
        .bind(self.lasts.as_secs_f64())
        .execute(connection)
        .await?;
        *self.renewed.lock().unwrap_or_else(PoisonError::into_inner) = asked;
        Ok(())
    }

    fn renewed(&self) -> Instant {
        *self.renewed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The task that renews a lease. It has a connection of its own: renewals must not wait behind a thousand
/// readers.
#[derive(Debug)]
pub(super) struct Heartbeat {
    /// Ends the task when it is dropped.
    stop_sender: watch::Sender<()>,
    task: JoinHandle<()>,
}

impl Heartbeat {
    pub(super) fn start(lease: Arc<Lease>, reconnecting: Reconnecting, every: Duration) -> Heartbeat {
        let (stop_sender, stopped) = watch::channel(());
        Heartbeat {
            stop_sender,
            task: tokio::spawn(renew_until_stopped(lease, reconnecting, every, stopped)),
        }
    }

    /// Returns once nothing more is renewed.
    pub(super) async fn stop(self) {
        drop(self.stop_sender);
        // One that panicked has stopped too.
        let _ = self.task.await;
    }
}

async fn renew_until_stopped(
    lease: Arc<Lease>,
    mut reconnecting: Reconnecting,
    every: Duration,
    mut stopped: watch::Receiver<()>,
) {
    let mut pause = every;
    loop {
        tokio::select! {
            _ = stopped.changed() => return,
            () = tokio::time::sleep(pause) => {}
        }
        // A failed renewal is not logged: the next append tells whether runs were taken over.
        let renewed = with_timeout(every, renew(&lease, &mut reconnecting)).await;
        pause = if renewed.is_ok() { every } else { RETRY_DELAY.min(every) };
    }
}

async fn renew(lease: &Lease, reconnecting: &mut Reconnecting) -> sqlx::Result<()> {
    let mut connection = reconnecting.take().await?;
    lease.renew(&mut connection).await?;
    reconnecting.requeue(connection);
    Ok(())
}
