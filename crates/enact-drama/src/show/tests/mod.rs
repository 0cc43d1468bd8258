//! Logs written by hand, and what is told of them.

mod exports;
pub(super) mod facts;
mod forgery;
mod json;
mod ledger;
mod office;
mod story;
mod webvtt;
