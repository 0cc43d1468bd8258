//! The rules of enact, pure: what happened goes in, facts come out.
//!
//! Nothing here reads a clock, a file or a socket, spawns anything or rolls dice of its own: time and seeds
//! arrive as data. That is what lets a run be replayed, resumed after a kill, branched and simulated.
//!
//! Read in this order: [`production`] (the contract between rules and engine), [`record`] (the shape of the
//! log), [`reply`] (what an actor may answer), [`scene`] (the scene's machine and its moderator), [`judge`]
//! (has the goal been reached?), [`story`] (what the author's text says, as lines of a character), [`chorus`]
//! (six voices, three turns), [`episode`] (a user, a character, a director), [`director`] (what watches any run),
//! [`field`] (people on a map), [`mind`] (NPCs of other games), [`acts`] and `english` (what English says, as
//! data), [`voice`] (ways of speaking), [`report`] (what all productions share when a log is told to people:
//! transcript, exports, recordings, costs), [`sent_prompts`] (what each model was sent).

pub mod acts;
mod broken_json;
pub mod budget;
pub mod call;
pub mod chorus;
pub mod client_events;
pub mod dice;
pub mod director;
mod english;
pub mod episode;
pub mod field;
pub mod json_fault;
pub mod judge;
mod located;
pub mod mind;
pub mod model_card;
pub mod name;
pub mod open_ask;
pub mod production;
pub mod record;
pub mod recorded_answers;
pub mod reply;
pub mod report;
pub mod request;
pub mod row;
pub mod scene;
pub mod sent_prompts;
pub mod sheet;
pub mod story;
pub mod text;
pub mod usage;
pub mod voice;

mod fallback;
mod front_matter;
mod look_alikes;
mod problem;
mod prompt_template;
mod test_counter;
mod tokens;

pub use call::{Ask, CallId, Purpose};
pub use located::LineIndex;
pub use name::Name;
pub use problem::{Code, Place, Problem, did_you_mean};
pub use production::{Effect, Happened, Input, Production};
pub use record::{Fact, Record, RunId, Seq};
