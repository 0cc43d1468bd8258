//! The state of an episode: its facts, folded.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::{Value, json};

use super::{
    Choice, Completion, CompletionMode, EpisodeEnd, EpisodeEvent, EpisodeSetup, NarrativeBeat,
    StructuredAnswer,
    director::{Directive, Finding, Hook, Injected, Memory, Reading, Relationship, SignalRead, StoryPace},
};
use crate::{CallId, Fact, Seq};

/// An episode, as it stands.
#[derive(Debug, Clone)]
pub struct Episode {
    pub(super) setup: Arc<EpisodeSetup>,
    pub(super) next_seq: Seq,
    pub(super) next_call: u64,
    /// Exchanges that are complete.
    pub(super) turns: Vec<Arc<EpisodeTurn>>,
    /// The message that is being answered.
    pub(super) message: Option<UserMessage>,
    pub(super) asked: Option<AskedModel>,
    pub(super) evaluating: Option<AskedEvaluation>,
    pub(super) choice: Option<Choice>,
    pub(super) completed: Option<(Completion, Option<String>)>,
    pub(super) has_suggested: bool,
    /// Whether it was said what the episode came to, by whomever.
    pub(super) has_evaluation: bool,
    /// What was remembered, and in which turn.
    pub(super) memories: Vec<(u32, Memory)>,
    pub(super) hooks: Vec<Hook>,
    /// A model's reading that is under way, and those that count when the next answer settles.
    pub(super) reading: Option<AskedReading>,
    pub(super) opinions: Vec<Reading>,
    pub(super) ended: Option<EpisodeEnd>,
    beat: NarrativeBeat,
    tension: u8,
    tension_curve: Vec<u8>,
    signals: BTreeMap<String, u32>,
    flags: BTreeMap<String, Finding>,
    cues: BTreeMap<String, bool>,
    pace: StoryPace,
    /// The turn in which it began.
    pace_since: u32,
    last_nudge: Option<u32>,
    relationship: Option<Relationship>,
}

/// One exchange.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct EpisodeTurn {
    pub(super) message: UserMessage,
    pub(super) raw: String,
    pub(super) answer: StructuredAnswer,
    pub(super) signals: Vec<SignalRead>,
}

/// What the user said, and what the character was asked to do about it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct UserMessage {
    pub(super) id: String,
    pub(super) text: String,
    pub(super) directive: Option<Directive>,
    /// What the flags that were set then add for the character.
    pub(super) told: Vec<String>,
    /// What else it is told.
    pub(super) injected: Injected,
    pub(super) nudge: Option<String>,
    answered: Option<(String, StructuredAnswer)>,
    signals: Vec<SignalRead>,
}

/// A call for the character that is under way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct AskedModel {
    pub(super) call: CallId,
    /// Its place among the models that may answer.
    pub(super) rank: usize,
    /// The timer that limits it.
    pub(super) deadline: CallId,
}

/// A call for the evaluation that is under way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct AskedEvaluation {
    pub(super) call: CallId,
    pub(super) deadline: CallId,
}

/// A call for a reading that is under way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct AskedReading {
    pub(super) call: CallId,
    pub(super) deadline: CallId,
    pub(super) turn: u32,
}

impl Episode {
    pub(super) fn begun(first: &Fact<EpisodeEvent>) -> Option<Episode> {
        let EpisodeEvent::EpisodeBegan { setup } = &first.event else { return None };
        Some(Episode {
            setup: Arc::clone(setup),
            next_seq: first.seq.next(),
            next_call: 0,
            turns: Vec::new(),
            message: None,
            asked: None,
            evaluating: None,
            choice: None,
            completed: None,
            has_suggested: false,
            has_evaluation: false,
            memories: Vec::new(),
            hooks: Vec::new(),
            reading: None,
            opinions: Vec::new(),
            ended: None,
            beat: NarrativeBeat::Establishment,
            tension: setup.template.tension,
            tension_curve: Vec::new(),
            signals: BTreeMap::new(),
            flags: BTreeMap::new(),
            cues: BTreeMap::new(),
            pace: StoryPace::Build,
            pace_since: 0,
            last_nudge: None,
            relationship: setup.context.relationship.clone(),
        })
    }

    pub fn setup(&self) -> &Arc<EpisodeSetup> {
        &self.setup
    }

    /// How many exchanges are complete.
    pub fn turn_count(&self) -> u32 {
        self.turns.len() as u32
    }

    pub fn beat(&self) -> NarrativeBeat {
        self.beat
    }

    /// 0 to 100.
    pub fn tension(&self) -> u8 {
        self.tension
    }

    pub fn pace(&self) -> StoryPace {
        self.pace
    }

    /// How many turns the pace has lasted.
    pub(super) fn pace_lasted(&self) -> u32 {
        self.turn_count().saturating_sub(self.pace_since)
    }

    pub(super) fn last_nudge(&self) -> Option<u32> {
        self.last_nudge
    }

    /// How the two stand with each other, once anything was said.
    pub fn relationship(&self) -> Option<&Relationship> {
        self.relationship.as_ref()
    }

    /// The flags that are set, each with what set it.
    pub fn flags(&self) -> &BTreeMap<String, Finding> {
        &self.flags
    }

    /// How often each signal was read.
    pub fn signals(&self) -> &BTreeMap<String, u32> {
        &self.signals
    }

    pub(super) fn tension_curve(&self) -> &[u8] {
        &self.tension_curve
    }

    /// What the user may choose between now.
    pub fn offered_choice(&self) -> Option<&Choice> {
        self.choice.as_ref()
    }

    /// What the character was asked to do in the turn that is under way.
    pub(super) fn directive(&self) -> Option<&Directive> {
        self.message.as_ref()?.directive.as_ref()
    }

    /// Whether a cue has neither happened nor become impossible.
    pub(super) fn is_open(&self, cue: &str) -> bool {
        !self.cues.contains_key(cue)
    }

    pub(super) fn has_landed(&self, cue: &str) -> bool {
        self.cues.get(cue) == Some(&true)
    }

    /// The cues that have happened.
    pub(super) fn landed(&self) -> impl Iterator<Item = &str> {
        self.cues.iter().filter(|(_, landed)| **landed).map(|(id, _)| id.as_str())
    }

    /// The beats that are over: those before the one that is played, and that one as well once the turns are
    /// used up.
    pub fn beats_completed(&self) -> Vec<NarrativeBeat> {
        let used_up = self.setup.template.turns_remaining(self.turn_count()) == Some(0);
        let over = |beat: &NarrativeBeat| *beat < self.beat || (used_up && *beat == self.beat);
        NarrativeBeat::ALL.into_iter().filter(over).collect()
    }

    /// Whether it is complete, and it was said what it came to. It may still wait for a better evaluation.
    pub fn is_complete(&self) -> bool {
        self.completed.is_some() && self.has_evaluation
    }

    /// What completes the episode as it stands.
    pub(super) fn completion(&self) -> Option<Completion> {
        let template = &self.setup.template;
        match template.completion_mode {
            CompletionMode::Open => None,
            CompletionMode::TurnLimited => template
                .turn_limit()
                .filter(|limit| self.turn_count() >= *limit)
                .map(|_| Completion::TurnLimit),
            CompletionMode::BeatGated => {
                let beat_over = self.beats_completed().contains(&template.required_beat);
                let resolved = !template.require_resolution || self.beat == NarrativeBeat::Resolution;
                (beat_over && resolved).then_some(Completion::BeatComplete)
            }
            CompletionMode::Objective => {
                let key = template.objective_key.as_ref();
                key.filter(|key| self.flags.contains_key(*key)).map(|_| Completion::ObjectiveMet)
            }
        }
    }

    /// What the director keeps, in the shape in which clients know it.
    pub fn director_state(&self) -> Value {
        let share = |tension: &u8| f64::from(*tension) / 100.0;
        let flags: BTreeMap<&str, bool> = self.flags.keys().map(|flag| (flag.as_str(), true)).collect();
        json!({
            "current_beat": self.beat,
            "beats_completed": self.beats_completed(),
            "user_signals": self.signals,
            "tension_curve": self.tension_curve.iter().map(share).collect::<Vec<_>>(),
            "flags": flags,
        })
    }

    pub(super) fn fold(&mut self, fact: &Fact<EpisodeEvent>) {
        self.next_seq = fact.seq.next();
        match &fact.event {
            EpisodeEvent::EpisodeBegan { .. } | EpisodeEvent::Resumed {} | EpisodeEvent::Forked { .. } => {}
            EpisodeEvent::MessageReceived { id, text, choice } => {
                if choice.is_some() {
                    self.choice = None;
                }
                let told = super::director::told_by_flags(self).into_iter().map(str::to_owned).collect();
                let (id, text) = (id.clone(), text.clone());
                self.message = Some(UserMessage { id, text, told, ..UserMessage::default() });
            }
            EpisodeEvent::Directed { directive, .. } => {
                if let Some(message) = &mut self.message {
                    message.directive = Some(directive.clone());
                }
            }
            EpisodeEvent::Asked { call, model, deadline, .. } => {
                let rank = crate::fallback::rank_of(&self.setup.models, &self.setup.model, model);
                self.asked = Some(AskedModel { call: *call, rank, deadline: *deadline });
                self.next_call = self.next_call.max(deadline.0 + 1);
            }
            EpisodeEvent::Answered { raw, answer, .. } => {
                self.asked = None;
                if let Some(message) = &mut self.message {
                    message.answered = Some((raw.clone(), answer.clone()));
                }
            }
            EpisodeEvent::AnswerFailed { last, .. } => {
                self.asked = None;
                if *last {
                    self.message = None;
                }
            }
            EpisodeEvent::SignalsRead { signals, .. } => {
                for signal in signals {
                    *self.signals.entry(signal.name.clone()).or_default() += 1;
                }
                if let Some(message) = &mut self.message {
                    message.signals.clone_from(signals);
                }
            }
            EpisodeEvent::TensionMoved { to, .. } => {
                self.tension = *to;
                self.tension_curve.push(*to);
            }
            EpisodeEvent::CueLanded { cue, .. } => {
                self.cues.insert(cue.clone(), true);
            }
            EpisodeEvent::CueMissed { cue, .. } => {
                self.cues.insert(cue.clone(), false);
            }
            EpisodeEvent::FlagSet { flag, finding, .. } => {
                self.flags.entry(flag.clone()).or_insert_with(|| finding.clone());
            }
            EpisodeEvent::BeatReached { beat, .. } => self.beat = self.beat.max(*beat),
            EpisodeEvent::Remembered { turn, memories } => {
                self.memories.extend(memories.iter().map(|memory| (*turn, memory.clone())));
            }
            EpisodeEvent::HooksFound { hooks, .. } => self.hooks.extend(hooks.iter().cloned()),
            EpisodeEvent::RelationshipMoved { after, .. } => self.relationship = Some(after.clone()),
            EpisodeEvent::PaceMoved { turn, to, .. } => (self.pace, self.pace_since) = (*to, *turn),
            EpisodeEvent::Nudged { turn, instruction, .. } => {
                self.last_nudge = Some(*turn);
                if let Some(message) = &mut self.message {
                    message.nudge = Some(instruction.clone());
                }
            }
            EpisodeEvent::Injected { injected, .. } => {
                if let Some(message) = &mut self.message {
                    message.told.clone_from(&injected.flags);
                    message.injected = injected.clone();
                }
            }
            EpisodeEvent::ReadingAsked { call, turn, deadline, .. } => {
                self.reading = Some(AskedReading { call: *call, deadline: *deadline, turn: *turn });
                self.next_call = self.next_call.max(deadline.0 + 1);
            }
            EpisodeEvent::ReadingGiven { reading, .. } => {
                self.reading = None;
                self.opinions.push(reading.clone());
            }
            EpisodeEvent::ReadingFailed { .. } => self.reading = None,
            EpisodeEvent::TurnCompleted { .. } => self.fold_turn(),
            EpisodeEvent::ChoiceOffered { choice, .. } => self.choice = Some(choice.clone()),
            EpisodeEvent::Suggested { .. } => self.has_suggested = true,
            EpisodeEvent::Completed { trigger, ending, .. } => {
                self.completed = Some((*trigger, ending.clone()))
            }
            EpisodeEvent::EvaluationAsked { call, deadline, .. } => {
                self.evaluating = Some(AskedEvaluation { call: *call, deadline: *deadline });
                self.next_call = self.next_call.max(deadline.0 + 1);
            }
            EpisodeEvent::EvaluationFailed { .. } => self.evaluating = None,
            EpisodeEvent::Evaluated { .. } => (self.evaluating, self.has_evaluation) = (None, true),
            EpisodeEvent::Ended { reason } => {
                (self.asked, self.message, self.evaluating, self.reading) = (None, None, None, None);
                self.ended = Some(*reason);
            }
            EpisodeEvent::MessageRefused { .. } | EpisodeEvent::Thought { .. } | EpisodeEvent::Settled {} => {
            }
        }
    }

    pub(super) fn fold_turn(&mut self) {
        let Some(mut message) = self.message.take() else { return };
        let (raw, answer) = message.answered.take().unwrap_or_default();
        let signals = std::mem::take(&mut message.signals);
        self.opinions.clear();
        self.turns.push(Arc::new(EpisodeTurn { message, raw, answer, signals }));
    }
}
