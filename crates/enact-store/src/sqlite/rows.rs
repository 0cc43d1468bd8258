//! Rows derived from logs.

use std::sync::Arc;

use enact_drama::{
    RunId, Seq,
    row::{self, Row},
};
use enact_engine::{
    log,
    store::{RowQuery, StoredRow},
};
use sqlx::{
    AssertSqlSafe, Connection, QueryBuilder, Row as _, Sqlite, SqliteConnection, SqlitePool,
    query::Query,
    sqlite::{SqliteArguments, SqliteRow},
};

use super::{events, storage, writer::WriterTask};

/// How many rows one statement takes, for the reasons that
/// [`ROWS_PER_INSERT`](super::events::ROWS_PER_INSERT) has.
const ROWS_PER_STATEMENT: usize = 64;

impl WriterTask {
    /// Replaces all rows of a run and drops its checkpoint, if its log still has this length.
    pub(super) async fn replace_rows(
        &mut self,
        run: RunId,
        length: Seq,
        rows: Vec<Row>,
    ) -> Result<bool, log::Error> {
        let failed = |e: sqlx::Error| storage(&e);
        // The right to write first, so that the log does not grow between looking and replacing.
        let mut transaction = self.connection.begin_with("BEGIN IMMEDIATE").await.map_err(failed)?;
        let now = sqlx::query_scalar::<_, i64>("SELECT length FROM runs WHERE id = $1")
            .bind(run.to_string())
            .fetch_optional(&mut *transaction)
            .await
            .map_err(failed)?
            .ok_or(log::Error::NotFound(run))?;
        if now as u64 != length.0 {
            return Ok(false);
        }
        for delete in ["DELETE FROM rows WHERE run = $1", "DELETE FROM checkpoints WHERE run = $1"] {
            sqlx::query(delete).bind(run.to_string()).execute(&mut *transaction).await.map_err(failed)?;
        }
        let rows = row::settle(rows.into_iter().map(row::RowChange::Put));
        insert(&mut transaction, run, &rows).await.map_err(failed)?;
        transaction.commit().await.map_err(failed)?;
        Ok(true)
    }
}

/// Stores rows of a run that is there.
pub(super) async fn insert(connection: &mut SqliteConnection, run: RunId, rows: &[Row]) -> sqlx::Result<()> {
    let run: Arc<str> = run.to_string().into();
    for some in rows.chunks(ROWS_PER_STATEMENT) {
        let mut query = sqlx::query(AssertSqlSafe(insertion(some.len())));
        for row in some {
            query = bind(query, run.clone(), row);
        }
        query.execute(&mut *connection).await?;
    }
    Ok(())
}

/// The SQL that stores a number of rows, each as [`bind`] gives it, in the place of those of the same names.
/// They get the account of their run, which `CROSS JOIN` looks up for each of them.
pub(super) fn insertion(rows: usize) -> String {
    statements(rows, "(?, ?, ?, ?, ?)", |values| {
        format!(
            "\nINSERT INTO rows (run, kind, key, sort, body, account)
             SELECT new.column1, new.column2, new.column3, new.column4, new.column5, runs.account
             FROM (VALUES {values}) AS new CROSS JOIN runs ON runs.id = new.column1
             WHERE true
             ON CONFLICT (run, kind, key) DO UPDATE SET sort = excluded.sort, body = excluded.body;"
        )
    })
}

pub(super) fn bind<'q>(
    query: Query<'q, Sqlite, SqliteArguments>,
    run: Arc<str>,
    row: &Row,
) -> Query<'q, Sqlite, SqliteArguments> {
    query.bind(run).bind(row.kind.clone()).bind(row.key.clone()).bind(row.sort).bind(row.body.clone())
}

/// The SQL that removes a number of rows, each named by its run, kind and key.
pub(super) fn deletion(rows: usize) -> String {
    let delete = |values| format!("\nDELETE FROM rows WHERE (run, kind, key) IN (VALUES {values});");
    statements(rows, "(?, ?, ?)", delete)
}

/// As many statements as it takes for so many rows.
fn statements(rows: usize, row: &str, statement: impl Fn(String) -> String) -> String {
    let mut sql = String::new();
    let mut left = rows;
    while left > 0 {
        let now = left.min(ROWS_PER_STATEMENT);
        sql += &statement(vec![row; now].join(", "));
        left -= now;
    }
    sql
}

/// Those that are wanted, in the order of lists.
pub(super) async fn list(readers: &SqlitePool, wanted: &RowQuery) -> Result<Vec<StoredRow>, log::Error> {
    let rows = query(wanted).build().fetch_all(readers).await.map_err(|e| storage(&e))?;
    rows.iter().map(stored).collect()
}

/// The SQL for a list. It holds only the conditions that were asked for, so that each finds its index.
pub(super) fn query(wanted: &RowQuery) -> QueryBuilder<Sqlite> {
    let mut query = QueryBuilder::new("SELECT run, kind, key, sort, body, account FROM rows WHERE kind = ");
    query.push_bind(wanted.kind.clone());
    if let Some(account) = &wanted.account {
        query.push(" AND account = ").push_bind(account.clone());
    }
    if let Some(run) = wanted.run {
        query.push(" AND run = ").push_bind(run.to_string());
    }
    if let Some(key) = &wanted.key {
        query.push(" AND key = ").push_bind(key.clone());
    }
    if let Some(after) = &wanted.after {
        // The first condition follows from the second, and is what an index can begin with.
        query.push(" AND sort <= ").push_bind(after.sort);
        query.push(" AND (sort < ").push_bind(after.sort);
        query.push(" OR (key, run) > (").push_bind(after.key.clone());
        query.push(", ").push_bind(after.run.to_string()).push("))");
    }
    // A run has few rows. Without the sign SQLite would rather look at all rows of the kind, which are in
    // order, than sort those few.
    query.push(if wanted.run.is_some() { " ORDER BY +sort DESC" } else { " ORDER BY sort DESC" });
    query.push(", key, run LIMIT ").push_bind(events::at_most(wanted.most));
    query
}

fn stored(row: &SqliteRow) -> Result<StoredRow, log::Error> {
    Ok(StoredRow {
        run: events::run_id(row.get("run"))?,
        account: row.get("account"),
        row: Row { kind: row.get("kind"), key: row.get("key"), sort: row.get("sort"), body: row.get("body") },
    })
}
