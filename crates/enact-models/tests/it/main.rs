//! Models that answer: language models over HTTP, the `claude` command, and whole scenes played by them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[cfg(unix)]
mod claude_code;
mod http;
mod scenes;
