//! A language-model server for tests and benchmarks that behaves, and misbehaves, like the real ones.
//!
//! It speaks the wire formats of Anthropic, OpenAI, Gemini and Ollama, streamed and plain, over real HTTP on
//! a port of its own. What it answers is decided for each request by a [`Script`]: a closure from the request
//! as it was [`Seen`] to a [`PlannedResponse`], which is a reply, how long it takes, and what goes wrong with
//! it. Everything that arrived can be read back, with times, tokens as billed, and whether the client stayed
//! to the end.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")] async fn main() {
//! use fake_provider::{PlannedResponse, FakeProvider, Fault};
//!
//! let server = FakeProvider::builder()
//!     .key("sk-test")
//!     .script(|seen| match seen.number {
//!         0 => PlannedResponse::fault(Fault::Status(429, None)),
//!         _ => PlannedResponse::text(r#"[TO: Bob, TONE: calm] "You are late.""#),
//!     })
//!     .start()
//!     .await;
//! assert!(server.base_url().ends_with("/v1/"));
//! assert!(server.seen().is_empty());
//! # }
//! ```
//!
//! The server never calls out, never reads a file, and needs no tokio runtime of its caller's: it has a
//! thread of its own, so that a busy client cannot make it late, and that thread is gone when the
//! [`FakeProvider`] is dropped.
//!
//! Beside it stands [`FakeSpeech`], in the same manner: a server that speaks as ElevenLabs and OpenAI do,
//! with a limit on how much at one time; all of it is in `speech`.
//!
//! Read `seen` and `planned_response` first, which are what tests use; then `server`, `running` and `routes`, which a
//! request passes on its way in; `prompt`, `strict`, `cache`, `reply` and `schema`, which judge it and work
//! out the answer; `wire` and the four formats, which write it; and `call`, which sends it and notices when
//! the client goes away.

mod anthropic;
mod cache;
mod call;
mod delivery;
mod gemini;
mod http;
mod ollama;
mod openai;
mod planned_response;
mod prompt;
mod refusal;
mod reply;
mod routes;
mod running;
mod schema;
mod seen;
mod seen_requests;
mod server;
mod speech;
mod strict;
mod wire;

pub use planned_response::{Fault, Lie, PlannedResponse, Script, Trouble};
pub use prompt::{Prompt, PromptBlock, PromptRole, Ttl};
pub use running::{Running, Traffic};
pub use seen::{Api, BilledUsage, RequestOutcome, Seen};
pub use server::{Builder, FakeProvider};
pub use speech::{FakeSpeech, SpeechAnswer, SpeechApi, SpeechBuilder, SpeechFault, SpeechRequest};
