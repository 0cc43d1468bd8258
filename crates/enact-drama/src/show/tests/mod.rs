//! Logs written by hand, and what is told of them.

mod advice;
mod exports;
pub(super) mod facts;
mod forgery;
mod json;
mod ledger;
mod office;
mod story;
mod webvtt;
