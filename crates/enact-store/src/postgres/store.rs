//! What nodes need beside the logs.

use std::{ops::Range, time::Duration};

use async_trait::async_trait;
use enact_drama::{Record, RunId, Seq, Steering};
use enact_engine::{
    log::{self, Claim, LetterId, NewRun, RunSummary},
    store::{Conversation, Enqueued, Extract, Letter, Listing, News, Next, Order, Store, Talk},
};
use tokio::sync::broadcast;

use super::{
    PostgresLog, claims, conversations, events, extracts,
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
        let enqueued =
            self.ask(async |connection| queue::keep(connection, &arrival, order.as_ref()).await).await;
        if matches!(enqueued, Ok(Enqueued::New)) {
            self.herald.tell(News::Waiting);
        }
        enqueued
    }

    async fn converse(
        &self,
        next: Next,
        run: NewRun,
        records: Vec<Record>,
        order: Option<Order>,
    ) -> Result<Enqueued, log::Error> {
        let arrival = Arrival { about: run, records, queued: true, ended: None };
        let enqueued = self
            .ask(async |connection| {
                conversations::converse(connection, &next, &arrival, order.as_ref()).await
            })
            .await;
        if matches!(enqueued, Ok(Enqueued::New)) {
            self.herald.tell(News::Waiting);
        }
        enqueued
    }

    async fn conversation(&self, of: &Conversation) -> Result<Option<Talk>, log::Error> {
        self.ask(async |connection| conversations::stands(connection, of).await).await
    }

    async fn clear(&self, of: &Conversation) -> Result<Option<Talk>, log::Error> {
        self.ask(async |connection| conversations::clear(connection, of).await).await
    }

    async fn import(
        &self,
        run: NewRun,
        records: Vec<Record>,
        ended: Option<String>,
    ) -> Result<(), log::Error> {
        let arrival = Arrival { about: run, records, queued: false, ended };
        self.ask(async |connection| queue::keep(connection, &arrival, None).await).await.map(drop)
    }

    async fn ordered(&self, order: &Order) -> Result<Option<Enqueued>, log::Error> {
        self.ask(async |connection| queue::given_before(connection, order).await).await
    }

    async fn waiting(&self, at_most: usize) -> Result<usize, log::Error> {
        self.ask(async |connection| listing::waiting(connection, at_most).await).await
    }

    async fn claim_waiting(&self, most: usize) -> Result<Vec<Claim>, log::Error> {
        let turn = self.held.turn().await;
        let claims = self
            .ask(async |connection| {
                self.lease.ensure(connection).await.map_err(|e| storage(&e))?;
                if let Some(held) = turn.doubted() {
                    claims::free_lost(connection, self.lease.node, &held).await?;
                }
                claims::claim_waiting(connection, self.lease.node, most).await
            })
            .await?;
        turn.hand_out(&claims);
        Ok(claims)
    }

    async fn put_back(&self, claim: Claim, problem: &str, pause: Duration) -> Result<(), log::Error> {
        let given = Yield { claim, problem: Some((problem.to_owned(), pause)) };
        self.give_up(given).await
    }

    async fn post(&self, run: RunId, wanted: Steering) -> Result<LetterId, log::Error> {
        let posted = self.ask(async |connection| inbox::post(connection, run, &wanted).await).await;
        if posted.is_ok() {
            self.herald.tell(News::Letter(run));
        }
        posted
    }

    async fn letters(&self) -> Result<Vec<Letter>, log::Error> {
        self.ask(async |connection| inbox::letters(connection, self.lease.node).await).await
    }

    async fn find(&self, run: RunId) -> Result<RunSummary, log::Error> {
        self.ask(async |connection| listing::find(connection, run).await).await
    }

    async fn list(&self, wanted: &Listing) -> Result<Vec<RunSummary>, log::Error> {
        self.ask(async |connection| listing::list(connection, wanted).await).await
    }

    async fn read_some(&self, run: RunId, from: Seq, most: usize) -> Result<Vec<Record>, log::Error> {
        self.ask(async |connection| events::records(connection, run, from, most).await).await
    }

    async fn delete(&self, run: RunId) -> Result<(), log::Error> {
        self.ask(async |connection| removal::delete(connection, run).await).await
    }

    async fn keep_extract(&self, run: RunId, kind: &str, body: &str) -> Result<(), log::Error> {
        self.ask(async |connection| extracts::keep(connection, run, kind, body).await).await
    }

    async fn extracts(&self, kind: &str, started: Range<i64>) -> Result<Vec<Extract>, log::Error> {
        self.ask(async |connection| extracts::extracts(connection, kind, started).await).await
    }

    async fn without_extract(&self, kind: &str, most: usize) -> Result<Vec<RunId>, log::Error> {
        self.ask(async |connection| extracts::without(connection, kind, most).await).await
    }

    async fn ready(&self) -> Result<(), log::Error> {
        self.ask(async |connection| {
            let standby = sqlx::query_scalar::<_, bool>("SELECT pg_is_in_recovery()");
            match standby.fetch_one(connection).await {
                Ok(false) => Ok(()),
                Ok(true) => Err(log::Error::Storage("it is a standby, which takes no writes".to_owned())),
                Err(e) => Err(storage(&e)),
            }
        })
        .await
    }

    fn name(&self) -> &'static str {
        "postgres"
    }

    fn news(&self) -> broadcast::Receiver<News> {
        self.herald.news()
    }
}
