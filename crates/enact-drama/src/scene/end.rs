//! How scenes end.

use serde::{Deserialize, Serialize};

/// Why a scene is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = SceneEndReason))]
pub enum SceneEnd {
    GoalAchieved,
    NaturalEnd,
    Stalled,
    Looping,
    MaxBeatsExceeded,
    BudgetExceeded,
    Cancelled,
    Failed,
}

/// What an end means to the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ending {
    pub name: &'static str,
    /// The scene was played, though perhaps not to its goal.
    pub success: bool,
    pub goal_achieved: bool,
    pub line: &'static str,
}

impl SceneEnd {
    pub const ALL: [SceneEnd; 8] = [
        SceneEnd::GoalAchieved,
        SceneEnd::NaturalEnd,
        SceneEnd::Stalled,
        SceneEnd::Looping,
        SceneEnd::MaxBeatsExceeded,
        SceneEnd::BudgetExceeded,
        SceneEnd::Cancelled,
        SceneEnd::Failed,
    ];

    #[rustfmt::skip]
    pub fn ending(self) -> Ending {
        let (name, success, goal_achieved, line) = match self {
            SceneEnd::GoalAchieved =>     ("goal_achieved",      true,  true,  "[SCENE END - Goal: Achieved]"),
            SceneEnd::NaturalEnd =>       ("natural_end",        true,  false, "[SCENE END - Natural end]"),
            SceneEnd::Stalled =>          ("stalled",            true,  false, "[SCENE END - Stalled]"),
            SceneEnd::Looping =>          ("looping",            true,  false, "[SCENE END - Looping]"),
            SceneEnd::MaxBeatsExceeded => ("max_beats_exceeded", true,  false, "[SCENE END - Maximum length reached]"),
            SceneEnd::BudgetExceeded =>   ("budget_exceeded",    true,  false, "[SCENE END - Budget used up]"),
            SceneEnd::Cancelled =>        ("cancelled",          true,  false, "[SCENE END - Cancelled]"),
            SceneEnd::Failed =>           ("failed",             false, false, "[SCENE END - Failed]"),
        };
        Ending { name, success, goal_achieved, line }
    }
}
