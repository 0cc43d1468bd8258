//! What answers for an actor without asking anybody: players made of rules, of a script, or of an earlier run.
//!
//! They stand behind the engine's [`Model`](enact_engine::Model) port like any language model, and need no key, no
//! network and no download. Nothing here talks to a provider or touches a file: scripts and recordings arrive as
//! text and records.
//!
//! Read in this order: [`Scripted`] (answers written down by an author, which is also how the engine is tested),
//! [`Recorded`] (answers taken from a log), [`Improviser`] (answers made up on the spot, by rules).

mod connect;
mod improviser;
mod language;
mod recorded;
mod scripted;
mod settings;

#[cfg(test)]
mod rehearsal;

pub use connect::connect;
pub use improviser::{Improviser, improvise};
pub use recorded::Recorded;
pub use scripted::Scripted;
pub use settings::{Cache, DEFAULT_RETRIES, Key, Provider, Settings};
