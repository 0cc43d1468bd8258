//! From settings to a model that can be asked.

use std::sync::Arc;

use enact_drama::Problem;
use enact_engine::Model;

use crate::Settings;

/// Makes the model that settings describe. Nothing is sent yet.
pub fn connect(settings: Settings) -> Result<Arc<dyn Model>, Problem> {
    let _ = settings.key.as_ref().map(crate::Key::reveal);
    Err(Problem::config(format!("models of {} cannot be reached yet", settings.provider.as_str())))
}
