//! What the six tempers of a chorus can say.
//!
//! A sentence stands here only once, in whatever bank, and each temper has one of its own: that is what keeps six who speak side
//! by side from saying the same. Every list has lines that need no word of the message.
//!
//! `{topic}` is never the subject of a verb that would have to agree with it, since nobody knows whether it is one thing or many.
//! No line begins with a quote: lines are shown between quotation marks, and two of them in a row read badly.

pub(super) mod builder;
pub(super) mod doubter;
pub(super) mod dreamer;
pub(super) mod enthusiast;
pub(super) mod friend;
mod gentle;
pub(super) mod wit;

pub(super) use gentle::Gentle;

pub(super) type Lines = &'static [&'static str];

/// Everything one temper can say.
#[derive(Debug)]
pub(super) struct Bank {
    pub(super) light: Light,
    pub(super) gentle: Gentle,
}

/// What is said among friends who feel well enough.
#[derive(Debug)]
pub(super) struct Light {
    pub(super) question: Lines,
    pub(super) statement: Lines,
    /// To somebody who feels well.
    pub(super) high: Lines,
    pub(super) greeting: Lines,
    pub(super) farewell: Lines,
    pub(super) thanks: Lines,
    pub(super) request: Lines,
    /// To those who want to know what they are talking to.
    pub(super) honest: Lines,
    /// What may follow an answer to a question, a statement or a request: one short sentence.
    pub(super) after: Lines,
    pub(super) after_high: Lines,
    pub(super) after_hello: Lines,
    /// After farewells and thanks.
    pub(super) after_bye: Lines,
    /// On the answer of somebody one likes. One sentence.
    pub(super) warm: Lines,
    /// On the answer of somebody one likes to tease. One sentence.
    pub(super) tease: Lines,
    pub(super) reply: Lines,
}

#[cfg(test)]
pub(super) mod tests;
