//! A production that nothing else knows does everything that runs can do: in SQLite and Postgres, over HTTP
//! and in the terminal.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod over_http;
mod terminal;
mod toy;
