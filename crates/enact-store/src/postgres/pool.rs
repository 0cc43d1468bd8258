//! Connections for everything that has no connection of its own, each lent for one question that is answered in time.

use std::time::Duration;

use enact_engine::log;
use sqlx::{PgConnection, PgPool, Postgres, pool::PoolConnection};

use super::{storage, wire::within};

/// Whom to ask.
pub(super) struct Pool {
    connections: PgPool,
    /// How long an answer is waited for.
    patience: Duration,
}

impl Pool {
    pub(super) fn new(connections: PgPool, patience: Duration) -> Pool {
        Pool { connections, patience }
    }

    /// Asks something. A host that is cut off never says so, and nobody shall wait for it for ever.
    pub(super) async fn ask<T>(
        &self,
        question: impl AsyncFnOnce(&mut PgConnection) -> Result<T, log::Error>,
    ) -> Result<T, log::Error> {
        let asked = async {
            let mut loan = Loan(Some(self.connections.acquire().await?));
            let Some(connection) = &mut loan.0 else { return Err(sqlx::Error::PoolClosed) };
            let answer = question(connection).await;
            loan.give_back(self.patience);
            Ok(answer)
        };
        within(self.patience, asked).await.map_err(|e| storage(&e))?
    }

    pub(super) async fn close(&self) {
        self.connections.close().await;
    }
}

/// A connection that goes back once the question was answered, and otherwise is closed. The pool asks a connection whether it
/// is well before it takes it back, and waits for that without a deadline; for as long, its place would be lost.
struct Loan(Option<PoolConnection<Postgres>>);

impl Loan {
    fn give_back(mut self, patience: Duration) {
        if let Some(mut answered) = self.0.take() {
            // One that falls silent just now is closed after all.
            tokio::spawn(tokio::time::timeout(patience, answered.return_to_pool()));
        }
    }
}

impl Drop for Loan {
    fn drop(&mut self) {
        if let Some(unanswered) = self.0.take() {
            drop(unanswered.detach());
        }
    }
}
