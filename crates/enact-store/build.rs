//! Without this, a migration that is added would not be noticed until some source file changes.

#![expect(clippy::print_stdout, reason = "this is how build scripts talk to cargo")]

fn main() {
    println!("cargo:rerun-if-changed=migrations");
}
