//! For unit tests: a server with all routes and nothing to play.

use std::sync::Arc;

use async_trait::async_trait;
use enact_drama::{
    Name, Problem,
    budget::Budget,
    chorus::{self, Agent, ChorusRequest},
    mind::Mind,
    report::Cards,
    scene::{self, SceneConfig},
};
use enact_engine::{
    Models, Node, Productions,
    log::MemoryStore,
    node::{NodeLimits, ResourceProvider},
};

use crate::{
    ApiState, ChorusRoutes, MindRoutes, SceneRoutes, ServerOptions, ServerProduction, chorus::PrepareChorus,
    mind::PrepareMind, scene::PrepareScene,
};

/// Has no players.
#[derive(Debug)]
struct NoPlayers;

#[async_trait]
impl ResourceProvider for NoPlayers {
    async fn models(&self, _: &[enact_drama::production::Player]) -> Result<Models, Problem> {
        Err(Problem::config("there are no players"))
    }
}

#[async_trait]
impl PrepareScene for NoPlayers {
    async fn cast(
        &self,
        _: SceneConfig,
        _: Vec<(Name, String)>,
        _: Budget,
    ) -> Result<scene::SceneSetup, Problem> {
        Err(Problem::config("there are no players"))
    }
}

#[async_trait]
impl PrepareChorus for NoPlayers {
    fn agents(&self) -> Vec<Agent> {
        Vec::new()
    }

    async fn assemble(&self, _: ChorusRequest) -> Result<chorus::ChorusSetup, Problem> {
        Err(Problem::config("there are no players"))
    }
}

#[async_trait]
impl PrepareMind for NoPlayers {
    async fn model(&self, _: Option<&str>) -> Result<(Option<String>, Cards), Problem> {
        Ok((None, Cards::new()))
    }

    fn budget(&self) -> Budget {
        Budget::default()
    }
}

pub(crate) fn node() -> Node {
    let productions = Productions::default().with::<scene::Scene>().with::<chorus::Chorus>().with::<Mind>();
    Node::start(Arc::new(MemoryStore::default()), Arc::new(NoPlayers), productions, NodeLimits::default())
}

pub(crate) fn api() -> ApiState {
    ApiState::new(node(), ServerOptions::default())
}

pub(crate) fn productions() -> Vec<Arc<dyn ServerProduction>> {
    vec![Arc::new(SceneRoutes::new(Arc::new(NoPlayers))), Arc::new(ChorusRoutes::new(Arc::new(NoPlayers)))]
}

/// Minds stay in memory between calls.
pub(crate) fn with_minds() -> Vec<Arc<dyn ServerProduction>> {
    let mut productions = productions();
    productions.push(Arc::new(MindRoutes::new(Arc::new(NoPlayers))));
    productions
}
