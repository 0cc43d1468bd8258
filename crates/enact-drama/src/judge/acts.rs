//! What is done with a line's words.
//!
//! Phrases (`phrases.txt`) say what words usually do, unless they are part of a longer one
//! (`exceptions.txt`). `meant` says when they do not do it after all: denied, asked, imagined, or put into
//! somebody else's mouth. Sarcasm is out of reach.

use std::sync::LazyLock;

use serde::Deserialize;

use super::{
    Act,
    phrase::Phrases,
    word_lists::phrases,
    words::{Mark, Text},
};

pub(super) mod meant;
mod step;

#[cfg(test)]
mod tests;

/// The acts found in one line: a few bits, since every line of a transcript keeps its own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Acts {
    signs: u64,
}

/// One thing words can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub(super) enum Sign {
    Apology,
    NoApology,
    Acceptance,
    /// "I accept the job", which accepts no apology.
    OfferTaken,
    /// "It's okay", which accepts an apology and means little otherwise.
    SoftAcceptance,
    NoAcceptance,
    Forgiveness,
    NoForgiveness,
    /// "Agreed", "let's do that".
    Assent,
    /// "Okay", "sure": assent when it answers a proposal.
    WeakAssent,
    NoAgreement,
    /// Something definite that somebody will do.
    Step,
    Confrontation,
    Mediation,
    /// "It was my fault": owns up to whatever is talked about.
    Guilt,
    /// "I admit I was late": owns up to something.
    Admission,
    Explanation,
    Promise,
    NoPromise,
    Refusal,
    /// A question anywhere in the line.
    Question,
    /// The line stops on a question, and waits.
    OpenQuestion,
    Thanks,
    Farewell,
    /// Somebody says what they think or want.
    Opinion,
    Hostility,
    /// The talk is brought to rest.
    Closing,
    /// "I take it back".
    Retraction,
}

impl Acts {
    /// Reads what was heard of a line.
    pub fn of(heard: &str) -> Acts {
        let text = Text::spoken(heard);
        let mut acts = Acts::default();
        for (words, mark) in text.parts().filter(|(_, mark)| *mark != Mark::Gesture) {
            let asks = mark == Mark::Question;
            let exceptions = EXCEPTIONS.find(words, &[0]);
            let excepted =
                |sign, from, to| exceptions.iter().any(|e| e.means == sign && e.from < to && from < e.to);
            for found in PHRASES.find(words, &[0]) {
                if meant::stands(found.means, words, asks, found.from, found.to)
                    && !excepted(found.means, found.from, found.to)
                {
                    acts.add(found.means);
                }
            }
            if step::is_step(words, asks) {
                acts.add(Sign::Step);
            }
            if asks {
                acts.add(Sign::Question);
            }
        }
        let mut spoken = text.parts().filter(|(_, mark)| *mark != Mark::Gesture);
        if spoken.next_back().is_some_and(|(_, mark)| mark == Mark::Question) {
            acts.add(Sign::OpenQuestion);
        }
        acts
    }

    /// Whether the words alone do this. Interrupting is not done with words, and an agreement takes two.
    pub fn has(&self, act: Act) -> bool {
        match act {
            Act::Apologise => self.shows(Sign::Apology),
            Act::Accept => {
                self.shows(Sign::Acceptance) || self.shows(Sign::Forgiveness) || self.shows(Sign::OfferTaken)
            }
            Act::Forgive => self.shows(Sign::Forgiveness),
            Act::Agree => self.shows(Sign::Assent),
            Act::Confront => self.shows(Sign::Confrontation),
            Act::Mediate => self.shows(Sign::Mediation),
            Act::Interrupt => false,
            Act::Admit => self.shows(Sign::Admission) || self.shows(Sign::Guilt),
            Act::Explain => self.shows(Sign::Explanation),
            Act::Promise => self.shows(Sign::Promise),
            Act::Refuse => self.refuses(),
            Act::Ask => self.shows(Sign::Question),
            Act::Thank => self.shows(Sign::Thanks),
            Act::Farewell => self.shows(Sign::Farewell),
        }
    }

    /// Whether the words take this back or rule it out.
    pub fn denies(&self, act: Act) -> bool {
        match act {
            Act::Apologise => self.shows(Sign::NoApology),
            // "I accept your apology, but I don't forgive you" does the one and not the other.
            Act::Accept => {
                self.shows(Sign::NoAcceptance)
                    || self.shows(Sign::NoForgiveness) && !self.shows(Sign::Acceptance)
            }
            Act::Forgive => self.shows(Sign::NoAcceptance) || self.shows(Sign::NoForgiveness),
            Act::Agree => self.shows(Sign::NoAgreement),
            Act::Promise => self.shows(Sign::NoPromise),
            _ => false,
        }
    }

    /// Whether another's act would answer these words: an acceptance answers an apology.
    pub fn invites(&self, act: Act) -> bool {
        let asked = || self.shows(Sign::Question);
        match act {
            Act::Accept => self.has(Act::Apologise) || self.proposes() || self.has(Act::Promise),
            Act::Forgive => self.has(Act::Apologise) || self.has(Act::Admit),
            Act::Agree => self.proposes() || self.has(Act::Agree),
            Act::Apologise | Act::Explain | Act::Admit => self.has(Act::Confront) || asked(),
            Act::Promise | Act::Refuse => self.proposes() || asked(),
            Act::Mediate => self.has(Act::Confront) || self.shows(Sign::Hostility),
            Act::Thank => self.has(Act::Promise) || self.has(Act::Accept) || self.has(Act::Forgive),
            Act::Farewell => self.has(Act::Farewell),
            // These begin something, and wait for nothing.
            Act::Confront | Act::Ask | Act::Interrupt => false,
        }
    }

    /// Whether a definite step is proposed or taken on.
    pub fn proposes(&self) -> bool {
        self.shows(Sign::Step)
    }

    pub(super) fn shows(&self, sign: Sign) -> bool {
        self.signs & sign.bit() != 0
    }

    /// Whether the speaker takes a stand, of whatever kind.
    pub(super) fn stands_somewhere(&self) -> bool {
        let aside = Sign::Question.bit() | Sign::OpenQuestion.bit() | Sign::WeakAssent.bit();
        self.signs & !aside != 0
    }

    fn refuses(&self) -> bool {
        use Sign::{NoAcceptance, NoAgreement, NoApology, NoForgiveness, NoPromise, Refusal};
        [Refusal, NoApology, NoAcceptance, NoForgiveness, NoAgreement, NoPromise]
            .iter()
            .any(|sign| self.shows(*sign))
    }

    /// Adds a sign. What is said later in a line counts more: "I'm not sorry… no, I am sorry."
    fn add(&mut self, sign: Sign) {
        self.signs |= sign.bit();
        self.signs &= !sign.undoes();
    }
}

impl Sign {
    fn bit(self) -> u64 {
        1 << self as u8
    }

    /// What was said before and no longer counts.
    fn undoes(self) -> u64 {
        let opposite = match self {
            Sign::Apology => Sign::NoApology,
            Sign::NoApology => Sign::Apology,
            Sign::Acceptance => Sign::NoAcceptance,
            Sign::NoAcceptance => Sign::Acceptance,
            Sign::Forgiveness => Sign::NoForgiveness,
            Sign::NoForgiveness => Sign::Forgiveness,
            Sign::Assent => Sign::NoAgreement,
            Sign::NoAgreement => Sign::Assent,
            Sign::Promise => Sign::NoPromise,
            Sign::NoPromise => Sign::Promise,
            Sign::Retraction => return BINDING.iter().fold(0, |signs, sign| signs | sign.bit()),
            _ => return 0,
        };
        opposite.bit()
    }
}

/// Words that hold their speaker until they are taken back.
const BINDING: [Sign; 7] = [
    Sign::Apology,
    Sign::Acceptance,
    Sign::OfferTaken,
    Sign::SoftAcceptance,
    Sign::Forgiveness,
    Sign::Assent,
    Sign::Promise,
];

static PHRASES: LazyLock<Phrases<Sign>> = LazyLock::new(|| phrases(include_str!("acts/phrases.txt")));
static EXCEPTIONS: LazyLock<Phrases<Sign>> = LazyLock::new(|| phrases(include_str!("acts/exceptions.txt")));
