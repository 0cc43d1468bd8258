//! Contenders side by side: one scene, played several times with each of them.
//!
//! [`Played`] is what one run came to, [`Summary`] what all runs of a contender did. [`table()`] and
//! [`page()`] show them, and serialising a [`Comparison`] gives them to programs. [`Branches`] are runs that
//! share their beginning.

mod branches;
mod measures;
mod page;
mod played;
mod plot;
mod summary;
mod table;

#[cfg(test)]
mod tests;

use serde::Serialize;

pub use branches::{Branch, Branches, Divergence, Nearest, outline, page as branches_page};
pub use page::page;
pub use played::Played;
pub use summary::{Replies, Spread, Summary};
pub use table::{TableLine, Weight, table};

use super::report::SceneReport;
use crate::Name;

/// Everyone who played a scene, in the order in which they were asked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    pub scene: Name,
    pub contenders: Vec<Contender>,
}

/// One way to play the scene.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Contender {
    /// As it was asked for: `lead`, `window:lead`.
    pub name: String,
    pub summary: Summary,
    pub runs: Vec<Played>,
}

impl Contender {
    /// Sums up the runs of a contender, of which there may be none yet.
    pub fn of<'a>(name: impl Into<String>, stories: impl IntoIterator<Item = &'a SceneReport>) -> Contender {
        let runs: Vec<Played> = stories.into_iter().map(Played::of).collect();
        Contender { name: name.into(), summary: Summary::of(&runs), runs }
    }
}
