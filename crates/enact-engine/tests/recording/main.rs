//! Scenes spoken into one file by voices made of tones, so that who is heard can be measured.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod bounds;
mod cuts;
mod misses;
mod scene;
mod tones;
