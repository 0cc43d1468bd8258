//! Rows that a production derives from its facts: what is listed and searched without reading logs.

use serde::{Deserialize, Serialize};

/// The kind of the row that a run has while a person holds it up: lists show it as paused. Its key is empty.
pub const PAUSED: &str = "paused";

/// One derived row. Within a run `(kind, key)` names it: a later row of the same name replaces it.
///
/// Rows are pure functions of a log, so they can be dropped and made again at any time. Stores add the run
/// and the account that made it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// What it is: `session`, `memory`.
    pub kind: String,
    pub key: String,
    /// Lists are in this order, highest first.
    pub sort: i64,
    /// JSON.
    pub body: String,
}

/// What a fact does to the rows of its run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowChange {
    Put(Row),
    Delete { kind: String, key: String },
}

/// The rows that are left after these changes, in the order of their names.
pub fn settle(changes: impl IntoIterator<Item = RowChange>) -> Vec<Row> {
    let mut rows = std::collections::BTreeMap::new();
    for change in changes {
        match change {
            RowChange::Put(row) => {
                rows.insert((row.kind.clone(), row.key.clone()), row);
            }
            RowChange::Delete { kind, key } => {
                rows.remove(&(kind, key));
            }
        }
    }
    rows.into_values().collect()
}
