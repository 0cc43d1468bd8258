//! A connection that is opened again after it was lost.

use std::{io, time::Duration};

use sqlx::{ConnectOptions, PgConnection, PgPool, postgres::PgConnectOptions};

/// How long opening a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// SQLSTATE classes of errors that may pass: connection lost, transaction conflict, server restarting or
/// still a standby, too many connections.
const TRANSIENT_SQLSTATES: [&str; 5] = ["08", "40", "57P", "25006", TOO_MANY_CONNECTIONS];

/// The server, the database or the role has as many connections as it may.
const TOO_MANY_CONNECTIONS: &str = "53300";

/// One connection of one task.
///
/// A user takes it out and puts it back only after success. So one that failed, or whose use was given up
/// half way, is closed, and the next use opens another.
pub(super) struct Reconnecting {
    options: PgConnectOptions,
    connection: Option<PgConnection>,
    /// Gives up a connection where no other can be opened.
    spare: Option<PgPool>,
}

impl Reconnecting {
    pub(super) fn new(options: PgConnectOptions) -> Reconnecting {
        Reconnecting { options, connection: None, spare: None }
    }

    /// Comes before those that only read: where the server allows too few connections for all, it takes one
    /// from their pool. Otherwise a node could claim runs and write nothing.
    pub(super) fn before(self, readers: &PgPool) -> Reconnecting {
        Reconnecting { spare: Some(readers.clone()), ..self }
    }

    /// Opens it now.
    pub(super) async fn open(mut self) -> sqlx::Result<Reconnecting> {
        let connection = self.take().await?;
        self.requeue(connection);
        Ok(self)
    }

    pub(super) async fn take(&mut self) -> sqlx::Result<PgConnection> {
        match self.connection.take() {
            Some(connection) => Ok(connection),
            None => match with_timeout(CONNECT_TIMEOUT, self.options.connect()).await {
                Err(e) if has_code(&e, TOO_MANY_CONNECTIONS) => self.take_spare().ok_or(e),
                opened => opened,
            },
        }
    }

    fn take_spare(&self) -> Option<PgConnection> {
        self.spare.as_ref()?.try_acquire().map(|idle| idle.detach())
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

fn has_code(error: &sqlx::Error, class: &str) -> bool {
    let code = error.as_database_error().and_then(|e| e.code());
    code.is_some_and(|code| code.starts_with(class))
}

/// Whether the same query may succeed a moment later.
pub(super) fn is_transient(error: &sqlx::Error) -> bool {
    match error.as_database_error() {
        Some(_) => TRANSIENT_SQLSTATES.iter().any(|class| has_code(error, class)),
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
