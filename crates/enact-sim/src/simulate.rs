//! Plays one scenario from its first record until every run of it has ended or rests.

use std::{path::Path, sync::Arc, time::Duration};

use enact_drama::{
    Record, RunId, Seq,
    mind::MIND_ROW,
    production::ForkPoint,
    row::{PAUSED, Row},
};
use enact_engine::{
    Log, Store,
    log::{self, RunSummary, Status},
    node::{self, Submitter},
    store::{IdempotencyKey, PostedCommand, RowQuery},
};
use serde_json::json;
use tokio::{runtime::Builder, task::JoinSet, time::Instant};

use crate::{
    cluster::{Cluster, SimNode},
    scenario::{Intervention, Scenario, SimulatedProduction},
    world::{Journal, PostAttempt, PostOutcome, World},
};

/// How long the runs of a scenario may take to end or rest once nothing goes wrong any more: a run whose
/// model was refused waits half a minute before it is tried again.
const PATIENCE: Duration = Duration::from_secs(300);
/// How often it is looked whether they have.
const INTERVAL: Duration = Duration::from_millis(200);
/// Longer than any lease and any deadline of a call.
const QUIET: Duration = Duration::from_secs(60);
/// How often a person looks whether anything is asked.
const LOOKS: usize = 20;
/// How long nodes go on after that: what is over must stay as it is, and followers of a
/// resting run poll it every three seconds.
const AFTERWARDS: Duration = Duration::from_secs(4);
/// What is derived from the logs of the simulated productions.
const ROW_KINDS: [&str; 12] = [
    "call",
    MIND_ROW,
    PAUSED,
    "session",
    "message",
    "memory",
    "mood",
    "evaluation",
    "summary",
    "hook",
    "relationship",
    "share",
];

/// What came of a scenario.
#[derive(Debug)]
pub struct PlayedScenario {
    pub scenario: Scenario,
    pub(crate) runs: Vec<PlayedRun>,
    pub(crate) journal: Journal,
    /// Why it was not played to its end.
    pub(crate) stuck: Option<String>,
    /// Where recordings were kept.
    pub(crate) folder: std::path::PathBuf,
}

/// A run as the store has it in the end.
#[derive(Debug, Clone)]
pub(crate) struct PlayedRun {
    pub(crate) summary: RunSummary,
    pub(crate) records: Vec<Record>,
    pub(crate) inbox: Vec<PostedCommand>,
    pub(crate) rows: Vec<Row>,
    /// How long the log was when the run had just ended; nothing if it ended later, or not at all.
    pub(crate) ended_length: Option<u64>,
    /// What the store says to another command, for a run that has ended.
    pub(crate) refuses_commands: bool,
}

/// Plays a scenario in a runtime of its own, on virtual time. Recordings go below `folder`.
pub fn simulate(scenario: Scenario, folder: &Path) -> PlayedScenario {
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
    let runtime = runtime.expect("a runtime without I/O can be built");
    runtime.block_on(play(scenario, folder))
}

async fn play(scenario: Scenario, folder: &Path) -> PlayedScenario {
    let world = World::new(scenario.clone());
    let cluster = Cluster::start(world.clone(), folder.to_owned());
    let mut clients = JoinSet::new();
    let stuck = match submit(&cluster).await {
        Ok(()) => {
            for _ in 0..scenario.observers {
                tokio::spawn(cluster.clone().observe(scenario.run));
            }
            if scenario.people {
                clients.spawn(type_answers(cluster.clone()));
            }
            act(&cluster, &mut clients).await;
            cluster.heal();
            let settled = settle(&cluster, &mut clients).await;
            if scenario.wakes && settled.is_ok() {
                wake(&cluster).await;
            }
            settled.and(settle(&cluster, &mut clients).await).err()
        }
        Err(stuck) => Some(stuck),
    };
    let ended = all_runs(&world).await.into_iter().filter(|run| run.status == Status::Finished);
    let lengths: Vec<(RunId, u64)> = ended.map(|run| (run.run, run.events)).collect();
    let mut stuck = stuck;
    // A command whose sender has given up may arrive only now, and wake a run that rested.
    loop {
        let before = all_runs(&world).await;
        tokio::time::sleep(AFTERWARDS).await;
        stuck = stuck.or(settle(&cluster, &mut clients).await.err());
        let same =
            |(one, other): (&RunSummary, &RunSummary)| (one.run, one.events) == (other.run, other.events);
        let now = all_runs(&world).await;
        if stuck.is_some() || (before.len() == now.len() && before.iter().zip(&now).all(same)) {
            break;
        }
    }
    let mut runs = Vec::new();
    for summary in all_runs(&world).await {
        let before = lengths.iter().find(|(run, _)| *run == summary.run);
        runs.push(collect(&world, summary, before.map(|(_, length)| *length)).await);
    }
    let journal = std::mem::take(&mut *world.journal());
    PlayedScenario { scenario, runs, journal, stuck, folder: folder.to_owned() }
}

/// Makes the run, as a client does that repeats its request until it has an answer.
async fn submit(cluster: &Cluster) -> Result<(), String> {
    let scenario = &cluster.world.scenario;
    let order = IdempotencyKey { from: "client".into(), key: "order".into(), digest: "digest".into() };
    for _ in 0..100 {
        let by = Submitter { idempotency_key: Some(order.clone()), ..Submitter::default() };
        if let Some(node) = cluster.any() {
            match node.ask(node.node.submit(scenario.first.clone(), by)).await {
                Some(Ok(submitted)) if submitted.run == scenario.run => return Ok(()),
                Some(Ok(submitted)) => return Err(format!("another run was made: {}", submitted.run)),
                Some(Err(node::Error::Log(log::Error::Storage(_)))) | None => {}
                Some(Err(error)) => return Err(format!("it could not be submitted: {error}")),
            }
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Err("it could not be submitted in a hundred tries".to_owned())
}

/// Does what the scenario says, when it says so.
async fn act(cluster: &Cluster, clients: &mut JoinSet<()>) {
    let began = Instant::now();
    for (at, action) in cluster.world.scenario.actions.clone() {
        tokio::time::sleep_until(began + Duration::from_millis(at)).await;
        cluster.world.note(None, || format!("{action:?}"));
        match action {
            Intervention::Post { command, text } => {
                clients.spawn(post_to_any(cluster.clone(), cluster.world.scenario.run, command, text));
            }
            Intervention::Fork { at } => {
                clients.spawn(fork(cluster.clone(), at));
            }
            Intervention::Kill { expires_ms, restarts_ms } => cluster.kill(expires_ms, restarts_ms),
            Intervention::Freeze { for_ms, expires_ms } => cluster.freeze(for_ms, expires_ms),
            Intervention::Stop => cluster.stop(),
            Intervention::Outage { for_ms } => cluster.cut_off(for_ms),
            Intervention::ClockJump { by_ms } => cluster.world.clock.jump(by_ms),
        }
    }
}

async fn post_to_any(cluster: Cluster, run: RunId, command: String, text: Option<String>) {
    let Some(node) = cluster.any() else { return };
    post(&cluster, &node, run, command, text).await;
}

async fn post(cluster: &Cluster, node: &SimNode, run: RunId, command: String, text: Option<String>) {
    let outcome = match node.ask(node.node.command(run, &command)).await {
        Some(Ok(id)) => PostOutcome::Accepted(id),
        Some(Err(node::Error::Log(log::Error::Storage(_)))) | None => PostOutcome::Unknown,
        Some(Err(_)) => PostOutcome::Refused,
    };
    cluster.world.journal().commands.push(PostAttempt { run, text, outcome });
}

/// A person who looks now and then what is asked, answers most of it, and some of it twice at once.
async fn type_answers(cluster: Cluster) {
    for look in 0..LOOKS {
        let dice = &mut cluster.world.dice("typist");
        tokio::time::sleep(Duration::from_millis(20 + dice.below(600) as u64)).await;
        let Some(node) = cluster.any() else { continue };
        for run in all_runs(&cluster.world).await {
            let Some(Ok(asks)) = node.ask(node.node.open_asks(run.run)).await else { continue };
            for ask in asks {
                if dice.one_in(3) {
                    continue;
                }
                let typed = |which: &str| {
                    let text = format!("typed-{which}-{look}-words");
                    let command = json!({ "command": "answer", "ask": ask.ask, "text": text });
                    post(&cluster, &node, run.run, command.to_string(), Some(text))
                };
                match dice.one_in(4) {
                    true => _ = tokio::join!(typed("first"), typed("second")),
                    false => typed("only").await,
                }
            }
        }
    }
}

async fn fork(cluster: Cluster, at: ForkPoint) {
    let Some(node) = cluster.any() else { return };
    let (run, seed) = (cluster.world.scenario.run, cluster.world.scenario.seed);
    // Whatever comes of it is found in the store.
    node.ask(node.node.fork(run, at, Some(seed), Submitter::default())).await;
}

/// Waits until every run has ended or rests, and every client has its answer. A paused run may still wait for
/// answers, or for the lease of a dead process to expire: it rests once nothing has happened for a while.
async fn settle(cluster: &Cluster, clients: &mut JoinSet<()>) -> Result<(), String> {
    let began = Instant::now();
    let (mut lengths, mut changed) = (Vec::new(), began);
    loop {
        while clients.try_join_next().is_some() {}
        let runs = all_runs(&cluster.world).await;
        let now: Vec<u64> = runs.iter().map(|run| run.events).collect();
        if now != lengths {
            (lengths, changed) = (now, Instant::now());
        }
        let is_settled = |run: &RunSummary| match run.status {
            Status::Finished | Status::Resting => true,
            Status::Paused => changed.elapsed() >= QUIET,
            _ => false,
        };
        if clients.is_empty() && runs.iter().all(is_settled) {
            return Ok(());
        }
        if began.elapsed() > PATIENCE {
            let open: Vec<_> = runs.iter().filter(|run| !is_settled(run)).collect();
            return Err(format!("{} clients wait, and these runs do not end: {open:?}", clients.len()));
        }
        tokio::time::sleep(INTERVAL).await;
    }
}

/// Posts something to every resting run that sets it going again.
async fn wake(cluster: &Cluster) {
    let cancels = cluster.world.dice("wake").one_in(2);
    for run in all_runs(&cluster.world).await {
        if !matches!(run.status, Status::Resting | Status::Paused) {
            continue;
        }
        let command = match cluster.world.scenario.production {
            SimulatedProduction::Scene | SimulatedProduction::Field if !cancels => {
                r#"{"command":"resume"}"#.to_owned()
            }
            SimulatedProduction::Episode if !cancels => {
                r#"{"command":"message","id":"woken","text":"Are you awake?"}"#.to_owned()
            }
            SimulatedProduction::Mind if !cancels => r#"{"command":"consolidate"}"#.to_owned(),
            SimulatedProduction::Toy if !cancels => r#"{"command":"call","text":"woken"}"#.to_owned(),
            _ => r#"{"command":"cancel"}"#.to_owned(),
        };
        post_to_any(cluster.clone(), run.run, command, None).await;
    }
}

async fn all_runs(world: &Arc<World>) -> Vec<RunSummary> {
    let mut runs = world.store.runs().await.unwrap_or_default();
    runs.sort_by_key(|run| run.run);
    runs
}

async fn collect(world: &Arc<World>, summary: RunSummary, ended_length: Option<u64>) -> PlayedRun {
    let (store, run) = (&world.store, summary.run);
    let wanted = |kind: &str| RowQuery {
        kind: kind.to_owned(),
        run: Some(run),
        most: usize::MAX,
        ..RowQuery::default()
    };
    let mut rows = Vec::new();
    for kind in ROW_KINDS {
        rows.extend(store.rows(&wanted(kind)).await.unwrap_or_default());
    }
    let refuses_commands = summary.status != Status::Finished
        || matches!(
            store.post(run, "{}".into(), enact_engine::store::Wake::Queue).await,
            Err(log::Error::Ended(_))
        );
    PlayedRun {
        records: store.read(run, Seq(0)).await.unwrap_or_default(),
        inbox: store.inbox(run).await.unwrap_or_default(),
        rows: rows.into_iter().map(|stored| stored.row).collect(),
        ended_length,
        refuses_commands,
        summary,
    }
}
