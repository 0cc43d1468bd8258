//! What `enact serve` is told about the routes of single productions. Each production reads its own part.

/// What the operator decides about those who play.
#[derive(Debug, Clone, Default)]
pub struct ServingOptions {
    /// How many messages a guest may send in a session.
    pub guest_messages: Option<u32>,
    /// Whether there are the routes below `/games`.
    pub games: bool,
    /// Where the server is reached from outside: `https://play.example.org`.
    pub public_url: Option<String>,
    /// The model that decides for minds; rules, if nothing.
    pub mind_model: Option<String>,
    /// Whether there are the routes that older games call: `/sse`, `/health`, `/logs`.
    pub legacy_mcp: bool,
}
