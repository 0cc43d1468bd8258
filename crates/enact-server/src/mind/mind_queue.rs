//! One mind as this process knows it. Its calls go through one task, so that they are answered in order and
//! the newest observation wins; what it knows is at hand without reading its log.

use std::{
    collections::{HashMap, VecDeque},
    pin::pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use enact_drama::{
    Production, Record, Seq,
    mind::{Mind, MindCommand, MindDecision, MindEvent, MindTold},
};
use enact_engine::{
    Node,
    log::{self, RunSummary, Status},
    node::{FollowEvent, Follower},
};
use tokio::sync::{mpsc, oneshot};

use crate::error::{ApiError, ErrorCode};

/// How many calls of one mind may wait, and how often the same one: a game has three under way.
const MOST_CALLS: usize = 64;
/// How long a mind that is not called stays in memory. It rests in the store all the while.
pub(super) const IDLE: Duration = Duration::from_secs(600);
/// How many records are read at a time that came from elsewhere.
const PAGE: usize = 64;

/// What became of a call: what was decided, or nothing because a newer call has come.
pub(super) type QueueOutcome = Result<Option<Box<MindDecision>>, ApiError>;
type Waiter = oneshot::Sender<QueueOutcome>;

/// Where a call stands among those of its client: they are taken up by several threads, in any order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CallOrder {
    pub(super) session: String,
    /// Later calls have higher numbers.
    pub(super) number: i64,
}

impl CallOrder {
    fn is_before(&self, other: &CallOrder) -> bool {
        self.session == other.session && self.number < other.number
    }
}

/// The way to the task of a mind.
#[derive(Debug, Clone)]
pub(super) struct MindQueue {
    calls: mpsc::Sender<QueuedCall>,
    mind: Arc<Mutex<Mind>>,
    /// Whether the task follows the log: then the mind is as new as it can be.
    follows: Arc<AtomicBool>,
}

#[derive(Debug)]
enum QueuedCall {
    /// With all who wait for it: a client that hears nothing sends it again.
    Decide {
        told: Box<MindTold>,
        order: Option<CallOrder>,
        waiters: Vec<Waiter>,
    },
    Command {
        command: MindCommand,
        done: oneshot::Sender<Result<MindEvent, ApiError>>,
    },
    /// Has it look whether the log has grown elsewhere.
    Refresh {
        done: oneshot::Sender<()>,
    },
}

impl MindQueue {
    /// The queue of a mind whose log has come to this seq. Nothing is answered until its task works.
    pub(super) fn new(node: Node, summary: RunSummary, mind: Mind, next: Seq) -> (MindQueue, QueueTask) {
        let (calls, received) = mpsc::channel(MOST_CALLS);
        let (mind, follows) = (Arc::new(Mutex::new(mind)), Arc::<AtomicBool>::default());
        let task = QueueTask {
            node,
            summary,
            mind: mind.clone(),
            next,
            calls: received,
            queue: VecDeque::new(),
            refreshes: Vec::new(),
            follower: None,
            follows: follows.clone(),
            asked: HashMap::new(),
            command: None,
            posted: None,
            withheld: Vec::new(),
            newest: None,
        };
        (MindQueue { calls, mind, follows }, task)
    }

    /// Whether nothing answers any more: it was idle for long, or its run is gone.
    pub(super) fn is_closed(&self) -> bool {
        self.calls.is_closed()
    }

    /// The mind as it was after the newest fact.
    pub(super) fn mind(&self) -> MutexGuard<'_, Mind> {
        self.mind.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes in what came about without this process: a command may be posted to the run itself, and on any node.
    /// While something is under way nothing has to be asked for.
    pub(super) async fn refresh(&self) -> Result<(), ApiError> {
        if self.follows.load(Relaxed) {
            return Ok(());
        }
        let (done, did) = oneshot::channel();
        self.send(QueuedCall::Refresh { done })?;
        did.await.map_err(|_| gone())
    }

    /// What is decided in answer to a call.
    pub(super) async fn decide(&self, told: MindTold, order: Option<CallOrder>) -> QueueOutcome {
        let (answer, answered) = oneshot::channel();
        self.send(QueuedCall::Decide { told: Box::new(told), order, waiters: vec![answer] })?;
        answered.await.unwrap_or_else(|_| Err(gone()))
    }

    /// Has the mind take a command, and gives the fact that it has.
    pub(super) async fn command(&self, command: MindCommand) -> Result<MindEvent, ApiError> {
        let (done, did) = oneshot::channel();
        self.send(QueuedCall::Command { command, done })?;
        did.await.unwrap_or_else(|_| Err(gone()))
    }

    fn send(&self, call: QueuedCall) -> Result<(), ApiError> {
        self.calls.try_send(call).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => too_many(),
            mpsc::error::TrySendError::Closed(_) => gone(),
        })
    }
}

fn too_many() -> ApiError {
    ApiError::new(ErrorCode::Busy, "too many calls of this mind are under way")
}

fn gone() -> ApiError {
    ApiError::new(ErrorCode::Busy, "this mind is being put away: ask again")
}

pub(super) struct QueueTask {
    node: Node,
    summary: RunSummary,
    mind: Arc<Mutex<Mind>>,
    /// The seq of the next record.
    next: Seq,
    /// Before those who wait, so that they find it closed when they are dropped.
    calls: mpsc::Receiver<QueuedCall>,
    /// What has come and was not posted yet: decisions and commands.
    queue: VecDeque<QueuedCall>,
    refreshes: Vec<oneshot::Sender<()>>,
    /// Only while something is under way: followers of a run that rests poll the store.
    follower: Option<Follower>,
    follows: Arc<AtomicBool>,
    /// Calls that were posted and are not answered.
    asked: HashMap<String, Vec<Waiter>>,
    /// A command that was posted and that the log does not hold yet.
    command: Option<(MindCommand, oneshot::Sender<Result<MindEvent, ApiError>>)>,
    /// The last call that was posted and that the log does not hold yet.
    posted: Option<String>,
    withheld: Vec<String>,
    /// The newest call that was posted.
    newest: Option<CallOrder>,
}

impl QueueTask {
    /// Answers until nothing was called for long, the run is gone, or the node stops.
    pub(super) async fn work(mut self) {
        let mut stopping = pin!(self.node.stopping());
        loop {
            let is_busy = self.is_busy();
            if !is_busy {
                self.follow(None);
            }
            let is_idle = self.queue.is_empty() && !is_busy;
            tokio::select! {
                call = self.calls.recv(), if self.queue.len() < MOST_CALLS => match call {
                    Some(call) => self.take_in(call),
                    None => return,
                },
                heard = next_of(&mut self.follower), if is_busy => {
                    // What came meanwhile may be newer than what was just decided.
                    self.drain();
                    if !self.hear(heard) {
                        return;
                    }
                }
                () = tokio::time::sleep(IDLE), if is_idle => return,
                // It holds the node, and with it the store.
                () = &mut stopping => return,
            }
            self.drain();
            if !self.catch_up().await {
                return;
            }
            if self.posted.is_none() && self.command.is_none() && !self.post().await {
                return;
            }
        }
    }

    fn is_busy(&self) -> bool {
        self.posted.is_some() || !self.asked.is_empty() || self.command.is_some()
    }

    fn follow(&mut self, follower: Option<Follower>) {
        self.follows.store(follower.is_some(), Relaxed);
        self.follower = follower;
    }

    fn drain(&mut self) {
        while self.queue.len() < MOST_CALLS
            && let Ok(call) = self.calls.try_recv()
        {
            self.take_in(call);
        }
    }

    /// Queues a call. One that comes again gets the answer of the one that it repeats.
    fn take_in(&mut self, call: QueuedCall) {
        let (told, order, waiters) = match call {
            QueuedCall::Decide { told, order, waiters } => (told, order, waiters),
            QueuedCall::Refresh { done } => return self.refreshes.push(done),
            command @ QueuedCall::Command { .. } => return self.queue.push_back(command),
        };
        if let Some(answer) = self.known_answer(&told.request) {
            return send_all(waiters, &Ok(answer));
        }
        let queued = self.queue.iter_mut().find_map(|call| match call {
            QueuedCall::Decide { told: other, waiters, .. } if other.request == told.request => Some(waiters),
            _ => None,
        });
        match self.asked.get_mut(&told.request).or(queued) {
            Some(waiting) if waiting.len() < MOST_CALLS => waiting.extend(waiters),
            Some(_) => send_all(waiters, &Err(too_many())),
            None => self.queue.push_back(QueuedCall::Decide { told, order, waiters }),
        }
    }

    /// What a call was answered with before, if it was.
    fn known_answer(&self, request: &str) -> Option<Option<Box<MindDecision>>> {
        if self.withheld.iter().any(|withheld| withheld == request) {
            return Some(None);
        }
        let mind = self.mind.lock().unwrap_or_else(PoisonError::into_inner);
        mind.memory().answer(request).map(|decision| Some(Box::new(decision.clone())))
    }

    /// Whether a call was sent before one that was posted already.
    fn is_late(&self, order: Option<&CallOrder>) -> bool {
        order.zip(self.newest.as_ref()).is_some_and(|(order, newest)| order.is_before(newest))
    }

    /// The calls that wait, all up to the next command, in the order in which they were sent.
    fn take_calls(&mut self) -> Vec<(Box<MindTold>, Vec<Waiter>)> {
        let mut calls: Vec<(Box<MindTold>, Option<CallOrder>, Vec<Waiter>)> = Vec::new();
        while matches!(self.queue.front(), Some(QueuedCall::Decide { .. }))
            && let Some(QueuedCall::Decide { mut told, order, waiters }) = self.queue.pop_front()
        {
            told.late = self.is_late(order.as_ref());
            let before = |(_, other, _): &(_, Option<CallOrder>, _)| {
                order.as_ref().zip(other.as_ref()).is_some_and(|(order, other)| order.is_before(other))
            };
            let place = calls.iter().position(before).unwrap_or(calls.len());
            calls.insert(place, (told, order, waiters));
        }
        let newest = calls.last().and_then(|(_, order, _)| order.clone());
        if newest.is_some() && !self.is_late(newest.as_ref()) {
            self.newest = newest;
        }
        calls.into_iter().map(|(told, _, waiters)| (told, waiters)).collect()
    }

    /// Posts what waits. Says whether the mind is still there.
    async fn post(&mut self) -> bool {
        let calls = self.take_calls();
        let mut waiting = Vec::new();
        let command = match self.queue.pop_front() {
            next if !calls.is_empty() => {
                next.into_iter().for_each(|next| self.queue.push_front(next));
                let mut told = Vec::new();
                for (call, waiters) in calls {
                    waiting.push((call.request.clone(), waiters));
                    told.push(*call);
                }
                MindCommand::Decide { told, withheld: std::mem::take(&mut self.withheld) }
            }
            Some(QueuedCall::Command { command, done }) => {
                self.command = Some((command.clone(), done));
                command
            }
            _ => return true,
        };
        self.posted = waiting.last().map(|(request, _)| request.clone());
        if self.follower.is_none() {
            // Before the command, so that nothing that follows from it has to be looked for in the store.
            self.follow(Some(self.node.follow_found(&self.summary, self.next)));
        }
        let command = serde_json::to_string(&command).unwrap_or_default();
        match self.node.command(self.summary.run, &command).await {
            Ok(_) => {
                self.asked.extend(waiting);
                true
            }
            Err(error) => {
                let error = ApiError::from(error);
                if let Some((_, newest)) = waiting.pop() {
                    send_all(newest, &Err(error));
                } else if let Some((_, done)) = self.command.take() {
                    let _ = done.send(Err(error));
                }
                waiting.into_iter().for_each(|(_, older)| send_all(older, &Ok(None)));
                false
            }
        }
    }

    /// Looks whether the log has grown elsewhere, if somebody wants to know. Says whether the mind is still there.
    async fn catch_up(&mut self) -> bool {
        let wanted = std::mem::take(&mut self.refreshes);
        let is_there = wanted.is_empty() || self.is_busy() || self.read_on().await;
        if !is_there {
            self.calls.close();
            return false;
        }
        // Those who asked may have left.
        for done in wanted {
            let _ = done.send(());
        }
        true
    }

    async fn read_on(&mut self) -> bool {
        let (store, run) = (self.node.store().clone(), self.summary.run);
        loop {
            let found = match store.find(run).await {
                Ok(found) => found,
                Err(log::Error::NotFound(_)) => return false,
                // What is known is better than nothing; whatever is posted next says what is wrong.
                Err(_) => return true,
            };
            if self.next >= Seq(found.events) {
                return found.status != Status::Finished;
            }
            match store.read_some(run, self.next, PAGE).await {
                Ok(records) if !records.is_empty() => {
                    if !records.iter().all(|record| self.take_record(record)) {
                        return false;
                    }
                }
                Ok(_) | Err(log::Error::NotFound(_)) => return false,
                Err(_) => return true,
            }
        }
    }

    /// Takes in what the log holds now. Says whether there may be more.
    fn hear(&mut self, heard: Result<Option<FollowEvent>, log::Error>) -> bool {
        match heard {
            Ok(Some(FollowEvent::Records(records))) => records.iter().all(|record| self.take_record(record)),
            Ok(Some(FollowEvent::Delta(_))) => true,
            Ok(Some(FollowEvent::Closed) | None) | Err(_) => false,
        }
    }

    fn take_record(&mut self, record: &Record) -> bool {
        let Ok(fact) = record.fact::<MindEvent>() else { return false };
        self.mind.lock().unwrap_or_else(PoisonError::into_inner).apply(&fact);
        self.next = fact.seq.next();
        if let Some((_, done)) = self.command.take_if(|(command, _)| is_answer(command, &fact.event)) {
            let _ = done.send(Ok(fact.event.clone()));
        }
        match fact.event {
            MindEvent::Observed { request, .. } => self.is_stored(&request),
            MindEvent::Repeated { request } => {
                self.is_stored(&request);
                if let Some(answer) = self.known_answer(&request) {
                    self.answer(&request, answer);
                }
            }
            MindEvent::Passed { request } => self.answer(&request, None),
            MindEvent::Decided { decision } => {
                let newer = self.queue.iter().any(|call| match call {
                    QueuedCall::Decide { order, .. } => !self.is_late(order.as_ref()),
                    _ => false,
                });
                let request = decision.request.clone();
                if newer && self.asked.contains_key(&request) {
                    self.withheld.push(request.clone());
                    self.answer(&request, None);
                } else {
                    self.answer(&request, Some(decision));
                }
            }
            MindEvent::Released {} => {
                self.asked.drain().for_each(|(_, waiters)| send_all(waiters, &Ok(None)));
            }
            MindEvent::Ended {} => return false,
            MindEvent::MindBegan { .. }
            | MindEvent::Linked { .. }
            | MindEvent::Asked { .. }
            | MindEvent::AskFailed { .. }
            | MindEvent::Withheld { .. }
            | MindEvent::Consolidated { .. }
            | MindEvent::Resumed {} => {}
        }
        true
    }

    /// The log holds a call that was posted, or knows it already.
    fn is_stored(&mut self, request: &str) {
        self.posted.take_if(|posted| posted == request);
    }

    fn answer(&mut self, request: &str, decision: Option<Box<MindDecision>>) {
        send_all(self.asked.remove(request).unwrap_or_default(), &Ok(decision));
    }
}

/// Whether a fact is what a command comes to.
fn is_answer(command: &MindCommand, event: &MindEvent) -> bool {
    matches!(
        (command, event),
        (MindCommand::Link { .. }, MindEvent::Linked { .. })
            | (MindCommand::Release {}, MindEvent::Released {})
            | (MindCommand::Consolidate {}, MindEvent::Consolidated { .. })
    )
}

fn send_all(waiters: Vec<Waiter>, outcome: &QueueOutcome) {
    // A client may have left.
    waiters.into_iter().for_each(|waiter| drop(waiter.send(outcome.clone())));
}

async fn next_of(follower: &mut Option<Follower>) -> Result<Option<FollowEvent>, log::Error> {
    match follower {
        Some(follower) => follower.next().await,
        None => std::future::pending().await,
    }
}
