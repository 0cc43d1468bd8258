//! What all processes of a simulated run share: the store behind their faults, the clock, and the journal of
//! what really happened.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicBool, AtomicI64, Ordering::Relaxed},
    },
    time::Duration,
};

use enact_drama::{
    Name, Record, RunId, Seq,
    dice::Dice,
    request::{Message, Request},
    usage::Usage,
};
use enact_engine::{
    Clock,
    log::{Claim, CommandId, MemoryStore},
};
use enact_testkit::{StoreCall, StoreFault, StoreFaults};
use tokio::time::Instant;

use crate::scenario::{Mutant, STARTED_AT, Scenario};

/// What the processes of one run share.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) scenario: Scenario,
    pub(crate) store: Arc<MemoryStore>,
    pub(crate) clock: Arc<SimClock>,
    /// Whether nothing goes wrong any more.
    healed: AtomicBool,
    journal: Mutex<Journal>,
}

/// What really happened, whatever the log says.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    /// Every call that reached a model.
    pub(crate) calls: Vec<ModelCall>,
    /// Every append that was stored, in order.
    pub(crate) appends: Vec<StoredAppend>,
    pub(crate) commands: Vec<PostAttempt>,
    /// What each observer has seen.
    pub(crate) seen: Vec<Observation>,
    /// What happened when, for people; only if the scenario asks for it.
    pub(crate) timeline: Vec<String>,
    /// How often each kind of dice was rolled.
    rolled: BTreeMap<String, u32>,
}

/// A call that reached a model.
#[derive(Debug, Clone)]
pub(crate) struct ModelCall {
    pub(crate) actor: Option<Name>,
    pub(crate) beat: Option<u32>,
    pub(crate) thread: Vec<Message>,
    /// What was spent on it, whether or not the caller was told.
    pub(crate) used: Usage,
    /// How long the log of the only run was at that moment.
    pub(crate) log_length: u64,
}

/// An append that was stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredAppend {
    pub(crate) claim: Claim,
    pub(crate) first: Seq,
    pub(crate) records: u64,
}

/// A command that was posted, and what its sender was told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PostAttempt {
    pub(crate) run: RunId,
    pub(crate) text: Option<String>,
    pub(crate) outcome: PostOutcome,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PostOutcome {
    Accepted(CommandId),
    Refused,
    /// The sender was told nothing, or that the store was away.
    Unknown,
}

/// What an observer of a run has seen.
#[derive(Debug, Clone)]
pub(crate) struct Observation {
    pub(crate) run: RunId,
    pub(crate) records: Vec<Arc<Record>>,
    /// The first record that it was shown before it was stored.
    pub(crate) too_early: Option<Seq>,
}

impl World {
    pub(crate) fn new(scenario: Scenario) -> Arc<World> {
        let clock = Arc::new(SimClock { began: Instant::now(), jumped_ms: AtomicI64::new(0) });
        let (store, healed, journal) = (Arc::default(), AtomicBool::new(false), Mutex::default());
        Arc::new(World { scenario, store, clock, healed, journal })
    }

    pub(crate) fn journal(&self) -> MutexGuard<'_, Journal> {
        self.journal.lock().expect("no holder panics")
    }

    /// Writes down what happens now, and to which process, if there is a timeline.
    pub(crate) fn note(&self, node: Option<u32>, what: impl FnOnce() -> String) {
        if self.scenario.has_timeline {
            let (at, node) = (self.clock.elapsed_ms(), node.map_or("-".to_owned(), |node| node.to_string()));
            self.journal().timeline.push(format!("{at:>7} ms  node {node}  {}", what()));
        }
    }

    /// From now on nothing goes wrong.
    pub(crate) fn heal(&self) {
        self.note(None, || "nothing goes wrong any more".to_owned());
        self.healed.store(true, Relaxed);
    }

    pub(crate) fn is_healed(&self) -> bool {
        self.healed.load(Relaxed)
    }

    /// Dice for the next thing of this kind. Kinds do not share them: a call more here would change what
    /// happens there.
    pub(crate) fn dice(&self, kind: &str) -> Dice {
        let mut journal = self.journal();
        let times = match journal.rolled.get_mut(kind) {
            Some(times) => times,
            None => journal.rolled.entry(kind.to_owned()).or_default(),
        };
        *times += 1;
        Dice::new(self.scenario.seed, kind, *times)
    }

    /// Whether something goes wrong this time, and the dice that say what.
    pub(crate) fn trouble(&self, kind: &str, one_in: usize) -> Option<Dice> {
        if one_in == 0 || self.is_healed() {
            return None;
        }
        let mut dice = self.dice(kind);
        dice.one_in(one_in).then_some(dice)
    }

    /// Writes a call down, and says which one it is.
    pub(crate) async fn called(&self, request: &Request) -> usize {
        use enact_engine::Store;
        let run = self.scenario.run;
        let log_length = self.store.find(run).await.map_or(0, |summary| summary.events);
        let texts = request.system.iter().chain(request.thread.iter().map(|message| &message.text));
        let bytes: usize = texts.map(|text| text.len()).sum();
        let mut journal = self.journal();
        let number = journal.calls.len();
        journal.calls.push(ModelCall {
            actor: request.actor.clone(),
            beat: request.beat,
            thread: request.thread.clone(),
            // No two calls use the same, so that it can be seen which of them was billed.
            used: Usage { uncached: bytes as u64 / 5, output: 1 + number as u64, ..Usage::NONE },
            log_length,
        });
        number
    }

    pub(crate) fn used(&self, call: usize) -> Usage {
        self.journal().calls[call].used
    }
}

/// The wall clock of the simulated machines: virtual time, and whatever it was set to.
#[derive(Debug)]
pub(crate) struct SimClock {
    began: Instant,
    jumped_ms: AtomicI64,
}

impl SimClock {
    fn elapsed_ms(&self) -> u128 {
        self.began.elapsed().as_millis()
    }

    pub(crate) fn jump(&self, by_ms: i64) {
        self.jumped_ms.fetch_add(by_ms, Relaxed);
    }
}

impl Clock for SimClock {
    fn now_ms(&self) -> i64 {
        STARTED_AT + self.began.elapsed().as_millis() as i64 + self.jumped_ms.load(Relaxed)
    }
}

/// What goes wrong between one node and the store.
#[derive(Debug)]
pub(crate) struct NodeFaults {
    world: Arc<World>,
    node: u32,
    /// The names of its dice, by kind of call.
    kinds: [String; 8],
}

impl NodeFaults {
    pub(crate) fn new(world: Arc<World>, node: u32) -> NodeFaults {
        let kinds = [
            StoreCall::Append,
            StoreCall::ClaimWaiting,
            StoreCall::Claim,
            StoreCall::GiveUp,
            StoreCall::Read,
            StoreCall::Submit,
            StoreCall::Post,
            StoreCall::Other,
        ];
        NodeFaults { world, node, kinds: kinds.map(|call| format!("store {node} {call:?}")) }
    }
}

impl StoreFaults for NodeFaults {
    fn on_call(&self, call: StoreCall) -> StoreFault {
        let scenario = &self.world.scenario;
        let kind = &self.kinds[call as usize];
        if scenario.mutant == Mutant::ForgetfulStore
            && call == StoreCall::Append
            && self.world.dice(kind).one_in(8)
        {
            return StoreFault::Forgets;
        }
        let Some(mut dice) = self.world.trouble(kind, scenario.weather.store) else {
            return StoreFault::None;
        };
        let fault = match dice.below(4) {
            0 => StoreFault::Unreachable,
            1 => StoreFault::AnswerLost,
            _ => StoreFault::Slow(Duration::from_millis(1 + dice.below(2_000) as u64)),
        };
        self.world.note(Some(self.node), || format!("{call:?} of the store: {fault:?}"));
        fault
    }

    fn on_claimed(&self, claims: &[Claim]) {
        for claim in claims {
            self.world.note(Some(self.node), || format!("claims {} in epoch {}", claim.run, claim.epoch));
        }
    }

    fn on_appended(&self, claim: &Claim, records: &[Arc<Record>]) {
        if let Some(first) = records.first() {
            let kinds = || records.iter().map(|record| record.kind.as_str()).collect::<Vec<_>>().join(" ");
            let note = || format!("appends {} on in epoch {}: {}", first.seq.0, claim.epoch, kinds());
            self.world.note(Some(self.node), note);
            let append = StoredAppend { claim: *claim, first: first.seq, records: records.len() as u64 };
            self.world.journal().appends.push(append);
        }
    }
}
