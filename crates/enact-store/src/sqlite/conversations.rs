//! Runs that follow each other.

use enact_engine::{
    log,
    store::{Conversation, ConversationHead, Enqueued, IdempotencyKey, NextRun},
};
use sqlx::{Connection, Executor, Row, Sqlite, SqliteConnection};

use super::{
    events,
    queue::{self, NewRunRows},
    storage,
    writer::WriterTask,
};

impl WriterTask {
    /// Keeps the next run of a conversation, unless the order was given before or the conversation is busy.
    pub(super) async fn enqueue_turn(
        &mut self,
        next: NextRun,
        new: NewRunRows,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Result<Enqueued, log::Error> {
        let failed = |e: sqlx::Error| storage(&e);
        // `BEGIN IMMEDIATE`: of two requests that see the newest run ended, one may follow it.
        let mut transaction = self.connection.begin_with("BEGIN IMMEDIATE").await.map_err(failed)?;
        // A repeated request is answered with the run it made, and that may well be the one that is busy.
        if let Some(idempotency_key) = &idempotency_key
            && let Some(outcome) = queue::find_submitted(&mut *transaction, idempotency_key).await?
        {
            return Ok(outcome);
        }
        let talk = head(&mut *transaction, &next.of).await?;
        if let Some(talk) = talk
            && !(next.follows(talk)
                && (next.begins_anew() || has_ended(&mut transaction, talk).await.map_err(failed)?))
        {
            return Ok(Enqueued::Busy(talk.run));
        }
        let left = next.leaves(new.about.run, talk);
        queue::insert(&mut transaction, new, idempotency_key).await?;
        set_head(&mut transaction, next.of, left).await.map_err(failed)?;
        transaction.commit().await.map_err(failed)?;
        Ok(Enqueued::New)
    }

    pub(super) async fn clear(&mut self, of: Conversation) -> Result<Option<ConversationHead>, log::Error> {
        let failed = |e: sqlx::Error| storage(&e);
        let mut transaction = self.connection.begin_with("BEGIN IMMEDIATE").await.map_err(failed)?;
        let Some(before) = head(&mut *transaction, &of).await? else { return Ok(None) };
        set_head(&mut transaction, of, ConversationHead { cleared: true, ..before }).await.map_err(failed)?;
        transaction.commit().await.map_err(failed)?;
        Ok(Some(before))
    }
}

/// Where a conversation stands.
pub(super) async fn head(
    connection: impl Executor<'_, Database = Sqlite>,
    of: &Conversation,
) -> Result<Option<ConversationHead>, log::Error> {
    let row = sqlx::query("SELECT run, cleared FROM conversations WHERE owner = $1 AND name = $2")
        .bind(&of.owner)
        .bind(&of.name)
        .fetch_optional(connection)
        .await
        .map_err(|e| storage(&e))?;
    let talk = |row: sqlx::sqlite::SqliteRow| {
        Ok(ConversationHead { run: events::run_id(row.get("run"))?, cleared: row.get("cleared") })
    };
    row.map(talk).transpose()
}

async fn has_ended(connection: &mut SqliteConnection, talk: ConversationHead) -> sqlx::Result<bool> {
    let ended = sqlx::query_scalar("SELECT reason IS NOT NULL FROM runs WHERE id = $1");
    ended.bind(talk.run.to_string()).fetch_one(connection).await
}

async fn set_head(
    connection: &mut SqliteConnection,
    of: Conversation,
    to: ConversationHead,
) -> sqlx::Result<()> {
    sqlx::query(
        "INSERT INTO conversations (owner, name, run, cleared) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO UPDATE SET run = excluded.run, cleared = excluded.cleared",
    )
    .bind(of.owner)
    .bind(of.name)
    .bind(to.run.to_string())
    .bind(to.cleared)
    .execute(connection)
    .await
    .map(drop)
}
