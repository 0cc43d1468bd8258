//! For tests: a production in a crate that nothing else knows, an echo. It shows all that one needs: `rules`
//! (with the report), and one registration each for the server and the command line. `main.rs` is `enact`
//! with an echo in it.

mod cli;
mod rules;
mod server;

pub use cli::EchoCommands;
pub use rules::{Echo, EchoCommand, EchoEvent, EchoReport};
pub use server::Echoes;
