//! What speaks: the embedded voice, services, other programs, and chains of them.
//!
//! It implements the engine's [`Voice`](enact_engine::Voice) and knows nothing of choruses, scenes or files.
