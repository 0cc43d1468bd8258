//! Whole logs of choruses, and what is told of them.

mod client;
mod exports;
mod facts;
mod labels;
mod recording;
mod story;
