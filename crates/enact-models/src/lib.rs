//! What answers for an actor: the built-in improviser, scripts and recordings.

mod improviser;

pub use improviser::{Improviser, improvise};
