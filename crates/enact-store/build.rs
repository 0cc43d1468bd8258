//! Without this, a migration that is added would not be noticed until some source file changes.

fn main() {
    println!("cargo:rerun-if-changed=migrations");
}
