//! Where runs are kept: in the data folder, or in a database that many nodes share.

use std::{
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
    sync::Arc,
    time::Duration,
};

use enact_drama::Problem;
use enact_engine::{Artifacts, Store, private_files};
use enact_store::SqliteStore;
#[cfg(feature = "postgres")]
use enact_store::{PostgresStore, postgres::Options};
use reqwest::Url;

use crate::args;

/// Names the database for all commands. Unlike a flag it is not shown to other users of the machine.
const VARIABLE: &str = "ENACT_DATABASE";

/// Heartbeats within one lease: some may be lost.
#[cfg(feature = "postgres")]
const HEARTBEATS: u32 = 4;

/// How long a store that is closed waits for tasks that still hold it. They were told to stop, so that it takes
/// them milliseconds.
const HANDLES_TIMEOUT: Duration = Duration::from_secs(2);
const HANDLES_POLL: Duration = Duration::from_millis(5);

/// Where runs are kept: a data folder, or a database.
#[derive(Debug, Clone)]
pub(crate) struct Location {
    /// Where runs leave their files, and their logs if no database does.
    pub(crate) data_dir: PathBuf,
    database: Option<DatabaseUrl>,
    /// The database was named by a flag, and not by the environment.
    by_flag: bool,
    /// The commands that play runs, for the hint where there are none yet.
    players: String,
}

/// A store that was opened.
#[derive(Debug, Clone)]
pub(crate) enum OpenStore {
    Sqlite(Arc<SqliteStore>),
    #[cfg(feature = "postgres")]
    Postgres(Arc<PostgresStore>),
}

/// The address of a Postgres database. It may hold a password, so that it is never shown whole.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct DatabaseUrl(Url);

impl Location {
    /// The location that flags name, or else the environment. The flag is read here and not with the other
    /// flags, which are repeated in the message when they are wrong.
    pub(crate) fn new(data_dir: PathBuf, database: Option<String>) -> Result<Location, Problem> {
        let by_flag = database.is_some();
        let flag = database.map(|url| ("--database", url));
        let said = flag.or_else(|| Some((VARIABLE, std::env::var(VARIABLE).ok()?)));
        let said = said.filter(|(_, url)| !url.trim().is_empty());
        let database = said.map(|(from, url)| {
            url.trim().parse().map_err(|why: String| Problem::config(format!("{from}: {why}")))
        });
        Ok(Location { data_dir, database: database.transpose()?, by_flag, players: String::new() })
    }

    /// Names the commands that play runs: "`enact run` plays some".
    pub(crate) fn played_by(self, players: String) -> Location {
        Location { players, ..self }
    }

    /// Opens the store for playing; a data folder is made where there is none.
    pub(crate) async fn open(&self) -> anyhow::Result<OpenStore> {
        self.open_with_lease(None).await
    }

    /// Like [`open`](Location::open), for a node with a lease of its own length. Only databases that nodes
    /// share know leases: processes that share a folder see each other.
    pub(crate) async fn open_with_lease(&self, lease: Option<Duration>) -> anyhow::Result<OpenStore> {
        match &self.database {
            Some(url) => connect(url, lease).await,
            None => {
                let opened = SqliteStore::open(&self.data_dir).await;
                Ok(OpenStore::Sqlite(Arc::new(opened.map_err(|error| elsewhere(error.to_string()))?)))
            }
        }
    }

    /// The flag with which other commands find the same runs, with a space before it. A database is not
    /// repeated: its address may hold a password, and the environment names it to other commands too.
    pub(crate) fn flag(&self) -> String {
        match (&self.database, self.data_dir.to_str()) {
            (Some(_), _) if self.by_flag => " --database …".to_owned(),
            (Some(_), _) | (None, Some(args::DEFAULT_DATA_DIR)) => String::new(),
            (None, Some(plain)) if !plain.contains(char::is_whitespace) => format!(" --data-dir {plain}"),
            _ => format!(" --data-dir '{}'", self.data_dir.display()),
        }
    }

    /// Makes a folder below the data folder, for files that runs leave.
    pub(crate) fn make_folder(&self, name: &str) -> Result<(), Problem> {
        let made = private_files::create_dir_all(&self.data_dir.join(name));
        made.map_err(|error| unusable(&self.data_dir, &error))
    }

    /// The folder of audio files, unless a server has another.
    pub(crate) fn artifacts(&self) -> Artifacts {
        Artifacts::of_data_folder(&self.data_dir)
    }

    /// Whether runs are kept in a database, which other machines may share.
    pub(crate) fn is_shared(&self) -> bool {
        self.database.is_some()
    }

    /// Opens the store for reading; nothing if no run was ever played there.
    pub(crate) async fn open_if_exists(&self) -> anyhow::Result<Option<OpenStore>> {
        match &self.database {
            Some(url) => connect(url, None).await.map(Some),
            None => match SqliteStore::open_existing(&self.data_dir).await {
                Ok(log) => Ok(Some(OpenStore::Sqlite(Arc::new(log)))),
                Err(enact_store::Error::Missing(_)) => Ok(None),
                Err(error) => Err(error.into()),
            },
        }
    }

    /// Like [`open_if_exists`](Location::open_if_exists), but without any run it is an error.
    pub(crate) async fn open_existing(&self) -> anyhow::Result<OpenStore> {
        let nothing = || {
            Problem::config(format!("there are no runs in '{}'", self.data_dir.display()))
                .hint(format!("{}; --data-dir looks elsewhere", self.players))
        };
        Ok(self.open_if_exists().await?.ok_or_else(nothing)?)
    }
}

#[cfg(feature = "postgres")]
async fn connect(url: &DatabaseUrl, lease: Option<Duration>) -> anyhow::Result<OpenStore> {
    let mut options = Options::default();
    if let Some(lease) = lease {
        options = Options { lease, heartbeat: lease / HEARTBEATS, ..options };
    }
    let opened = PostgresStore::open_with(url.0.as_str(), options).await.map_err(|error| {
        Problem::config(error.to_string())
            .hint("is it running, and do name and password fit? --database or ENACT_DATABASE names it")
    })?;
    Ok(OpenStore::Postgres(Arc::new(opened)))
}

#[cfg(not(feature = "postgres"))]
async fn connect(url: &DatabaseUrl, _: Option<Duration>) -> anyhow::Result<OpenStore> {
    let problem = Problem::config(format!("{url} cannot be opened: this program was built without Postgres"));
    Err(problem.hint("build it with the feature `postgres`, or keep runs in a folder: --data-dir").into())
}

/// For people, without a password.
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.database {
            Some(url) => url.fmt(f),
            None => self.data_dir.join("enact.db").display().fmt(f),
        }
    }
}

impl OpenStore {
    pub(crate) fn store(&self) -> Arc<dyn Store> {
        match self {
            OpenStore::Sqlite(log) => log.clone(),
            #[cfg(feature = "postgres")]
            OpenStore::Postgres(log) => log.clone(),
        }
    }

    /// The store of a data folder; nothing if it is another database.
    pub(crate) fn into_sqlite(self) -> Option<Arc<SqliteStore>> {
        match self {
            OpenStore::Sqlite(log) => Some(log),
            #[cfg(feature = "postgres")]
            OpenStore::Postgres(_) => None,
        }
    }

    /// Closes the store: SQLite folds its WAL, a Postgres node gives up its lease. It stays open while
    /// another handle exists.
    pub(crate) async fn close(self) {
        match self {
            OpenStore::Sqlite(log) => {
                if let Some(log) = last_handle(log).await {
                    log.close().await;
                }
            }
            #[cfg(feature = "postgres")]
            OpenStore::Postgres(log) => {
                if let Some(log) = last_handle(log).await {
                    log.close().await;
                }
            }
        }
    }
}

/// The store itself, once no task holds it any more: tasks that were told to stop need a moment.
async fn last_handle<T>(mut log: Arc<T>) -> Option<T> {
    let waited_enough = tokio::time::Instant::now() + HANDLES_TIMEOUT;
    loop {
        log = match Arc::try_unwrap(log) {
            Ok(log) => return Some(log),
            Err(log) if tokio::time::Instant::now() < waited_enough => log,
            Err(log) => {
                let handles = Arc::strong_count(&log) - 1;
                tracing::warn!(handles, "the store was not closed: something still uses it");
                return None;
            }
        };
        tokio::time::sleep(HANDLES_POLL).await;
    }
}

impl FromStr for DatabaseUrl {
    type Err = String;

    /// The error does not repeat the address: it may hold a password.
    fn from_str(text: &str) -> Result<DatabaseUrl, String> {
        const EXPECTED: &str =
            "expected the address of a Postgres database, such as postgres://USER@HOST/NAME";
        let url = Url::parse(text).map_err(|_| EXPECTED.to_owned())?;
        match url.scheme() {
            "postgres" | "postgresql" => Ok(DatabaseUrl(url)),
            "sqlite" => Err(format!("{EXPECTED}; for SQLite name the folder: --data-dir")),
            _ => Err(EXPECTED.to_owned()),
        }
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "postgres://{}", self.0.host_str().unwrap_or_default())?;
        if let Some(port) = self.0.port() {
            write!(f, ":{port}")?;
        }
        f.write_str(self.0.path())
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DatabaseUrl({self})")
    }
}

/// Whether audio could be written: better known before the first recording than after every text.
pub(crate) fn check_artifacts(artifacts: &Artifacts) -> Result<(), Problem> {
    let folder = artifacts.root().display();
    artifacts.check().map_err(|error| {
        Problem::config(format!("audio cannot be kept in '{folder}': {error}"))
            .hint("choose a folder that can be written to, or have nothing said aloud (voice: none)")
    })
}

fn unusable(data_dir: &Path, error: &dyn fmt::Display) -> Problem {
    elsewhere(format!("the data folder '{}' cannot be used: {error}", data_dir.display()))
}

fn elsewhere(problem: String) -> Problem {
    Problem::config(problem).hint("choose another one with --data-dir")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        for (url, shown) in [
            ("postgres://enact:hunter2@db.example/enact", "postgres://db.example/enact"),
            (
                "postgresql://enact:hunter2@db.example:6432/enact?sslmode=require",
                "postgres://db.example:6432/enact",
            ),
            ("postgres:///enact?host=/run/postgresql&password=hunter2", "postgres:///enact"),
        ] {
            let url: DatabaseUrl = url.parse().unwrap();
            assert_eq!(url.to_string(), shown);
            assert_eq!(format!("{url:?}"), format!("DatabaseUrl({shown})"));
        }
        for wrong in
            ["hunter2", "mysql://enact:hunter2@db/enact", "sqlite://hunter2", "", "postgres//hunter2"]
        {
            let why = wrong.parse::<DatabaseUrl>().unwrap_err();
            assert!(why.starts_with("expected the address") && !why.contains("hunter2"), "{why}");
        }
    }
}
