//! A person. The rules ask people themselves and take their answers from commands, so this is never called in
//! productions that know people.

use async_trait::async_trait;
use enact_drama::{
    model_card::ModelCard,
    production::{Answer, Failure},
    request::Request,
    usage::Usage,
};
use enact_engine::Model;

/// What `human` stands for wherever a model is named.
#[derive(Debug, Clone, Copy, Default)]
pub struct Human;

#[async_trait]
impl Model for Human {
    fn card(&self) -> ModelCard {
        ModelCard::human()
    }

    async fn answer(&self, _: Request) -> Result<Answer, Failure> {
        let failure = Failure::new("a person is asked here as if it were a model: 'human' is for scenes");
        Err(Failure { usage: Some(Usage::NONE), ..failure })
    }
}
