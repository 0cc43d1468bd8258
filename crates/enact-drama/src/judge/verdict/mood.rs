//! Tension, closure and positions.

use std::{collections::VecDeque, sync::LazyLock};

use crate::judge::{
    Acts,
    acts::Sign,
    line::{HeardLine, Spot},
    word_lists::{WordList, word_list},
};

/// A line and its answer: when both are free of anger, the anger before them is over.
const TENSION_REACH: usize = 2;

/// How far back words that close a talk still close it.
const CLOSING_REACH: usize = 4;

/// How a talk is going: what a verdict needs to know of it beside its goals.
#[derive(Debug, Clone)]
pub(super) struct SceneMood {
    /// The last lines, newest first, as far back as words that close a talk still close it.
    last: VecDeque<Trait>,
    /// Where somebody apologised first, and who.
    sorry: Option<(usize, Option<usize>)>,
    /// Who asked a question that has had no answer from anybody else.
    waiting: Option<Option<usize>>,
    /// Who of the cast has spoken, and who has said where they stand.
    spoken: Vec<bool>,
    positions: Vec<bool>,
    /// Where the last speaker began to speak.
    turn: usize,
}

#[derive(Debug, Clone, Copy)]
struct Trait {
    at: usize,
    who: Option<usize>,
    heated: bool,
    closes: bool,
    accepts: bool,
}

impl SceneMood {
    pub(super) fn of(cast: usize) -> SceneMood {
        let (last, nobody) = (VecDeque::new(), vec![false; cast]);
        SceneMood { last, sorry: None, waiting: None, spoken: nobody.clone(), positions: nobody, turn: 0 }
    }

    pub(super) fn hear(&mut self, line: &HeardLine<'_>) {
        let (acts, who, at) = (&line.traits.acts, line.traits.who, line.spot.at);
        if self.last.front().is_none_or(|last| last.who != who) {
            self.turn = at;
        }
        if acts.shows(Sign::OpenQuestion) {
            self.waiting = Some(who);
        } else if self.waiting.is_some_and(|asked| asked != who) {
            self.waiting = None;
        }
        if acts.shows(Sign::Apology) {
            self.sorry.get_or_insert((at, who));
        }
        if let Some(who) = who {
            self.spoken[who] = true;
            self.positions[who] |= acts.stands_somewhere();
        }
        self.last.truncate(CLOSING_REACH.max(self.spoken.len() + 1) - 1);
        self.last.push_front(Trait {
            at,
            who,
            heated: is_heated(acts, line.heard.tone),
            closes: CLOSING.iter().any(|sign| acts.shows(*sign)),
            accepts: acts.shows(Sign::Acceptance) || acts.shows(Sign::Forgiveness),
        });
    }

    /// Whether anger is left in the last lines, by their tone or their words.
    pub(super) fn is_tense(&self) -> bool {
        self.last.iter().take(TENSION_REACH).any(|line| line.heated)
    }

    /// Whether the talk has come to rest. Calm alone is not rest, or small talk would end scenes: it takes
    /// words that close it, from two people, or an apology accepted. And no question may be left.
    pub(super) fn at_rest(&self) -> bool {
        let mut closers = self.last.iter().filter(|line| line.closes).map(|line| line.who);
        let first = closers.next();
        let two = first.is_some_and(|first| closers.any(|next| next != first));
        (two || self.is_reconciled()) && !self.is_tense() && self.waiting.is_none()
    }

    fn is_reconciled(&self) -> bool {
        let accepted =
            |at: usize, who| self.last.iter().any(|line| line.at > at && line.accepts && line.who != who);
        self.sorry.is_some_and(|(at, who)| accepted(at, who))
    }

    /// Whether everyone has said where they stand.
    pub(super) fn all_positions(&self) -> bool {
        !self.positions.is_empty() && self.positions.iter().all(|one| *one)
    }

    pub(super) fn has_spoken(&self, who: usize) -> bool {
        self.spoken[who]
    }

    /// Whether nobody but its speaker has spoken since a line.
    pub(super) fn is_unanswered(&self, line: Spot) -> bool {
        self.turn <= line.at
    }
}

/// Whether something is said in anger, by its words or its tone.
pub(crate) fn is_heated(acts: &Acts, tone: Option<&str>) -> bool {
    acts.shows(Sign::Hostility) || tone.is_some_and(is_hostile)
}

/// Words that bring a talk to rest.
const CLOSING: [Sign; 7] = [
    Sign::Closing,
    Sign::Farewell,
    Sign::Acceptance,
    Sign::Forgiveness,
    Sign::SoftAcceptance,
    Sign::Assent,
    Sign::Thanks,
];

/// Whether a tone is an angry one. "Less angry" and "no longer furious" are not.
pub(in crate::judge) fn is_hostile(tone: &str) -> bool {
    let mut words = tone.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let is_one_of = |set: &[&str], word: &str| set.iter().any(|known| known.eq_ignore_ascii_case(word));
    let eased = words.clone().any(|word| is_one_of(&EASED, word));
    !eased && words.any(|word| is_one_of(&HOSTILE, word))
}

static EASED: WordList = LazyLock::new(|| word_list("eased tones"));

static HOSTILE: WordList = LazyLock::new(|| word_list("hostile tones"));
