//! Connections for everything that has no connection of its own, each lent for one question that is answered
//! in time.

use std::time::Duration;

use enact_engine::log;
use sqlx::{PgConnection, PgPool, Postgres, pool::PoolConnection};

use super::{reconnect::with_timeout, storage};

/// The connections that queries share.
pub(super) struct Pool {
    connections: PgPool,
    /// How long an answer is waited for.
    timeout: Duration,
}

impl Pool {
    pub(super) fn new(connections: PgPool, timeout: Duration) -> Pool {
        Pool { connections, timeout }
    }

    /// Runs a query with a timeout: a host that is cut off never says so.
    pub(super) async fn ask<T>(
        &self,
        question: impl AsyncFnOnce(&mut PgConnection) -> Result<T, log::Error>,
    ) -> Result<T, log::Error> {
        let asked = async {
            let mut pooled = PooledConnection(Some(self.connections.acquire().await?));
            let Some(connection) = &mut pooled.0 else { return Err(sqlx::Error::PoolClosed) };
            let answer = question(connection).await;
            pooled.give_back(self.timeout);
            Ok(answer)
        };
        with_timeout(self.timeout, asked).await.map_err(|e| storage(&e))?
    }

    pub(super) async fn close(&self) {
        self.connections.close().await;
    }
}

/// A connection that goes back once the question was answered, and otherwise is closed. The pool asks a
/// connection whether it is well before it takes it back, and waits for that without a deadline; for as long,
/// its place would be lost.
struct PooledConnection(Option<PoolConnection<Postgres>>);

impl PooledConnection {
    fn give_back(mut self, timeout: Duration) {
        if let Some(mut answered) = self.0.take() {
            // One that falls silent just now is closed after all.
            tokio::spawn(tokio::time::timeout(timeout, answered.return_to_pool()));
        }
    }
}

impl Drop for PooledConnection {
    fn drop(&mut self) {
        if let Some(unanswered) = self.0.take() {
            drop(unanswered.detach());
        }
    }
}
