//! The real binary, in an empty folder: everything a user does with it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod afterwards;
mod architecture;
mod asking;
mod bad_input;
mod checking;
mod chorus;
mod chorus_killed;
mod collector;
mod command_voices;
mod comparing;
mod configuring;
mod demos;
mod documents;
mod editing;
mod episodes;
mod examples;
mod failing;
mod fields;
mod first_hour;
mod forking;
#[cfg(target_os = "linux")]
mod full_disk;
mod hearing;
mod help;
mod humans;
mod judging;
mod keeping;
mod killed;
#[cfg(unix)]
mod late_commands;
mod legacy_game;
mod minds;
#[cfg(all(unix, feature = "postgres-tests"))]
mod nodes;
mod offers;
mod old_audio;
mod old_logs;
mod project;
mod prompting;
mod proxy;
mod recording;
mod remembering;
mod running;
#[cfg(feature = "s3-tests")]
mod s3;
mod seed_table;
mod server;
#[cfg(unix)]
mod serving;
#[cfg(unix)]
mod sessions;
mod telemetry;
#[cfg(target_os = "linux")]
mod terminal;
mod type_names;
mod unknown;
