//! What rules say in a conversation of the game: small talk, and a farewell after a while.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::{
    action::MindAction,
    event::MindDecision,
    machine::Mind,
    memory::RememberedTalk,
    observation::{CurrentInteraction, MindObservation, TalkMessage},
    rules::dice,
};
use crate::field::small_talk;

/// The game drops what one speaker says within this time.
const SPEAKER_PAUSE_MS: i64 = 3_500;
/// After so long without an answer something else is said.
const SILENCE_MS: i64 = 12_000;
/// With each two messages a farewell becomes likelier by one of so many parts, up to all but one of them.
const FAREWELL_PARTS: usize = 4;

static FAREWELLS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let lines = include_str!("farewells.txt").lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
});

/// Something to say, or to leave; nothing where this is no conversation.
pub(super) fn decide(mind: &Mind, told: &MindObservation, at: i64) -> Option<MindDecision> {
    let talk = mind.memory.talks.last()?;
    let current = told.current.as_ref().filter(|current| current.name == talk.interaction);
    // Where only news came, the conversation that it is about goes on.
    if told.state.is_some() && current.is_none() {
        return None;
    }
    let stay = |why: &str| Some(MindDecision::new(MindAction::go_on(), why));
    if mind.memory.said_farewell {
        let has_state = told.state.is_some();
        return if has_state {
            Some(MindDecision::new(MindAction::leave(), "said farewell"))
        } else {
            stay("said farewell")
        };
    }
    if let Some((said, then)) = &mind.memory.last_said {
        let mine = |last: &TalkMessage| {
            last.text == *said || told.entity_id.as_deref().is_some_and(|me| me == last.speaker_id)
        };
        let is_mine = talk.messages.last().is_none_or(mine);
        let passed = at.saturating_sub(*then);
        if passed < SPEAKER_PAUSE_MS || (is_mine && passed < SILENCE_MS) {
            return stay("listens");
        }
    }
    let farewell = is_over(mind, talk);
    let phrase = if farewell {
        dice(mind, "farewell").pick(&FAREWELLS).copied().unwrap_or("Goodbye.")
    } else {
        small_talk::phrase(u32::try_from(talk.messages.len()).unwrap_or(u32::MAX), &mut dice(mind, "talk"))
    };
    let Some(parameters) = spoken(phrase, farewell, current) else { return stay("nothing can be said") };
    let decision =
        MindDecision::new(MindAction::act(parameters), if farewell { "takes leave" } else { "talks" });
    Some(MindDecision { said: Some(phrase.to_owned()), farewell, ..decision })
}

fn is_over(mind: &Mind, talk: &RememberedTalk) -> bool {
    if talk.messages.last().is_some_and(|last| last.farewell) {
        return true;
    }
    let parts = (talk.messages.len() / 2).min(FAREWELL_PARTS - 1);
    dice(mind, "over").below(FAREWELL_PARTS) < parts
}

/// The parameters of something said, of those that the interaction takes.
pub(super) fn spoken(
    text: &str,
    farewell: bool,
    current: Option<&CurrentInteraction>,
) -> Option<Map<String, Value>> {
    let takes = current.and_then(|current| current.takes.as_ref());
    let mut parameters = Map::new();
    let takes_named = |name: &str| takes.is_none_or(|takes| takes.contains_key(name));
    if takes_named("message") {
        parameters.insert("message".to_owned(), text.into());
    }
    if farewell && takes.is_some_and(|takes| takes.contains_key("is_farewell")) {
        parameters.insert("is_farewell".to_owned(), true.into());
    }
    (!parameters.is_empty()).then_some(parameters)
}
