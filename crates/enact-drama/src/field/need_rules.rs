//! Numbers that both kinds of rules go by: those of people in our own fields (`field/world/rules_mind.rs`) and
//! those of minds for other people's games (`mind/rules.rs`).

/// Below this something is looked for.
pub(crate) const SEARCH_PERCENT: u32 = 50;
/// Hysteresis: whoever looks goes on looking until so much more is there.
pub(crate) const HYSTERESIS_PERCENT: u32 = 10;
/// At or below this a need breaks off what serves another.
pub(crate) const CRITICAL_PERCENT: u32 = 20;
/// What another need must have for that: the starving do not stop eating to wash.
pub(crate) const ENOUGH_PERCENT: u32 = 30;
pub(crate) const SATISFIED_PERCENT: u32 = 99;
/// How long a thing is left alone that could not be had.
pub(crate) const AVOID_SECONDS: u32 = 20;
/// How long after a talk no invitation is made.
pub(crate) const TALK_PAUSE_SECONDS: u32 = 5;
/// After an invitation that came to nothing: so much more for each in a row, at most so many times.
pub(crate) const REFUSED_PAUSE_SECONDS: u32 = 15;
pub(crate) const MOST_REFUSALS: u8 = 8;
/// One in so many idle decisions is an invitation.
pub(crate) const INVITES_ONE_IN: usize = 4;
