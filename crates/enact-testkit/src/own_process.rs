//! Tests that need a process to themselves: they measure its memory, use up its descriptors, or change what
//! all its threads share.

use std::{env, process::Command};

/// Names the one test that a child process runs.
const ALONE: &str = "ENACT_TEST_ALONE";

/// Runs a test again, alone in a process of its own, and panics with its output if it fails there. False in
/// that process:
///
/// ```text
/// #[test]
/// fn takes_little_memory() {
///     if run_in_own_process("memory::takes_little_memory") {
///         return;
///     }
///     // Here nothing else runs in this process.
/// }
/// ```
pub fn run_in_own_process(test: &str) -> bool {
    run_child(Command::new(env::current_exe().unwrap()), test)
}

/// The same, through a command that starts the program named by its first further argument with the rest of
/// them: a shell that sets limits first.
pub fn run_in_own_process_through(mut command: Command, test: &str) -> bool {
    command.arg(env::current_exe().unwrap());
    run_child(command, test)
}

fn run_child(mut command: Command, test: &str) -> bool {
    if env::var_os(ALONE).is_some_and(|alone| alone == test) {
        return false;
    }
    let output = command.args(["--exact", test, "--nocapture"]).env(ALONE, test).output().unwrap();
    let (said, complained) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    // A name that no test has would pass, because nothing fails where nothing runs.
    let passed = output.status.success() && said.contains("1 passed");
    assert!(passed, "{test}, in a process of its own: {}\n{said}\n{complained}", output.status);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_runs_in_another_process() {
        if run_in_own_process("own_process::tests::a_test_runs_in_another_process") {
            return;
        }
        assert!(env::var_os(ALONE).is_some());
    }

    #[test]
    #[should_panic(expected = "no failure is kept")]
    fn what_fails_there_fails_here_with_what_it_said() {
        if run_in_own_process("own_process::tests::what_fails_there_fails_here_with_what_it_said") {
            return;
        }
        // The panic is expected there too, so that this is the way to fail.
        println!("no failure is kept to oneself");
        std::process::exit(1);
    }

    #[test]
    #[should_panic(expected = "0 passed")]
    fn a_name_that_no_test_has_fails() {
        run_in_own_process("own_process::tests::nothing_is_called_this");
    }
}
