//! What is told of a field. Nothing here simulates but the live map: lines, bids and interactions are facts.

mod client;
mod document;

pub use client::{FieldClientEvents, entity, event_id, snapshot};
pub use document::FieldReport;
