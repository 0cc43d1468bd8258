//! A connection that is opened again once it is lost.

use std::{io, time::Duration};

use sqlx::{ConnectOptions, PgConnection, postgres::PgConnectOptions};

/// How long opening a connection may take.
const CONNECTING: Duration = Duration::from_secs(5);

/// What Postgres says when the same thing may well succeed a moment later: connections lost, transactions that stood in each
/// other's way, servers that restart or are not yet the one that writes, and too many connections.
const PASSING: [&str; 5] = ["08", "40", "57P", "25006", "53300"];

/// One connection of one task.
///
/// Whoever uses it takes it out and puts it back after success only. So one that failed, or whose use was given up half
/// way, is closed, and the next use opens another.
pub(super) struct Wire {
    options: PgConnectOptions,
    connection: Option<PgConnection>,
}

impl Wire {
    pub(super) fn new(options: PgConnectOptions) -> Wire {
        Wire { options, connection: None }
    }

    pub(super) async fn take(&mut self) -> sqlx::Result<PgConnection> {
        match self.connection.take() {
            Some(connection) => Ok(connection),
            None => within(CONNECTING, self.options.connect()).await,
        }
    }

    pub(super) fn put_back(&mut self, connection: PgConnection) {
        self.connection = Some(connection);
    }
}

/// Gives up after a time, because a server that is cut off never says so.
pub(super) async fn within<T>(
    time: Duration,
    work: impl Future<Output = sqlx::Result<T>>,
) -> sqlx::Result<T> {
    let late = |_| sqlx::Error::Io(io::Error::new(io::ErrorKind::TimedOut, "it does not answer"));
    tokio::time::timeout(time, work).await.map_err(late)?
}

/// Whether an error says nothing against trying again.
pub(super) fn passes(error: &sqlx::Error) -> bool {
    match error.as_database_error() {
        Some(e) => e.code().is_some_and(|code| PASSING.iter().any(|class| code.starts_with(class))),
        None => matches!(error, sqlx::Error::Io(_) | sqlx::Error::Protocol(_) | sqlx::Error::Tls(_)),
    }
}

/// What Postgres says, without the library's words around it.
pub(super) fn reason(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Database(e) => e.message().to_owned(),
        sqlx::Error::Io(e) => e.to_string(),
        sqlx::Error::PoolTimedOut => "no connection is free, or the server does not answer".to_owned(),
        other => other.to_string(),
    }
}
