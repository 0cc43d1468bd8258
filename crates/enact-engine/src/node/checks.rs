//! Whether models can be asked, found out once for all the runs that begin together.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, Mutex},
    time::Duration,
};

use enact_drama::Problem;
use futures::future::join_all;
use tokio::time::Instant;

use super::lock;
use crate::{
    calls::Models,
    model::{self, Model},
};

/// How long what was found counts: long enough for a queue to be claimed, short enough that a key which has been let in
/// again is tried when its runs are.
const COUNTS_FOR: Duration = Duration::from_secs(20);

/// What was found out about models, by name. There are as many as the operator has configured.
#[derive(Debug, Default)]
pub(super) struct Checks {
    found: Mutex<HashMap<String, Arc<Found>>>,
}

/// Held by whoever asks, so that everybody else waits for the same answer.
type Found = tokio::sync::Mutex<Option<(Instant, Result<(), Problem>)>>;

impl Checks {
    /// The first problem there is with these models.
    pub(super) async fn check<'a>(
        &self,
        models: &Models,
        names: impl Iterator<Item = &'a str>,
    ) -> Result<(), Problem> {
        let names: BTreeSet<&str> = names.collect();
        let checks = names.into_iter().filter_map(|name| Some(self.check_one(name, models.get(name)?)));
        join_all(checks).await.into_iter().collect()
    }

    async fn check_one(&self, name: &str, model: &Arc<dyn Model>) -> Result<(), Problem> {
        let found = lock(&self.found).entry(name.to_owned()).or_default().clone();
        let mut found = found.lock().await;
        if let Some((at, outcome)) = &*found
            && at.elapsed() < COUNTS_FOR
        {
            return outcome.clone();
        }
        let outcome = model::check(&**model).await;
        *found = Some((Instant::now(), outcome.clone()));
        outcome
    }
}
