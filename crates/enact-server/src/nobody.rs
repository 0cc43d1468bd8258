//! For unit tests: a server with all routes and nothing to play.

use std::sync::Arc;

use async_trait::async_trait;
use enact_drama::{
    Name, Problem,
    chorus::{self, Agent},
    scene::{self, SceneConfig},
};
use enact_engine::{
    Models, Node, Productions,
    log::MemoryStore,
    node::{Limits, Project},
};

use crate::{
    Api, Choruses, Options, Scenes, ServerProduction,
    chorus::{Assembling, NewChorus},
    scene::Casting,
};

/// Has nobody to play.
#[derive(Debug)]
struct Nobody;

#[async_trait]
impl Project for Nobody {
    async fn models(&self, _: &[enact_drama::production::Player]) -> Result<Models, Problem> {
        Err(Problem::config("there is nobody"))
    }
}

#[async_trait]
impl Casting for Nobody {
    async fn cast(&self, _: SceneConfig, _: Vec<(Name, String)>) -> Result<scene::Setup, Problem> {
        Err(Problem::config("there is nobody"))
    }
}

#[async_trait]
impl Assembling for Nobody {
    fn agents(&self) -> Vec<Agent> {
        Vec::new()
    }

    async fn assemble(&self, _: NewChorus) -> Result<chorus::Setup, Problem> {
        Err(Problem::config("there is nobody"))
    }
}

pub(crate) fn node() -> Node {
    let productions = Productions::default().with::<scene::Scene>().with::<chorus::Chorus>();
    Node::start(Arc::new(MemoryStore::default()), Arc::new(Nobody), productions, Limits::default())
}

pub(crate) fn api() -> Api {
    Api::new(node(), Options::default())
}

pub(crate) fn productions() -> Vec<Arc<dyn ServerProduction>> {
    vec![Arc::new(Scenes::new(Arc::new(Nobody))), Arc::new(Choruses::new(Arc::new(Nobody)))]
}
