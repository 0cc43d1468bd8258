//! What stands beside the logs.

use std::{collections::BTreeMap, ops::Range, sync::Arc, time::Duration};

use async_trait::async_trait;
use enact_drama::{
    Record, RunId, Seq,
    row::{self, Row, RowChange},
};
use enact_engine::{
    Store,
    log::{self, Claim, NewRun, RunSummary},
    store::{
        Conversation, ConversationHead, Enqueued, Extract, IdempotencyKey, Listing, Notification, Posted,
        PostedCommand, RowQuery, StoredRow, Submission, Wake,
    },
};
use tokio::sync::broadcast;

use super::{
    SqliteStore, conversations, counters, events, extracts, inbox, listing,
    queue::{self, NewRunRows},
    rows,
};

#[async_trait]
impl Store for SqliteStore {
    async fn enqueue(&self, submission: Submission) -> Result<Enqueued, log::Error> {
        let Submission { run, records, rows, idempotency_key, next } = submission;
        let new = NewRunRows { about: run, records, rows: row::settle(rows), queued: true, ended: None };
        let enqueued = match next {
            None => self.write(|task| Box::pin(task.insert_or_find(new, idempotency_key))).await?,
            Some(next) => self.write(|task| Box::pin(task.enqueue_turn(next, new, idempotency_key))).await?,
        };
        if enqueued == Enqueued::New {
            self.notify(Notification::RunQueued);
        }
        Ok(enqueued)
    }

    async fn conversation(&self, of: &Conversation) -> Result<Option<ConversationHead>, log::Error> {
        self.located(conversations::head(&self.readers, of).await)
    }

    async fn clear(&self, of: &Conversation) -> Result<Option<ConversationHead>, log::Error> {
        let of = of.clone();
        self.write(|task| Box::pin(task.clear(of))).await
    }

    async fn import(
        &self,
        run: NewRun,
        records: Vec<Record>,
        rows: Vec<RowChange>,
        ended: Option<String>,
    ) -> Result<(), log::Error> {
        let new = NewRunRows { about: run, records, rows: row::settle(rows), queued: false, ended };
        self.write(|task| Box::pin(task.insert_or_find(new, None))).await.map(drop)
    }

    async fn find_submitted(&self, idempotency_key: &IdempotencyKey) -> Result<Option<Enqueued>, log::Error> {
        self.located(queue::find_submitted(&self.readers, idempotency_key).await)
    }

    async fn waiting(&self, at_most: usize) -> Result<usize, log::Error> {
        self.located(listing::waiting(&self.readers, &self.folder.owners, at_most).await)
    }

    async fn claim_waiting(&self, most: usize) -> Result<Vec<Claim>, log::Error> {
        // No answer is lost on the way from a file: no claim is there that this process does not know of.
        if most == 0 {
            return Ok(Vec::new());
        }
        self.write(move |task| Box::pin(task.claim_waiting(most))).await
    }

    async fn requeue(&self, claim: Claim, problem: &str, pause: Duration) -> Result<(), log::Error> {
        let problem = problem.to_owned();
        self.write(move |task| Box::pin(task.requeue(claim, problem, pause))).await
    }

    async fn post(&self, run: RunId, command: Arc<str>, wake: Wake) -> Result<Posted, log::Error> {
        let (posted, notification) = self.write(move |task| Box::pin(task.post(run, command, wake))).await?;
        if let Some(notification) = notification {
            self.notify(notification);
        }
        Ok(posted)
    }

    async fn inboxes(&self) -> Result<Vec<PostedCommand>, log::Error> {
        // A process that has not written yet plays nothing.
        let Some(writer) = self.writer.get() else { return Ok(Vec::new()) };
        self.located(inbox::inboxes(&self.readers, writer.owner()).await)
    }

    async fn inbox(&self, run: RunId) -> Result<Vec<PostedCommand>, log::Error> {
        self.located(inbox::inbox(&self.readers, run).await)
    }

    async fn find(&self, run: RunId) -> Result<RunSummary, log::Error> {
        self.located(listing::find(&self.readers, &self.folder.owners, run).await)
    }

    async fn list(&self, wanted: &Listing) -> Result<Vec<RunSummary>, log::Error> {
        self.located(listing::list(&self.readers, &self.folder.owners, wanted).await)
    }

    async fn read_some(&self, run: RunId, from: Seq, most: usize) -> Result<Vec<Record>, log::Error> {
        self.located(events::records(&self.readers, run, from, most).await)
    }

    async fn delete(&self, run: RunId) -> Result<(), log::Error> {
        self.write(move |task| Box::pin(task.delete(run))).await
    }

    async fn add_to_counter(&self, run: RunId, name: &str, by: i64) -> Result<i64, log::Error> {
        let name = name.to_owned();
        self.write(move |task| Box::pin(task.add_to_counter(run, name, by))).await
    }

    async fn counters(&self, run: RunId) -> Result<BTreeMap<String, i64>, log::Error> {
        self.located(counters::counters(&self.readers, run).await)
    }

    async fn keep_extract(&self, run: RunId, kind: &str, body: &str) -> Result<(), log::Error> {
        let (kind, body) = (kind.to_owned(), body.to_owned());
        self.write(move |task| Box::pin(task.keep_extract(run, kind, body))).await
    }

    async fn extracts(&self, kind: &str, started: Range<i64>) -> Result<Vec<Extract>, log::Error> {
        self.located(extracts::extracts(&self.readers, kind, started).await)
    }

    async fn without_extract(&self, kind: &str, most: usize) -> Result<Vec<RunId>, log::Error> {
        self.located(extracts::without(&self.readers, kind, most).await)
    }

    async fn rows(&self, wanted: &RowQuery) -> Result<Vec<StoredRow>, log::Error> {
        self.located(rows::list(&self.readers, wanted).await)
    }

    async fn replace_rows(&self, run: RunId, length: Seq, rows: Vec<Row>) -> Result<bool, log::Error> {
        self.write(move |task| Box::pin(task.replace_rows(run, length, rows))).await
    }

    async fn ready(&self) -> Result<(), log::Error> {
        // Where it is written: the connections that read may all be busy with long logs, and what is played
        // needs this one.
        self.located(self.writing().await?.ready().await)
    }

    fn name(&self) -> &'static str {
        "sqlite"
    }

    /// Only what this process did: others on the same folder are not heard, and found by looking.
    fn notifications(&self) -> broadcast::Receiver<Notification> {
        self.notifications.subscribe()
    }
}
