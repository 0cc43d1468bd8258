//! Rows that Postgres does not take.

use std::sync::Arc;

use enact_drama::row::{Row, RowChange};
use enact_engine::{
    Log, Store,
    log::{Batch, Error},
    store::RowQuery,
};
use tokio::task::JoinSet;
use uuid::Uuid;

use super::{database, new_run, node, numbers, records};

/// An index holds no entry of more than 2,700 bytes.
#[tokio::test]
async fn a_key_that_is_too_long_spoils_no_append_of_others() {
    let store = Arc::new(node(&database::fresh().await).await);
    let mut playing = JoinSet::new();
    for number in 0..40 {
        let claim = store.create(new_run()).await.unwrap();
        let (store, offends) = (store.clone(), number % 10 == 7);
        playing.spawn(async move {
            // Of random parts, because what can be compressed is.
            let parts = if offends { 400 } else { 2 };
            let key = (0..parts).map(|_| Uuid::now_v7().simple().to_string()).collect();
            let row = Row { kind: "memory".to_owned(), key, sort: 0, body: "{}".to_owned() };
            let batch = Batch { rows: vec![RowChange::Put(row)], ..Batch::of(records([0])) };
            let outcome = store.append(&claim, batch).await;
            assert_eq!(matches!(outcome, Err(Error::Storage(_))), offends, "{outcome:?}");
            assert_eq!(numbers(&store, claim.run).await.len(), usize::from(!offends));
        });
    }
    playing.join_all().await;
    let all = RowQuery { kind: "memory".to_owned(), most: 100, ..RowQuery::default() };
    assert_eq!(store.rows(&all).await.unwrap().len(), 36);
}
