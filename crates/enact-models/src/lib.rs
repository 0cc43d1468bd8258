//! What answers for an actor: language models of several providers, and players that call no service (made of
//! rules, of a script, or of an earlier run).
//!
//! All stand behind the engine's [`Model`](enact_engine::Model) port. The players need no key, no network and
//! no download. Nothing here touches a file or looks for a key (scripts, recordings and [`Settings`] arrive as
//! data), but [`claude_code`], which runs a program: it looks for that and gives each call a folder.
//!
//! Read in this order: [`Scripted`] (answers written down by an author, which is also how the engine is
//! tested), [`Recorded`] (answers taken from a log), [`Improviser`] (answers made up on the spot, by rules),
//! [`Human`] (who is asked by the rules); then [`Settings`] and [`connect()`], and behind them `http`, where
//! requests go out and answers come in, as many at once and in a minute as `call_queue` lets pass.

mod call_queue;
pub mod claude_code;
mod content;
mod extra_request;
mod http;
mod human;
mod improviser;
pub mod local_servers;
pub mod prices;
mod provider;
mod reasoning;
mod recorded_answers;
mod response_details;
mod scripted;
mod settings;

#[cfg(test)]
mod test_requests;

pub use enact_http::ApiKey;
pub use extra_request::{ExtraHeader, check_body};
pub use http::{OfferedModel, offered};
pub use human::Human;
pub use improviser::{Improvisation, Improviser, improvise, improvise_chorus, improvise_episode};
pub use provider::{NamedProvider, Provider};
pub use reasoning::{Effort, Thinking};
pub use recorded_answers::Recorded;
pub use scripted::Scripted;
pub use settings::{DEFAULT_RETRIES, PromptCache, Settings, card, connect};
