//! What is known of tokens and money, and how the statistics word what is not.

use super::facts::{Facts, name, speak};
use crate::{
    scene::{EndReason, ModelCard, SceneEvent},
    show::{Cost, metadata, transcript},
    usage::{NanoUsd, Price, Usage},
};

const PRICE: Price = Price { uncached: 1_000, cache_read: 100, cache_write: 1_250, output: 5_000 };
const USED: Usage =
    Usage { uncached: 2_000, cache_read: 10_000, cache_write: 400, output: 600, billed: None };
/// 2,000,000 + 1,000,000 + 500,000 + 3,000,000
const ONE_CALL: NanoUsd = NanoUsd(6_500_000);

/// A scene whose actors are played by language models at these prices.
fn played(prices: [Option<Price>; 3]) -> Facts {
    let mut facts = Facts::of("quick");
    for ((model, price), role) in ["a", "b", "c"].into_iter().zip(prices).zip(&mut facts.setup.cast) {
        role.model = model.to_owned();
        let description = format!("model {model}");
        facts.setup.models.insert(model.to_owned(), ModelCard { price, ..ModelCard::free(description) });
    }
    facts.usage = Some(USED);
    facts
}

/// The two lines of the statistics that tell what was spent.
fn told(facts: Facts) -> [String; 2] {
    let text = transcript(&facts.story());
    let figure = |label: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(label));
        line.expect("the figure is shown").to_owned()
    };
    [figure("- Total tokens: "), figure("- Estimated cost: ")]
}

fn says(facts: Facts, who: &str) -> Facts {
    facts.reply(who, speak("calm", "Well."))
}

fn says_without_usage(mut facts: Facts, who: &str) -> Facts {
    let usage = facts.usage.take();
    let mut facts = says(facts, who);
    facts.usage = usage;
    facts
}

#[test]
fn what_is_known_is_told_and_what_is_not_is_said_to_be_unknown() {
    let free = || played([Some(Price::FREE); 3]).beat();
    let paid = || played([Some(PRICE); 3]).beat();
    let unpriced = || played([Some(PRICE), None, Some(PRICE)]).beat();
    let improvised = || Facts::of("quick").beat();
    let cases: [(&str, Facts, [&str; 2]); 12] = [
        ("no call", paid(), ["none: no model was asked", "$0.00 USD"]),
        ("improviser", says(improvised(), "bob"), ["none: no language model was used", "$0.00 USD"]),
        (
            "improviser, killed while it was asked",
            says(improvised(), "bob").asked("bob").fact(SceneEvent::Resumed {}),
            ["none: no language model was used", "$0.00 USD"],
        ),
        ("one call", says(paid(), "bob"), ["~13,000", "$0.0065 USD"]),
        ("two calls", says(says(paid(), "bob"), "alice"), ["~26,000", "$0.01 USD"]),
        ("free model", says(free(), "bob"), ["~13,000", "$0.00 USD"]),
        (
            "free model that did not tell",
            says_without_usage(free(), "bob"),
            ["unknown, 1 call did not tell", "$0.00 USD"],
        ),
        (
            "one of two did not tell",
            says_without_usage(says(paid(), "bob"), "alice"),
            ["at least ~13,000, what 1 call used is unknown", "at least $0.0065 USD"],
        ),
        ("nobody told", says_without_usage(paid(), "bob"), ["unknown, 1 call did not tell", "unknown"]),
        ("no price", says(unpriced(), "bob"), ["~13,000", "unknown"]),
        ("no price for somebody who was never asked", says(unpriced(), "alice"), ["~13,000", "$0.0065 USD"]),
        (
            "cancelled while two were asked",
            says(paid(), "bob").asked("alice").asked("bob").ended(EndReason::Cancelled),
            ["at least ~13,000, what 2 calls used is unknown", "at least $0.0065 USD"],
        ),
    ];
    for (case, facts, expected) in cases {
        assert_eq!(told(facts), expected.map(str::to_owned), "{case}");
    }
}

#[test]
fn calls_under_way_when_the_process_died_are_counted_once_each_time() {
    let mut facts = played([Some(PRICE); 3]).beat().asked("alice").asked("bob");
    facts = facts.fact(SceneEvent::Resumed {}).fact(SceneEvent::Resumed {});
    facts = facts.answered("bob", speak("calm", "Well."), &[], crate::scene::Outcome::Taken);
    let story = facts.story();
    let total = story.ledger.total();
    assert_eq!((total.unaccounted, total.calls, total.usage), (4, 1, USED));
    assert_eq!(story.ledger.by_actor[&name("alice")].unaccounted, 2);
    assert_eq!(total.cost(), Cost::AtLeast(ONE_CALL));
}

#[test]
fn every_call_stands_in_an_account_of_each_kind() {
    let facts = says(says(says(played([Some(PRICE), None, None]).beat(), "alice").beat(), "alice"), "bob");
    let ledger = facts.story().ledger;
    let calls =
        |accounts: Vec<&crate::show::Account>| -> Vec<u64> { accounts.iter().map(|a| a.calls).collect() };
    assert_eq!(calls(ledger.by_actor.values().collect()), [2, 1]);
    assert_eq!(calls(ledger.by_beat.values().collect()), [1, 2]);
    assert_eq!(calls(ledger.by_model.values().collect()), [2, 1]);
    assert_eq!(ledger.by_actor[&name("alice")].cost(), Cost::Known(NanoUsd(2 * ONE_CALL.0)));
    assert_eq!(ledger.by_actor[&name("bob")].cost(), Cost::Unknown);
}

#[test]
fn unknown_money_is_null_in_the_metadata_and_never_zero() {
    let facts = says_without_usage(says(played([Some(PRICE), None, Some(PRICE)]).beat(), "bob"), "charlie");
    let metadata = serde_json::to_value(metadata(&says(facts, "alice").story())).expect("JSON");
    let costs = &metadata["costs"];
    assert_eq!(costs["totalTokens"], 26_000);
    assert!(costs["estimatedUSD"].is_null());
    assert_eq!(costs["unaccounted"], 1);
    let of =
        |who: &str| (&costs["byCharacter"][who]["totalTokens"], &costs["byCharacter"][who]["estimatedUSD"]);
    assert_eq!(of("alice"), (&13_000.into(), &0.0065.into()));
    assert_eq!(of("bob"), (&13_000.into(), &serde_json::Value::Null));
    assert_eq!(of("charlie"), (&serde_json::Value::Null, &serde_json::Value::Null));
    assert_eq!(metadata["model"]["bob"], "b");
}

#[test]
fn different_players_are_named_with_their_roles() {
    let mut facts = played([Some(PRICE); 3]);
    facts.setup.cast[2].model = "a".to_owned();
    let text = transcript(&facts.story());
    assert!(text.contains("- Played by: model a (Alice, Charlie); model b (Bob)\n"), "{text}");
}

#[test]
fn what_the_provider_billed_is_the_cost_even_without_a_price() {
    let mut facts = played([Some(PRICE), None, Some(PRICE)]).beat();
    facts.usage = Some(Usage { billed: Some(NanoUsd(2_000_000)), ..USED });
    let ledger = says(says(facts, "bob"), "alice").story().ledger;
    assert_eq!(ledger.by_actor[&name("bob")].cost(), Cost::Known(NanoUsd(2_000_000)));
    assert_eq!(ledger.total().cost(), Cost::Known(NanoUsd(4_000_000)));
    assert_eq!(ledger.total().usage.billed, Some(NanoUsd(4_000_000)));
}
