//! The API over real HTTP.

mod audio;
mod beginning;
mod broken;
mod chorus;
mod client;
mod client_events;
mod conversations;
mod costs;
mod described;
mod diary;
mod events;
mod forms;
mod fuzz;
mod humans;
mod messages;
mod page;
mod private;
mod promised_sequences;
mod promises;
mod reading;
mod results;
pub(crate) mod server;
mod sessions;
mod steering;
mod stream;
mod watching;
