//! Performs productions: asks models, keeps time, stores facts before anyone sees them, and feeds what happened back
//! to the rules of `enact-drama`.
//!
//! It decides nothing about drama and knows no provider, database or screen: those stand behind the ports
//! [`Model`], [`Log`] and [`Clock`].

pub mod casting;
pub mod clock;
pub mod log;
pub mod model;

pub use clock::Clock;
pub use log::Log;
pub use model::Model;
