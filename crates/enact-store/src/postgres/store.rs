//! What nodes need beside the logs.

use std::{collections::BTreeMap, ops::Range, sync::Arc, time::Duration};

use async_trait::async_trait;
use enact_drama::{
    Record, RunId, Seq,
    row::{self, Row, RowChange},
};
use enact_engine::{
    log::{self, Claim, NewRun, RunSummary},
    store::{
        Conversation, ConversationHead, Enqueued, Extract, IdempotencyKey, Listing, Notification, Posted,
        PostedCommand, RowQuery, Store, StoredRow, Submission, Wake,
    },
};
use tokio::sync::broadcast;

use super::{
    PostgresStore,
    append_batch::Release,
    claims, conversations, counters, delete, events, extracts, inbox, listing,
    queue::{self, NewRunRows},
    rows, storage,
};

#[async_trait]
impl Store for PostgresStore {
    async fn enqueue(&self, submission: Submission) -> Result<Enqueued, log::Error> {
        let Submission { run, records, rows, idempotency_key, next } = submission;
        let new = NewRunRows { about: run, records, rows: row::settle(rows), queued: true, ended: None };
        let idempotency_key = idempotency_key.as_ref();
        let enqueued = self
            .ask(async |connection| match &next {
                None => queue::insert_or_find(connection, &new, idempotency_key).await,
                Some(next) => conversations::enqueue_turn(connection, next, &new, idempotency_key).await,
            })
            .await;
        if matches!(enqueued, Ok(Enqueued::New)) {
            self.notifier.notify(Notification::RunQueued);
        }
        enqueued
    }

    async fn conversation(&self, of: &Conversation) -> Result<Option<ConversationHead>, log::Error> {
        self.ask(async |connection| conversations::head(connection, of).await).await
    }

    async fn clear(&self, of: &Conversation) -> Result<Option<ConversationHead>, log::Error> {
        self.ask(async |connection| conversations::clear(connection, of).await).await
    }

    async fn import(
        &self,
        run: NewRun,
        records: Vec<Record>,
        rows: Vec<RowChange>,
        ended: Option<String>,
    ) -> Result<(), log::Error> {
        let new = NewRunRows { about: run, records, rows: row::settle(rows), queued: false, ended };
        self.ask(async |connection| queue::insert_or_find(connection, &new, None).await).await.map(drop)
    }

    async fn find_submitted(&self, idempotency_key: &IdempotencyKey) -> Result<Option<Enqueued>, log::Error> {
        self.ask(async |connection| queue::find_by_key(connection, idempotency_key).await).await
    }

    async fn waiting(&self, at_most: usize) -> Result<usize, log::Error> {
        self.ask(async |connection| listing::waiting(connection, at_most).await).await
    }

    async fn claim_waiting(&self, most: usize) -> Result<Vec<Claim>, log::Error> {
        if most > 0 {
            self.located(self.writer.ensure().await)?;
        }
        let attempt = self.claims.begin().await;
        if most == 0 && attempt.possibly_lost().is_none() {
            attempt.confirm(&[]);
            return Ok(Vec::new());
        }
        let claims = self
            .ask(async |connection| {
                self.lease.ensure(connection).await.map_err(|e| storage(&e))?;
                self.free_lost(connection, &attempt).await?;
                claims::claim_waiting(connection, self.lease.node, most).await
            })
            .await?;
        attempt.confirm(&claims);
        Ok(claims)
    }

    async fn requeue(&self, claim: Claim, problem: &str, pause: Duration) -> Result<(), log::Error> {
        let given = Release { claim, problem: Some((problem.to_owned(), pause)) };
        self.give_up(given).await
    }

    async fn post(&self, run: RunId, command: Arc<str>, wake: Wake) -> Result<Posted, log::Error> {
        let outcome = match wake {
            Wake::Queue => {
                self.ask(async |connection| inbox::post(connection, run, &command, None).await).await
            }
            Wake::Claim => self.post_and_claim(run, &command).await,
        };
        let (posted, notification) = outcome?;
        if let Some(notification) = notification {
            self.notifier.notify(notification);
        }
        Ok(posted)
    }

    async fn inboxes(&self) -> Result<Vec<PostedCommand>, log::Error> {
        self.ask(async |connection| inbox::inboxes(connection, self.lease.node).await).await
    }

    async fn inbox(&self, run: RunId) -> Result<Vec<PostedCommand>, log::Error> {
        self.ask(async |connection| inbox::inbox(connection, run).await).await
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
        self.ask(async |connection| delete::delete(connection, run).await).await
    }

    async fn add_to_counter(&self, run: RunId, name: &str, by: i64) -> Result<i64, log::Error> {
        self.ask(async |connection| counters::add(connection, run, name, by).await).await
    }

    async fn counters(&self, run: RunId) -> Result<BTreeMap<String, i64>, log::Error> {
        self.ask(async |connection| counters::counters(connection, run).await).await
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

    async fn rows(&self, wanted: &RowQuery) -> Result<Vec<StoredRow>, log::Error> {
        self.ask(async |connection| rows::list(connection, wanted).await).await
    }

    async fn replace_rows(&self, run: RunId, length: Seq, rows: Vec<Row>) -> Result<bool, log::Error> {
        self.ask(async |connection| rows::replace(connection, run, length, rows).await).await
    }

    async fn ready(&self) -> Result<(), log::Error> {
        // What is played needs the connection that writes, and everything else one of the others.
        self.located(self.writer.probe().await)?;
        self.ask(async |connection| {
            sqlx::query("SELECT 1").execute(connection).await.map(drop).map_err(|e| storage(&e))
        })
        .await
    }

    fn name(&self) -> &'static str {
        "postgres"
    }

    fn notifications(&self) -> broadcast::Receiver<Notification> {
        self.notifier.notifications()
    }
}

impl PostgresStore {
    /// Posts a command, and has a resting run be this node's.
    async fn post_and_claim(
        &self,
        run: RunId,
        command: &str,
    ) -> Result<(Posted, Option<Notification>), log::Error> {
        self.located(self.writer.ensure().await)?;
        let attempt = self.claims.begin_shared().await;
        let outcome = self
            .ask(async |connection| {
                self.lease.ensure(connection).await.map_err(|e| storage(&e))?;
                inbox::post(connection, run, command, Some(self.lease.node)).await
            })
            .await;
        match &outcome {
            Ok((posted, _)) => attempt.confirm(posted.claim.as_slice()),
            // What failed at the database may have claimed the run all the same. What was refused has not.
            Err(log::Error::Storage(_)) => {}
            Err(_) => attempt.confirm(&[]),
        }
        outcome
    }
}
