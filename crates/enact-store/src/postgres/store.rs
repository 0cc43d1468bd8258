//! What nodes need beside the logs.

use std::{ops::Range, time::Duration};

use async_trait::async_trait;
use enact_drama::{Record, RunId, Seq, Steering};
use enact_engine::{
    log::{self, Claim, LetterId, NewRun, RunSummary},
    store::{Enqueued, Extract, Letter, Listing, News, Order, Store},
};
use tokio::sync::broadcast;

use super::{
    PostgresLog, claims, events, extracts,
    group::Yield,
    inbox, listing,
    queue::{self, Arrival},
    removal, storage,
};

#[async_trait]
impl Store for PostgresLog {
    async fn enqueue(
        &self,
        run: NewRun,
        records: Vec<Record>,
        order: Option<Order>,
    ) -> Result<Enqueued, log::Error> {
        let arrival = Arrival { about: run, records, queued: true, ended: None };
        let enqueued = queue::keep(&self.pool, &arrival, order.as_ref()).await;
        if matches!(enqueued, Ok(Enqueued::New)) {
            self.herald.tell(News::Waiting);
        }
        self.located(enqueued)
    }

    async fn import(
        &self,
        run: NewRun,
        records: Vec<Record>,
        ended: Option<String>,
    ) -> Result<(), log::Error> {
        let arrival = Arrival { about: run, records, queued: false, ended };
        self.located(queue::keep(&self.pool, &arrival, None).await.map(drop))
    }

    async fn ordered(&self, order: &Order) -> Result<Option<Enqueued>, log::Error> {
        self.located(queue::given_before(&self.pool, order).await)
    }

    async fn waiting(&self, at_most: usize) -> Result<usize, log::Error> {
        self.located(listing::waiting(&self.pool, at_most).await)
    }

    async fn claim_waiting(&self, most: usize) -> Result<Vec<Claim>, log::Error> {
        self.ensure_lease().await?;
        self.located(claims::claim_waiting(&self.pool, self.lease.node, most).await)
    }

    async fn put_back(&self, claim: Claim, problem: &str, pause: Duration) -> Result<(), log::Error> {
        let given = Yield { claim, problem: Some((problem.to_owned(), pause)) };
        self.located(self.writer.give_up(given).await)
    }

    async fn post(&self, run: RunId, wanted: Steering) -> Result<LetterId, log::Error> {
        let posted = inbox::post(&self.pool, run, &wanted).await;
        if posted.is_ok() {
            self.herald.tell(News::Letter(run));
        }
        self.located(posted)
    }

    async fn letters(&self) -> Result<Vec<Letter>, log::Error> {
        self.located(inbox::letters(&self.pool, self.lease.node).await)
    }

    async fn find(&self, run: RunId) -> Result<RunSummary, log::Error> {
        self.located(listing::find(&self.pool, run).await)
    }

    async fn list(&self, wanted: &Listing) -> Result<Vec<RunSummary>, log::Error> {
        self.located(listing::list(&self.pool, wanted).await)
    }

    async fn read_some(&self, run: RunId, from: Seq, most: usize) -> Result<Vec<Record>, log::Error> {
        self.located(events::records(&self.pool, run, from, most).await)
    }

    async fn delete(&self, run: RunId) -> Result<(), log::Error> {
        self.located(removal::delete(&self.pool, run).await)
    }

    async fn keep_extract(&self, run: RunId, kind: &str, body: &str) -> Result<(), log::Error> {
        self.located(extracts::keep(&self.pool, run, kind, body).await)
    }

    async fn extracts(&self, kind: &str, started: Range<i64>) -> Result<Vec<Extract>, log::Error> {
        self.located(extracts::extracts(&self.pool, kind, started).await)
    }

    async fn without_extract(&self, kind: &str, most: usize) -> Result<Vec<RunId>, log::Error> {
        self.located(extracts::without(&self.pool, kind, most).await)
    }

    async fn ready(&self) -> Result<(), log::Error> {
        let standby = sqlx::query_scalar::<_, bool>("SELECT pg_is_in_recovery()").fetch_one(&self.pool).await;
        self.located(match standby {
            Ok(false) => Ok(()),
            Ok(true) => Err(log::Error::Storage("it is a standby, which takes no writes".to_owned())),
            Err(e) => Err(storage(&e)),
        })
    }

    fn name(&self) -> &'static str {
        "postgres"
    }

    fn news(&self) -> broadcast::Receiver<News> {
        self.herald.news()
    }
}
