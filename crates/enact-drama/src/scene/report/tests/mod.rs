//! Logs written by hand, and what is told of them.

mod advice;
mod exports;
pub(in crate::scene) mod facts;
mod forgery;
mod forks;
mod json;
mod ledger;
mod office;
mod pauses;
mod recording;
mod story;
mod webvtt;
