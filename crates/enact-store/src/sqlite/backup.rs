//! A copy of everything, made while runs are played.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use enact_engine::{clock::unique_id, private_files};
use sqlx::{ConnectOptions, Connection, Executor, sqlite::SqliteConnectOptions};

use super::{
    SqliteStore,
    open::{files_of, reason},
};
use crate::BoxFuture;

/// What a backup holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backup {
    pub runs: u64,
    pub bytes: u64,
}

/// Why there is no backup. A file that stood in its place still does.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("'{}' belongs to the data folder itself", .0.display())]
    Itself(PathBuf),
    #[error("the backup '{}' could not be written: {reason}", file.display())]
    Failed { file: PathBuf, reason: String },
    #[error("the backup '{}' was not kept, because the database is damaged: {reason}", file.display())]
    Damaged { file: PathBuf, reason: String },
}

impl SqliteStore {
    /// Writes everything that is stored by now to a file, which is a database like `enact.db` and takes the
    /// place of one that is there. Writers do not wait: what they append meanwhile is in the next backup.
    pub fn backup<'a>(&'a self, file: &'a Path) -> BoxFuture<'a, Result<Backup, Error>> {
        Box::pin(async move {
            if self.is_own(file) {
                return Err(Error::Itself(file.to_owned()));
            }
            let failed = |reason: String| Error::Failed { file: file.to_owned(), reason };
            let draft = Draft::beside(file);
            // SQLite writes into an empty file, which keeps its rights.
            private_files::create_file(&draft.path).map_err(|e| failed(e.to_string()))?;
            self.copy_to(&draft.path).await.map_err(|e| failed(reason(&e)))?;
            let runs = match checked(&draft.path).await.map_err(|e| failed(reason(&e)))? {
                Ok(runs) => runs,
                Err(damage) => return Err(Error::Damaged { file: file.to_owned(), reason: damage }),
            };
            let bytes = draft.keep_as(file).map_err(|e| failed(e.to_string()))?;
            Ok(Backup { runs, bytes })
        })
    }

    /// Whether this is a file that the data folder lives on: a copy in its place would be the end of what is
    /// there.
    fn is_own(&self, file: &Path) -> bool {
        let is = |own: &PathBuf| real(own).is_some_and(|own| Some(own) == real(file));
        files_of(&self.folder.db).iter().any(is)
    }

    async fn copy_to(&self, draft: &Path) -> sqlx::Result<()> {
        let mut connection = self.folder.reader().await?;
        let copied =
            sqlx::query("VACUUM INTO $1").bind(draft.to_string_lossy()).execute(&mut connection).await;
        connection.close().await?;
        copied.map(drop)
    }
}

/// The one name of a file, whether it is there yet or not; nothing if its folder is not.
fn real(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok().or_else(|| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
    })
}

/// How many runs a copy holds, or what is wrong with it.
async fn checked(copy: &Path) -> sqlx::Result<Result<u64, String>> {
    let mut connection = SqliteConnectOptions::new().filename(copy).connect().await?;
    let damage: String = sqlx::query_scalar("PRAGMA integrity_check(1)").fetch_one(&mut connection).await?;
    // The copy is not in WAL mode, which is set only when a database is made.
    connection.execute("PRAGMA journal_mode = WAL").await?;
    let runs: i64 =
        sqlx::query_scalar("SELECT count(*) FROM runs WHERE length > 0").fetch_one(&mut connection).await?;
    connection.close().await?;
    Ok(if damage == "ok" { Ok(runs as u64) } else { Err(damage) })
}

/// A file that is gone again unless it is kept.
struct Draft {
    path: PathBuf,
}

impl Draft {
    /// In the same folder, so that giving it its name is one step.
    fn beside(file: &Path) -> Draft {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        Draft { path: file.with_file_name(format!(".{name}.{}", unique_id().simple())) }
    }

    /// Gives it its name once it is on the disk, and says how large it is.
    fn keep_as(self, file: &Path) -> io::Result<u64> {
        let written = File::open(&self.path)?;
        written.sync_all()?;
        fs::rename(&self.path, file)?;
        Ok(written.metadata()?.len())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // One that was kept is no longer there by this name; a check that was broken off leaves more than one
        // file.
        for file in files_of(&self.path) {
            let _ = fs::remove_file(file);
        }
    }
}
