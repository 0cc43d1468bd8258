//! What can be done with a turn: the moves of the improviser's game, each with its lines and its mood.

use enact_drama::judge::Act;

use serde::Deserialize;

use super::{
    lines::{MOVES, MoveLines},
    traits::Mood,
};

/// A move. The files of lines know it by the same name in snake case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SceneMove {
    /// Raises the grievance.
    OpenConfront,
    /// Opens a talk that one knows will be unpleasant.
    OpenWary,
    /// Opens with the apology.
    OpenSorry,
    /// Raises the topic.
    OpenTopic,
    Deflect,
    Press,
    /// Explains at such length that it begs to be cut off.
    Excuse,
    /// Accuses at such length.
    Tirade,
    CutExcuse,
    CutTirade,
    /// Answers to having been cut off.
    Bristle,
    Mediate,
    /// Says something from the side.
    Witness,
    /// Steps back and asks in earnest.
    Cool,
    /// Owns up.
    Own,
    /// Says how it felt.
    Hurt,
    Apologise,
    /// Says a good word for somebody who has just owned up.
    Vouch,
    /// Takes the apology in and asks what will be different.
    Weigh,
    /// Takes an apology.
    Accept,
    /// Takes the apologies of several.
    AcceptAll,
    /// Takes an offer.
    Take,
    Forgive,
    /// Names a concrete next step.
    Propose,
    Agree,
    /// Confirms what was proposed and agreed.
    Affirm,
    Promise,
    /// Gives ground without an apology.
    Yield,
    /// Lets go of the grievance.
    Relent,
    Explain,
    Ask,
    Request,
    Refuse,
    Thank,
    Position,
    Challenge,
    Support,
    Answer,
    Suggest,
    Calm,
    Farewell,
    /// Does what a goal asks for whose act stands only in the tables of acts.
    Deed,
    /// Asks somebody for it.
    Demand,
    /// Says that it is not so.
    Deny,
    /// Lets out something of what is kept back.
    Crack,
    /// Says what it has seen.
    Testify,
    /// Weighs what it is about to do to somebody.
    Ponder,
    /// Speaks against what is about to be done to it.
    Plead,
    /// Speaks for what somebody is about to do.
    Urge,
    /// Remarks on what happens in the world.
    Event,
    /// Calls on somebody who is due and says nothing. The last one: a test counts by it.
    Prod,
}

/// Where in the arc a move belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    Open,
    Clash,
    TurningPoint,
    Repair,
    Settle,
    Close,
}

impl SceneMove {
    pub(super) fn lines(self) -> &'static MoveLines {
        &self.entry().1
    }

    pub(super) fn phase(self) -> Phase {
        self.entry().0
    }

    /// What the character feels who does this.
    pub(super) fn mood(self) -> Mood {
        self.lines().mood
    }

    fn entry(self) -> &'static (Phase, MoveLines) {
        MOVES.get(&self).expect("every move has lines, and a test looks")
    }

    /// Whether a gesture is as good as words, where there is nothing of the author's to say.
    pub(super) fn may_be_silent(self) -> bool {
        use SceneMove::*;
        matches!(
            self,
            Deny | Crack
                | Testify
                | Ponder
                | Plead
                | Urge
                | Hurt
                | Deflect
                | Challenge
                | Answer
                | Press
                | Position
                | Witness
                | Support
                | Vouch
        )
    }

    /// Whether this is said by cutting in.
    pub(super) fn cuts_in(self) -> bool {
        matches!(self, SceneMove::CutExcuse | SceneMove::CutTirade)
    }

    /// The act that every line of this move performs, for the judge.
    pub(super) fn act(self) -> Option<Act> {
        match self {
            SceneMove::OpenConfront => Some(Act::Confront),
            SceneMove::Mediate => Some(Act::Mediate),
            SceneMove::OpenSorry | SceneMove::Apologise => Some(Act::Apologise),
            SceneMove::Accept | SceneMove::AcceptAll | SceneMove::Take => Some(Act::Accept),
            SceneMove::Forgive => Some(Act::Forgive),
            SceneMove::Agree | SceneMove::Affirm => Some(Act::Agree),
            SceneMove::Own => Some(Act::Admit),
            SceneMove::Promise => Some(Act::Promise),
            SceneMove::Explain => Some(Act::Explain),
            SceneMove::Ask => Some(Act::Ask),
            SceneMove::Refuse => Some(Act::Refuse),
            SceneMove::Thank => Some(Act::Thank),
            SceneMove::Farewell => Some(Act::Farewell),
            _ => None,
        }
    }
}
