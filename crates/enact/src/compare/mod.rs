//! What `enact compare` is made of: who contends, playing all their runs, and showing what came of it.

mod contender;
mod play;
mod progress;
mod shown;

pub(crate) use contender::{Contender, check};
pub(crate) use play::{Played, Rounds};
pub(crate) use shown::{Page, print};
