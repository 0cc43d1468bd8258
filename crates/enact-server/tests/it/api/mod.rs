//! The API over real HTTP.

mod audio;
mod beginning;
mod broken;
mod chorus;
mod client;
mod conversations;
mod costs;
mod described;
mod events;
mod forms;
mod fuzz;
mod messages;
mod reading;
mod server;
mod steering;
mod stream;
mod watching;
