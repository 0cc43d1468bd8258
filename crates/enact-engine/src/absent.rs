//! Those who could not come: whatever is wanted of them fails, and says why.

use std::{fmt::Debug, sync::Arc, time::Duration};

use async_trait::async_trait;
use enact_drama::{
    Problem,
    model_card::ModelCard,
    production::{Answer, Failure},
    request::Request,
    voice::Utterance,
};

use crate::{
    model::Model,
    voice::{Audio, Voice},
};

/// Stands in for somebody who could not be made: for a model by its card, for a voice by its name. A production that can do
/// without one of its company goes on with this, and its log tells what was missing.
#[derive(Debug, Clone, PartialEq)]
pub struct Absent<Of> {
    pub of: Of,
    pub why: Failure,
}

impl<Of> Absent<Of> {
    /// Where the problem lies is the operator's business: those who read the log are told only what it is.
    pub fn because(of: Of, problem: &Problem) -> Absent<Of> {
        Absent { of, why: Failure::new(problem.message.clone()) }
    }
}

#[async_trait]
impl Model for Absent<ModelCard> {
    fn card(&self) -> ModelCard {
        self.of.clone()
    }

    async fn answer(&self, _: Request) -> Result<Answer, Failure> {
        Err(self.why.clone())
    }
}

#[async_trait]
impl Voice for Absent<String> {
    fn description(&self) -> String {
        self.of.clone()
    }

    async fn speak(&self, _: Arc<Utterance>, _: Duration) -> Result<Audio, Failure> {
        Err(self.why.clone())
    }
}
