//! All minds of this server: made, found, asked, put away. HTTP and MCP translate into calls of this.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use enact_drama::{
    Fact, Record, RunId, Seq,
    dice::seed_of,
    mind::{
        MIND_ROW, Mind, MindCommand, MindConfig, MindDecision, MindEvent, MindObservation, MindSetup,
        MindTold,
    },
    production::fold,
};
use enact_engine::{
    Clock,
    clock::SystemClock,
    log::{self, RunSummary},
    node::{self, FollowEvent, Submitter},
    store::RowQuery,
};
use serde_json::Value;
use uuid::Uuid;

use super::{
    MIND_NOT_FOUND, PrepareMind,
    mind_queue::{CallOrder, MindQueue},
    recent_log::RecentLog,
};
use crate::{
    error::{ApiError, ErrorCode},
    routes::ApiState,
};

/// After so many questions to a model rules decide: an hour and a half at one every three seconds.
const MOST_CALLS: u32 = 2_000;
/// The names of games are 43 characters; an index holds no entry of thousands.
const LONGEST_ID: usize = 255;
/// Enough that minds that come at once seldom wait for each other.
const LOCKS: usize = 64;
/// How many are listed at once.
const PAGE: usize = 1_000;
/// How long a mind that is to be forgotten may take to end: an append takes milliseconds.
const FORGET_TIMEOUT: Duration = Duration::from_secs(10);

/// Whose mind, and what the game calls it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct MindKey {
    pub(super) account: String,
    pub(super) mind_id: String,
}

impl MindKey {
    pub(super) fn new(account: &str, mind_id: &str) -> Result<MindKey, ApiError> {
        let is_plain =
            !mind_id.is_empty() && mind_id.len() <= LONGEST_ID && !mind_id.contains(char::is_control);
        if !is_plain {
            let message = format!("a mind's id has 1 to {LONGEST_ID} bytes on one line");
            return Err(ApiError::new(ErrorCode::InvalidRequest, message));
        }
        Ok(MindKey { account: account.to_owned(), mind_id: mind_id.to_owned() })
    }
}

/// What is wanted of a new mind.
#[derive(Debug, Clone, Default)]
pub(super) struct NewMind {
    pub(super) entity_id: String,
    pub(super) config: MindConfig,
    /// The model that the game would like.
    pub(super) model: Option<String>,
}

/// What came of a call.
#[derive(Debug)]
pub(super) struct DecidedCall {
    pub(super) request: String,
    /// Nothing if a newer call has come.
    pub(super) decision: Option<Box<MindDecision>>,
    /// Which model decides for it, if one does.
    pub(super) model: Option<String>,
    pub(super) server_ms: u64,
}

/// The minds of a server.
#[derive(Debug, Clone)]
pub(super) struct Minds(Arc<MindsInner>);

#[derive(Debug)]
struct MindsInner {
    api: ApiState,
    preparer: Arc<dyn PrepareMind>,
    queues: Mutex<HashMap<MindKey, MindQueue>>,
    /// Held while a mind is looked up or made, one at a time for each: of two that make it the second finds it.
    opening: [tokio::sync::Mutex<()>; LOCKS],
    log: RecentLog,
    started: Instant,
}

impl Minds {
    pub(super) fn new(api: &ApiState, preparer: Arc<dyn PrepareMind>) -> Minds {
        Minds(Arc::new(MindsInner {
            api: api.clone(),
            preparer,
            queues: Mutex::default(),
            opening: std::array::from_fn(|_| tokio::sync::Mutex::default()),
            log: RecentLog::default(),
            started: Instant::now(),
        }))
    }

    pub(super) fn recent_log(&self) -> &RecentLog {
        &self.0.log
    }

    pub(super) fn started(&self) -> Instant {
        self.0.started
    }

    /// Makes a mind, or gives the one of this name a body again: its memories stay as they are.
    pub(super) async fn create(&self, key: &MindKey, new: NewMind) -> Result<RunId, ApiError> {
        let _opening = self.opening(key).lock().await;
        if let Some(queue) = self.open(key).await? {
            let (run, linked) = {
                let mind = queue.mind();
                (mind.setup().run, mind.entity_id() == Some(new.entity_id.as_str()))
            };
            if !linked {
                queue.command(MindCommand::Link { entity_id: new.entity_id }).await?;
            }
            return Ok(run);
        }
        self.make(key, new).await
    }

    async fn make(&self, key: &MindKey, new: NewMind) -> Result<RunId, ApiError> {
        let MindsInner { api, preparer, .. } = &*self.0;
        api.queue_limit.admit(&**api.node().store()).await?;
        let (model, models) = preparer.model(new.model.as_deref()).await?;
        let run = node::new_run();
        let setup = MindSetup {
            run,
            mind_id: key.mind_id.clone(),
            entity_id: new.entity_id,
            config: new.config.bounded(),
            model,
            models,
            most_calls: MOST_CALLS,
            budget: preparer.budget(),
            seed: seed_of(run),
        };
        setup.check_budget()?;
        let event = MindEvent::MindBegan { setup: Arc::new(setup) };
        let fact = Fact { seq: Seq(0), at: SystemClock.now_ms(), event };
        let by = Submitter { account: key.account.clone(), idempotency_key: None, next: None };
        api.node().submit(Record::of(&fact), by).await?;
        let mind: Option<Mind> = fold(&[fact]);
        let mind =
            mind.ok_or_else(|| ApiError::new(ErrorCode::Internal, "a mind does not begin like one"))?;
        let summary = api.node().store().find(run).await?;
        self.begin_queue(key, summary, mind, Seq(1));
        self.0.log.note(&key.account, &key.mind_id, "created");
        Ok(run)
    }

    /// A mind by its name.
    pub(super) async fn find(&self, key: &MindKey) -> Result<Option<MindQueue>, ApiError> {
        if let Some(queue) = self.known(key).await? {
            return Ok(Some(queue));
        }
        let _opening = self.opening(key).lock().await;
        self.open(key).await
    }

    pub(super) async fn get(&self, key: &MindKey) -> Result<MindQueue, ApiError> {
        self.find(key).await?.ok_or_else(|| not_found(&key.mind_id))
    }

    /// What a mind does that was told this.
    pub(super) async fn decide(
        &self,
        key: &MindKey,
        request: Option<String>,
        order: Option<CallOrder>,
        observation: MindObservation,
    ) -> Result<DecidedCall, ApiError> {
        let begun = Instant::now();
        let queue = self.get(key).await?;
        let request = request.unwrap_or_else(new_request_id);
        let (entity_id, model) = {
            let mind = queue.mind();
            let entity_id = mind.entity_id().ok_or_else(|| not_found(&key.mind_id))?.to_owned();
            (entity_id, mind.setup().model.clone())
        };
        if let Some(told) = observation.entity_id.as_ref().filter(|told| **told != entity_id) {
            let message = format!("the observation is of '{told}', and this mind drives '{entity_id}'");
            return Err(ApiError::new(ErrorCode::InvalidRequest, message));
        }
        let told = MindTold { request: request.clone(), observation, late: false };
        let decision = queue.decide(told, order).await?;
        if let Some(decision) = &decision {
            let what = format!("{}: {}", decision.action.action, decision.why);
            self.0.log.note(&key.account, &entity_id, &what);
        }
        let server_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(DecidedCall { request, decision, model, server_ms })
    }

    /// Has a mind take a command, and gives the fact that it has.
    pub(super) async fn command(&self, key: &MindKey, command: MindCommand) -> Result<MindEvent, ApiError> {
        self.get(key).await?.command(command).await
    }

    /// Has a mind keep what it remembers of the day. Says how much that was.
    pub(super) async fn consolidate(&self, key: &MindKey) -> Result<u32, ApiError> {
        match self.command(key, MindCommand::Consolidate {}).await? {
            MindEvent::Consolidated { count } => Ok(count),
            _ => Ok(0),
        }
    }

    /// Removes a mind and all that it remembers. Says whether there was one.
    pub(super) async fn forget(&self, key: &MindKey) -> Result<bool, ApiError> {
        let _opening = self.opening(key).lock().await;
        let Some(run) = self.run_of(key).await? else { return Ok(false) };
        self.queues().remove(key);
        match self.delete(run).await {
            // A call of it is under way, or was just answered.
            Err(node::Error::Log(log::Error::Busy(_))) => {}
            deleted => return Ok(deleted?),
        }
        match tokio::time::timeout(FORGET_TIMEOUT, self.end(run)).await {
            Ok(Ok(()) | Err(node::Error::Log(log::Error::NotFound(_) | log::Error::Ended(_)))) => {}
            Ok(Err(error)) => return Err(error.into()),
            Err(_) => {
                return Err(ApiError::new(ErrorCode::Busy, "a call of this mind does not end: ask again"));
            }
        }
        Ok(self.delete(run).await?)
    }

    /// Says whether there was anything to delete.
    async fn delete(&self, run: RunId) -> Result<bool, node::Error> {
        match self.0.api.node().delete(run).await {
            Ok(()) => Ok(true),
            Err(node::Error::Log(log::Error::NotFound(_))) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Ends a run, whatever is under way, and waits until it has.
    async fn end(&self, run: RunId) -> Result<(), node::Error> {
        let node = self.0.api.node();
        let found = node.store().find(run).await?;
        let mut follower = node.follow_found(&found, Seq(found.events));
        node.cancel(run).await?;
        while let Some(event) = follower.next().await? {
            if matches!(event, FollowEvent::Closed) {
                return Err(log::Error::Busy(run).into());
            }
        }
        Ok(())
    }

    /// The minds of an account, the newest first, as their rows tell of them.
    pub(super) async fn list(&self, account: &str) -> Result<Vec<Value>, ApiError> {
        let account = Some(account.to_owned());
        let wanted = RowQuery { kind: MIND_ROW.to_owned(), account, most: PAGE, ..RowQuery::default() };
        let rows = self.0.api.node().store().rows(&wanted).await?;
        Ok(rows.iter().filter_map(|stored| serde_json::from_str(&stored.row.body).ok()).collect())
    }

    /// The mind of this name from memory, as it is now.
    async fn known(&self, key: &MindKey) -> Result<Option<MindQueue>, ApiError> {
        let Some(queue) = self.queues().get(key).cloned() else { return Ok(None) };
        match queue.refresh().await {
            Ok(()) => Ok(Some(queue)),
            // It was idle for long, or its run is gone: the store knows.
            Err(_) if queue.is_closed() => {
                self.remove_closed(key);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// The mind of this name from memory, or else from the store.
    async fn open(&self, key: &MindKey) -> Result<Option<MindQueue>, ApiError> {
        if let Some(queue) = self.known(key).await? {
            return Ok(Some(queue));
        }
        let Some(run) = self.run_of(key).await? else { return Ok(None) };
        let node = self.0.api.node();
        let summary = node.store().find(run).await?;
        let (mind, next) = node.load::<Mind>(run).await?;
        Ok(Some(self.begin_queue(key, summary, mind, next)))
    }

    fn begin_queue(&self, key: &MindKey, summary: RunSummary, mind: Mind, next: Seq) -> MindQueue {
        let (queue, task) = MindQueue::new(self.0.api.node().clone(), summary, mind, next);
        self.queues().insert(key.clone(), queue.clone());
        let (minds, key) = (Arc::downgrade(&self.0), key.clone());
        tokio::spawn(async move {
            task.work().await;
            if let Some(minds) = minds.upgrade() {
                Minds(minds).remove_closed(&key);
            }
        });
        queue
    }

    /// Another of the same name may have come since.
    fn remove_closed(&self, key: &MindKey) {
        let mut queues = self.queues();
        if queues.get(key).is_some_and(MindQueue::is_closed) {
            queues.remove(key);
        }
    }

    async fn run_of(&self, key: &MindKey) -> Result<Option<RunId>, ApiError> {
        let wanted = RowQuery {
            kind: MIND_ROW.to_owned(),
            account: Some(key.account.clone()),
            key: Some(key.mind_id.clone()),
            most: 1,
            ..RowQuery::default()
        };
        Ok(self.0.api.node().store().rows(&wanted).await?.first().map(|stored| stored.run))
    }

    fn opening(&self, key: &MindKey) -> &tokio::sync::Mutex<()> {
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        &self.0.opening[(hasher.finish() % LOCKS as u64) as usize]
    }

    /// How many of them are in memory.
    #[cfg(test)]
    pub(super) fn in_memory(&self) -> usize {
        self.queues().len()
    }

    fn queues(&self) -> MutexGuard<'_, HashMap<MindKey, MindQueue>> {
        self.0.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A name for a call that its client gave none.
pub(super) fn new_request_id() -> String {
    Uuid::new_v4().simple().to_string()[..8].to_owned()
}

pub(super) fn not_found(mind_id: &str) -> ApiError {
    ApiError::new(MIND_NOT_FOUND, format!("Mind {mind_id} not found"))
}
