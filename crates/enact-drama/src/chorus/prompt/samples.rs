//! What a slot could know, made up so that templates can be tried before anything is played.

use super::Template;
use crate::chorus::{
    Agent, AgentId, ChorusView, LONGEST_MESSAGE_CHARS, MOST_SLOTS, PeerResponse, ReceivedComment, SlotId,
    Turn,
};

/// As few of the others as there can be, as many, and as much of what everybody says.
pub(super) fn samples(template: Template) -> Vec<Option<ChorusView>> {
    let Some(view) = sample(template) else { return vec![None] };
    let (mut few, mut many) = (view.clone(), view.clone());
    few.peers.truncate(1);
    few.comments.truncate(1);
    if let (Turn::Comment, Some(peer)) = (view.turn, view.peers.last()) {
        let numbers = 4..=MOST_SLOTS;
        many.peers
            .extend(numbers.filter_map(SlotId::new).map(|slot_id| PeerResponse { slot_id, ..peer.clone() }));
    }
    if let (Turn::Reply, Some(comment)) = (view.turn, view.comments.last()) {
        let more = SlotId::new(4).map(|from_slot_id| ReceivedComment { from_slot_id, ..comment.clone() });
        many.comments.extend(more);
    }
    let long = ChorusView { message: "word\n".repeat(LONGEST_MESSAGE_CHARS / 5), ..many.clone() };
    [view, few, many, long].map(Some).to_vec()
}

pub(super) fn sample(template: Template) -> Option<ChorusView> {
    let Template::Turn(turn) = template else { return None };
    let slot = |number: u8| SlotId::new(number).expect("one of the slots");
    let id = |text: &str| AgentId::new(text).expect("a plain id");
    let agent = Agent {
        id: id("gpt-4o"),
        name: "GPT-4o".to_owned(),
        provider: "OpenAI".to_owned(),
        description: "Easy company.".to_owned(),
        color: "#10a37f".to_owned(),
    };
    let response = |number: u8, text: &str| PeerResponse {
        slot_id: slot(number),
        agent_id: id("gemini-3"),
        agent_name: "Gemini 3".to_owned(),
        text: text.to_owned(),
    };
    let comment = |number: u8, text: &str| ReceivedComment {
        from_slot_id: slot(number),
        from_agent_id: id("gemini-3"),
        from_agent_name: "Gemini 3".to_owned(),
        comment: text.to_owned(),
    };
    let (comments, peers) = match turn {
        Turn::Respond => (vec![], vec![]),
        Turn::Comment => (vec![], vec![response(2, "Like applause."), response(3, "Like \"shh\".")]),
        Turn::Reply => (vec![comment(2, "I hear it too."), comment(3, "Every night?")], vec![]),
    };
    Some(ChorusView {
        me: slot(1).name(),
        slot: slot(1),
        first: false,
        agent,
        turn,
        message: "What does rain sound like?".to_owned(),
        own: (turn != Turn::Respond).then(|| "Like a letter being opened.".to_owned()),
        peers,
        comments,
        messages_before: 0,
        said_before: Vec::new(),
        others_before: Vec::new(),
        again: false,
        seed: 1,
    })
}
