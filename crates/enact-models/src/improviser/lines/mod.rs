//! What the improviser can say, by move.
//!
//! A sentence stands here only once, in whatever bank: that is what keeps a scene from repeating itself when two speak
//! in the same beat. The words that make a judge see a deed ("sorry", "I accept", "agreed") stay in the banks of that
//! deed. Questions are put only where the one who is asked speaks next.

pub(super) mod aside;
pub(super) mod clash;
pub(super) mod close;
pub(super) mod errand;
pub(super) mod event;
pub(super) mod joint;
pub(super) mod named;
pub(super) mod open;
pub(super) mod repair;
pub(super) mod settle;
pub(super) mod talk;
pub(super) mod turn;

#[cfg(test)]
mod tests;
