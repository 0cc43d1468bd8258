//! What `enact compare` and `enact fork` are made of: what is compared, playing all runs, and showing what
//! came of it.

mod entrant;
mod play;
mod print;

pub(crate) use entrant::{Entrant, check};
pub(crate) use play::{PlayedRounds, Ready, Rounds, ctrl_c};
pub(crate) use print::{Look, PageFile};
