//! What may be posted to a field.

use serde::{Deserialize, Serialize};

use super::world::{NpcAction, StateName};

/// The fastest: a minute of the field in a second.
pub(super) const FASTEST: u32 = 60;
/// The most ticks of one step: a minute.
pub(super) const LONGEST_STEP_TICKS: u32 = 600;
/// The longest world event.
pub(super) const LONGEST_EVENT_CHARS: usize = 500;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", rename_all_fields = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum FieldCommand {
    /// Let time stand still.
    Pause {},
    /// Go on after a pause.
    Resume {},
    /// Let so many ticks of 100 ms pass. A field that is not paused is paused.
    Step {
        #[serde(default = "one")]
        #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 600))]
        ticks: u32,
    },
    /// How many seconds of the field pass in one; 0 for as fast as possible.
    Speed {
        #[cfg_attr(feature = "schema", schema(maximum = 60, example = 5))]
        factor: u32,
    },
    /// Let something happen that everyone notices.
    WorldEvent {
        #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 500))]
        text: String,
    },
    /// Put a thing, by the name it has in the field file, or a person of any name, on a cell.
    Place {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        thing: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        person: Option<String>,
        x: u16,
        y: u16,
    },
    /// Watch a character, by name or id: if the field has a model, it decides for those nearby. Without a name, stop
    /// watching.
    Watch {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entity: Option<String>,
    },
    /// Have a program outside decide for a character, by name or id; with `remote: false` no longer. It is asked by
    /// events `decision_wanted` and answers with `act`; where it does not, rules decide after ten seconds of the field.
    Drive {
        entity: String,
        #[serde(default = "yes")]
        remote: bool,
    },
    /// What a character does that is driven from outside: an answer to a `request`, or of its own accord.
    Act {
        entity: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        request: Option<u32>,
        /// `action` and its `parameters`.
        #[cfg_attr(feature = "schema", schema(value_type = serde_json::Value,
            example = json!({ "action": "move_to", "parameters": { "x": 3, "y": 2 } })))]
        decision: NpcAction,
        /// In which state the program believes its body to be.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(value_type = Option<String>, example = "IDLE"))]
        believes: Option<StateName>,
    },
    /// Remove a thing or a character: a name, or an id like `entity_7`.
    Remove { entity: String },
    /// End the run, with everything so far.
    Cancel {},
}

fn one() -> u32 {
    1
}

fn yes() -> bool {
    true
}
