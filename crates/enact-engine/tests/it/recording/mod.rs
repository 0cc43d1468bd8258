//! Scenes spoken into one file by voices made of tones, so that who is heard can be measured.

mod bounds;
mod cuts;
mod misses;
mod scene;
mod tones;
