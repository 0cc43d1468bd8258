//! Copies the write-ahead log into the database, beside the task that writes.
//!
//! Left to itself SQLite copies within the commit that fills the log. That commit then takes 150 ms instead
//! of less than one, and everything behind it waits as long. Here a connection of its own copies while others
//! write, and the writer only copies what was written meanwhile, after which the log begins anew.

use sqlx::{Connection, Row, SqliteConnection};
use tokio::{sync::mpsc, task::JoinHandle};

use super::{open::Folder, writer::Job};

/// How many transactions are written before the log is copied: about 16 MiB of pages, if each belongs to
/// another run.
const TRANSACTIONS_PER_COPY: u32 = 512;
/// How many times it is copied at most, each time what was written during the last.
const MAX_PASSES: usize = 4;
/// How many pages may be left for the writer to copy, which takes a few milliseconds.
const REMAINDER_PAGES: i64 = 64;
/// How many pages the log may have before it is made to begin anew: 32 MiB.
const RESTART_PAGES: i64 = 8192;

/// A handle on the copying task, which ends when this is dropped or closed.
pub(super) struct WalCopier {
    written: u32,
    due: mpsc::Sender<()>,
    task: JoinHandle<()>,
}

impl WalCopier {
    /// The connection is opened when it is first needed: most processes write less than that.
    pub(super) fn start(folder: Folder, writer: mpsc::WeakSender<Job>) -> WalCopier {
        let (due, mut wanted) = mpsc::channel(1);
        let task = tokio::spawn(async move {
            let mut connection = None;
            while wanted.recv().await.is_some() {
                if let Err(error) = copy(&folder, &mut connection, &writer).await {
                    // The writer's own limit still holds, only with a longer commit.
                    tracing::warn!(%error, "the write-ahead log could not be copied in the background");
                    connection = None;
                }
            }
            if let Some(connection) = connection {
                let _ = connection.close().await;
            }
        });
        WalCopier { written: 0, due, task }
    }

    /// Counts a transaction.
    pub(super) fn count(&mut self) {
        self.written += 1;
        if self.written >= TRANSACTIONS_PER_COPY {
            self.written = 0;
            // One that is still copying goes on with what was written since.
            let _ = self.due.try_send(());
        }
    }

    /// Waits until its connection is closed: the last one to close folds the log into the database.
    pub(super) async fn close(self) {
        drop(self.due);
        let _ = self.task.await;
    }
}

/// Copies until little is left, and has the writer copy that if the log is long.
async fn copy(
    folder: &Folder,
    connection: &mut Option<SqliteConnection>,
    writer: &mpsc::WeakSender<Job>,
) -> sqlx::Result<()> {
    let connection = match connection {
        Some(connection) => connection,
        None => connection.insert(folder.copier().await?),
    };
    let mut log = LogPages::default();
    for _ in 0..MAX_PASSES {
        log = copy_once(connection).await?;
        if log.all - log.copied <= REMAINDER_PAGES {
            break;
        }
    }
    if log.all >= RESTART_PAGES
        && let Some(writer) = writer.upgrade()
    {
        // If that fails, the next one copies it.
        let rest =
            Job::Other(Box::new(|task| Box::pin(async { drop(copy_once(&mut task.connection).await) })));
        let _ = writer.send(rest).await;
    }
    Ok(())
}

/// The pages of the log.
#[derive(Debug, Default)]
struct LogPages {
    all: i64,
    copied: i64,
}

/// Waits neither for readers nor for writers, and copies what they leave it.
async fn copy_once(connection: &mut SqliteConnection) -> sqlx::Result<LogPages> {
    let row = sqlx::query("PRAGMA wal_checkpoint(PASSIVE)").fetch_one(connection).await?;
    Ok(LogPages { all: row.get(1), copied: row.get(2) })
}
