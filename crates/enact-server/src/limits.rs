//! What a server takes at most.

/// All limits of a server.
#[derive(Debug, Clone, Default)]
pub struct Limits {}
