//! Plays whole runs of every production with faults in models, voices, store, clock and processes, on virtual
//! time and in one process, and checks the invariants of `ARCHITECTURE.md` after each. Everything that
//! happens is decided by a seed, so that the seed of a failure plays it again.
//!
//! It simulates what is outside the engine and never the engine: nodes, the loop that plays, rules and
//! followers are the real ones. Nothing of it is shipped.
//!
//! Read in this order: `scenario` (what a seed decides), `world` (what the simulated processes share, and the
//! journal of what really happened), `players` with `answers` (models and voices that misbehave), `cluster`
//! (processes that are killed, frozen and stopped), `simulate` (one scenario from its first record to its
//! end), `invariants` (what must hold then), `campaign` (many seeds on all cores).

mod answers;
pub mod campaign;
mod cluster;
pub mod fields;
mod invariants;
mod players;
mod scenario;
mod simulate;
mod world;

// The rules of the toy need nothing but `enact-drama`; its crate would bring the server and the command line
// along, which take minutes to build with optimisations.
#[path = "../../enact-toy/src/rules.rs"]
#[allow(unreachable_pub, reason = "it is public where it belongs")]
mod echo;

pub use invariants::{Violation, difference, violations};
pub use scenario::{Mutant, Scenario, SimulatedProduction};
pub use simulate::{PlayedScenario, simulate};
