//! Runs that come from elsewhere.

use enact_engine::{
    log::{Batch, Error, NewRun, Status},
    store::Listing,
};

use super::{Stage, enqueue, new_run, records, shown, stored};

pub(crate) async fn a_finished_run_is_kept_as_it_was(stage: Stage) {
    let parent = enqueue(&*stage.first).await;
    let new = NewRun { parent: Some(parent), ..new_run() };
    stage.first.import(new.clone(), records(0..200), Vec::new(), Some("stalled".to_owned())).await.unwrap();
    let found = stage.second.find(new.run).await.unwrap();
    assert_eq!(
        (found.status, found.reason.as_deref(), found.events),
        (Status::Finished, Some("stalled"), 200)
    );
    assert_eq!((found.name, found.started_at, found.parent), (new.name, new.at, Some(parent)));
    assert_eq!(stored(&*stage.second, new.run).await, shown(&records(0..200)));
    assert_eq!(stage.second.without_extract("costs", 10).await.unwrap(), [new.run]);
}

pub(crate) async fn an_unfinished_run_waits_to_be_resumed(stage: Stage) {
    let new = new_run();
    stage.first.import(new.clone(), records(0..3), Vec::new(), None).await.unwrap();
    assert_eq!(stage.second.find(new.run).await.unwrap().status, Status::Interrupted);
    assert!(stage.second.claim_waiting(10).await.unwrap().is_empty(), "it is in no queue");
    let claim = stage.second.claim(new.run).await.unwrap();
    stage.second.append(&claim, Batch::of(records([3]))).await.unwrap();
}

pub(crate) async fn what_cannot_be_imported_leaves_nothing(stage: Stage) {
    let there = enqueue(&*stage.first).await;
    let again = stage.first.import(NewRun { run: there, ..new_run() }, records(0..9), Vec::new(), None).await;
    assert!(matches!(again, Err(Error::Conflict(run)) if run == there), "{again:?}");
    assert_eq!(stored(&*stage.first, there).await.len(), 1);
    let new = new_run();
    let gap = stage.first.import(new.clone(), records([0, 2]), Vec::new(), None).await;
    assert!(matches!(gap, Err(Error::Conflict(run)) if run == new.run), "{gap:?}");
    assert!(matches!(stage.first.find(new.run).await, Err(Error::NotFound(_))));
    assert_eq!(stage.first.list(&Listing { most: 10, ..Listing::default() }).await.unwrap().len(), 1);
    stage.first.import(new, records(0..2), Vec::new(), None).await.unwrap();
}
