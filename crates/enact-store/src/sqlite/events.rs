//! Records as rows.

use std::sync::Arc;

use enact_drama::{Record, RunId};
use sqlx::{AssertSqlSafe, Sqlite, SqliteConnection, query::Query, sqlite::SqliteArguments};

/// How many rows one `INSERT` takes. Rows bound one by one are several times faster than rows unpacked from JSON; but
/// SQLite binds at most 32,766 values to a statement, and each length is a statement to be prepared and kept.
pub(super) const ROWS_PER_INSERT: usize = 64;

/// The SQL that stores a number of rows, each as [`bind`] gives it.
///
/// Parameters have no numbers here, unlike elsewhere: to SQLite `$7` is a name, and it looks names up one after the
/// other, which for hundreds of them takes longer than storing the rows.
pub(super) fn insertion(rows: usize) -> String {
    const ROW: &str = "(?, ?, ?, ?, ?, ?)";
    let mut sql = String::new();
    let mut left = rows;
    while left > 0 {
        let now = left.min(ROWS_PER_INSERT);
        sql += "\nINSERT INTO events (run, seq, at, kind, v, body) VALUES ";
        sql += &vec![ROW; now].join(", ");
        sql += ";";
        left -= now;
    }
    sql
}

pub(super) fn bind<'q>(
    query: Query<'q, Sqlite, SqliteArguments>,
    run: Arc<str>,
    record: &Record,
) -> Query<'q, Sqlite, SqliteArguments> {
    query
        .bind(run)
        .bind(record.seq.0 as i64)
        .bind(record.at)
        .bind(&record.kind)
        .bind(record.v)
        .bind(record.body.get())
}

/// Stores the records of one run.
pub(super) async fn insert(
    connection: &mut SqliteConnection,
    run: RunId,
    records: &[Record],
) -> sqlx::Result<()> {
    let run: Arc<str> = run.to_string().into();
    for some in records.chunks(ROWS_PER_INSERT) {
        let mut query = sqlx::query(AssertSqlSafe(insertion(some.len())));
        for record in some {
            query = bind(query, run.clone(), record);
        }
        query.execute(&mut *connection).await?;
    }
    Ok(())
}
