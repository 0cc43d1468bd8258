//! Runs that follow each other.

use enact_drama::RunId;
use enact_engine::{
    log,
    store::{Conversation, ConversationHead, Enqueued, IdempotencyKey, NextRun},
};
use sqlx::{Connection, PgConnection, Row, postgres::PgRow};

use super::{
    queue::{self, NewRunRows},
    storage,
};

/// Attempts to insert or lock a conversation that another node just began: it would have to be removed as
/// fast as others begin it.
const MAX_ATTEMPTS: usize = 8;

/// Row lock: a second request that would follow the same run waits here, then sees the new head.
///
/// Only this row is asked for, not the run beside it: a statement that had to wait is shown the new row, but
/// would be shown the run that belonged to the old one.
const LOCK: &str = "SELECT run, cleared FROM conversations WHERE owner = $1 AND name = $2 FOR UPDATE";

const CLEAR: &str = "
    WITH before AS (
        SELECT owner, name, run, cleared FROM conversations WHERE owner = $1 AND name = $2 FOR UPDATE
    )
    UPDATE conversations SET cleared = true
    FROM before WHERE conversations.owner = before.owner AND conversations.name = before.name
    RETURNING before.run, before.cleared";

/// Keeps the next run of a conversation, unless the idempotency key was used before or the conversation is busy.
pub(super) async fn enqueue_turn(
    connection: &mut PgConnection,
    next: &NextRun,
    new: &NewRunRows,
    idempotency_key: Option<&IdempotencyKey>,
) -> Result<Enqueued, log::Error> {
    for _ in 0..MAX_ATTEMPTS {
        if let Some(outcome) = follow(connection, next, new, idempotency_key).await? {
            return Ok(outcome);
        }
    }
    Err(log::Error::Storage("a conversation was begun and removed again and again".to_owned()))
}

/// `None` if another node has begun the conversation meanwhile.
async fn follow(
    connection: &mut PgConnection,
    next: &NextRun,
    new: &NewRunRows,
    idempotency_key: Option<&IdempotencyKey>,
) -> Result<Option<Enqueued>, log::Error> {
    let failed = |e: sqlx::Error| storage(&e);
    // What is not committed is undone when the transaction is dropped.
    let mut transaction = connection.begin().await.map_err(failed)?;
    let talk = one(&mut transaction, LOCK, &next.of).await.map_err(failed)?;
    // A repeated request is answered with the run it made, and that may well be the one that is busy.
    if let Some(idempotency_key) = idempotency_key
        && let Some(before) = queue::find_by_key(&mut transaction, idempotency_key).await?
    {
        return Ok(Some(before));
    }
    if let Some(talk) = talk
        && !(next.follows(talk)
            && (next.begins_anew() || has_ended(&mut transaction, talk).await.map_err(failed)?))
    {
        return Ok(Some(Enqueued::Busy(talk.run)));
    }
    let outcome = queue::insert_or_find(&mut transaction, new, idempotency_key).await?;
    if outcome != Enqueued::New {
        return Ok(Some(outcome));
    }
    let left = next.leaves(new.about.run, talk);
    let pointed = match talk {
        Some(_) => set_head(&mut transaction, &next.of, left).await,
        None => begin(&mut transaction, &next.of, left).await,
    };
    if !pointed.map_err(failed)? {
        return Ok(None);
    }
    transaction.commit().await.map_err(failed)?;
    Ok(Some(Enqueued::New))
}

/// Where a conversation stands.
pub(super) async fn head(
    connection: &mut PgConnection,
    of: &Conversation,
) -> Result<Option<ConversationHead>, log::Error> {
    let sql = "SELECT run, cleared FROM conversations WHERE owner = $1 AND name = $2";
    one(connection, sql, of).await.map_err(|e| storage(&e))
}

/// Has a conversation begin anew, and says where it stood.
pub(super) async fn clear(
    connection: &mut PgConnection,
    of: &Conversation,
) -> Result<Option<ConversationHead>, log::Error> {
    one(connection, CLEAR, of).await.map_err(|e| storage(&e))
}

/// Runs one of the queries above for one conversation.
async fn one(
    connection: &mut PgConnection,
    sql: &'static str,
    of: &Conversation,
) -> sqlx::Result<Option<ConversationHead>> {
    let [owner, name] = stored_names(of);
    let row = sqlx::query(sql).bind(owner).bind(name).fetch_optional(connection).await?;
    let talk = |row: PgRow| ConversationHead { run: RunId(row.get("run")), cleared: row.get("cleared") };
    Ok(row.map(talk))
}

async fn has_ended(connection: &mut PgConnection, talk: ConversationHead) -> sqlx::Result<bool> {
    let ended = sqlx::query_scalar("SELECT reason IS NOT NULL FROM runs WHERE id = $1");
    // One that is gone by now takes the conversation with it, and leaves nothing to wait for.
    Ok(ended.bind(talk.run.0).fetch_optional(connection).await?.unwrap_or(true))
}

/// Points a conversation whose row is locked to its next run.
async fn set_head(
    connection: &mut PgConnection,
    of: &Conversation,
    to: ConversationHead,
) -> sqlx::Result<bool> {
    let [owner, name] = stored_names(of);
    let moved = sqlx::query("UPDATE conversations SET run = $3, cleared = $4 WHERE owner = $1 AND name = $2");
    let moved = moved.bind(owner).bind(name).bind(to.run.0).bind(to.cleared).execute(connection).await?;
    Ok(moved.rows_affected() == 1)
}

/// Points a conversation to its first run; false if a concurrent request did so first.
async fn begin(connection: &mut PgConnection, of: &Conversation, to: ConversationHead) -> sqlx::Result<bool> {
    let [owner, name] = stored_names(of);
    let begun = sqlx::query(
        "INSERT INTO conversations (owner, name, run, cleared) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
    );
    let begun = begun.bind(owner).bind(name).bind(to.run.0).bind(to.cleared).execute(connection).await?;
    Ok(begun.rows_affected() == 1)
}

/// The names of a conversation as they are stored. Postgres keeps any character in a text but one, which is
/// written as two others here, so that no two conversations get the same name.
fn stored_names(of: &Conversation) -> [String; 2] {
    [&of.owner, &of.name].map(|name| name.replace('\\', r"\\").replace('\0', r"\0"))
}
