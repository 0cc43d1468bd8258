//! What nodes need beside the logs: a queue, inboxes, lists, and news of what others did.

use std::time::Duration;

use async_trait::async_trait;
use enact_drama::{Record, RunId, Seq, Steering};
use tokio::sync::broadcast;

use crate::log::{Claim, Error, LetterId, Log, NewRun, RunSummary, Status};

/// How many letters may wait for one run. Whoever plays it takes them within a beat; more than this is somebody who writes
/// without end, or a run that nobody can play.
pub const MOST_LETTERS: usize = 256;

/// How many letters to one run are read at a time: one run with a full inbox must not make those of a thousand others late.
pub const LETTERS_AT_ONCE: usize = 64;

/// Logs, and the rows beside them that let any number of nodes share the work.
///
/// Implementers promise, beyond [`Log`]:
/// * **One player:** a waiting run is given to one claimer at a time, and again only once that one has released it, put it
///   back, or is dead. Whoever is not dead but was taken for it appends nothing any more.
/// * **Exactly once:** a letter stays in its inbox until the batch that [follows from it](crate::log::Batch::taken) is
///   stored, in the same transaction.
/// * **News is a hint:** it may be late, lost or false; whoever needs to know looks for themselves now and then.
#[async_trait]
pub trait Store: Log {
    /// Makes a run known, with the records it begins with, for any node to play. With an [`Order`] that was given before,
    /// nothing is made.
    async fn enqueue(
        &self,
        run: NewRun,
        records: Vec<Record>,
        order: Option<Order>,
    ) -> Result<Enqueued, Error>;

    /// Like [`enqueue`](Store::enqueue), for the next run of a conversation: only if its newest run is the one that
    /// [`Next::after`] says, and has ended. Otherwise the conversation is [busy](Enqueued::Busy), and nothing is made. One whose
    /// newest run was removed since begins with this one.
    ///
    /// A conversation that was cleared is not any more, unless that was done after the next run was made ready: this one then
    /// knows what should be forgotten, and so it is for the run after it to begin anew.
    async fn converse(
        &self,
        next: Next,
        run: NewRun,
        records: Vec<Record>,
        order: Option<Order>,
    ) -> Result<Enqueued, Error>;

    /// Where a conversation stands; nothing if it has no run, or no longer.
    async fn conversation(&self, of: &Conversation) -> Result<Option<Talk>, Error>;

    /// Has a conversation begin anew with its next run, whether or not its newest has ended. Says where it stood before.
    async fn clear(&self, of: &Conversation) -> Result<Option<Talk>, Error>;

    /// Keeps a run that was played elsewhere, to its end or not. It is in no queue: whoever wants to play on resumes it.
    /// One that is there already is a [conflict](Error::Conflict), and so is a log with gaps; then nothing is kept.
    async fn import(&self, run: NewRun, records: Vec<Record>, ended: Option<String>) -> Result<(), Error>;

    /// What became of an order that was given before; nothing if it was not.
    async fn ordered(&self, order: &Order) -> Result<Option<Enqueued>, Error>;

    /// How many runs wait to be played. Counting ends at this many.
    async fn waiting(&self, at_most: usize) -> Result<usize, Error>;

    /// Claims runs that wait to be played, oldest first, and those of dead nodes among them.
    async fn claim_waiting(&self, most: usize) -> Result<Vec<Claim>, Error>;

    /// Gives a run up that cannot be played now, and says why. It waits at least this long before it is claimed again.
    async fn put_back(&self, claim: Claim, problem: &str, pause: Duration) -> Result<(), Error>;

    /// Puts a letter into the inbox of a run that is played or waits to be, for whoever plays it. Others have
    /// [ended](Error::Ended) or are [idle](Error::Idle); an inbox takes about [`MOST_LETTERS`], and then is
    /// [full](Error::Full).
    async fn post(&self, run: RunId, wanted: Steering) -> Result<LetterId, Error>;

    /// The letters to all runs that this owner plays, oldest first, and at most [`LETTERS_AT_ONCE`] to each. What this version
    /// cannot read is left for one that can.
    async fn letters(&self) -> Result<Vec<Letter>, Error>;

    /// What is known of one run, begun or not.
    async fn find(&self, run: RunId) -> Result<RunSummary, Error>;

    /// Runs that have begun, newest first.
    async fn list(&self, wanted: &Listing) -> Result<Vec<RunSummary>, Error>;

    /// At most so many records of a run from a seq on.
    async fn read_some(&self, run: RunId, from: Seq, most: usize) -> Result<Vec<Record>, Error>;

    /// Removes a run and all that belongs to it. One that is being played is [busy](Error::Busy).
    async fn delete(&self, run: RunId) -> Result<(), Error>;

    /// Keeps something derived from the log of a finished run, so that it need not be derived again.
    async fn keep_extract(&self, run: RunId, kind: &str, body: &str) -> Result<(), Error>;

    /// What was kept of this kind, newest run first, of runs that started within these UTC milliseconds.
    async fn extracts(&self, kind: &str, started: std::ops::Range<i64>) -> Result<Vec<Extract>, Error>;

    /// Finished runs of which nothing of this kind is kept yet.
    async fn without_extract(&self, kind: &str, most: usize) -> Result<Vec<RunId>, Error>;

    /// Whether it can be reached, found out by asking it.
    async fn ready(&self) -> Result<(), Error>;

    /// What it is, for people: `sqlite`, `postgres`.
    fn name(&self) -> &'static str;

    /// News from now on.
    fn news(&self) -> broadcast::Receiver<News>;
}

/// Something wanted of a run by somebody who does not play it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    pub id: LetterId,
    pub run: RunId,
    pub wanted: Steering,
}

/// Names a request to make a run, so that whoever repeats it gets the same run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// Who asks, and what they call it. Unique together.
    pub from: String,
    pub key: String,
    /// Tells a repetition from another request under the same key.
    pub digest: String,
}

/// How many characters the names of a conversation may have each: an index of Postgres holds no entry of more than 2,700
/// bytes, and a character may take four of them.
pub const LONGEST_NAME: usize = 255;

/// Runs that follow each other, each knowing what was said before. Its names are any texts, empty ones too, of at most
/// [`LONGEST_NAME`] characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Conversation {
    /// Whose it is: nobody else sees it, whatever they call theirs.
    pub owner: String,
    pub name: String,
}

/// The next run of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Next {
    pub of: Conversation,
    /// Where it stood when this one was made ready; nothing if it had no run.
    pub after: Option<Talk>,
}

impl Next {
    /// Whether it was made ready for a conversation that stands here.
    pub fn follows(&self, talk: Talk) -> bool {
        self.after.is_some_and(|after| after.run == talk.run)
    }

    /// Where the conversation stands once this run is its newest, if it stood here before.
    pub fn leaves(&self, run: RunId, talk: Option<Talk>) -> Talk {
        let is_cleared = |talk: Option<Talk>| talk.is_some_and(|talk| talk.cleared);
        Talk { run, cleared: is_cleared(talk) && !is_cleared(self.after) }
    }
}

/// Where a conversation stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Talk {
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
    /// This order made that run before.
    Before(RunId),
    /// Its key was used for something else.
    Reused,
}

/// Which runs are wanted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listing {
    pub production: Option<String>,
    pub name: Option<String>,
    /// Any, if none.
    pub statuses: Vec<Status>,
    /// Forks of this run.
    pub parent: Option<RunId>,
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
            && (self.statuses.is_empty() || self.statuses.contains(&run.status))
            && self.parent.is_none_or(|parent| run.parent == Some(parent))
            && self.before.is_none_or(|before| run.run < before)
    }
}

/// Something derived from a run's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extract {
    pub run: RunId,
    pub started_at: i64,
    pub body: String,
}

/// What others did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum News {
    /// A run waits to be played: it is new, or whoever played it has released it.
    Waiting,
    /// A run has got a letter.
    Letter(RunId),
    /// A run's log has grown.
    Grown(RunId),
}
