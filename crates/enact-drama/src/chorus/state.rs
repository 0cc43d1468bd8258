//! A chorus as its facts have left it.

use std::sync::Arc;

use super::{ChorusEvent, EndReason, Setup, SlotThread};
use crate::{Fact, Seq};

/// The machine of a chorus.
#[derive(Debug, Clone)]
pub struct Chorus {
    pub(super) setup: Arc<Setup>,
    pub(super) next: Seq,
    pub(super) ended: Option<EndReason>,
}

impl Chorus {
    /// The fact a chorus begins with.
    pub fn beginning(setup: Setup) -> ChorusEvent {
        ChorusEvent::ChorusBegan { setup: Arc::new(setup) }
    }

    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// What all slots have been told and said, for the next message.
    pub fn threads(&self) -> Vec<SlotThread> {
        self.setup.threads.clone()
    }

    pub(super) fn begun(first: &Fact<ChorusEvent>) -> Option<Chorus> {
        let ChorusEvent::ChorusBegan { setup } = &first.event else { return None };
        Some(Chorus { setup: Arc::clone(setup), next: first.seq.next(), ended: None })
    }

    pub(super) fn fold(&mut self, fact: &Fact<ChorusEvent>) {
        self.next = fact.seq.next();
        if let ChorusEvent::Ended { reason } = &fact.event {
            self.ended = Some(*reason);
        }
    }
}
