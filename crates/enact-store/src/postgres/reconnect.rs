//! A connection that is opened again after it was lost.

use std::{io, time::Duration};

use sqlx::{ConnectOptions, PgConnection, postgres::PgConnectOptions};

/// How long opening a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// SQLSTATE classes of errors that may pass: connection lost, transaction conflict, server restarting or
/// still a standby, too many connections.
const TRANSIENT_SQLSTATES: [&str; 5] = ["08", "40", "57P", "25006", "53300"];

/// One connection of one task.
///
/// A user takes it out and puts it back only after success. So one that failed, or whose use was given up
/// half way, is closed, and the next use opens another.
pub(super) struct Reconnecting {
    options: PgConnectOptions,
    connection: Option<PgConnection>,
}

impl Reconnecting {
    pub(super) fn new(options: PgConnectOptions) -> Reconnecting {
        Reconnecting { options, connection: None }
    }

    pub(super) async fn take(&mut self) -> sqlx::Result<PgConnection> {
        match self.connection.take() {
            Some(connection) => Ok(connection),
            None => with_timeout(CONNECT_TIMEOUT, self.options.connect()).await,
        }
    }

    pub(super) fn requeue(&mut self, connection: PgConnection) {
        self.connection = Some(connection);
    }
}

/// A server that is cut off never says so.
pub(super) async fn with_timeout<T>(
    time: Duration,
    work: impl Future<Output = sqlx::Result<T>>,
) -> sqlx::Result<T> {
    let late =
        |_| sqlx::Error::Io(io::Error::new(io::ErrorKind::TimedOut, "the server does not answer (timeout)"));
    tokio::time::timeout(time, work).await.map_err(late)?
}

/// Whether the same query may succeed a moment later.
pub(super) fn is_transient(error: &sqlx::Error) -> bool {
    match error.as_database_error() {
        Some(e) => {
            e.code().is_some_and(|code| TRANSIENT_SQLSTATES.iter().any(|class| code.starts_with(class)))
        }
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
