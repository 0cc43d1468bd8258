//! What is done with a line's words.

/// The acts found in one line.
#[derive(Debug, Clone, Default)]
pub struct Acts {}

impl Acts {
    /// Reads what was heard of a line.
    pub fn of(_heard: &str) -> Acts {
        Acts {}
    }
}
