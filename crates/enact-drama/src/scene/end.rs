//! How scenes end.

use serde::{Deserialize, Serialize};

/// Why a scene is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = SceneEndReason))]
pub enum EndReason {
    GoalAchieved,
    NaturalEnd,
    Stalled,
    Looping,
    MaxBeatsExceeded,
    BudgetExceeded,
    Cancelled,
    Failed,
}

/// What an end means to whoever asked for the scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ending {
    pub name: &'static str,
    /// The scene was played, though perhaps not to its goal.
    pub success: bool,
    pub goal_achieved: bool,
    pub line: &'static str,
}

impl EndReason {
    pub const ALL: [EndReason; 8] = [
        EndReason::GoalAchieved,
        EndReason::NaturalEnd,
        EndReason::Stalled,
        EndReason::Looping,
        EndReason::MaxBeatsExceeded,
        EndReason::BudgetExceeded,
        EndReason::Cancelled,
        EndReason::Failed,
    ];

    #[rustfmt::skip]
    pub fn ending(self) -> Ending {
        let (name, success, goal_achieved, line) = match self {
            EndReason::GoalAchieved =>     ("goal_achieved",      true,  true,  "[SCENE END - Goal: Achieved]"),
            EndReason::NaturalEnd =>       ("natural_end",        true,  false, "[SCENE END - Natural end]"),
            EndReason::Stalled =>          ("stalled",            true,  false, "[SCENE END - Stalled]"),
            EndReason::Looping =>          ("looping",            true,  false, "[SCENE END - Looping]"),
            EndReason::MaxBeatsExceeded => ("max_beats_exceeded", true,  false, "[SCENE END - Maximum length reached]"),
            EndReason::BudgetExceeded =>   ("budget_exceeded",    true,  false, "[SCENE END - Budget used up]"),
            EndReason::Cancelled =>        ("cancelled",          true,  false, "[SCENE END - Cancelled]"),
            EndReason::Failed =>           ("failed",             false, false, "[SCENE END - Failed]"),
        };
        Ending { name, success, goal_achieved, line }
    }
}
