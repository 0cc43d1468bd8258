//! The sentences of the moderator, which stand in a text file.

use std::sync::LazyLock;

use serde::Deserialize;

/// What the moderator can say.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ModeratorNotes {
    opening: String,
    pub(super) opening_for_all: String,
    pub(super) respond: String,
    pub(super) respond_for_all: String,
    pub(super) passive: String,
    open_goal: String,
    closing: String,
    pub(super) wrap_up: String,
    pub(super) looping: String,
    pub(super) flat_for_event_writer: String,
    pub(super) peak_for_event_writer: String,
}

pub(super) static NOTES: LazyLock<ModeratorNotes> = LazyLock::new(|| {
    toml::from_str(include_str!("moderator_notes.toml")).expect("moderator_notes.toml can be read")
});

impl ModeratorNotes {
    pub(super) fn opening(&self, name: &str) -> String {
        self.opening.replace("{name}", name)
    }

    pub(super) fn open_goal(&self, goal: &str) -> String {
        self.open_goal.replace("{goal}", goal.trim_end_matches('.'))
    }

    pub(super) fn closing(&self, goal: &str) -> String {
        self.closing.replace("{goal}", goal)
    }
}
