//! Runs that wait for a command: they are nobody's, in no queue, and cost nothing until one is posted.

mod checkpoints;
mod counter;
mod paused;
mod waking;
