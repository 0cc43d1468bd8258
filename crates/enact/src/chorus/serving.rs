//! Choruses on a server.

use std::sync::Arc;

use async_trait::async_trait;
use enact_drama::{
    Problem,
    chorus::{Agent, ChorusRequest, ChorusSetup},
};
use enact_engine::node::new_run;
use enact_server::{
    chorus::{ChorusRoutes, PrepareChorus},
    productions::ServerProduction,
};

use super::ChorusFactory;
use crate::{ServedProject, config::Config, models::plays, voices::MadeChain};

/// The part of a server that plays choruses. Templates that cannot be used, and voices that may not, are
/// found here.
pub(super) async fn server(project: &Arc<ServedProject>) -> Result<Arc<dyn ServerProduction>, Problem> {
    let assembler = ChorusAssembler::new(project.clone())?;
    // What cannot be served is refused before anything is told.
    let speaking = assembler.factory.voice.as_ref().map(|chain| project.voices(chain)).transpose()?;
    for problem in assembler.problems().await {
        tracing::warn!(%problem, hint = problem.hint, "runs will not be played as configured");
    }
    assembler.log_setup(speaking);
    Ok(Arc::new(ChorusRoutes::new(Arc::new(assembler))))
}

/// Assembles the choruses of requests.
#[derive(Debug)]
struct ChorusAssembler {
    project: Arc<ServedProject>,
    factory: ChorusFactory,
}

impl ChorusAssembler {
    fn new(project: Arc<ServedProject>) -> Result<ChorusAssembler, Problem> {
        let factory = ChorusFactory::new(project.config(), None)?.within(project.config().serve.budget());
        Ok(ChorusAssembler { project, factory })
    }

    /// Problems of models that only choruses use.
    async fn problems(&self) -> Vec<Problem> {
        let Config { default, judge, events, .. } = self.project.config();
        let told = [default, judge, events];
        let mut problems = Vec::new();
        for (model, agents) in self.factory.by_model() {
            if !told.iter().any(|told| told.as_deref() == Some(model)) {
                problems.extend(self.project.check_model(model, &plays(&agents)).await.err());
            }
        }
        problems
    }

    /// Logs which model plays which agent, and which voice speaks, so that an operator sees it before the first
    /// chorus.
    fn log_setup(&self, speaking: Option<MadeChain>) {
        for note in &self.factory.notes {
            tracing::warn!("{note}");
        }
        for (model, agents) in self.factory.by_model() {
            tracing::info!(model, agents = agents.join(", "), "choruses are played");
        }
        let Some(MadeChain { voice, absent, none_available }) = speaking else {
            tracing::info!("choruses are not spoken");
            return;
        };
        for problem in absent {
            tracing::warn!(%problem, hint = problem.hint, "a voice cannot speak");
        }
        if none_available {
            tracing::warn!("choruses are played without speech: no voice is available");
        } else {
            tracing::info!(voice = voice.description(), "choruses are spoken");
        }
    }
}

#[async_trait]
impl PrepareChorus for ChorusAssembler {
    fn agents(&self) -> Vec<Agent> {
        self.factory.agents()
    }

    async fn assemble(&self, chorus: ChorusRequest) -> Result<ChorusSetup, Problem> {
        let assembled = self.factory.assemble(new_run(), chorus, &self.project.model_factory()).await;
        Ok(assembled.map_err(|problem| self.project.redact_for_caller(problem))?.setup)
    }
}

#[cfg(test)]
mod tests;
