//! From settings to a model that can be asked.

use std::sync::Arc;

use enact_drama::{Problem, model_card::ModelCard};
use enact_engine::Model;

use crate::{Provider, Settings, claude_code::ClaudeCode, language::LanguageModel, prices};

/// Makes the model that settings describe. Nothing is sent yet.
///
/// What cannot work is a problem here: an address that is none, a key that is missing. Whether the key is the right one
/// only the provider knows; [`Model::check`] asks.
pub fn connect(settings: Settings) -> Result<Arc<dyn Model>, Problem> {
    match settings.provider {
        Provider::ClaudeCode => Ok(Arc::new(ClaudeCode::new(&settings)?)),
        _ => Ok(Arc::new(LanguageModel::connect(settings)?)),
    }
}

/// What logs say of the model that settings describe, whether or not it can be made.
pub fn card(settings: &Settings) -> ModelCard {
    let Settings { provider, model, cache, context, price, max_tokens, thread_tokens, .. } = settings;
    let (description, published) = match provider {
        // What a subscription is worth is the operator's to say.
        Provider::ClaudeCode => (format!("{model} through Claude Code"), None),
        _ => (format!("{model} ({})", provider.as_str()), prices::published(*provider, model, *cache)),
    };
    ModelCard {
        description,
        context: *context,
        price: price.or(published),
        provider: Some(provider.as_str().to_owned()),
        model: Some(model.clone()),
        max_tokens: *max_tokens,
        thread_tokens: *thread_tokens,
    }
}
