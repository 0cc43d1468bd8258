//! Which models are asked beside the actors: those that were named or, where language models play, the cheapest of
//! them.

use std::collections::BTreeMap;

use super::{HiddenPurpose, Role};
use crate::{model_card::ModelCard, usage::Usage};

/// Which model judges, or writes world events.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum AdviserChoice {
    /// Where language models play, the cheapest of them judges, and the judge also writes events. A recording gives
    /// what was given then. Other built-in players and people never advise: their scenes have the rules and the
    /// built-in events.
    #[default]
    ByDefault,
    None,
    /// This one, by the name that the stage knows it by.
    Model(String),
}

impl From<&str> for AdviserChoice {
    fn from(model: &str) -> AdviserChoice {
        AdviserChoice::Model(model.to_owned())
    }
}

/// What a judge's call comes to, more or less: a page of sheets and transcript, and a quote for each goal. Prices of
/// models are compared by it, since they differ in what they take for reading and for writing.
const TYPICAL_CALL: Usage = Usage { uncached: 4_000, output: 300, ..Usage::NONE };

impl AdviserChoice {
    /// Who judges and who writes events, for a cast of these models.
    pub(super) fn resolve(
        judge: AdviserChoice,
        event_writer: AdviserChoice,
        cast: &[Role],
        models: &BTreeMap<String, ModelCard>,
    ) -> (Option<String>, Option<String>) {
        let cheapest = |purpose| cheapest(cast, models, purpose);
        let writer_by_default = cheapest(HiddenPurpose::WorldEvent);
        let without_judge = judge == AdviserChoice::None;
        let judge = judge.or(cheapest(HiddenPurpose::Judge));
        let writer_by_default = match &judge {
            Some(judge) => writer_by_default.map(|_| judge.clone()),
            None => writer_by_default.filter(|_| !without_judge),
        };
        (judge, event_writer.or(writer_by_default))
    }

    fn or(self, default: Option<String>) -> Option<String> {
        match self {
            AdviserChoice::ByDefault => default,
            AdviserChoice::None => None,
            AdviserChoice::Model(model) => Some(model),
        }
    }
}

/// The cheapest of those that play and can be asked for this: of models without a known price the first in the cast,
/// and any with one before them.
fn cheapest(cast: &[Role], models: &BTreeMap<String, ModelCard>, purpose: HiddenPurpose) -> Option<String> {
    let purpose = purpose.into();
    let playing = cast.iter().filter_map(|role| Some((&role.model, models.get(&role.model)?)));
    let able = playing.filter(|(_, card)| card.can_be_asked_for(&purpose));
    let cost = |card: &ModelCard| card.price.map_or(u64::MAX, |price| price.of(&TYPICAL_CALL).0);
    // Of equals the first is taken.
    able.min_by_key(|(_, card)| cost(card)).map(|(name, _)| name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Name, usage::Price};

    /// `price` is what a million tokens of input and of output cost, in USD; nothing if unknown.
    fn language(price: Option<(u64, u64)>) -> ModelCard {
        let price = price.map(|(input, output)| Price {
            uncached: input * 1000,
            output: output * 1000,
            ..Price::FREE
        });
        ModelCard { price, provider: Some("somebody".to_owned()), ..ModelCard::free("a model") }
    }

    fn recording(answers: &[HiddenPurpose]) -> ModelCard {
        let hidden_calls = answers.iter().map(|purpose| (*purpose).into()).collect();
        ModelCard { hidden_calls, ..ModelCard::free("a recording") }
    }

    #[test]
    fn the_cheapest_language_model_that_plays_advises_by_default() {
        let models: BTreeMap<String, ModelCard> = [
            ("dear", language(Some((3, 15)))),
            ("cheap", language(Some((1, 5)))),
            ("wordy", language(Some((1, 4)))),
            ("same", language(Some((1, 5)))),
            ("local", language(Some((0, 0)))),
            ("unknown", language(None)),
            ("stranger", language(None)),
            ("improviser", ModelCard::free("rules")),
            ("human", ModelCard::human()),
            ("recorded", recording(&HiddenPurpose::ALL)),
            ("judged", recording(&[HiddenPurpose::Judge])),
            ("stirred", recording(&[HiddenPurpose::WorldEvent])),
        ]
        .map(|(name, card)| (name.to_owned(), card))
        .into();
        let (by_default, none) = (AdviserChoice::ByDefault, AdviserChoice::None);
        let named = |name: &str| AdviserChoice::from(name);
        for (cast, judge, writer, expected) in [
            // Nothing was said of it.
            (&["dear", "cheap"][..], &by_default, &by_default, (Some("cheap"), Some("cheap"))),
            (&["cheap", "wordy"], &by_default, &by_default, (Some("wordy"), Some("wordy"))),
            (&["same", "cheap"], &by_default, &by_default, (Some("same"), Some("same"))),
            (&["cheap", "same"], &by_default, &by_default, (Some("cheap"), Some("cheap"))),
            (&["unknown", "dear"], &by_default, &by_default, (Some("dear"), Some("dear"))),
            (&["unknown", "stranger"], &by_default, &by_default, (Some("unknown"), Some("unknown"))),
            (&["dear", "local"], &by_default, &by_default, (Some("local"), Some("local"))),
            (&["improviser", "dear", "human"], &by_default, &by_default, (Some("dear"), Some("dear"))),
            (&["improviser", "human"], &by_default, &by_default, (None, None)),
            // One that does not play is not asked, however cheap.
            (&["dear", "dear"], &by_default, &by_default, (Some("dear"), Some("dear"))),
            // A recording gives what it holds.
            (&["recorded", "recorded"], &by_default, &by_default, (Some("recorded"), Some("recorded"))),
            (&["judged", "judged"], &by_default, &by_default, (Some("judged"), None)),
            (&["stirred", "stirred"], &by_default, &by_default, (None, Some("stirred"))),
            (&["stirred", "stirred"], &none, &by_default, (None, None)),
            // None.
            (&["dear", "cheap"], &none, &by_default, (None, None)),
            (&["dear", "cheap"], &by_default, &none, (Some("cheap"), None)),
            // Named.
            (&["dear", "cheap"], &named("dear"), &by_default, (Some("dear"), Some("dear"))),
            (&["dear", "cheap"], &none, &named("dear"), (None, Some("dear"))),
            (&["dear", "cheap"], &by_default, &named("dear"), (Some("cheap"), Some("dear"))),
            (&["improviser", "human"], &named("dear"), &by_default, (Some("dear"), None)),
        ] {
            let role = |model: &&str| Role {
                name: Name::new("alice").unwrap(),
                display: "Alice".to_owned(),
                sheet: String::new(),
                model: (*model).to_owned(),
            };
            let cast: Vec<Role> = cast.iter().map(role).collect();
            let (judged_by, written_by) =
                AdviserChoice::resolve(judge.clone(), writer.clone(), &cast, &models);
            let played_by: Vec<&String> = cast.iter().map(|role| &role.model).collect();
            let found = (judged_by.as_deref(), written_by.as_deref());
            assert_eq!(found, expected, "{played_by:?}, judge {judge:?}, events {writer:?}");
        }
    }
}
