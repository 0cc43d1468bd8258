//! A conversation that another production plays with the means of a scene: the same rules, sheets, reply
//! format and view for players made of rules, without a scene's beats and moderator.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    Cut, Lines, Remembered, Role, Said, SceneConfig, SceneEvent, ScenePrompts, SceneSetup, Situation, View,
    ViewCache, prepared::Prepared, prompt::recent_update,
};
use crate::{
    CallId, Name, RunId, Seq,
    budget::Budget,
    report::Cards,
    request::{Message, MessageRole, Request},
};

/// What a reply may use, as in scenes.
const MAX_TOKENS: u32 = 1024;
/// Beats are what conversations here do not have: a player made of rules paces itself by so many.
const BEATS: u32 = 20;

/// A conversation as one of those in it knows it.
pub(crate) struct TalkScene {
    pub(crate) run: RunId,
    pub(crate) name: Name,
    /// What everyone knows, and what they talk about.
    pub(crate) situation: String,
    /// The second alone. Players made of rules make their lines of what they are told: with the rest, everyone would
    /// tell everyone what all know.
    pub(crate) matter: String,
    pub(crate) setting: Option<String>,
    pub(crate) cast: Vec<Role>,
    pub(crate) models: Cards,
    pub(crate) seed: u64,
    /// What was heard, in order: each with where it was cut off, by whom.
    pub(crate) heard: Vec<(Said, Option<Cut>)>,
    pub(crate) notes: Vec<String>,
    /// What its people bring along.
    pub(crate) remembered: BTreeMap<Name, Remembered>,
}

impl TalkScene {
    /// The request to the character that has the floor; `base` names it and the purpose.
    pub(crate) fn request(self, me: &Name, base: Request, timeout_ms: u64) -> Request {
        let mut lines = Lines::default();
        let mut seq = Seq(1);
        for (at, (said, cut)) in self.heard.into_iter().enumerate() {
            let (beat, deadline) = (at as u32, CallId(0));
            let opened =
                SceneEvent::BeatOpened { beat, to: Vec::new(), deadline, timeout_ms: 0, reserved: None };
            lines.apply(seq, &opened);
            lines.apply(seq, &SceneEvent::LineAdded { said });
            if let Some(cut) = cut {
                lines.apply(seq, &SceneEvent::LineCut { line: seq, cut });
            }
            seq = seq.next();
        }
        let beat = lines.len() as u32;
        let place = self.cast.iter().position(|role| role.name == *me).unwrap_or(0);
        let max_tokens = self.cast.get(place).and_then(|role| self.models.get(&role.model)?.max_tokens);
        let characters = self.cast.iter().map(|role| role.name.to_string()).collect();
        let setup = SceneSetup {
            run: self.run,
            name: self.name.clone(),
            config: SceneConfig {
                name: self.name.to_string(),
                prompt: self.situation,
                setting: self.setting,
                characters,
                ..SceneConfig::default()
            },
            cast: self.cast,
            opener: None,
            goals: Vec::new(),
            max_beats: BEATS,
            reply_timeout_ms: timeout_ms,
            window: super::DEFAULT_WINDOW,
            seed: self.seed,
            models: self.models,
            judge: None,
            event_writer: None,
            budget: Budget::default(),
            prompts: ScenePrompts::current(),
            remembered: self.remembered,
        };
        let prepared = Prepared::new(Arc::new(setup));
        let notes: Vec<&str> = self.notes.iter().map(String::as_str).collect();
        let update = recent_update(&prepared, place, beat, &lines, &notes);
        let view = View {
            me: me.clone(),
            sheet: prepared.players[place].sheet.clone(),
            scene: Arc::new(Situation { prompt: self.matter, ..Situation::clone(&prepared.situation) }),
            beat,
            opening: false,
            lines,
            notes: self.notes.iter().map(|note| note.as_str().into()).collect(),
            cache: ViewCache::default(),
        };
        Request {
            system: prepared.actor_blocks(place).into(),
            thread: vec![Message { role: MessageRole::User, text: update.into() }],
            max_tokens: max_tokens.unwrap_or(MAX_TOKENS),
            timeout_ms,
            silence: Some("[SILENT]"),
            view: Some(Arc::new(view)),
            ..base
        }
    }
}
