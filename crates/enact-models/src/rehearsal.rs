//! Requests as the moderator would make them, for tests.

use std::sync::Arc;

use enact_drama::{
    Name,
    request::{self, Request},
    scene::{Situation, View},
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
        lines: Vec::new(),
        notes: Vec::new(),
    };
    Request {
        system: Vec::new(),
        thread: Vec::new(),
        max_tokens: 1_000,
        patience_ms: 30_000,
        schema: None,
        beat: Some(beat),
        view: Some(request::View::Scene(view)),
    }
}
