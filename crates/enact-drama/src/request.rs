//! What a model is asked: the same thing twice, as text for language models and as data for built-in players.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{chorus, scene};

/// One question to a model.
///
/// Laid out so that nothing already sent is sent again at full price: `system` blocks are the same bytes in every
/// request of an actor (the first of them the same for every actor), and `thread` only grows at its end.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// Stable blocks, the most widely shared first.
    pub system: Vec<Arc<str>>,
    /// The conversation so far; the last message is the one to answer.
    pub thread: Vec<Message>,
    /// The longest answer that is of use.
    pub max_tokens: u32,
    /// How long whoever asks is going to wait, at most. What cannot be had within it need not be tried.
    pub patience_ms: u64,
    /// The shape the answer has to have; words alone if nothing.
    pub schema: Option<Arc<Schema>>,
    /// The beat it belongs to, in productions that have any.
    pub beat: Option<u32>,
    /// What the actor knows, as data. Nothing for hidden calls, where nobody is being played.
    pub view: Option<View>,
}

impl Request {
    /// Who is asked, by name; empty for hidden calls.
    pub fn me(&self) -> &str {
        match &self.view {
            Some(View::Scene(scene::View { me, .. }) | View::Chorus(chorus::View { me, .. })) => me.as_str(),
            None => "",
        }
    }

    /// What an actor in a scene knows.
    pub fn scene(&self) -> Option<&scene::View> {
        match &self.view {
            Some(View::Scene(view)) => Some(view),
            _ => None,
        }
    }

    /// What a slot in a chorus knows.
    pub fn chorus(&self) -> Option<&chorus::View> {
        match &self.view {
            Some(View::Chorus(view)) => Some(view),
            _ => None,
        }
    }
}

/// What whoever is asked knows, as data.
#[derive(Debug, Clone)]
pub enum View {
    Scene(scene::View),
    Chorus(chorus::View),
}

/// What a structured answer looks like.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    /// Providers want a name for it: letters, digits and underscores.
    pub name: &'static str,
    /// JSON Schema, with every object closed and every property required: what all providers can keep to.
    pub json: Value,
    /// Whether nothing else is of use. Otherwise an answer of another shape is given as it came: whoever asked reads it as well as
    /// possible.
    pub exact: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub role: Role,
    pub text: Arc<str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The moderator's updates.
    User,
    /// The actor's own earlier answers, as it gave them.
    Assistant,
}
