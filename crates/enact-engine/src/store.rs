//! What nodes need beside the logs: a queue, inboxes, lists, and notifications of what others did.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use async_trait::async_trait;
use enact_drama::{
    Record, RunId, Seq,
    row::{Row, RowChange},
};
use tokio::sync::broadcast;

use crate::log::{Claim, CommandId, Error, Log, NewRun, RunSummary, Status};

/// How many commands may wait in one inbox. The owner takes them within a beat: more come from a client that
/// posts without end, or wait for a run that cannot be played.
pub const INBOX_CAPACITY: usize = 256;

/// How many commands to one run are read at a time, so that a full inbox does not delay those of a thousand
/// other runs.
pub const INBOX_PAGE: usize = 64;

/// Logs, and the rows beside them that let any number of nodes share the work.
///
/// Implementers promise, beyond [`Log`]:
/// * **One player:** a waiting run is given to one claimer at a time, and again only once that one has
///   released it, put it back, or is dead. One that is alive but was taken for dead appends nothing any more.
/// * **Exactly once:** a command stays in its inbox until the batch that [follows from
///   it](crate::log::Batch::taken) is stored, in the same transaction. A run [ends](crate::log::Batch::ended)
///   only when all commands to it were read; a command is either posted before the end, and read, or refused.
/// * **Notifications are hints:** they may be late, lost or false, so nodes also poll.
#[async_trait]
pub trait Store: Log {
    /// Makes a run known, with the records it begins with, for any node to play. With an [`IdempotencyKey`]
    /// that was given before, nothing is made.
    ///
    /// The [next](Submission::next) run of a conversation is made only if the newest one is what
    /// [`NextRun::after`] says, and has ended or was cleared before that: a run that begins anew has nothing
    /// to wait for. Otherwise the conversation is [busy](Enqueued::Busy), and nothing is made. One whose newest
    /// run was removed since begins with this one. A conversation that was cleared is not any more, unless
    /// that was done after the next run was made ready: this one then knows what should be forgotten, and so
    /// it is for the run after it to begin anew.
    async fn enqueue(&self, submission: Submission) -> Result<Enqueued, Error>;

    /// Where a conversation stands; nothing if it has no run, or no longer.
    async fn conversation(&self, of: &Conversation) -> Result<Option<ConversationHead>, Error>;

    /// Has a conversation begin anew with its next run, whether or not its newest has ended. Says where it
    /// stood before.
    async fn clear(&self, of: &Conversation) -> Result<Option<ConversationHead>, Error>;

    /// Keeps a run that was played elsewhere, to its end or not, with what its records do to its derived
    /// rows, in one transaction. It is in no queue: playing on means resuming it. One that is there already
    /// is a [conflict](Error::Conflict), and so is a log with gaps; then nothing is kept.
    async fn import(
        &self,
        run: NewRun,
        records: Vec<Record>,
        rows: Vec<RowChange>,
        ended: Option<String>,
    ) -> Result<(), Error>;

    /// The run that this idempotency key made, if any.
    async fn find_submitted(&self, idempotency_key: &IdempotencyKey) -> Result<Option<Enqueued>, Error>;

    /// How many runs wait to be played. Counting ends at this many.
    async fn waiting(&self, at_most: usize) -> Result<usize, Error>;

    /// Claims runs that wait to be played, oldest first, and those of dead nodes among them.
    ///
    /// An owner whose earlier claims may have been made without its hearing of it gives those up first, so
    /// that they wait like others. It should therefore ask now and then even if it wants none: then that is
    /// all that is done.
    async fn claim_waiting(&self, most: usize) -> Result<Vec<Claim>, Error>;

    /// Gives a run up that cannot be played now, and says why. It waits at least this long before it is
    /// claimed again.
    async fn requeue(&self, claim: Claim, problem: &str, pause: Duration) -> Result<(), Error>;

    /// Puts a command into the inbox of a run that is played, waits to be played or rests. Others have
    /// [ended](Error::Ended) or are [idle](Error::Idle); an inbox takes about [`INBOX_CAPACITY`], and then is
    /// [full](Error::Full).
    ///
    /// A resting run wakes up in the same transaction. With [`Wake::Claim`] it is the caller's from then on;
    /// with [`Wake::Queue`] it waits for any node. Either way nodes play it from now on whenever its owner is
    /// gone: a process that dies before it has stored anything leaves the command in the inbox and the run in
    /// the queue.
    async fn post(&self, run: RunId, command: Arc<str>, wake: Wake) -> Result<Posted, Error>;

    /// The commands to all runs that this owner plays, oldest first, and at most [`INBOX_PAGE`] to each.
    async fn inboxes(&self) -> Result<Vec<PostedCommand>, Error>;

    /// The commands to one run, oldest first, and at most [`INBOX_PAGE`].
    async fn inbox(&self, run: RunId) -> Result<Vec<PostedCommand>, Error>;

    /// What is known of one run, begun or not.
    async fn find(&self, run: RunId) -> Result<RunSummary, Error>;

    /// Runs that have begun, newest first.
    async fn list(&self, wanted: &Listing) -> Result<Vec<RunSummary>, Error>;

    /// At most so many records of a run from a seq on.
    async fn read_some(&self, run: RunId, from: Seq, most: usize) -> Result<Vec<Record>, Error>;

    /// Removes a run and all that belongs to it. One that is being played is [busy](Error::Busy).
    async fn delete(&self, run: RunId) -> Result<(), Error>;

    /// Keeps something derived from the log of a run, so that it need not be derived again.
    async fn keep_extract(&self, run: RunId, kind: &str, body: &str) -> Result<(), Error>;

    /// What was kept of this kind, newest run first, of runs that started within these UTC milliseconds.
    async fn extracts(&self, kind: &str, started: std::ops::Range<i64>) -> Result<Vec<Extract>, Error>;

    /// Finished runs of which nothing of this kind is kept yet.
    async fn without_extract(&self, kind: &str, most: usize) -> Result<Vec<RunId>, Error>;

    /// Adds to a number that is kept beside a run, and says what it is then. Nothing derives it: it counts what
    /// happens to a run that is over, such as how often its result was looked at. It goes with its run.
    async fn add_to_counter(&self, run: RunId, name: &str, by: i64) -> Result<i64, Error>;

    /// The numbers that are kept beside a run, by name. Those that were never added to are not there.
    async fn counters(&self, run: RunId) -> Result<BTreeMap<String, i64>, Error>;

    /// Derived rows of one kind, in the order of their `sort`, highest first, then by key, then by run.
    async fn rows(&self, wanted: &RowQuery) -> Result<Vec<StoredRow>, Error>;

    /// Replaces all derived rows of a run by these, if its log still has this length, and drops its
    /// checkpoint, which is derived too; says whether it had.
    async fn replace_rows(&self, run: RunId, length: Seq, rows: Vec<Row>) -> Result<bool, Error>;

    /// Whether what is played could be stored now, found out by writing something. It waits like any other
    /// write, so that a store which answers nothing else does not answer this.
    async fn ready(&self) -> Result<(), Error>;

    /// What it is, for people: `sqlite`, `postgres`.
    fn name(&self) -> &'static str;

    /// Subscribes to notifications.
    fn notifications(&self) -> broadcast::Receiver<Notification>;
}

/// A run that is to be made.
#[derive(Debug, Clone)]
pub struct Submission {
    pub run: NewRun,
    /// What its log begins with: the first record, and for a fork all that is shared.
    pub records: Vec<Record>,
    /// What the records do to its derived rows.
    pub rows: Vec<RowChange>,
    /// Names the request, so that a repetition makes no second run.
    pub idempotency_key: Option<IdempotencyKey>,
    /// The conversation it goes on with.
    pub next: Option<NextRun>,
}

/// A command in a run's inbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostedCommand {
    pub id: CommandId,
    pub run: RunId,
    /// JSON that only the run's production understands.
    pub command: Arc<str>,
}

/// Which node plays a resting run that a command wakes up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wake {
    /// The one that posts.
    Claim,
    /// Any.
    Queue,
}

/// What became of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posted {
    pub id: CommandId,
    /// The run was resting, and is the caller's now.
    pub claim: Option<Claim>,
}

/// Which derived rows are wanted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RowQuery {
    pub kind: String,
    /// Of runs that this account made.
    pub account: Option<String>,
    pub run: Option<RunId>,
    pub key: Option<String>,
    /// Only those that come after this one in the list.
    pub after: Option<RowCursor>,
    /// At most so many.
    pub most: usize,
}

impl RowQuery {
    /// Whether a row is among those that are wanted.
    pub fn wants(&self, stored: &StoredRow) -> bool {
        let StoredRow { run, account, row } = stored;
        let place = (std::cmp::Reverse(row.sort), &row.key, run);
        row.kind == self.kind
            && self.account.as_ref().is_none_or(|wanted| wanted == account)
            && self.run.is_none_or(|wanted| wanted == *run)
            && self.key.as_ref().is_none_or(|wanted| *wanted == row.key)
            && self
                .after
                .as_ref()
                .is_none_or(|after| place > (std::cmp::Reverse(after.sort), &after.key, &after.run))
    }
}

/// The place of a row among those of its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowCursor {
    pub sort: i64,
    pub key: String,
    pub run: RunId,
}

/// A derived row as stores keep it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRow {
    pub run: RunId,
    /// Which account made the run.
    pub account: String,
    pub row: Row,
}

impl StoredRow {
    pub fn cursor(&self) -> RowCursor {
        RowCursor { sort: self.row.sort, key: self.row.key.clone(), run: self.run }
    }
}

/// Names a request to make a run, so that repeating it gives the same run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey {
    /// Who asks, and what they call it. Unique together.
    pub from: String,
    pub key: String,
    /// Tells a repetition from another request under the same key.
    pub digest: String,
}

/// How many characters the names of a conversation may have each: an index of Postgres holds no entry of more
/// than 2,700 bytes, and a character may take four of them.
pub const LONGEST_NAME: usize = 255;

/// Runs that follow each other, each knowing what was said before. Its names are any texts, empty ones too,
/// of at most [`LONGEST_NAME`] characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Conversation {
    /// Whose it is: no other owner sees it, whatever they call theirs.
    pub owner: String,
    pub name: String,
}

/// The next run of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextRun {
    pub of: Conversation,
    /// Where it stood when this one was made ready; nothing if it had no run.
    pub after: Option<ConversationHead>,
}

impl NextRun {
    /// Whether it was made ready for a conversation that stands here.
    pub fn follows(&self, talk: ConversationHead) -> bool {
        self.after.is_some_and(|after| after.run == talk.run)
    }

    /// Whether it was made ready after the conversation was cleared, and so knows nothing of the newest run.
    pub fn begins_anew(&self) -> bool {
        self.after.is_some_and(|after| after.cleared)
    }

    /// Where the conversation stands once this run is its newest, if it stood here before.
    pub fn leaves(&self, run: RunId, talk: Option<ConversationHead>) -> ConversationHead {
        let is_cleared = |talk: Option<ConversationHead>| talk.is_some_and(|talk| talk.cleared);
        ConversationHead { run, cleared: is_cleared(talk) && !is_cleared(self.after) }
    }
}

/// Where a conversation stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConversationHead {
    /// Its newest run.
    pub run: RunId,
    /// Whether the next one is to begin anew.
    pub cleared: bool,
}

/// What became of a request to make a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enqueued {
    New,
    /// This run of the same conversation has not ended, or has come in between.
    Busy(RunId),
    /// An earlier request with the same idempotency key made this run.
    AlreadyQueued(RunId),
    /// Its key was used for something else.
    KeyReused,
}

/// Which runs are wanted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listing {
    pub production: Option<String>,
    pub name: Option<String>,
    /// Runs whose name holds this, in capitals or not.
    pub name_holds: Option<String>,
    /// Any, if none.
    pub statuses: Vec<Status>,
    /// Forks of this run.
    pub parent: Option<RunId>,
    /// Only what the caller may see; all, if nothing is said.
    pub visible: Option<Visible>,
    /// Older than this one.
    pub before: Option<RunId>,
    /// At most so many.
    pub most: usize,
}

impl Listing {
    /// Whether a run is among those that are wanted.
    pub fn wants(&self, run: &RunSummary) -> bool {
        self.production.as_ref().is_none_or(|production| *production == run.production)
            && self.name.as_ref().is_none_or(|name| *name == run.name)
            && self
                .name_holds
                .as_ref()
                .is_none_or(|part| run.name.to_ascii_lowercase().contains(&part.to_ascii_lowercase()))
            && (self.statuses.is_empty() || self.statuses.contains(&run.status))
            && self.parent.is_none_or(|parent| run.parent == Some(parent))
            && self.visible.as_ref().is_none_or(|visible| visible.shows(run))
            && self.before.is_none_or(|before| run.run < before)
    }
}

/// Runs of these productions, and those that this account made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visible {
    pub productions: Vec<String>,
    /// Nothing for a caller who has no runs of their own, not even those of the nameless account.
    pub account: Option<String>,
}

impl Visible {
    pub fn shows(&self, run: &RunSummary) -> bool {
        self.productions.contains(&run.production) || self.account.as_ref() == Some(&run.account)
    }
}

/// Something derived from a run's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extract {
    pub run: RunId,
    pub started_at: i64,
    pub body: String,
}

/// A hint about a change made by any process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notification {
    /// A run waits to be played: it is new, or its owner has released it.
    RunQueued,
    /// A command was posted to a run.
    CommandPosted(RunId),
    /// A run's log has grown.
    LogGrew(RunId),
}
