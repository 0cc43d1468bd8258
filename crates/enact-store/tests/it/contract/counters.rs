//! Numbers beside runs.

use super::{Stage, enqueue};

pub(crate) async fn all_who_count_at_once_are_counted(stage: Stage) {
    let (run, other) = (enqueue(&*stage.first).await, enqueue(&*stage.first).await);
    let count = async |store: &std::sync::Arc<dyn enact_engine::Store>| {
        for _ in 0..10 {
            store.add_to_counter(run, "views", 1).await.unwrap();
        }
    };
    tokio::join!(count(&stage.first), count(&stage.second), count(&stage.first));
    assert_eq!(stage.second.add_to_counter(run, "revoked", 1).await.unwrap(), 1);
    assert_eq!(stage.first.add_to_counter(run, "revoked", -1).await.unwrap(), 0);
    for store in [&stage.first, &stage.second] {
        let counted: Vec<(String, i64)> = store.counters(run).await.unwrap().into_iter().collect();
        assert_eq!(counted, [("revoked".to_owned(), 0), ("views".to_owned(), 30)]);
        assert!(store.counters(other).await.unwrap().is_empty());
    }
}

pub(crate) async fn counters_outlive_rows_that_are_made_anew(stage: Stage) {
    let run = enqueue(&*stage.first).await;
    stage.first.add_to_counter(run, "views", 2).await.unwrap();
    let length = enact_drama::Seq(stage.first.find(run).await.unwrap().events);
    assert!(stage.first.replace_rows(run, length, Vec::new()).await.unwrap());
    assert_eq!(stage.second.add_to_counter(run, "views", 1).await.unwrap(), 3);
}
