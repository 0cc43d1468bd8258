//! What the tempers say where nothing is to laugh about.
//!
//! No jokes, no teasing, and nobody's words are thrown back at them: only plain and kind lines, without exclamation marks and
//! quotes. Everything outside this folder counts as joking, and is never said to somebody who is sad, in none of the turns.

pub(super) mod builder;
pub(super) mod doubter;
pub(super) mod dreamer;
pub(super) mod enthusiast;
pub(super) mod friend;
pub(super) mod wit;

use super::Lines;

#[derive(Debug)]
pub(in crate::improviser::chorus) struct Gentle {
    /// To somebody who does not feel well.
    pub(in crate::improviser::chorus) low: Lines,
    /// To somebody who lost somebody, is gravely ill, or saw violence.
    pub(in crate::improviser::chorus) grief: Lines,
    /// To whoever speaks of such things without being struck by them, as far as rules can tell.
    pub(in crate::improviser::chorus) grave: Lines,
    /// To somebody who may be in danger. [`call`](Gentle::call) always follows.
    pub(in crate::improviser::chorus) crisis: Lines,
    /// That these voices are rules, and that somebody real should be called: one sentence. Everybody says it, since nobody knows
    /// who else takes part.
    pub(in crate::improviser::chorus) call: Lines,
    /// To what is not English. Nobody jokes about what they have not understood.
    pub(in crate::improviser::chorus) foreign: Lines,
    /// What may follow an answer: one short sentence.
    pub(in crate::improviser::chorus) after: Lines,
    /// What follows where somebody who is sad also asked what we are: one sentence.
    pub(in crate::improviser::chorus) honest: Lines,
    /// On the answer of another. One sentence.
    pub(in crate::improviser::chorus) solace: Lines,
    /// The same where somebody may be in danger.
    pub(in crate::improviser::chorus) urge: Lines,
    pub(in crate::improviser::chorus) hush: Lines,
    /// Replies where somebody may be in danger.
    pub(in crate::improviser::chorus) vigil: Lines,
}
