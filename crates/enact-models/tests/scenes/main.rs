//! Whole scenes over real HTTP, against a server that behaves and misbehaves like the real ones.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod caching;
mod counsel;
mod faults;
mod office;
mod parallel;
