//! The processes that share the store of a simulated run: started, killed, frozen, stopped.
//!
//! All of them live in one runtime on one thread. A process that is killed is one of which no further call
//! reaches the store, a model or a voice, and which hears of no answer: between two such calls it makes no
//! difference to the others where it stopped, so that this is a kill at any point at which it could wait.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};

use enact_drama::{RunId, Seq, episode::Episode, field::FieldRun, mind::Mind};
use enact_engine::{
    Node, Productions, Store,
    chorus::Chorus,
    node::{FollowEvent, NodeLimits},
    scene::Scene,
};
use enact_testkit::{FaultyStore, Gate};

use crate::{
    echo::Echo,
    players::SimProject,
    world::{NodeFaults, Observation, World},
};

/// One process.
#[derive(Debug)]
pub(crate) struct SimNode {
    /// Counted from 0, for people.
    number: u32,
    pub(crate) node: Node,
    pub(crate) store: Arc<FaultyStore>,
    /// Open once it is dead or told to stop.
    gone: Gate,
}

impl SimNode {
    fn is_gone(&self) -> bool {
        self.gone.is_open()
    }

    /// What a client of this process gets, unless the process goes first.
    pub(crate) async fn ask<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            done = work => Some(done),
            () = self.gone.pass() => None,
        }
    }
}

/// All processes there were and are.
#[derive(Debug, Clone)]
pub(crate) struct Cluster {
    pub(crate) world: Arc<World>,
    nodes: Arc<Mutex<Vec<Arc<SimNode>>>>,
    folder: Arc<PathBuf>,
}

/// The productions that are simulated.
pub(crate) fn productions() -> Productions {
    Productions::default()
        .with::<Scene>()
        .with::<Chorus>()
        .with::<Episode>()
        .with::<FieldRun>()
        .with::<Mind>()
        .with::<Echo>()
}

impl Cluster {
    pub(crate) fn start(world: Arc<World>, folder: PathBuf) -> Cluster {
        let cluster = Cluster { world, nodes: Arc::default(), folder: Arc::new(folder) };
        for _ in 0..cluster.world.scenario.nodes {
            cluster.start_node();
        }
        cluster
    }

    pub(crate) fn start_node(&self) {
        let number = self.all().len() as u32;
        let faults = Arc::new(NodeFaults::new(self.world.clone(), number));
        let store = FaultyStore::before(self.world.store.clone()).with_faults(faults);
        let hears_no_news = self.world.dice("news").one_in(6);
        let hears = if hears_no_news { "starts, and hears no news" } else { "starts" };
        self.world.note(Some(number), || hears.to_owned());
        let store = Arc::new(if hears_no_news { store.silent() } else { store });
        let project = SimProject::new(self.world.clone(), number, store.clone(), &self.folder);
        let node = Node::start_with_clock(
            store.clone() as Arc<dyn Store>,
            Arc::new(project),
            productions(),
            NodeLimits::default(),
            self.world.clock.clone(),
        );
        let node = Arc::new(SimNode { number, node, store, gone: Gate::shut() });
        self.nodes.lock().expect("no holder panics").push(node);
    }

    fn all(&self) -> Vec<Arc<SimNode>> {
        self.nodes.lock().expect("no holder panics").clone()
    }

    /// One of those that work, if any does.
    pub(crate) fn any(&self) -> Option<Arc<SimNode>> {
        let mut alive: Vec<_> = self.all().into_iter().filter(|node| !node.is_gone()).collect();
        let at = self.world.dice("node").below(alive.len().max(1));
        (at < alive.len()).then(|| alive.swap_remove(at))
    }

    pub(crate) fn kill(&self, expires_ms: u64, restarts_ms: u64) {
        let Some(node) = self.any() else { return };
        self.world.note(Some(node.number), || format!("is killed, its claims expire in {expires_ms} ms"));
        node.store.freeze();
        node.gone.reopen();
        self.later(expires_ms, async move { node.store.expire_claims().await });
        let cluster = self.clone();
        self.later(restarts_ms, async move { cluster.start_node() });
    }

    pub(crate) fn freeze(&self, for_ms: u64, expires_ms: u64) {
        let Some(node) = self.any() else { return };
        let note = || format!("freezes for {for_ms} ms, its claims expire in {expires_ms} ms");
        self.world.note(Some(node.number), note);
        node.store.freeze();
        if expires_ms < for_ms {
            let (node, cluster) = (node.clone(), self.clone());
            self.later(expires_ms, async move {
                node.store.expire_claims().await;
                cluster.start_node();
            });
        }
        self.later(for_ms, async move { node.store.thaw() });
    }

    pub(crate) fn stop(&self) {
        let Some(node) = self.any() else { return };
        self.world.note(Some(node.number), || "is told to stop".to_owned());
        node.gone.reopen();
        let cluster = self.clone();
        self.later(0, async move {
            node.node.stop().await;
            // The process ends after that, whatever it has not given up.
            node.store.freeze();
            node.store.expire_claims().await;
            cluster.start_node();
        });
    }

    pub(crate) fn cut_off(&self, for_ms: u64) {
        let nodes = self.all();
        self.world.note(None, || format!("the store is unreachable for {for_ms} ms"));
        nodes.iter().for_each(|node| node.store.fail());
        self.later(for_ms, async move { nodes.iter().for_each(|node| node.store.recover()) });
    }

    /// From now on nothing goes wrong. What was under way ends by itself.
    pub(crate) fn heal(&self) {
        self.world.heal();
        for node in self.all().into_iter().filter(|node| !node.is_gone()) {
            node.store.recover();
            node.store.thaw();
        }
        if self.any().is_none() {
            self.start_node();
        }
    }

    fn later(&self, ms: u64, work: impl Future<Output = ()> + Send + 'static) {
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(ms)).await;
            work.await;
        });
    }

    /// Follows a run from process to process, as a client does whose connection breaks.
    pub(crate) async fn observe(self, run: RunId) {
        let place = {
            let mut journal = self.world.journal();
            journal.seen.push(Observation { run, records: Vec::new(), too_early: None });
            journal.seen.len() - 1
        };
        loop {
            if let Some(node) = self.any()
                && node.ask(self.follow(&node, run, place)).await == Some(FollowEnd::RunEnded)
            {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn follow(&self, node: &SimNode, run: RunId, place: usize) -> FollowEnd {
        let next = Seq(self.world.journal().seen[place].records.len() as u64);
        let Ok(mut follower) = node.node.follow(run, next).await else { return FollowEnd::Lost };
        self.world.note(Some(node.number), || format!("shows observer {place} the log from {} on", next.0));
        loop {
            match follower.next().await {
                Ok(Some(FollowEvent::Records(records))) => {
                    let note = || format!("has shown observer {place} {} more records", records.len());
                    self.world.note(Some(node.number), note);
                    let stored = self.world.store.find(run).await.map_or(0, |summary| summary.events);
                    let seen = &mut self.world.journal().seen[place];
                    let early = records.iter().map(|record| record.seq).find(|seq| seq.0 >= stored);
                    seen.too_early = seen.too_early.or(early);
                    seen.records.extend(records);
                }
                Ok(Some(FollowEvent::Delta(_))) => {}
                Ok(Some(FollowEvent::Closed)) | Err(_) => return FollowEnd::Lost,
                Ok(None) => return FollowEnd::RunEnded,
            }
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum FollowEnd {
    RunEnded,
    /// It goes on with another process.
    Lost,
}
