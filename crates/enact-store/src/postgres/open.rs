//! Opening a database: its address, connections, migrations.

use std::time::Duration;

use sqlx::{
    ConnectOptions, Connection, PgConnection, PgPool,
    migrate::MigrateError,
    postgres::{PgConnectOptions, PgPoolOptions},
};

use super::reconnect::{self, Reconnecting, with_timeout};
use crate::migrations;

/// How long a request waits for a connection. What takes longer is a server that is down or overloaded, and
/// the caller should hear that.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);

/// How long opening may take: other nodes may be bringing the database up to date.
const OPEN_TIMEOUT: Duration = Duration::from_secs(60);

/// Encodings that keep every text as it is. Others refuse characters they lack, in the middle of a scene.
const ENCODINGS: [&str; 2] = ["UTF8", "SQL_ASCII"];

/// Why a database could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the address of the database is not one: {0} (expected postgres://user@host:5432/database)")]
    Address(String),
    #[error("the database {server} cannot be used: {reason}")]
    Database { server: String, reason: String },
    #[error(
        "the database {server} is kept in the encoding {encoding}, which lacks characters; create it with ENCODING 'UTF8'"
    )]
    Encoding { server: String, encoding: String },
    #[error(
        "the database {server} was written by a newer enact (its format is {found}, this one knows {known})"
    )]
    Newer { server: String, found: i64, known: i64 },
}

/// Where a database is. Shows neither its user nor its password.
#[derive(Clone)]
pub(super) struct Server {
    pub(super) options: PgConnectOptions,
    pub(super) shown: String,
}

impl Server {
    pub(super) fn at(url: &str) -> Result<Server, Error> {
        if !["postgres://", "postgresql://"].iter().any(|scheme| url.starts_with(scheme)) {
            return Err(Error::Address("it does not begin with postgres://".to_owned()));
        }
        let mut options: PgConnectOptions = url.parse().map_err(|e: sqlx::Error| match e {
            sqlx::Error::Configuration(e) => Error::Address(e.to_string()),
            other => Error::Address(other.to_string()),
        })?;
        if options.get_application_name().is_none() {
            // What `pg_stat_activity` shows.
            options = options.application_name("enact");
        }
        let place = match options.get_socket() {
            Some(folder) => folder.display().to_string(),
            None => format!("{}:{}", options.get_host(), options.get_port()),
        };
        let database = options.get_database().unwrap_or(options.get_username());
        Ok(Server { shown: format!("{place}/{database}"), options })
    }

    /// Brings the database up to date and says in which schema its tables are.
    pub(super) async fn prepare(&self) -> Result<String, Error> {
        let opened = with_timeout(OPEN_TIMEOUT, async { Ok(self.look_and_migrate().await) }).await;
        opened.map_err(|e| self.unusable(&e))?
    }

    async fn look_and_migrate(&self) -> Result<String, Error> {
        let mut connection = self.options.connect().await.map_err(|e| self.unusable(&e))?;
        let (encoding, schema) = look(&mut connection).await.map_err(|e| self.unusable(&e))?;
        if !ENCODINGS.contains(&&*encoding) {
            return Err(Error::Encoding { server: self.shown.clone(), encoding });
        }
        let schema = schema.ok_or_else(|| Error::Database {
            server: self.shown.clone(),
            reason: "no schema on its search_path exists".to_owned(),
        })?;
        let known = migrations::POSTGRES.iter().map(|m| m.version).max().unwrap_or(0);
        let found = version(&mut connection).await.map_err(|e| self.unusable(&e))?;
        if found > known {
            return Err(Error::Newer { server: self.shown.clone(), found, known });
        }
        if found < known {
            // Takes an advisory lock, so that of many nodes which start at once one migrates and the others
            // wait.
            migrations::POSTGRES.run_direct(None, &mut connection, false).await.map_err(|e| match e {
                MigrateError::VersionMissing(found) => {
                    Error::Newer { server: self.shown.clone(), found, known }
                }
                MigrateError::Execute(e) | MigrateError::ExecuteMigration(e, _) => self.unusable(&e),
                other => Error::Database { server: self.shown.clone(), reason: other.to_string() },
            })?;
        }
        // Its place may be the only one that is left.
        connection.close().await.map_err(|e| self.unusable(&e))?;
        Ok(schema)
    }

    /// Connections for everything that has no connection of its own, opened when they are first needed.
    pub(super) fn pool(&self, connections: u32) -> PgPool {
        PgPoolOptions::new()
            .max_connections(connections)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .connect_lazy_with(self.options.clone())
    }

    /// A connection of a task of its own, opened when it is first needed.
    pub(super) fn reconnecting(&self) -> Reconnecting {
        Reconnecting::new(self.options.clone())
    }

    pub(super) fn unusable(&self, error: &sqlx::Error) -> Error {
        Error::Database { server: self.shown.clone(), reason: reconnect::reason(error) }
    }
}

async fn look(connection: &mut PgConnection) -> sqlx::Result<(String, Option<String>)> {
    sqlx::query_as("SELECT current_setting('server_encoding'), current_schema()::text")
        .fetch_one(connection)
        .await
}

/// The newest migration that was applied; 0 for an empty database.
async fn version(connection: &mut PgConnection) -> sqlx::Result<i64> {
    // Another schema on the search path may belong to another enact.
    let migrated = sqlx::query_scalar::<_, bool>(
        "SELECT to_regclass(quote_ident(current_schema()) || '._sqlx_migrations') IS NOT NULL",
    );
    if !migrated.fetch_one(&mut *connection).await? {
        return Ok(0);
    }
    let newest = sqlx::query_scalar::<_, i64>("SELECT coalesce(max(version), 0) FROM _sqlx_migrations");
    newest.fetch_one(connection).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_of_an_address_is_no_secret() {
        for (url, shown) in [
            ("postgres://ann:hunter2@db.example:6432/plays", "db.example:6432/plays"),
            ("postgresql://ann:hunter2@db.example/plays?sslmode=require", "db.example:5432/plays"),
            ("postgres://ann:hunter2@%2Frun%2Fpostgresql/plays", "/run/postgresql/plays"),
        ] {
            let server = Server::at(url).unwrap();
            assert_eq!(server.shown, shown);
            let error = server.unusable(&sqlx::Error::PoolTimedOut);
            assert!(!format!("{error} {error:?}").contains("hunter2"));
        }
    }

    #[test]
    fn what_is_no_address_is_said_without_it() {
        for url in
            ["ann:hunter2@db.example/plays", "mysql://ann:hunter2@db/plays", "postgres://ann:hunter2@:x/"]
        {
            let error = Server::at(url).err().unwrap();
            assert!(matches!(error, Error::Address(_)), "{error:?}");
            assert!(!format!("{error} {error:?}").contains("hunter2"), "{error}");
        }
    }
}
