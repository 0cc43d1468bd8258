//! Everything a chorus needs to be played, resolved: the first fact of its log.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Agent, AgentId, SlotId};
use crate::{
    RunId, budget::Budget, fallback, model_card::ModelCard, production::Player, request::MessageRole,
    voice::VoiceChain,
};

/// The longest message: some pages. It is sent to every slot, and stays in their threads.
pub const LONGEST_MESSAGE_CHARS: usize = 16_000;
/// How long a turn waits for its slowest answer.
pub const DEFAULT_ANSWER_TIMEOUT_MS: u64 = 60_000;
/// How long may pass between a text and its audio, waiting for a service that is busy with others included.
pub const DEFAULT_SPEECH_TIMEOUT_MS: u64 = 120_000;

/// A chorus ready to be played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChorusSetup {
    /// Also the id of its session.
    pub run: RunId,
    pub message: String,
    /// Who takes part, in the order of their slots, each of which is taken once.
    pub seats: Vec<Seat>,
    pub prompts: Prompts,
    /// What slots were told and said in earlier messages; those among them that are silent this time keep
    /// theirs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub threads: Vec<SlotThread>,
    /// The voices that speak, if any do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub voice: Option<VoiceChain>,
    /// The models that answer, by the names the seats use.
    pub models: BTreeMap<String, ModelCard>,
    pub seed: u64,
    #[serde(default, skip_serializing_if = "Budget::is_open")]
    pub budget: Budget,
    pub answer_timeout_ms: u64,
    pub speech_timeout_ms: u64,
}

impl ChorusSetup {
    /// What stands beside the name of a seat's agent wherever its answers are shown: `improviser`. Agents are
    /// called after models, and must not seem to be played by them if they are not.
    pub fn label(&self, seat: &Seat) -> Option<&str> {
        self.models.get(&seat.model)?.label.as_deref()
    }

    /// The same where this fallback may have answered, which is always named.
    pub(super) fn label_of<'a>(&'a self, seat: &Seat, fallback: Option<&'a str>) -> Option<&'a str> {
        match fallback {
            None => self.label(seat),
            Some(model) => self.models.get(model).and_then(|card| card.label.as_deref()).or(Some(model)),
        }
    }

    /// What the model with this rank says about itself.
    pub(super) fn card(&self, seat: usize, rank: usize) -> Option<&ModelCard> {
        let model = fallback::model_at(&self.models, &self.seats[seat].model, rank)?;
        self.models.get(model)
    }

    /// Every model that answers, each once.
    pub fn players(&self) -> Vec<Player> {
        let player = |(name, card): (&String, &ModelCard)| {
            let seats = self.seats.iter().filter(|seat| seat.model == *name);
            let plays = seats.map(|seat| seat.slot.name().to_string()).collect();
            let (advises, stands_in_for) = Default::default();
            Player { name: name.clone(), card: card.clone(), plays, advises, stands_in_for }
        };
        let mut players: Vec<Player> = self.models.iter().map(player).collect();
        Player::fill_in_fallbacks(&mut players);
        players.retain(Player::is_asked);
        players
    }
}

/// A slot that is taken.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Seat {
    pub slot: SlotId,
    pub agent: Agent,
    /// Which of the run's models answers.
    pub model: String,
}

/// What agents are told: templates, verbatim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prompts {
    /// The same for every slot and turn.
    pub system: String,
    pub turn1_response: String,
    pub turn2_comment_select: String,
    pub turn3_reply: String,
}

/// The conversation of one slot so far. It counts as long as the slot is taken by the same agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SlotThread {
    pub slot: SlotId,
    pub agent: AgentId,
    /// How many messages it has answered, those among them that have been forgotten.
    #[serde(default)]
    pub answered: usize,
    /// Where each message of the conversation begins: which of `messages` first tells of it.
    #[serde(default)]
    pub begins: Vec<usize>,
    /// Oldest first.
    pub messages: Vec<(MessageRole, String)>,
}

impl SlotThread {
    /// What the slot itself said, of all that is remembered.
    pub(super) fn said(&self) -> impl Iterator<Item = &str> {
        let own = self.messages.iter().filter(|(role, _)| *role == MessageRole::Assistant);
        own.map(|(_, text)| text.as_str())
    }
}
