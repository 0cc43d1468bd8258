//! What a model is asked: the same thing twice, as text for language models and as data for built-in players.

use std::{any::Any, sync::Arc};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Name,
    call::{Ask, Purpose},
};

/// One question to a model.
///
/// Laid out so that nothing already sent is sent again at full price: `system` blocks are the same bytes in
/// every request of an actor (the first of them the same for every actor), and `thread` only grows at its
/// end.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// Stable blocks, the most widely shared first.
    pub system: Vec<Arc<str>>,
    /// The conversation so far; the last message is the one to answer.
    pub thread: Vec<Message>,
    /// The longest answer that is of use.
    pub max_tokens: u32,
    /// How many tries may have to be paid, where a budget is kept: a model that has made so many which were
    /// or may be billed does not try again, whatever its own settings allow. Tries that were turned away are
    /// free.
    pub paid_tries: Option<u32>,
    /// How long the caller waits at most. A retry that cannot finish within it need not be made.
    pub timeout_ms: u64,
    /// The shape the answer has to have; words alone if nothing.
    pub schema: Option<Arc<Schema>>,
    /// Whether an answer in that shape is passed on while it is still coming: its production makes something
    /// to be shown of JSON that has no end yet.
    pub live_json: bool,
    /// The actor it is to answer for; `None` for hidden calls.
    pub actor: Option<Name>,
    /// What the answer is for.
    pub purpose: Purpose,
    /// The beat it belongs to, in productions that have any.
    pub beat: Option<u32>,
    /// Whether the actor's first answer of this beat was of no use.
    pub again: bool,
    /// The answer that says nothing, in productions where an actor may stay silent.
    pub silence: Option<&'static str>,
    /// What the actor knows, as data: the production's own type, for players made of rules. Nothing for
    /// hidden calls.
    pub view: Option<Arc<dyn Any + Send + Sync>>,
}

impl Request {
    /// The beginning of what an ask says: who is asked, and what for.
    pub fn to(ask: &Ask) -> Request {
        Request { actor: ask.actor.clone(), purpose: ask.purpose.clone(), ..Request::default() }
    }

    /// Who is asked, by name; empty for hidden calls.
    pub fn me(&self) -> &str {
        self.actor.as_ref().map_or("", Name::as_str)
    }

    /// What the actor knows, in a production whose views are of this type.
    pub fn view<V: Any>(&self) -> Option<&V> {
        self.view.as_ref()?.downcast_ref()
    }
}

/// What a structured answer looks like.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    /// Providers want a name for it: letters, digits and underscores.
    pub name: &'static str,
    /// JSON Schema, with every object closed and every property required: what all providers can keep to.
    pub json: Value,
    /// Whether an answer of another shape is an error. Otherwise it is given as it came, and the caller reads
    /// it as well as possible.
    pub exact: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub role: MessageRole,
    pub text: Arc<str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MessageRole {
    /// The moderator's updates.
    User,
    /// The actor's own earlier answers, as it gave them.
    Assistant,
}
