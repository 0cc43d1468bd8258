//! What the six personas of a chorus can say: a file for each, with its lines among friends and where somebody is sad.
//!
//! A sentence stands in these files only once, and each persona has its own: that is what keeps six who speak side by
//! side from saying the same. Every list has lines that need no word of the message.
//!
//! `{topic}` is never the subject of a verb that would have to agree with it, since it may be one thing or many.
//! No line begins with a quote: lines are shown between quotation marks, and two of them in a row read badly.

use std::sync::LazyLock;

use enact_drama::voice::VoiceProfile;
use serde::Deserialize;

use super::temper::Temper;
use crate::content::{Texts, content};

/// The personas in the order of [`Temper`].
pub(super) static PERSONAS: [LazyLock<PersonaLines>; 6] = [
    LazyLock::new(|| content!("dreamer.toml")),
    LazyLock::new(|| content!("builder.toml")),
    LazyLock::new(|| content!("wit.toml")),
    LazyLock::new(|| content!("doubter.toml")),
    LazyLock::new(|| content!("enthusiast.toml")),
    LazyLock::new(|| content!("friend.toml")),
];

/// A persona as its file has it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PersonaLines {
    pub(super) voice: VoiceProfile,
    /// Where nothing is to be laughed about: neither upbeat nor playful.
    pub(super) gentle_voice: VoiceProfile,
    pub(super) likes: Temper,
    pub(super) teases: Temper,
    pub(super) least_thinking_ms: u64,
    pub(super) light: LightLines,
    pub(super) gentle: GentleLines,
}

/// What is said among friends who feel well enough. All of it counts as joking, and none of it is ever said to
/// somebody who is sad.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LightLines {
    pub(super) question: Texts,
    pub(super) statement: Texts,
    /// To somebody who feels well.
    pub(super) high: Texts,
    pub(super) greeting: Texts,
    pub(super) farewell: Texts,
    pub(super) thanks: Texts,
    pub(super) request: Texts,
    /// To those who want to know what they are talking to.
    pub(super) honest: Texts,
    /// What may follow an answer to a question, a statement or a request: one short sentence.
    pub(super) after: Texts,
    pub(super) after_high: Texts,
    pub(super) after_hello: Texts,
    /// After farewells and thanks.
    pub(super) after_bye: Texts,
    /// On the answer of somebody one likes. One sentence.
    pub(super) kind_comment: Texts,
    /// On the answer of somebody one likes to tease. One sentence.
    pub(super) teasing_comment: Texts,
    pub(super) reply: Texts,
}

/// What is said where nothing is to be laughed about: plain and kind, without exclamation marks and quotes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GentleLines {
    /// To somebody who does not feel well.
    pub(super) low: Texts,
    /// To somebody who lost somebody, is gravely ill, or saw violence.
    pub(super) grief: Texts,
    /// To somebody who speaks of such things without being struck by them, as far as rules can tell.
    pub(super) grave: Texts,
    /// To somebody who may be in danger. A [`referral`](GentleLines::referral) always follows.
    pub(super) crisis: Texts,
    /// That these voices are rules, and that a real person should be called: one sentence. Every persona says it, since
    /// none knows who else takes part.
    pub(super) referral: Texts,
    /// To what is not English: a message that was not understood is not joked about.
    pub(super) foreign: Texts,
    /// What may follow an answer: one short sentence.
    pub(super) after: Texts,
    /// What follows where somebody who is sad also asked what we are: one sentence.
    pub(super) honest: Texts,
    /// On the answer of another. One sentence.
    pub(super) comment: Texts,
    /// The same where somebody may be in danger.
    pub(super) crisis_comment: Texts,
    pub(super) reply: Texts,
    /// Replies where somebody may be in danger.
    pub(super) crisis_reply: Texts,
}

#[cfg(test)]
pub(super) mod tests;
