//! From settings to a model that can be asked.

use std::sync::Arc;

use enact_drama::Problem;
use enact_engine::Model;

use crate::{Provider, Settings, claude_code::ClaudeCode, language::LanguageModel};

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
