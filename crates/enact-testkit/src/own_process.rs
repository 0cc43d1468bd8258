//! Tests that need a process to themselves: they measure its memory, use up its descriptors, or change what all its threads share.

use std::{env, process::Command};

/// Names the one test that a child process runs.
const ALONE: &str = "ENACT_TEST_ALONE";

/// Runs a test again, alone in a process of its own, and panics with its output if it fails there. False in that process:
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

/// The same, through a command that starts the program named by its first further argument with the rest of them: a shell that sets
/// limits first.
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
