use std::process::ExitCode;

fn main() -> ExitCode {
    enact::run(enact::productions())
}
