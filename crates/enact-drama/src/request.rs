//! What a model is asked: the same thing twice, as text for language models and as data for built-in players.

use std::sync::Arc;

use crate::scene::View;

/// One question to a model.
///
/// Laid out so that nothing already sent is sent again at full price: `system` blocks are the same bytes in every
/// request of an actor (the first of them the same for every actor), and `thread` only grows at its end.
#[derive(Debug, Clone)]
pub struct Request {
    /// Stable blocks, the most widely shared first.
    pub system: Vec<Arc<str>>,
    /// The conversation so far; the last message is the one to answer.
    pub thread: Vec<Message>,
    /// The longest answer that is of use.
    pub max_tokens: u32,
    /// What the actor knows, as data.
    pub view: View,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub role: Role,
    pub text: Arc<str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The moderator's updates.
    User,
    /// The actor's own earlier answers, as it gave them.
    Assistant,
}
