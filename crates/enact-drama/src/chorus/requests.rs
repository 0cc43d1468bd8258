//! What a slot is asked.

use std::sync::Arc;

use super::{Chorus, ChorusView, PeerResponse, ReceivedComment, Turn, routing, schema, threads};
use crate::{
    budget::CallAllowance,
    fallback,
    model_card::Context,
    production::CallId,
    request::{Message, MessageRole, Request},
};

/// What a model may spend on an answer. Some sentences need far less; some models think first.
const MAX_TOKENS: u32 = 1024;

impl Chorus {
    /// What a pending ask says.
    pub(super) fn request_of(&self, call: CallId) -> Request {
        let Some((turn, asked)) = self.asked(call) else { return Request::default() };
        let mut request = self.question_to(asked.seat, asked.rank, turn, asked.again);
        let first = &self.setup.seats[asked.seat].model;
        request.timeout_ms = fallback::timeout_ms(&self.setup.models, first, asked.rank, asked.left_ms);
        CallAllowance::limit(asked.reserved, &mut request);
        request
    }

    /// What a seat is asked in a turn, as things stand, if the model with this rank answers for it. `again`
    /// if its first comment had no valid target.
    pub(super) fn question_to(&self, place: usize, rank: usize, turn: Turn, again: bool) -> Request {
        let seat = &self.setup.seats[place];
        let card = self.setup.card(place, rank);
        let remembers = card.is_none_or(|card| card.context == Context::Thread);
        let mut messages = threads::so_far(self, place, remembers);
        messages.extend(threads::question(self, place, turn, again));
        let message = |(role, text): (MessageRole, String)| Message { role, text: text.into() };
        let schema = match turn {
            Turn::Respond | Turn::Reply => schema::spoken_response(),
            Turn::Comment => schema::comment_selection(&self.peers(place)),
        };
        // Not "you are": an agent may be called after another model than the one that answers for it.
        let name = crate::text::one_line(&seat.agent.name);
        let me: Arc<str> = format!("You are Speaker {}. The others call you {name}.", seat.slot).into();
        Request {
            system: vec![self.setup.prompts.system().into(), me],
            thread: messages.into_iter().map(message).collect(),
            max_tokens: card.and_then(|card| card.max_tokens).unwrap_or(MAX_TOKENS),
            paid_tries: None,
            timeout_ms: self.setup.answer_timeout_ms,
            schema: Some(schema),
            live_json: false,
            actor: Some(seat.slot.name()),
            purpose: turn.purpose(),
            beat: Some(u32::from(turn.index())),
            again,
            silence: None,
            view: Some(Arc::new(self.view(place, turn, again))),
        }
    }

    /// What a seat knows in a turn, as it stood then.
    pub(super) fn view(&self, seat: usize, turn: Turn, again: bool) -> ChorusView {
        let slot = self.slot(seat);
        let earlier = threads::earlier(self, seat);
        let own = self.parts[seat].said(Turn::Respond).filter(|_| turn != Turn::Respond);
        let peers = match turn {
            Turn::Comment => routing::shuffled(self.peer_responses(seat), slot, self.setup.seed),
            Turn::Respond | Turn::Reply => Vec::new(),
        };
        ChorusView {
            me: slot.name(),
            slot,
            first: seat == 0,
            agent: self.setup.seats[seat].agent.clone(),
            turn,
            message: self.setup.message.clone(),
            own: own.map(|said| said.text.clone()),
            peers,
            comments: if turn == Turn::Reply { self.received(seat) } else { Vec::new() },
            messages_before: earlier.map_or(0, |thread| thread.answered),
            said_before: earlier.map_or_else(Vec::new, |thread| thread.said().map(str::to_owned).collect()),
            others_before: threads::of_others(self, seat),
            again,
            seed: self.setup.seed,
        }
    }

    fn peer_responses(&self, seat: usize) -> Vec<PeerResponse> {
        let others = self.said_in(Turn::Respond).filter(|(other, _)| *other != seat);
        let response = |(other, said): (usize, &Arc<super::state::Statement>)| PeerResponse {
            slot_id: self.slot(other),
            agent_id: self.setup.seats[other].agent.id.clone(),
            agent_name: crate::text::one_line(&self.setup.seats[other].agent.name),
            text: said.text.clone(),
        };
        others.map(response).collect()
    }

    /// The comments that a seat is told.
    pub(super) fn received(&self, seat: usize) -> Vec<ReceivedComment> {
        let slot = self.slot(seat);
        let routed = self.routes.iter().find(|routed| routed.to == slot);
        let from = routed.into_iter().flat_map(|routed| &routed.from);
        let comment = |from: &super::SlotId| {
            let other = self.seat_of(*from)?;
            Some(ReceivedComment {
                from_slot_id: *from,
                from_agent_id: self.setup.seats[other].agent.id.clone(),
                from_agent_name: crate::text::one_line(&self.setup.seats[other].agent.name),
                comment: self.parts[other].said(Turn::Comment)?.text.clone(),
            })
        };
        from.filter_map(comment).collect()
    }
}
