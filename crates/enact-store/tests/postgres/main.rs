//! What only the Postgres store promises: leases, nodes that die or freeze, and servers that go away.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

#[path = "../database/mod.rs"]
mod database;
