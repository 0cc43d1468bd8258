//! Models that answer for agents: one that says what it has heard, and one that fails.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use enact_drama::{
    Problem,
    chorus::{ChorusView, PeerResponse, Turn},
    production::FailureKind,
    voice::VoiceProfile,
};
use enact_engine::{
    Model,
    model::{Answer, Failure, ModelCard, Request, Timing},
};
use serde_json::json;
use tokio::sync::Semaphore;

use crate::until;

/// Says who it is and what it has heard, each slot after its own time.
#[derive(Debug, Clone)]
pub struct Agents {
    takes: Vec<Duration>,
    failing: Vec<u8>,
    comments: Comments,
    timing: Timing,
    gate: Option<Arc<Semaphore>>,
    asked: Arc<Mutex<Vec<Request>>>,
}

/// On whose answer everybody comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comments {
    /// On the first slot's, so that it replies to several and most of the others to none.
    OnFirst,
    /// On the next slot's, so that all of them reply.
    OnNext,
}

impl Default for Agents {
    fn default() -> Agents {
        Agents {
            takes: Vec::new(),
            failing: Vec::new(),
            comments: Comments::OnFirst,
            timing: Timing::Real,
            gate: None,
            asked: Arc::default(),
        }
    }
}

impl Agents {
    pub fn after(takes: Duration) -> Agents {
        Agents::taking([takes])
    }

    /// By slot; the last one is for all that follow.
    pub fn taking(takes: impl IntoIterator<Item = Duration>) -> Agents {
        Agents { takes: takes.into_iter().collect(), ..Agents::default() }
    }

    /// The answers of these slots never come.
    pub fn failing(self, slots: impl IntoIterator<Item = u8>) -> Agents {
        Agents { failing: slots.into_iter().collect(), ..self }
    }

    pub fn commenting(self, comments: Comments) -> Agents {
        Agents { comments, ..self }
    }

    /// Answers at once, in the order of slots.
    pub fn simulated(self) -> Agents {
        Agents { timing: Timing::Simulated, ..self }
    }

    /// Answers only as often as permits are added to the gate, and in the order of arrival.
    pub(super) fn waiting_for(self, gate: Arc<Semaphore>) -> Agents {
        Agents { gate: Some(gate), timing: Timing::Real, ..self }
    }

    /// Waits until they have been asked so often.
    pub async fn asked(&self, times: usize) {
        until(async || self.asked.lock().unwrap().len() >= times).await;
    }

    /// Everything that the last request to a slot held, as one text.
    pub fn told(&self, slot: &str, turn: Turn) -> String {
        let asked = self.asked.lock().unwrap();
        let of_slot = |request: &&Request| {
            request.me() == slot && request.view::<ChorusView>().is_some_and(|view| view.turn == turn)
        };
        let request = asked.iter().rev().find(of_slot).expect("it was never asked");
        request.thread.iter().map(|message| message.text.as_ref()).collect::<Vec<_>>().join("\n")
    }

    fn said(&self, view: &ChorusView) -> String {
        let name = &view.agent.name;
        let profile = VoiceProfile::ALL[usize::from(view.slot.number() - 1)].as_str();
        let said = match view.turn {
            Turn::Respond => {
                let after = match view.messages_before {
                    0 => String::new(),
                    before => format!(" (message {})", before + 1),
                };
                let text = format!("{name} has heard: {}{after}", view.message);
                json!({ "text": text, "voice_profile": profile })
            }
            Turn::Comment => {
                let target = self.comments.target(view);
                let comment = format!("{name} agrees with {}.", target.agent_id);
                json!({ "targetSlotId": target.slot_id, "comment": comment, "voice_profile": profile })
            }
            Turn::Reply => {
                let from: Vec<&str> =
                    view.comments.iter().map(|comment| comment.from_agent_id.as_str()).collect();
                json!({ "text": format!("{name} thanks {}.", from.join(" and ")), "voice_profile": profile })
            }
        };
        said.to_string()
    }
}

impl Comments {
    fn target(self, view: &ChorusView) -> &PeerResponse {
        let by_seat = |peer: &&PeerResponse| {
            let seat = peer.slot_id.number();
            (self == Comments::OnNext && seat < view.slot.number(), seat)
        };
        view.peers.iter().min_by_key(by_seat).unwrap()
    }
}

#[async_trait]
impl Model for Agents {
    fn card(&self) -> ModelCard {
        ModelCard::free("a model that says what it has heard")
    }

    fn timing(&self) -> Timing {
        self.timing
    }

    /// Those who fail have a key that is refused, which a chorus only finds out by asking.
    async fn check(&self) -> Result<(), Problem> {
        if self.failing.is_empty() { Ok(()) } else { Err(Problem::config("the key was refused")) }
    }

    async fn answer(&self, request: Request) -> Result<Answer, Failure> {
        self.asked.lock().unwrap().push(request.clone());
        let view = request.view::<ChorusView>().unwrap();
        let slot = view.slot.number();
        let takes = self.takes.get(usize::from(slot) - 1).or(self.takes.last());
        tokio::time::sleep(takes.copied().unwrap_or_default()).await;
        if let Some(gate) = &self.gate {
            gate.acquire().await.unwrap().forget();
        }
        if self.failing.contains(&slot) {
            return Err(Failure::new("nobody is here"));
        }
        Ok(Answer::from(self.said(view).as_str()))
    }
}

/// Fails, always in the same way.
#[derive(Debug)]
pub(super) struct Failing(pub(super) FailureKind);

#[async_trait]
impl Model for Failing {
    fn card(&self) -> ModelCard {
        ModelCard::free("a model that fails")
    }

    fn timing(&self) -> Timing {
        Timing::Simulated
    }

    async fn answer(&self, _: Request) -> Result<Answer, Failure> {
        Err(Failure { kind: self.0, ..Failure::new(format!("it is {}", self.0.as_str())) })
    }
}
