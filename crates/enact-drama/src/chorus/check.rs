//! Whether a chorus can be played at all, and with whom.

use std::collections::BTreeMap;

use super::{
    Agent, ChorusSetup, DEFAULT_ANSWER_TIMEOUT_MS, DEFAULT_SPEECH_TIMEOUT_MS, LONGEST_MESSAGE_CHARS,
    MOST_SLOTS, Prompts, Seat, SlotId, SlotThread, blank_text::is_invisible,
};
use crate::{
    Problem, RunId,
    budget::{Budget, check_prices},
    dice::seed_of,
    did_you_mean,
    model_card::ModelCard,
    text::{one_line, shortened},
    voice::VoiceChain,
};

#[cfg(test)]
mod tests;

/// How much of a wrong id a message shows.
const LONGEST_SHOWN_CHARS: usize = 80;

/// What a chorus can be played with, and how: what an operator offers.
#[derive(Debug, Clone, PartialEq)]
pub struct ChorusOptions {
    /// Who may take a slot, and the name of the model that answers for them.
    pub agents: Vec<(Agent, String)>,
    pub models: BTreeMap<String, ModelCard>,
    pub prompts: Prompts,
    pub voice: Option<VoiceChain>,
    /// What each chorus may use.
    pub budget: Budget,
    pub answer_timeout_ms: u64,
    pub speech_timeout_ms: u64,
}

impl Default for ChorusOptions {
    /// No models.
    fn default() -> ChorusOptions {
        ChorusOptions {
            agents: Vec::new(),
            models: BTreeMap::new(),
            prompts: Prompts::built_in(),
            voice: None,
            budget: Budget::default(),
            answer_timeout_ms: DEFAULT_ANSWER_TIMEOUT_MS,
            speech_timeout_ms: DEFAULT_SPEECH_TIMEOUT_MS,
        }
    }
}

/// A chorus as it was asked for, not checked yet.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ChorusRequest {
    pub message: String,
    /// Which slots are taken, and by whom.
    pub seats: Vec<(u8, String)>,
    /// What slots were told and said before.
    pub threads: Vec<SlotThread>,
    /// Taken from the run's id if not given.
    pub seed: Option<u64>,
}

impl ChorusOptions {
    /// Gets a chorus ready: checks what is wanted and resolves who plays.
    pub fn assemble(&self, run: RunId, wanted: ChorusRequest) -> Result<ChorusSetup, Problem> {
        let message = check_message(&wanted.message)?;
        let seats = self.check_seats(&wanted.seats)?;
        check_prices(&self.budget, seats.iter().map(|seat| &seat.model), &self.models)?;
        let taken = |slot: SlotId| seats.iter().find(|seat| seat.slot == slot);
        let threads = wanted.threads.into_iter().filter(|thread| {
            // Another agent was not there when that was said.
            taken(thread.slot).is_none_or(|seat| seat.agent.id == thread.agent)
        });
        let first = |name: &String| seats.iter().any(|seat| seat.model == *name);
        let fallbacks: Vec<&String> =
            self.models.iter().filter(|(name, _)| first(name)).flat_map(|(_, card)| &card.fallback).collect();
        if let Some(missing) = fallbacks.iter().find(|name| !self.models.contains_key(**name)) {
            return Err(Problem::config(format!("there is no model '{missing}', which is a fallback")));
        }
        let models = self.models.iter().filter(|(name, _)| first(name) || fallbacks.contains(name));
        Ok(ChorusSetup {
            run,
            message,
            prompts: self.prompts.clone(),
            threads: threads.collect(),
            voice: self.voice.clone(),
            models: models.map(|(name, card)| (name.clone(), card.clone())).collect(),
            budget: self.budget,
            seed: wanted.seed.unwrap_or_else(|| seed_of(run)),
            answer_timeout_ms: self.answer_timeout_ms,
            speech_timeout_ms: self.speech_timeout_ms,
            seats,
        })
    }

    /// In the order of slots, whatever the order in which they were wanted.
    fn check_seats(&self, wanted: &[(u8, String)]) -> Result<Vec<Seat>, Problem> {
        if wanted.is_empty() || wanted.len() > usize::from(MOST_SLOTS) {
            let given = match wanted.len() {
                0 => "none was given".to_owned(),
                count => format!("{count} were given"),
            };
            return Err(Problem::config(format!("a chorus takes 1 to {MOST_SLOTS} slots; {given}")));
        }
        let mut seats: BTreeMap<SlotId, Seat> = BTreeMap::new();
        for (number, agent) in wanted {
            let slot = SlotId::try_from(*number).map_err(Problem::config)?;
            let seat = self.seat(slot, agent)?;
            if seats.insert(slot, seat).is_some() {
                return Err(Problem::config(format!("slot {slot} is taken twice")));
            }
        }
        Ok(seats.into_values().collect())
    }

    fn seat(&self, slot: SlotId, wanted: &str) -> Result<Seat, Problem> {
        let Some((agent, model)) = self.agents.iter().find(|(agent, _)| agent.id.as_str() == wanted) else {
            return Err(self.no_such_agent(wanted));
        };
        if !self.models.contains_key(model) {
            let message = format!("agent '{}' is played by '{model}', and there is no such model", agent.id);
            return Err(Problem::config(message));
        }
        Ok(Seat { slot, agent: agent.clone(), model: model.clone() })
    }

    fn no_such_agent(&self, wanted: &str) -> Problem {
        let known = || self.agents.iter().map(|(agent, _)| agent.id.as_str());
        let line = one_line(wanted);
        let shown = shortened(&line, LONGEST_SHOWN_CHARS);
        let problem = Problem::config(format!("there is no agent '{shown}'"));
        match did_you_mean(&line, known()) {
            Some(meant) => problem.hint(format!("did you mean '{meant}'?")),
            None => problem.hint(format!("there are {}", known().collect::<Vec<_>>().join(", "))),
        }
    }
}

/// The message without invisible characters: all slots are told it, and it is kept.
fn check_message(message: &str) -> Result<String, Problem> {
    let seen = |c: char| match c {
        '\n' | '\t' => Some(c),
        // What parts words goes on parting them.
        c if c.is_control() => c.is_whitespace().then_some(' '),
        c => Some(c),
    };
    let message: String = message.replace("\r\n", "\n").chars().filter_map(seen).collect();
    let message = message.trim();
    let length = message.chars().count();
    if is_invisible(message) {
        return Err(
            Problem::config("a chorus needs a message").hint("for example \"What does rain sound like?\"")
        );
    }
    if length > LONGEST_MESSAGE_CHARS {
        return Err(Problem::config(format!(
            "a message has at most {LONGEST_MESSAGE_CHARS} characters; this one has {length}"
        )));
    }
    Ok(message.to_owned())
}
