//! What `enact compare` and `enact fork` are made of: who contends, playing all their runs, and showing what came of it.

mod contender;
mod play;
mod progress;
mod shown;

pub(crate) use contender::{Contender, check};
pub(crate) use play::{Played, Ready, Rounds, ctrl_c, nobody_played};
pub(crate) use shown::{Page, columns, print};
