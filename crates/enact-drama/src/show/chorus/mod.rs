//! What is derived from the log of a chorus.
//!
//! [`Wire`] tells it fact by fact, in the events its clients listen to. A [`Story`] is the log folded, and [`render`] and
//! [`metadata()`] tell that.

mod fountain;
mod json;
mod markdown;
mod metadata;
mod statistics;
mod story;
mod transcript;
mod webvtt;
mod wire;
mod wording;

#[cfg(test)]
mod tests;

pub(super) use metadata::costs;
pub use metadata::{Counts, Metadata, Slot, SlotError, Speech, metadata};
pub use story::{Audio, Failed, Heard, Round, Said, Story};
pub use transcript::transcript;
pub use wire::{Wire, WireEvent};
pub use wording::{failed_text, said_text, speaker, turn_title};

use super::Format;

/// The whole run in one of the formats.
pub fn render(story: &Story, format: Format) -> String {
    match format {
        Format::Txt => transcript(story),
        Format::Md => markdown::markdown(story),
        Format::Json => json::json(story),
        Format::Fountain => fountain::fountain(story),
        Format::Vtt => webvtt::webvtt(story),
    }
}
