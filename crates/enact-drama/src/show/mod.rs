//! The names under which other crates know what is told of runs. What they stand for lives in [`report`](crate::report),
//! [`scene::report`](crate::scene::report), [`scene::comparison`](crate::scene::comparison) and
//! [`chorus::report`](crate::chorus::report); only [`Told`] is here.

mod told;

pub use told::Told;

pub use crate::{
    report::{
        Account, AccountCosts, Cost, Costs, Document, Format, InputBill, Ledger, Tokens, UnknownFormat,
        date_time, recording,
    },
    scene::{
        comparison,
        report::{
            Adviser, BudgetLimits, Counts, FailedReply, ForkedFrom, Metadata, PlayTime, PlayedBy,
            SceneResult, Shown, Silence, Story, debug_log, line_text, metadata, silence_text, title,
            transcript,
        },
    },
    text::{one_line, shortened},
};

/// What is told of a chorus.
pub mod chorus {
    pub use crate::chorus::report::*;
    use crate::report::Format;

    /// The whole run in one of the formats.
    pub fn render(story: &Story, format: Format) -> String {
        format.render(&story.document())
    }
}

/// The whole run in one of the formats.
pub fn render(story: &Story, format: Format) -> String {
    format.render(&story.document())
}
