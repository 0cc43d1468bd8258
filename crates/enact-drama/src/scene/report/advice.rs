//! What came of the hidden calls, whose failures the actors do not notice.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::scene::{HiddenPurpose, SceneSetup};

/// How the model that was to advise on one thing did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Adviser {
    /// By the name of the setup.
    pub model: String,
    pub asked: u32,
    pub answered: u32,
    /// Calls that gave nothing of use. One that was still under way at the end neither answered nor failed.
    pub failed: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
}

impl Adviser {
    /// The advisers of a run, before any of them is asked.
    pub(super) fn of(setup: &SceneSetup) -> BTreeMap<HiddenPurpose, Adviser> {
        let wanted = [(HiddenPurpose::Judge, &setup.judge), (HiddenPurpose::WorldEvent, &setup.event_writer)];
        let advisers = wanted.into_iter().filter_map(|(purpose, model)| Some((purpose, model.clone()?)));
        advisers.map(|(purpose, model)| (purpose, Adviser::named(model))).collect()
    }

    /// Why it was of no use at all, if it was not: every call that came to an end failed.
    pub fn useless(&self) -> Option<&str> {
        self.last_error.as_deref().filter(|_| self.answered == 0)
    }

    pub(super) fn fail(&mut self, error: &str) {
        self.failed += 1;
        self.last_error = Some(error.to_owned());
    }

    fn named(model: String) -> Adviser {
        Adviser { model, asked: 0, answered: 0, failed: 0, last_error: None }
    }
}
