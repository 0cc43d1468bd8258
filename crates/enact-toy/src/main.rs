//! `enact` with one production more.

use std::process::ExitCode;

fn main() -> ExitCode {
    enact::run(enact::productions().with(enact_toy::EchoCommands))
}
