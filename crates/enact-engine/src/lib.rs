//! Performs productions: asks models, keeps time, stores facts before anyone sees them, and feeds what
//! happened back to the rules of `enact-drama`.
//!
//! It decides nothing about drama and knows no provider, database or screen: those stand behind the ports
//! [`Model`], [`Voice`], [`Log`], [`Store`], [`Clock`] and [`SharedArtifacts`](artifacts::SharedArtifacts).
//!
//! Start at [`Stage`], which plays one run for a library or the command line, or at [`Node`], which claims
//! and plays many from a queue. Both find what a run is played with in `resources`, and play it with
//! `run_loop`, the one loop for every production; `calls` keeps what is in flight. Then the ports, `model`,
//! `voice`, `log`, `store` and `clock`; `productions`, the registry; `artifacts` and `recording`, what is heard
//! of a run; `project_files` and `outputs`, what is read before it and written after it.

pub mod artifacts;
mod blocking;
mod call_telemetry;
mod calls;
mod checkpoint;
pub mod clock;
pub mod failures;
pub mod log;
mod memory;
pub mod model;
pub mod node;
pub mod outputs;
pub mod private_files;
pub mod process;
pub mod productions;
pub mod project_files;
pub mod recording;
mod resources;
pub mod run_loop;
mod spans;
mod stage;
pub mod store;
pub mod voice;
mod wav;

pub use artifacts::Artifacts;
pub use blocking::run_blocking;
pub use call_telemetry::CallTelemetry;
pub use calls::Models;
pub use checkpoint::newest_checkpoint;
pub use clock::Clock;
pub use enact_drama::{chorus, episode, field, mind, report, scene};
pub use log::Log;
pub use model::Model;
pub use node::Node;
pub use productions::{AnyReport, Productions};
pub use resources::{ResourceProvider, Unavailable};
pub use stage::{Error, Session, SessionReply, Stage};
pub use store::Store;
pub use voice::{SpeechRecorder, Voice};
pub use wav::wav;
