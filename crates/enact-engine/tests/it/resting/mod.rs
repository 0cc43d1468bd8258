//! Runs that wait for a command: they have no owner, are in no queue, and cost nothing until one is posted.

mod checkpoints;
mod counter;
mod ending;
mod paused;
mod waking;
