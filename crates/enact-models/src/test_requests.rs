//! Requests as the moderator would make them, for tests.

use std::{any::Any, sync::Arc};

use enact_drama::{
    Name,
    chorus::{self, Agent, AgentId, SlotId, Turn},
    production::Purpose,
    request::Request,
    scene::{Lines, Situation, View, ViewCache},
    sheet::Sheet,
};

/// Asks one actor in one beat of a scene about which nothing else is known.
pub(crate) fn request(me: &str, beat: u32) -> Request {
    let scene = Situation {
        prompt: String::new(),
        setting: None,
        goals: Vec::new(),
        cast: Vec::new(),
        seed: 0,
        max_beats: 50,
    };
    let view = View {
        me: Name::new(me).unwrap(),
        sheet: Arc::new(Sheet::default()),
        scene: Arc::new(scene),
        beat,
        opening: false,
        lines: Lines::default(),
        notes: Vec::new(),
        cache: ViewCache::default(),
    };
    Request { silence: Some("[SILENT]"), ..knowing(view.me.clone(), Purpose::named("reply"), beat, view) }
}

/// Asks a slot in one turn of a chorus.
pub(crate) fn slot_request(slot: u8, turn: Turn) -> Request {
    let slot = SlotId::new(slot).unwrap();
    let agent = Agent {
        id: AgentId::new("gpt-4o").unwrap(),
        name: "GPT-4o".to_owned(),
        provider: String::new(),
        description: String::new(),
        color: String::new(),
    };
    let view = chorus::ChorusView {
        me: slot.name(),
        slot,
        first: false,
        agent,
        turn,
        message: "Hello.".to_owned(),
        own: None,
        peers: Vec::new(),
        comments: Vec::new(),
        messages_before: 0,
        said_before: Vec::new(),
        others_before: Vec::new(),
        again: false,
        seed: 0,
    };
    knowing(slot.name(), turn.purpose(), u32::from(turn.index()), view)
}

/// A request whose view is all that its actor knows.
fn knowing(me: Name, purpose: Purpose, beat: u32, view: impl Any + Send + Sync) -> Request {
    Request {
        max_tokens: 1_000,
        timeout_ms: 30_000,
        actor: Some(me),
        purpose,
        beat: Some(beat),
        view: Some(Arc::new(view)),
        ..Request::default()
    }
}
