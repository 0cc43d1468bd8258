//! Minds on a server: which model decides for them.

use std::{collections::BTreeMap, sync::Arc};

use async_trait::async_trait;
use enact_drama::{Problem, budget::Budget, report::Cards};
use enact_server::{MindRoutes, mind::PrepareMind, productions::ServerProduction};

use crate::{
    ServedProject,
    config::{HUMAN, IMPROVISER, INHERIT},
    models::problem_of,
};

const TASK: &str = "decides for minds";

/// The part of a server that decides for other people's games.
pub(super) async fn server(project: &Arc<ServedProject>) -> Result<Arc<dyn ServerProduction>, Problem> {
    let preparer = MindPreparer { project: Arc::clone(project) };
    // A missing key is better known before the first game calls.
    preparer.model(None).await?;
    let legacy = project.options().legacy_mcp;
    Ok(Arc::new(MindRoutes::new(Arc::new(preparer)).with_legacy(legacy)))
}

/// What chooses models for minds, for a server without routes.
pub(super) fn preparer(project: &Arc<ServedProject>) -> Arc<dyn PrepareMind> {
    Arc::new(MindPreparer { project: Arc::clone(project) })
}

/// Chooses models for minds.
#[derive(Debug)]
struct MindPreparer {
    project: Arc<ServedProject>,
}

#[async_trait]
impl PrepareMind for MindPreparer {
    fn budget(&self) -> Budget {
        self.project.config().serve.budget()
    }

    async fn model(&self, wished: Option<&str>) -> Result<(Option<String>, Cards), Problem> {
        // Games name models of their own habit: only those that the operator has named are asked.
        let wished = wished.filter(|name| self.project.config().get(name).is_some());
        let Some(name) = wished.or(self.project.options().mind_model.as_deref()) else {
            return Ok((None, Cards::new()));
        };
        if [IMPROVISER, HUMAN, INHERIT].contains(&name) {
            return Err(Problem::config(format!("'{name}' does not decide: rules do already"))
                .hint("leave --minds out, or name a language model"));
        }
        let factory = self.project.model_factory();
        let made = async {
            let (name, model) = factory.make(name, TASK).await.map_err(problem_of)?;
            let mut models = BTreeMap::from([(name.clone(), model)]);
            let cards = factory.add_fallbacks(&mut models).await?;
            Ok((Some(name), cards))
        };
        made.await.map_err(|problem| self.project.redact_for_caller(problem))
    }
}
