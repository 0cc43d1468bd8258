//! What can be done over HTTP: one file for each kind of it.

pub(crate) mod agents;
pub(crate) mod audio;
pub(crate) mod chat;
pub(crate) mod costs;
pub(crate) mod events;
pub(crate) mod exports;
pub(crate) mod health;
pub(crate) mod runs;
pub(crate) mod scenes;
pub(crate) mod steering;
