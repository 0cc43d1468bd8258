//! What can be done with a turn: the moves of the improviser's game, each with its lines and its mood.

use enact_drama::judge::Act;

use super::{lines, say::Say, temper::Mood};

/// A move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Play {
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
    /// Calls on somebody who is due and says nothing.
    Prod,
}

/// Where in the arc a move belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    Open,
    Clash,
    Turn,
    Repair,
    Settle,
    Close,
}

impl Play {
    #[cfg(test)]
    pub(super) const ALL: [Play; 42] = [
        Play::OpenConfront,
        Play::OpenWary,
        Play::OpenSorry,
        Play::OpenTopic,
        Play::Deflect,
        Play::Press,
        Play::Excuse,
        Play::Tirade,
        Play::CutExcuse,
        Play::CutTirade,
        Play::Bristle,
        Play::Mediate,
        Play::Witness,
        Play::Cool,
        Play::Own,
        Play::Hurt,
        Play::Apologise,
        Play::Vouch,
        Play::Weigh,
        Play::Accept,
        Play::AcceptAll,
        Play::Take,
        Play::Forgive,
        Play::Propose,
        Play::Agree,
        Play::Affirm,
        Play::Promise,
        Play::Yield,
        Play::Relent,
        Play::Explain,
        Play::Ask,
        Play::Request,
        Play::Refuse,
        Play::Thank,
        Play::Position,
        Play::Challenge,
        Play::Support,
        Play::Answer,
        Play::Suggest,
        Play::Calm,
        Play::Farewell,
        Play::Prod,
    ];

    #[rustfmt::skip]
    pub(super) fn lines(self) -> &'static [Say] {
        match self {
            Play::OpenConfront => lines::open::CONFRONT,
            Play::OpenWary     => lines::open::WARY,
            Play::OpenSorry    => lines::open::SORRY,
            Play::OpenTopic    => lines::open::TOPIC,
            Play::Deflect      => lines::clash::DEFLECT,
            Play::Press        => lines::clash::PRESS,
            Play::Excuse       => lines::clash::EXCUSE,
            Play::Tirade       => lines::clash::TIRADE,
            Play::CutExcuse    => lines::clash::CUT_EXCUSE,
            Play::CutTirade    => lines::clash::CUT_TIRADE,
            Play::Bristle      => lines::clash::BRISTLE,
            Play::Mediate      => lines::aside::MEDIATE,
            Play::Witness      => lines::aside::WITNESS,
            Play::Prod         => lines::aside::PROD,
            Play::Cool         => lines::turn::COOL,
            Play::Own          => lines::turn::OWN,
            Play::Hurt         => lines::turn::HURT,
            Play::Yield        => lines::turn::YIELD,
            Play::Apologise    => lines::repair::APOLOGISE,
            Play::Vouch        => lines::aside::VOUCH,
            Play::Weigh        => lines::repair::WEIGH,
            Play::Accept       => lines::repair::ACCEPT,
            Play::AcceptAll    => lines::repair::ACCEPT_ALL,
            Play::Take         => lines::repair::TAKE,
            Play::Forgive      => lines::repair::FORGIVE,
            Play::Relent       => lines::repair::RELENT,
            Play::Propose      => lines::settle::PROPOSE,
            Play::Agree        => lines::settle::AGREE,
            Play::Affirm       => lines::settle::AFFIRM,
            Play::Promise      => lines::settle::PROMISE,
            Play::Explain      => lines::errand::EXPLAIN,
            Play::Ask          => lines::errand::ASK,
            Play::Request      => lines::errand::REQUEST,
            Play::Refuse       => lines::errand::REFUSE,
            Play::Thank        => lines::errand::THANK,
            Play::Position     => lines::talk::POSITION,
            Play::Challenge    => lines::talk::CHALLENGE,
            Play::Support      => lines::talk::SUPPORT,
            Play::Answer       => lines::talk::ANSWER,
            Play::Suggest      => lines::talk::SUGGEST,
            Play::Calm         => lines::close::CALM,
            Play::Farewell     => lines::close::FAREWELL,
        }
    }

    /// Lines that say what the deed is about, for goals that do.
    pub(super) fn named(self) -> &'static [Say] {
        match self {
            Play::Ask => lines::named::ASK,
            Play::Request => lines::named::REQUEST,
            Play::Take => lines::named::TAKE,
            Play::Forgive => lines::named::FORGIVE,
            Play::Own => lines::named::OWN,
            Play::Explain => lines::named::EXPLAIN,
            Play::Promise => lines::named::PROMISE,
            Play::Refuse => lines::named::REFUSE,
            Play::Thank => lines::named::THANK,
            _ => &[],
        }
    }

    /// Lines for when many do the same and the others have run out.
    pub(super) fn joint(self) -> &'static [Say] {
        match self {
            Play::Apologise => lines::joint::APOLOGISE,
            Play::Agree => lines::joint::AGREE,
            Play::Thank => lines::joint::THANK,
            Play::Promise => lines::joint::PROMISE,
            Play::Refuse => lines::joint::REFUSE,
            Play::Own => lines::joint::OWN,
            _ => &[],
        }
    }

    pub(super) fn phase(self) -> Phase {
        use Play::*;
        match self {
            OpenConfront | OpenWary | OpenSorry | OpenTopic => Phase::Open,
            Deflect | Press | Excuse | Tirade | CutExcuse | CutTirade | Bristle | Position | Challenge
            | Hurt => Phase::Clash,
            Mediate | Witness | Cool | Own | Yield | Explain | Ask | Request | Answer | Support | Prod => {
                Phase::Turn
            }
            Apologise | Vouch | Weigh | Accept | AcceptAll | Forgive | Relent | Refuse => Phase::Repair,
            Take | Propose | Agree | Affirm | Promise | Suggest | Thank => Phase::Settle,
            Calm | Farewell => Phase::Close,
        }
    }

    /// What whoever does this feels.
    pub(super) fn mood(self) -> Mood {
        use Play::*;
        match self {
            OpenConfront | Press | Tirade | CutExcuse | CutTirade => Mood::Angry,
            Hurt | Weigh => Mood::Hurt,
            OpenWary | OpenSorry | Deflect | Excuse | Bristle | Witness => Mood::Nervous,
            Own | Apologise | Yield => Mood::Ashamed,
            Position | Challenge | Support | Answer | Suggest | Explain | Ask | Request | OpenTopic
            | Prod | Refuse => Mood::Thoughtful,
            Mediate | Vouch | Cool | Relent | Propose | Promise => Mood::Calm,
            Accept | AcceptAll | Take | Forgive | Agree | Affirm | Thank | Calm | Farewell => Mood::Pleased,
        }
    }

    /// Whether this is said by cutting in.
    pub(super) fn cuts_in(self) -> bool {
        matches!(self, Play::CutExcuse | Play::CutTirade)
    }

    /// The act that every line of this move performs, for the judge.
    pub(super) fn act(self) -> Option<Act> {
        match self {
            Play::OpenConfront => Some(Act::Confront),
            Play::Mediate => Some(Act::Mediate),
            Play::OpenSorry | Play::Apologise => Some(Act::Apologise),
            Play::Accept | Play::AcceptAll | Play::Take => Some(Act::Accept),
            Play::Forgive => Some(Act::Forgive),
            Play::Agree | Play::Affirm => Some(Act::Agree),
            Play::Own => Some(Act::Admit),
            Play::Promise => Some(Act::Promise),
            Play::Explain => Some(Act::Explain),
            Play::Ask => Some(Act::Ask),
            Play::Refuse => Some(Act::Refuse),
            Play::Thank => Some(Act::Thank),
            Play::Farewell => Some(Act::Farewell),
            _ => None,
        }
    }
}
