//! Opening a data folder: files, connections, migrations.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use enact_engine::private_files;
use sqlx::{
    ConnectOptions, Executor, SqliteConnection, SqlitePool,
    migrate::MigrateError,
    sqlite::{SqliteConnectOptions, SqlitePoolOptions},
};

use enact_engine::log;

use super::{
    file_id::FileId,
    process_lock::{self, ProcessLock},
    writer::WriterConnection,
};
use crate::migrations;

/// How long a statement waits for another process that writes. A group of appends takes milliseconds, so a
/// statement that waits this long waits for something that hangs.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Reads are short and rarely many at once; connections beyond these would only hold memory and descriptors.
const READERS: u32 = 4;

/// What each of them keeps of the file, as SQLite wants it: KiB, negative. A log is read once, and the system has
/// its pages; with SQLite's own 2 MB, four readers held as much as a hundred scenes.
const READER_CACHE: &str = "-256";

/// How many rows a connection's thread reads ahead. With a smaller buffer it and the reader wait for each
/// other over and over, which takes longer than reading a log of some hundred records.
const ROW_BUFFER: usize = 1024;

/// How many pages the write-ahead log has when the writer copies it itself: 64 MiB. It seldom comes to that,
/// because [`wal`](super::wal) copies it before. Not larger, because all of it is read when a folder is
/// opened after a kill.
const CHECKPOINT_PAGES: &str = "16384";

/// What appended records survive. Either way they survive the death of the process at any instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// The last moments may be missing after a power loss, but the log is never torn (`synchronous =
    /// NORMAL`).
    #[default]
    Process,
    /// Every append is on the disk before it returns (`synchronous = FULL`).
    Power,
}

impl Durability {
    fn pragma(self) -> &'static str {
        match self {
            Durability::Process => "PRAGMA synchronous = NORMAL",
            Durability::Power => "PRAGMA synchronous = FULL",
        }
    }
}

/// Why a data folder could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("there are no runs in '{}': nothing has been played there yet", .0.display())]
    Missing(PathBuf),
    #[error("the data folder '{}' cannot be used: {source}", folder.display())]
    Folder { folder: PathBuf, source: io::Error },
    #[error("the log '{}' cannot be opened: {reason}", db.display())]
    Database { db: PathBuf, reason: String },
    #[error(
        "the log '{}' was written by a newer enact (its format is {found}, this one knows {known})",
        db.display()
    )]
    Newer { db: PathBuf, found: i64, known: i64 },
}

/// Where the parts of a data folder are.
#[derive(Debug, Clone)]
pub(super) struct Folder {
    root: PathBuf,
    pub(super) db: PathBuf,
    pub(super) owners: PathBuf,
}

impl Folder {
    pub(super) fn at(root: &Path) -> Folder {
        Folder { root: root.to_owned(), db: root.join("enact.db"), owners: root.join("owners") }
    }

    /// Connections that only read, opened when they are first needed.
    pub(super) fn readers(&self) -> SqlitePool {
        SqlitePoolOptions::new()
            .max_connections(READERS)
            // A local file does not hang up, so there is nothing to ask before each use.
            .test_before_acquire(false)
            .connect_lazy_with(self.options().pragma("query_only", "ON").pragma("cache_size", READER_CACHE))
    }

    /// The connection that writes and the owner it writes for, in a folder brought up to date.
    pub(super) async fn writer(&self, durability: Durability) -> Result<WriterConnection, Error> {
        // Held while opening: two processes that turn a new file into a WAL database at once would fail each
        // other with "database is locked", whatever the busy timeout.
        let _opening = self.opening_lock().await.map_err(|e| self.unusable(e))?;
        self.make_private().map_err(|e| self.unusable(e))?;
        let options = self.writing().create_if_missing(true);
        let mut connection = options.connect().await.map_err(|e| self.unreadable(e))?;
        match self.schema_state(version(&mut connection).await)? {
            SchemaState::Current => {}
            SchemaState::Outdated => migrate(&mut connection).await.map_err(|e| self.unreadable(e))?,
            SchemaState::Empty => make(&mut connection, durability).await.map_err(|e| self.unreadable(e))?,
        }
        connection.execute(durability.pragma()).await.map_err(|e| self.unreadable(e))?;
        process_lock::remove_stale(&self.owners).map_err(|e| self.unusable(e))?;
        let owner = ProcessLock::acquire(&self.owners).map_err(|e| self.unusable(e))?;
        let file = FileId::of(&self.db).map_err(|e| self.unusable(e))?;
        Ok(WriterConnection { connection, file, owner })
    }

    /// Another connection that writes, to a database that is there and was brought up to date before.
    pub(super) async fn reopen(&self, durability: Durability) -> sqlx::Result<SqliteConnection> {
        let mut connection = self.writing().connect().await?;
        connection.execute(durability.pragma()).await?;
        Ok(connection)
    }

    /// Which file the database is now.
    pub(super) fn file(&self) -> Result<FileId, log::Error> {
        FileId::of(&self.db).map_err(|e| log::Error::Storage(e.to_string()))
    }

    /// A connection of its own that reads what is there, for something long.
    pub(super) async fn reader(&self) -> sqlx::Result<SqliteConnection> {
        self.options().connect().await
    }

    /// A connection that copies the write-ahead log.
    pub(super) async fn copier(&self) -> sqlx::Result<SqliteConnection> {
        self.options().pragma("wal_autocheckpoint", "0").connect().await
    }

    /// Whether the database has the shape this version reads, asked through a connection that only reads.
    pub(super) async fn check(&self, readers: &SqlitePool) -> Result<SchemaState, Error> {
        let mut connection = readers.acquire().await.map_err(|e| self.unreadable(e))?;
        self.schema_state(version(&mut connection).await)
    }

    fn schema_state(&self, version: sqlx::Result<i64>) -> Result<SchemaState, Error> {
        let found = version.map_err(|e| self.unreadable(e))?;
        let known = migrations::SQLITE.iter().map(|m| m.version).max().unwrap_or(0);
        match found {
            0 => Ok(SchemaState::Empty),
            _ if found < known => Ok(SchemaState::Outdated),
            _ if found == known => Ok(SchemaState::Current),
            _ => Err(Error::Newer { db: self.db.clone(), found, known }),
        }
    }

    fn options(&self) -> SqliteConnectOptions {
        let options = SqliteConnectOptions::new().filename(&self.db).busy_timeout(BUSY_TIMEOUT);
        options.row_buffer_size(ROW_BUFFER)
    }

    /// Makes the database its owner's alone, whether it is there or not. What SQLite puts beside it gets the
    /// rights of the database.
    fn make_private(&self) -> io::Result<()> {
        if !self.db.exists() {
            private_files::create_file(&self.db)?;
        }
        files_of(&self.db).iter().for_each(|file| private_files::restrict_file(file));
        Ok(())
    }

    fn writing(&self) -> SqliteConnectOptions {
        self.options().pragma("wal_autocheckpoint", CHECKPOINT_PAGES)
    }

    async fn opening_lock(&self) -> io::Result<File> {
        let owners = self.owners.clone();
        let locked = tokio::task::spawn_blocking(move || {
            private_files::create_dir_all(&owners)?;
            let file = File::create(owners.join("opening"))?;
            file.lock()?;
            Ok(file)
        });
        locked.await.unwrap_or_else(|e| Err(io::Error::other(e)))
    }

    fn unusable(&self, source: io::Error) -> Error {
        Error::Folder { folder: self.root.clone(), source }
    }

    fn unreadable(&self, error: sqlx::Error) -> Error {
        Error::Database { db: self.db.clone(), reason: reason(&error) }
    }
}

/// A database and what SQLite puts beside it while it is open.
pub(super) fn files_of(db: &Path) -> [PathBuf; 4] {
    ["", "-wal", "-shm", "-journal"].map(|end| {
        let mut name = db.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    })
}

/// How a database's format compares to the one this version writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SchemaState {
    Empty,
    Outdated,
    Current,
}

/// What SQLite says, without the library's words around it.
pub(super) fn reason(error: &sqlx::Error) -> String {
    error.as_database_error().map_or_else(|| error.to_string(), |e| e.message().to_owned())
}

/// Makes an empty database into a log. WAL mode stays with the file, so it is set only here.
async fn make(connection: &mut SqliteConnection, durability: Durability) -> sqlx::Result<()> {
    if durability == Durability::Process {
        // Waiting for the disk several times would be most of what a first run takes to start, and there is
        // nothing yet to lose.
        connection.execute("PRAGMA synchronous = OFF").await?;
    }
    connection.execute("PRAGMA journal_mode = WAL").await?;
    migrate(connection).await?;
    Ok(())
}

async fn migrate(connection: &mut SqliteConnection) -> sqlx::Result<()> {
    migrations::SQLITE.run_direct(None, connection, false).await.map_err(|e| match e {
        MigrateError::Execute(e) | MigrateError::ExecuteMigration(e, _) => e,
        other => sqlx::Error::Migrate(Box::new(other)),
    })
}

/// The newest migration that was applied; 0 for an empty database.
///
/// Asked before the migrator runs, because that one writes even when there is nothing to do, and a process
/// that only wants to look would have to wait for one that plays.
async fn version(connection: &mut SqliteConnection) -> sqlx::Result<i64> {
    let migrated = sqlx::query_scalar::<_, bool>(
        "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = '_sqlx_migrations')",
    );
    if !migrated.fetch_one(&mut *connection).await? {
        return Ok(0);
    }
    let newest = sqlx::query_scalar::<_, i64>("SELECT coalesce(max(version), 0) FROM _sqlx_migrations");
    newest.fetch_one(connection).await
}
