//! Rows derived from logs.

use enact_drama::{
    RunId, Seq,
    row::{self, Row},
};
use enact_engine::{
    log,
    store::{RowQuery, StoredRow},
};
use sqlx::{Connection, PgConnection, Postgres, QueryBuilder, Row as _, postgres::PgRow};

use super::storage;

const INSERT: &str = "
    INSERT INTO rows (run, kind, key, sort, body, account)
    SELECT runs.id, row.*, runs.account
    FROM runs, unnest($2::text[], $3::text[], $4::bigint[], $5::text[]) AS row (kind, key, sort, body)
    WHERE runs.id = $1";

/// Replaces all rows of a run and drops its checkpoint, if its log still has this length.
pub(super) async fn replace(
    connection: &mut PgConnection,
    run: RunId,
    length: Seq,
    rows: Vec<Row>,
) -> Result<bool, log::Error> {
    let failed = |e: sqlx::Error| storage(&e);
    let mut transaction = connection.begin().await.map_err(failed)?;
    // Locked first: the log must not grow before its rows are replaced.
    let now = sqlx::query_scalar::<_, i64>("SELECT length FROM runs WHERE id = $1 FOR NO KEY UPDATE")
        .bind(run.0)
        .fetch_optional(&mut *transaction)
        .await
        .map_err(failed)?
        .ok_or(log::Error::NotFound(run))?;
    if now as u64 != length.0 {
        return Ok(false);
    }
    for delete in ["DELETE FROM rows WHERE run = $1", "DELETE FROM checkpoints WHERE run = $1"] {
        sqlx::query(delete).bind(run.0).execute(&mut *transaction).await.map_err(failed)?;
    }
    let rows = row::settle(rows.into_iter().map(row::RowChange::Put));
    let columns = Columns::of(&rows);
    let insert = sqlx::query(INSERT).bind(run.0).bind(columns.kinds).bind(columns.keys);
    insert.bind(columns.sorts).bind(columns.bodies).execute(&mut *transaction).await.map_err(failed)?;
    transaction.commit().await.map_err(failed)?;
    Ok(true)
}

/// Those that are wanted, in the order of lists.
pub(super) async fn list(
    connection: &mut PgConnection,
    wanted: &RowQuery,
) -> Result<Vec<StoredRow>, log::Error> {
    let mut query = QueryBuilder::default();
    push(&mut query, wanted);
    let rows = query.build().fetch_all(connection).await.map_err(|e| storage(&e))?;
    Ok(rows.iter().map(stored).collect())
}

/// Writes the query for a list. Only what is asked for is in it: a condition that may or may not hold hides
/// the right index.
pub(super) fn push(query: &mut QueryBuilder<Postgres>, wanted: &RowQuery) {
    query.push("SELECT run, kind, key, sort, body, account FROM rows WHERE kind = ");
    query.push_bind(escape_nul(&wanted.kind));
    if let Some(account) = &wanted.account {
        query.push(" AND account = ").push_bind(account.clone());
    }
    if let Some(run) = wanted.run {
        query.push(" AND run = ").push_bind(run.0);
    }
    if let Some(key) = &wanted.key {
        query.push(" AND key = ").push_bind(escape_nul(key));
    }
    if let Some(after) = &wanted.after {
        // The first condition follows from the second, and is what an index can begin with.
        query.push(" AND sort <= ").push_bind(after.sort);
        query.push(" AND (sort < ").push_bind(after.sort);
        query.push(" OR (key, run) > (").push_bind(escape_nul(&after.key));
        query.push(", ").push_bind(after.run.0).push("))");
    }
    query.push(" ORDER BY sort DESC, key, run LIMIT ");
    query.push_bind(i64::try_from(wanted.most).unwrap_or(i64::MAX));
}

fn stored(row: &PgRow) -> StoredRow {
    StoredRow {
        run: RunId(row.get("run")),
        account: row.get("account"),
        row: Row {
            kind: unescape_nul(row.get("kind")),
            key: unescape_nul(row.get("key")),
            sort: row.get("sort"),
            body: row.get("body"),
        },
    }
}

/// Rows as the arrays that a statement takes.
#[derive(Debug, Default)]
pub(super) struct Columns<'a> {
    pub(super) kinds: Vec<String>,
    pub(super) keys: Vec<String>,
    pub(super) sorts: Vec<i64>,
    pub(super) bodies: Vec<&'a str>,
}

impl<'a> Columns<'a> {
    pub(super) fn of(rows: impl IntoIterator<Item = &'a Row>) -> Columns<'a> {
        let mut columns = Columns::default();
        for row in rows {
            columns.push(row);
        }
        columns
    }

    pub(super) fn push(&mut self, row: &'a Row) {
        self.kinds.push(escape_nul(&row.kind));
        self.keys.push(escape_nul(&row.key));
        self.sorts.push(row.sort);
        self.bodies.push(&row.body);
    }
}

/// The name of a row as it is stored. Postgres keeps any character in a text but NUL, which is written as
/// U+0001 and `0` here; U+0001 itself becomes U+0001 and `1`. So names keep their order, and no two become
/// the same.
pub(super) fn escape_nul(name: &str) -> String {
    name.replace('\u{1}', "\u{1}1").replace('\0', "\u{1}0")
}

/// Undoes [`escape_nul`].
fn unescape_nul(name: &str) -> String {
    name.replace("\u{1}0", "\0").replace("\u{1}1", "\u{1}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn names_are_given_back_and_keep_their_order(one in "[\0\u{1}\u{2}01a]*", other in "[\0\u{1}\u{2}01a]*") {
            prop_assert!(!escape_nul(&one).contains('\0'));
            prop_assert_eq!(&unescape_nul(&escape_nul(&one)), &one);
            prop_assert_eq!(escape_nul(&one).cmp(&escape_nul(&other)), one.cmp(&other));
        }
    }
}
