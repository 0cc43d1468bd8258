//! Silences that could be seen: an actor says nothing and does something. They are no lines of the transcript,
//! but the others are told of them.

use std::sync::Arc;

/// What an actor did instead of speaking.
#[derive(Debug, Clone)]
pub(super) struct VisibleSilence {
    pub(super) beat: u32,
    pub(super) actor: usize,
    /// `Bob [SILENT, *looks away*]`
    pub(super) text: Arc<str>,
}

/// How long these are where one of the cast is told of them: its own are left out.
pub(super) fn bytes_told_to(actor: usize, silences: &[VisibleSilence]) -> usize {
    silences.iter().filter(|silence| silence.actor != actor).map(|silence| silence.text.len()).sum()
}

/// Those of the beats from one to before another; `silences` are in the order of their beats.
pub(super) fn between(silences: &[VisibleSilence], from: u32, before: u32) -> &[VisibleSilence] {
    let begin = silences.partition_point(|silence| silence.beat < from);
    let end = silences.partition_point(|silence| silence.beat < before);
    silences.get(begin..end).unwrap_or_default()
}
