//! The events that clients of a chorus listen to: one for each fact that concerns them.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::{Value, json};

use crate::{
    CallId, Fact, RunId,
    chorus::{AgentId, ChorusEnd, ChorusEvent, ChorusSetup, SlotId, Turn},
    production::{ClientEvent, ClientEvents, FailureKind},
    voice::VoiceProfile,
};

/// Tells a log fact by fact.
///
/// Some facts are told with what earlier ones said (audio with its path, the end with how many turns there
/// were): a reader that begins in the middle of a log passes it the beginning first, and leaves out what
/// comes of that.
#[derive(Debug, Clone)]
pub struct ChorusClientEvents {
    session: RunId,
    agents: BTreeMap<SlotId, AgentId>,
    setup: Arc<ChorusSetup>,
    /// The fallbacks that answer for slots.
    fallbacks: BTreeMap<SlotId, String>,
    /// What is being said aloud: how, and into which file.
    speaking: BTreeMap<CallId, (VoiceProfile, Arc<str>)>,
    turns: usize,
    completed_slots: usize,
}

impl ClientEvents for ChorusClientEvents {
    type Event = ChorusEvent;

    fn begin(first: &Fact<ChorusEvent>) -> Option<ChorusClientEvents> {
        let ChorusEvent::ChorusBegan { setup } = &first.event else { return None };
        Some(ChorusClientEvents {
            session: setup.run,
            agents: setup.seats.iter().map(|seat| (seat.slot, seat.agent.id.clone())).collect(),
            setup: Arc::clone(setup),
            fallbacks: BTreeMap::new(),
            speaking: BTreeMap::new(),
            turns: 0,
            completed_slots: 0,
        })
    }

    fn on_fact(&mut self, fact: &Fact<ChorusEvent>) -> Option<ClientEvent> {
        if let ChorusEvent::SlotAsked { slot, model, fallback, .. } = &fact.event {
            match fallback {
                true => self.fallbacks.insert(*slot, model.clone()),
                false => self.fallbacks.remove(slot),
            };
        }
        match &fact.event {
            ChorusEvent::TurnStarted { turn, .. } => {
                event("turn.start", json!({"sessionId": self.session, "turnIndex": turn.index()}))
            }
            // A slot that is asked again has already begun.
            ChorusEvent::SlotAsked { turn, slot, again: false, fallback: false, .. } => {
                event("slot.start", self.slot(*turn, *slot, json!({})))
            }
            ChorusEvent::SlotSpoke { turn, slot, text, target, profile, speech, .. } => {
                if *turn == Turn::Respond {
                    self.completed_slots += 1;
                }
                if let Some(speech) = speech {
                    self.speaking.insert(speech.call, (*profile, Arc::from(speech.path.as_str())));
                }
                let more = match target {
                    Some(target) => {
                        json!({"targetSlotId": target, "comment": text, "text": text, "voiceProfile": profile})
                    }
                    None => json!({"text": text, "voiceProfile": profile}),
                };
                event("slot.done", self.slot(*turn, *slot, more))
            }
            ChorusEvent::SlotFailed { turn, slot, outcome, .. } => {
                self.error(*turn, *slot, kind_of(outcome.failure), no_answer(outcome.failure))
            }
            ChorusEvent::TurnDone { turn, slots } => {
                self.turns += 1;
                event(
                    "turn.done",
                    json!({"sessionId": self.session, "turnIndex": turn.index(), "slotCount": slots.len()}),
                )
            }
            ChorusEvent::Voiced { call, turn, slot, .. } => {
                let (profile, path) = self.speaking.remove(call)?;
                let more = json!({"voiceProfile": profile, "audioFormat": "wav", "audioPath": *path});
                event("slot.audio", self.slot(*turn, *slot, more))
            }
            ChorusEvent::VoiceFailed { call, turn, slot, failure, .. } => {
                self.speaking.remove(call);
                self.error(*turn, *slot, TTS_ERROR, no_speech(*failure))
            }
            ChorusEvent::Ended { reason } => {
                let mut data = json!({
                    "completedSlots": self.completed_slots,
                    "sessionId": self.session,
                    "turns": self.turns,
                });
                if *reason != ChorusEnd::Completed {
                    data["reason"] = json!(reason);
                }
                event("done", data)
            }
            ChorusEvent::ChorusBegan { .. }
            | ChorusEvent::Resumed {}
            | ChorusEvent::ModelFailed { .. }
            | ChorusEvent::SlotAsked { .. }
            | ChorusEvent::CommentRefused { .. }
            | ChorusEvent::CommentsRouted { .. }
            | ChorusEvent::BudgetUsedUp { .. } => None,
        }
    }
}

impl ChorusClientEvents {
    fn error(&self, turn: Turn, slot: SlotId, kind: &str, message: &str) -> Option<ClientEvent> {
        let more = json!({"error": {"type": kind, "message": message}});
        event("slot.error", self.slot(turn, slot, more))
    }

    /// What every event of a slot begins with.
    fn slot(&self, turn: Turn, slot: SlotId, more: Value) -> Value {
        let mut data = json!({
            "sessionId": self.session,
            "turnIndex": turn.index(),
            "kind": turn.kind(),
            "slotId": slot,
            "agentId": self.agents.get(&slot),
        });
        let fallback = self.fallbacks.get(&slot).map(String::as_str);
        let seat = self.setup.seats.iter().find(|seat| seat.slot == slot);
        if let Some(label) = seat.and_then(|seat| self.setup.label_of(seat, fallback)) {
            data["label"] = json!(label);
        }
        if let (Value::Object(data), Value::Object(more)) = (&mut data, more) {
            data.extend(more);
        }
        data
    }
}

fn event(name: &'static str, data: Value) -> Option<ClientEvent> {
    Some(ClientEvent { name, data })
}

/// What clients are told of a slot that gave nothing. What the log says is for the operator, who can mend it:
/// it names addresses, variables and programs.
fn no_answer(failure: FailureKind) -> &'static str {
    match failure {
        FailureKind::Connection => "the model cannot be reached",
        FailureKind::Timeout => "the answer did not come in time",
        FailureKind::RateLimited => "the model gets more questions than it takes",
        FailureKind::Overloaded => "the model is overloaded",
        FailureKind::Server => "the model's service has a fault",
        FailureKind::Refused => "the model would not answer",
        FailureKind::ContextTooLong => "the conversation has become too long for the model",
        FailureKind::Truncated => "the answer broke off",
        FailureKind::Empty => "the answer was empty",
        FailureKind::Auth => "the model does not take this server's key",
        FailureKind::Other => "no answer came that could be used",
    }
}

/// The same of a text that cannot be heard.
fn no_speech(failure: FailureKind) -> &'static str {
    match failure {
        FailureKind::Connection => "the voice cannot be reached",
        FailureKind::Timeout => "the text was not said aloud in time",
        FailureKind::RateLimited | FailureKind::Overloaded => "the voice has too much to say",
        FailureKind::Auth => "the voice does not take this server's key",
        FailureKind::Server
        | FailureKind::Refused
        | FailureKind::ContextTooLong
        | FailureKind::Truncated
        | FailureKind::Empty
        | FailureKind::Other => "the text could not be said aloud",
    }
}

/// What clients call it when a text could not be said aloud.
pub(super) const TTS_ERROR: &str = "tts_error";

/// What clients call a failure. They know six kinds, one of which is for speech.
pub(super) fn kind_of(failure: FailureKind) -> &'static str {
    match failure {
        FailureKind::Connection => "network",
        FailureKind::Timeout => "timeout",
        FailureKind::RateLimited => "rate_limit",
        FailureKind::Server | FailureKind::Overloaded => "server_error",
        FailureKind::Other
        | FailureKind::Refused
        | FailureKind::ContextTooLong
        | FailureKind::Truncated
        | FailureKind::Empty
        | FailureKind::Auth => "unknown",
    }
}
