//! World events: what stirs a scene that has come to a stop.

use std::{collections::BTreeSet, sync::LazyLock};

use serde::Deserialize;

use super::{DeckEvent, SceneSetup};
use crate::dice::Dice;

/// Things that can happen, for authors who brought no events of their own.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BuiltInEvents {
    event: Vec<BuiltInEvent>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BuiltInEvent {
    text: String,
    /// One of these words must be the scene's; without any it can happen anywhere.
    #[serde(default)]
    needs: Vec<String>,
    /// None of these may be: nobody laughs outside a ship in a gale.
    #[serde(default)]
    unless: Vec<String>,
}

impl BuiltInEvent {
    /// Whether it can happen where these words are the scene's.
    fn can_happen(&self, here: &BTreeSet<String>) -> bool {
        let holds = |words: &[String]| words.iter().any(|word| here.contains(word));
        (self.needs.is_empty() || holds(&self.needs)) && !holds(&self.unless)
    }
}

static BUILT_IN: LazyLock<Vec<BuiltInEvent>> = LazyLock::new(|| {
    let file: BuiltInEvents =
        toml::from_str(include_str!("world_events.toml")).expect("world_events.toml can be read");
    file.event
});

/// Who rolls for the choice of events.
const DICE: &str = "moderator";

/// What the author wants to happen after this beat.
pub(super) fn scheduled(setup: &SceneSetup, beat: u32) -> impl Iterator<Item = &str> {
    setup.config.events.iter().filter_map(move |event| match event {
        DeckEvent::AtBeat { beat: at, text } if *at == beat => Some(text.as_str()),
        _ => None,
    })
}

/// The next of the author's events to stir the scene, in their order and none twice.
pub(super) fn authors_next<'a>(setup: &'a SceneSetup, used: &BTreeSet<String>) -> Option<&'a str> {
    when_needed(setup).find(|text| !used.contains(*text))
}

/// A built-in event that can happen here and has not yet.
pub(super) fn built_in(setup: &SceneSetup, used: &BTreeSet<String>, beat: u32) -> Option<&'static str> {
    let here = words_of(setup);
    let left: Vec<&'static str> = BUILT_IN
        .iter()
        .filter(|event| event.can_happen(&here))
        .map(|event| event.text.as_str())
        .filter(|text| !used.contains(*text))
        .collect();
    Dice::new(setup.seed, DICE, beat).pick(&left).copied()
}

/// The words of the scene and its sheets, in small letters.
fn words_of(setup: &SceneSetup) -> BTreeSet<String> {
    let texts = [setup.config.prompt.as_str(), setup.config.setting.as_deref().unwrap_or_default()];
    let sheets = setup.cast.iter().map(|role| role.sheet.as_str());
    let texts = texts.into_iter().chain(sheets);
    texts.flat_map(|text| text.split(|c: char| !c.is_alphanumeric())).map(str::to_lowercase).collect()
}

/// Whether an event is one of those that are chosen from, so that it must be remembered that it has happened.
pub(super) fn is_known(setup: &SceneSetup, text: &str) -> bool {
    BUILT_IN.iter().any(|known| known.text == text) || when_needed(setup).any(|known| known == text)
}

fn when_needed(setup: &SceneSetup) -> impl Iterator<Item = &str> {
    setup.config.events.iter().filter_map(|event| match event {
        DeckEvent::WhenNeeded(text) => Some(text.as_str()),
        DeckEvent::AtBeat { .. } => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_happens_where_it_cannot() {
        let possible = |scene: &str| {
            let here: BTreeSet<String> = scene.split(' ').map(str::to_owned).collect();
            let events = BUILT_IN.iter().filter(move |event| event.can_happen(&here));
            events.map(|event| event.text.as_str()).collect::<Vec<_>>().join(". ")
        };
        let at_sea = possible("the cabin of a whaling ship at night in a gale");
        for impossible in ["laughs", "argument", "phone", "dog", "siren"] {
            assert!(!at_sea.contains(impossible), "{at_sea}");
        }
        assert!(at_sea.contains("Thunder"), "{at_sea}");
        assert!(possible("an office in the city").contains("phone"));
        // Every scene has something that can happen in it.
        assert!(!possible("a raft in space over the desert").is_empty());
    }
}
