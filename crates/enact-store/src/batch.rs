//! What a batch holds: how much, and what it comes to for the rows derived from its run.

use std::collections::BTreeMap;

use enact_drama::row::{Row, RowChange};
use enact_engine::log::Batch;

/// How much a batch stores, without what is small.
pub(crate) fn bytes(batch: &Batch) -> usize {
    let row = |change: &RowChange| match change {
        RowChange::Put(row) => row.body.len(),
        RowChange::Delete { .. } => 0,
    };
    let records: usize = batch.records.iter().map(|record| record.body.get().len()).sum();
    let rows: usize = batch.rows.iter().map(row).sum();
    records + rows + batch.checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.body.len())
}

/// The last change to each row. No row is in both lists, and none is in one of them twice: the order in which
/// they are stored does not matter.
#[derive(Debug, Default)]
pub(crate) struct Changes<'a> {
    pub(crate) put: Vec<&'a Row>,
    /// Kind and key.
    pub(crate) deleted: Vec<(&'a str, &'a str)>,
}

impl<'a> Changes<'a> {
    pub(crate) fn of(changes: &'a [RowChange]) -> Changes<'a> {
        let mut last: BTreeMap<(&str, &str), Option<&Row>> = BTreeMap::new();
        for change in changes {
            match change {
                RowChange::Put(row) => last.insert((&row.kind, &row.key), Some(row)),
                RowChange::Delete { kind, key } => last.insert((kind, key), None),
            };
        }
        let mut settled = Changes::default();
        for (name, row) in last {
            match row {
                Some(row) => settled.put.push(row),
                None => settled.deleted.push(name),
            }
        }
        settled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_change_to_each_row_counts() {
        let row = |key: &str, sort| Row { kind: "memory".into(), key: key.into(), sort, body: "{}".into() };
        let put = |key, sort| RowChange::Put(row(key, sort));
        let delete = |key: &str| RowChange::Delete { kind: "memory".into(), key: key.into() };
        let changes =
            [put("a", 1), put("b", 1), delete("a"), delete("c"), put("c", 2), put("b", 3), delete("d")];
        let Changes { put, deleted } = Changes::of(&changes);
        assert_eq!(put, [&row("b", 3), &row("c", 2)]);
        assert_eq!(deleted, [("memory", "a"), ("memory", "d")]);
    }
}
