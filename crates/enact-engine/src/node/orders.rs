//! Putting runs into the queue: each order once, however often it is given.

use enact_drama::{
    Fact, Problem, Production, Record, RunId, Seq,
    production::Kind,
    scene::{self, Scene, SceneEvent, Setup},
};
use uuid::Uuid;

use super::{Error, Node, Placed};
use crate::{
    log::NewRun,
    perform,
    store::{Enqueued, Order},
};

impl Node {
    /// The run that this order made before, if it did. Whoever asks first what they have asked for already gets it even
    /// where nothing new could be made.
    pub async fn ordered(&self, order: &Order) -> Result<Option<Placed>, Error> {
        match self.inner.store.ordered(order).await? {
            Some(Enqueued::Before(run)) => Ok(Some(Placed { run, before: true })),
            Some(Enqueued::Reused) => Err(Error::Reused),
            Some(Enqueued::New | Enqueued::Busy(_)) | None => Ok(None),
        }
    }

    /// Puts a scene that was cast into the queue.
    pub async fn submit(&self, setup: Setup, order: Option<Order>) -> Result<Placed, Error> {
        let at = self.inner.clock.now_ms();
        let about = NewRun {
            run: setup.run,
            production: Scene::NAME,
            name: setup.name.to_string(),
            at,
            parent: None,
        };
        let began = Fact { seq: Seq(0), at, event: Scene::beginning(setup) };
        self.enqueue(about, vec![Record::of(&began)], order).await
    }

    /// Puts a new run into the queue that shares everything through the end of a beat with another.
    pub async fn fork(
        &self,
        run: RunId,
        beat: u32,
        seed: Option<u64>,
        order: Option<Order>,
    ) -> Result<Placed, Error> {
        let records = self.inner.store.read(run, Seq(0)).await?;
        if records.first().and_then(Kind::of) == Some(Kind::Chorus) {
            let problem = Problem::config(format!("run {run} is a chorus, and has no beats to fork at"));
            return Err(Box::new(problem.hint("only scenes can be forked")).into());
        }
        let facts: Vec<Fact<SceneEvent>> = perform::read_facts(&records)?;
        let id = RunId(Uuid::now_v7());
        let seed = seed.unwrap_or_else(|| scene::seed_of(id));
        let at = self.inner.clock.now_ms();
        let forked = scene::fork(&facts, beat, id, seed, at)?;
        let name = self.inner.store.find(run).await?.name;
        let about = NewRun { run: id, production: Scene::NAME, name, at, parent: Some(run) };
        self.enqueue(about, forked.iter().map(Record::of).collect(), order).await
    }

    async fn enqueue(
        &self,
        about: NewRun,
        records: Vec<Record>,
        order: Option<Order>,
    ) -> Result<Placed, Error> {
        let run = about.run;
        self.placed(run, self.inner.store.enqueue(about, records, order).await?)
    }

    pub(super) fn placed(&self, run: RunId, enqueued: Enqueued) -> Result<Placed, Error> {
        match enqueued {
            Enqueued::New => {
                self.inner.claim.notify_one();
                Ok(Placed { run, before: false })
            }
            Enqueued::Before(run) => Ok(Placed { run, before: true }),
            Enqueued::Busy(run) => Err(Error::Talking(run)),
            Enqueued::Reused => Err(Error::Reused),
        }
    }
}
