//! The rules of a chorus.

use super::{Chorus, ChorusEvent, EndReason};
use crate::{
    Fact, Seq,
    production::{Ask, Effect, Input, Player, Production},
    request::Request,
};

impl Production for Chorus {
    type Event = ChorusEvent;

    const NAME: &'static str = "chorus";

    fn begin(first: &Fact<ChorusEvent>) -> Option<Chorus> {
        Chorus::begun(first)
    }

    fn title(&self) -> &str {
        Self::NAME
    }

    fn players(&self) -> Vec<Player> {
        let setup = &self.setup;
        let plays = |model: &str| -> Vec<String> {
            let seats = setup.seats.iter().filter(|seat| seat.model == model);
            seats.map(|seat| seat.slot.name().to_string()).collect()
        };
        let asked = setup.models.iter().map(|(name, card)| Player {
            name: name.clone(),
            card: card.clone(),
            plays: plays(name),
            advises: Vec::new(),
        });
        asked.filter(|player| !player.plays.is_empty()).collect()
    }

    fn decide(&self, _: &Input) -> Vec<ChorusEvent> {
        match self.ended {
            None => vec![ChorusEvent::Ended { reason: EndReason::Failed }],
            Some(_) => Vec::new(),
        }
    }

    fn apply(&mut self, fact: &Fact<ChorusEvent>) {
        self.fold(fact);
    }

    fn pending(&self) -> Vec<Effect> {
        Vec::new()
    }

    fn request(&self, _: &Ask) -> Request {
        Request::default()
    }

    fn next_seq(&self) -> Seq {
        self.next
    }

    fn ended(&self) -> Option<&'static str> {
        self.ended.map(EndReason::as_str)
    }

    fn is_said(event: &ChorusEvent) -> bool {
        matches!(event, ChorusEvent::SlotSpoke { .. })
    }
}
