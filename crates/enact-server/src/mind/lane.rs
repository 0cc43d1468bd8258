//! One mind as this process knows it. Its calls go through one task, so that they are answered in order and
//! the newest observation wins; what it knows is at hand without the store.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use enact_drama::{
    Production, Seq,
    mind::{Mind, MindCommand, MindDecision, MindEvent, MindTold},
};
use enact_engine::{
    Node,
    log::RunSummary,
    node::{FollowEvent, Follower},
};
use tokio::sync::{mpsc, oneshot};

use crate::error::{ApiError, ErrorCode};

/// How many calls of one mind may wait: a game has three under way.
const MOST_CALLS: usize = 64;
/// How long a mind that is not called stays in memory. It rests in the store all the while.
const IDLE: Duration = Duration::from_secs(600);

/// What became of a call: what was decided, or nothing because a newer call has come.
pub(super) type LaneOutcome = Result<Option<Box<MindDecision>>, ApiError>;

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
pub(super) struct Lane {
    calls: mpsc::Sender<LaneCall>,
    mind: Arc<Mutex<Mind>>,
}

#[derive(Debug)]
enum LaneCall {
    Decide { told: Box<MindTold>, order: Option<CallOrder>, answer: oneshot::Sender<LaneOutcome> },
    Command { command: MindCommand, done: oneshot::Sender<Result<(), ApiError>> },
}

impl Lane {
    /// Begins to answer for a mind whose log has come to this seq.
    pub(super) fn open(node: Node, summary: RunSummary, mind: Mind, next: Seq) -> Lane {
        let (calls, received) = mpsc::channel(MOST_CALLS);
        let mind = Arc::new(Mutex::new(mind));
        let task = LaneTask {
            node,
            summary,
            mind: mind.clone(),
            next,
            calls: received,
            queue: VecDeque::new(),
            follower: None,
            asked: HashMap::new(),
            commands: VecDeque::new(),
            posted: None,
            withheld: Vec::new(),
            newest: None,
        };
        tokio::spawn(task.work());
        Lane { calls, mind }
    }

    /// Whether nothing answers any more: it was idle for long, or its run is gone.
    pub(super) fn is_closed(&self) -> bool {
        self.calls.is_closed()
    }

    /// The mind as it was after the newest fact.
    pub(super) fn mind(&self) -> MutexGuard<'_, Mind> {
        self.mind.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is decided in answer to a call.
    pub(super) async fn decide(&self, told: MindTold, order: Option<CallOrder>) -> LaneOutcome {
        let (answer, answered) = oneshot::channel();
        self.send(LaneCall::Decide { told: Box::new(told), order, answer })?;
        answered.await.unwrap_or_else(|_| Err(gone()))
    }

    /// Has the mind take a command, and waits until it has.
    pub(super) async fn command(&self, command: MindCommand) -> Result<(), ApiError> {
        let (done, did) = oneshot::channel();
        self.send(LaneCall::Command { command, done })?;
        did.await.unwrap_or_else(|_| Err(gone()))
    }

    fn send(&self, call: LaneCall) -> Result<(), ApiError> {
        self.calls.try_send(call).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => {
                ApiError::new(ErrorCode::Busy, "too many calls of this mind are under way")
            }
            mpsc::error::TrySendError::Closed(_) => gone(),
        })
    }
}

fn gone() -> ApiError {
    ApiError::new(ErrorCode::Busy, "this mind is being put away: ask again")
}

struct LaneTask {
    node: Node,
    summary: RunSummary,
    mind: Arc<Mutex<Mind>>,
    /// The seq of the next record.
    next: Seq,
    calls: mpsc::Receiver<LaneCall>,
    /// What has come and was not posted yet.
    queue: VecDeque<LaneCall>,
    /// Only while something is under way: followers of a run that rests poll the store.
    follower: Option<Follower>,
    /// Calls that were posted and are not answered.
    asked: HashMap<String, oneshot::Sender<LaneOutcome>>,
    commands: VecDeque<oneshot::Sender<Result<(), ApiError>>>,
    /// The last call that was posted and that the log does not hold yet.
    posted: Option<String>,
    withheld: Vec<String>,
    /// The newest call that was posted.
    newest: Option<CallOrder>,
}

impl LaneTask {
    async fn work(mut self) {
        loop {
            let is_busy = self.posted.is_some() || !self.asked.is_empty() || !self.commands.is_empty();
            if !is_busy {
                self.follower = None;
            }
            let idle = self.queue.is_empty() && !is_busy;
            tokio::select! {
                call = self.calls.recv(), if self.queue.len() < MOST_CALLS => match call {
                    Some(call) => self.queue.push_back(call),
                    None => return,
                },
                heard = follow(&mut self.follower), if is_busy => {
                    // What came meanwhile may be newer than what was just decided.
                    self.drain();
                    if !self.hear(heard) {
                        return;
                    }
                }
                () = tokio::time::sleep(IDLE), if idle => return,
            }
            self.drain();
            if self.posted.is_none() && self.commands.is_empty() && !self.post().await {
                return;
            }
        }
    }

    fn drain(&mut self) {
        while self.queue.len() < MOST_CALLS
            && let Ok(call) = self.calls.try_recv()
        {
            self.queue.push_back(call);
        }
    }

    /// Whether a call was sent before one that was posted already.
    fn is_late(&self, order: Option<&CallOrder>) -> bool {
        order.zip(self.newest.as_ref()).is_some_and(|(order, newest)| order.is_before(newest))
    }

    /// The calls that wait, all up to the next command, in the order in which they were sent.
    fn take_calls(&mut self) -> Vec<(Box<MindTold>, oneshot::Sender<LaneOutcome>)> {
        let mut calls: Vec<(Box<MindTold>, Option<CallOrder>, oneshot::Sender<LaneOutcome>)> = Vec::new();
        while matches!(self.queue.front(), Some(LaneCall::Decide { .. }))
            && let Some(LaneCall::Decide { mut told, order, answer }) = self.queue.pop_front()
        {
            told.late = self.is_late(order.as_ref());
            let before = |(_, other, _): &(_, Option<CallOrder>, _)| {
                order.as_ref().zip(other.as_ref()).is_some_and(|(order, other)| order.is_before(other))
            };
            let place = calls.iter().position(before).unwrap_or(calls.len());
            calls.insert(place, (told, order, answer));
        }
        let newest = calls.last().and_then(|(_, order, _)| order.clone());
        if newest.is_some() && !self.is_late(newest.as_ref()) {
            self.newest = newest;
        }
        calls.into_iter().map(|(told, _, answer)| (told, answer)).collect()
    }

    /// Posts what waits. Says whether the mind is still there.
    async fn post(&mut self) -> bool {
        let calls = self.take_calls();
        let mut waiting = Vec::new();
        let command = match self.queue.pop_front() {
            next if !calls.is_empty() => {
                next.into_iter().for_each(|next| self.queue.push_front(next));
                let mut told = Vec::new();
                for (call, answer) in calls {
                    waiting.push((call.request.clone(), answer));
                    told.push(*call);
                }
                MindCommand::Decide { told, withheld: std::mem::take(&mut self.withheld) }
            }
            Some(LaneCall::Command { command, done }) => {
                self.commands.push_back(done);
                command
            }
            _ => return true,
        };
        self.posted = waiting.last().map(|(request, _)| request.clone());
        if self.follower.is_none() {
            // Before the command, so that nothing that follows from it has to be looked for in the store.
            self.follower = Some(self.node.follow_found(&self.summary, self.next));
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
                    let _ = newest.send(Err(error));
                } else if let Some(done) = self.commands.pop_back() {
                    let _ = done.send(Err(error));
                }
                waiting.into_iter().for_each(|(_, older)| drop(older.send(Ok(None))));
                false
            }
        }
    }

    /// Takes in what the log holds now. Says whether there may be more.
    fn hear(&mut self, heard: Result<Option<FollowEvent>, enact_engine::log::Error>) -> bool {
        let records = match heard {
            Ok(Some(FollowEvent::Records(records))) => records,
            Ok(Some(FollowEvent::Delta(_))) => return true,
            Ok(Some(FollowEvent::Closed) | None) | Err(_) => return false,
        };
        for record in records {
            let Ok(fact) = record.fact::<MindEvent>() else { return false };
            self.mind.lock().unwrap_or_else(PoisonError::into_inner).apply(&fact);
            self.next = fact.seq.next();
            match fact.event {
                MindEvent::Observed { request, .. } | MindEvent::Repeated { request } => {
                    if self.posted.as_ref() == Some(&request) {
                        self.posted = None;
                    }
                }
                MindEvent::Passed { request } => self.answer(&request, None),
                MindEvent::Decided { decision } => {
                    let newer = self.queue.iter().any(|call| match call {
                        LaneCall::Decide { order, .. } => !self.is_late(order.as_ref()),
                        LaneCall::Command { .. } => false,
                    });
                    let request = decision.request.clone();
                    if newer && self.asked.contains_key(&request) {
                        self.withheld.push(request.clone());
                        self.answer(&request, None);
                    } else {
                        self.answer(&request, Some(decision));
                    }
                }
                MindEvent::Linked { .. } | MindEvent::Released {} | MindEvent::Consolidated { .. } => {
                    if let Some(done) = self.commands.pop_front() {
                        let _ = done.send(Ok(()));
                    }
                    if matches!(fact.event, MindEvent::Released {}) {
                        self.asked.drain().for_each(|(_, call)| drop(call.send(Ok(None))));
                    }
                }
                MindEvent::Ended {} => return false,
                MindEvent::MindBegan { .. }
                | MindEvent::Asked { .. }
                | MindEvent::Withheld { .. }
                | MindEvent::Resumed {} => {}
            }
        }
        true
    }

    fn answer(&mut self, request: &str, decision: Option<Box<MindDecision>>) {
        if let Some(call) = self.asked.remove(request) {
            // The client may have left.
            let _ = call.send(Ok(decision));
        }
    }
}

async fn follow(follower: &mut Option<Follower>) -> Result<Option<FollowEvent>, enact_engine::log::Error> {
    match follower {
        Some(follower) => follower.next().await,
        None => std::future::pending().await,
    }
}
