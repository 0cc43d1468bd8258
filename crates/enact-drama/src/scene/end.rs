//! How scenes end.

use serde::{Deserialize, Serialize};

/// Why a scene is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
    /// What the command line exits with.
    pub exit_code: u8,
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
        let (name, success, goal_achieved, line, exit_code) = match self {
            EndReason::GoalAchieved =>     ("goal_achieved",      true,  true,  "[SCENE END - Goal: Achieved]",         0),
            EndReason::NaturalEnd =>       ("natural_end",        true,  false, "[SCENE END - Natural end]",            0),
            EndReason::Stalled =>          ("stalled",            true,  false, "[SCENE END - Stalled]",                0),
            EndReason::Looping =>          ("looping",            true,  false, "[SCENE END - Looping]",                0),
            EndReason::MaxBeatsExceeded => ("max_beats_exceeded", true,  false, "[SCENE END - Maximum length reached]", 0),
            EndReason::BudgetExceeded =>   ("budget_exceeded",    true,  false, "[SCENE END - Budget used up]",         0),
            // 130 is what shells give a program ended by Ctrl-C, so that `enact run … && publish` stops.
            EndReason::Cancelled =>        ("cancelled",          true,  false, "[SCENE END - Cancelled]",            130),
            EndReason::Failed =>           ("failed",             false, false, "[SCENE END - Failed]",                 1),
        };
        Ending { name, success, goal_achieved, line, exit_code }
    }
}
