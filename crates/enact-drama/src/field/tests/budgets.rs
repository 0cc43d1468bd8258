//! What a field may use, and steps that have to wait.

use super::{Played, fickle, minded, plain, setup};
use crate::{
    budget::Budget,
    field::{FieldCommand, FieldEvent, FieldRun, FieldSetup, world::FieldNote},
    model_card::ModelCard,
    production::{Answer, Effect, Failure, Happened, Production, fold},
    usage::{NanoUsd, Price, Usage},
};

const USAGE: Usage = Usage { uncached: 700, output: 40, ..Usage::NONE };

/// Answers that say what they used, but for some that fail without a word.
fn metered(me: &str, call: u64) -> Result<Answer, Failure> {
    fickle(me, call).map(|answer| Answer { usage: Some(USAGE), ..answer })
}

fn with_price(mut setup: FieldSetup, budget: Budget) -> FieldSetup {
    let price = Some(Price { uncached: 3_000, cache_read: 300, cache_write: 3_750, output: 15_000 });
    let card = ModelCard { price, ..ModelCard::free_without_memory("a test") };
    setup.models = [("m".to_owned(), card)].into();
    FieldSetup { budget, ..setup }
}

fn used(played: &Played) -> Usage {
    let usages = played.facts.iter().filter_map(|fact| match &fact.event {
        FieldEvent::Replied { usage, .. }
        | FieldEvent::ReplyFailed { usage, .. }
        | FieldEvent::MindAnswered { usage, .. }
        | FieldEvent::MindDeclined { usage, .. } => *usage,
        _ => None,
    });
    usages.fold(Usage::NONE, |mut sum, one| {
        sum += one;
        sum
    })
}

#[test]
fn a_field_never_uses_more_than_its_budget_and_goes_on_by_rules() {
    for (tokens, cost) in [(Some(40_000), None), (None, Some(NanoUsd(120_000_000)))] {
        let budget = Budget { cost, tokens };
        let mut played = Played::begin(with_price(minded(60), budget));
        while played.step(&metered) {}
        assert_eq!(played.run.ended(), Some("completed"));
        let price = played.run.setup().models["m"].price;
        let all = used(&played);
        assert!(tokens.is_none_or(|most| all.total() <= most), "{all:?}");
        assert!(cost.is_none_or(|most| all.cost(price).unwrap() <= most), "{all:?}");
        assert!(all.total() > 5_000, "something is asked: {all:?}");
        let count =
            |is: &dyn Fn(&FieldEvent) -> bool| played.facts.iter().filter(|fact| is(&fact.event)).count();
        assert!(count(&|event| matches!(event, FieldEvent::SaidByRules { .. })) > 3);
        let declined = |event: &FieldEvent| matches!(event, FieldEvent::MindDeclined { call: None, reason, .. } if reason == super::super::budget::USED_UP);
        assert!(count(&declined) > 3, "rules decide once nothing is left");
        // What rules say is said: it stands among the lines.
        let last = played.facts.iter().rposition(|fact| matches!(fact.event, FieldEvent::SaidByRules { .. }));
        let next = &played.facts[last.unwrap() + 1].event;
        assert!(matches!(next, FieldEvent::Noted { note: FieldNote::LineSaid { .. } }), "{next:?}");
        let folded: FieldRun = fold(&played.facts).unwrap();
        assert_eq!((folded.world().hash(), folded.diverged()), (played.run.world().hash(), None));
        assert_eq!(folded.rest.spent, played.run.rest.spent);
    }
}

#[test]
fn a_field_without_a_budget_puts_nothing_aside() {
    let played = Played::begin(minded(12)).play();
    let reserved = |event: &FieldEvent| {
        matches!(
            event,
            FieldEvent::Asked { reserved: Some(_), .. } | FieldEvent::MindAsked { reserved: Some(_), .. }
        )
    };
    assert!(!played.facts.iter().any(|fact| reserved(&fact.event)));
}

#[test]
fn what_is_asked_again_after_a_kill_is_paid_twice() {
    let budget = Budget { tokens: Some(100_000), cost: None };
    let mut played = Played::begin(with_price(setup(0), budget));
    while !matches!(played.run.pending().first(), Some(Effect::Ask(_))) {
        assert!(played.step(&plain));
    }
    let before = played.run.rest.spent.tokens;
    played.happen(Happened::Resumed);
    assert!(played.run.rest.spent.tokens > before + 500, "what the first call cost is unknown");
    // With room for one call, it is not made a second time.
    let small = Budget { tokens: Some(2_500), cost: None };
    let mut played = Played::begin(with_price(setup(0), small));
    while !matches!(played.run.pending().first(), Some(Effect::Ask(_))) {
        assert!(played.step(&plain), "a budget for one call asks once");
    }
    let events = played.happen(Happened::Resumed);
    assert!(matches!(events[..], [FieldEvent::Resumed {}, FieldEvent::ReplyFailed { .. }]), "{events:?}");
}

#[test]
fn a_budget_in_money_needs_prices() {
    let budget = Budget { cost: Some(NanoUsd(1)), tokens: None };
    assert!(with_price(minded(1), budget).check_budget().is_ok());
    let mut unknown = with_price(minded(1), budget);
    unknown.models.values_mut().for_each(|card| card.price = None);
    assert!(unknown.check_budget().is_err());
}

#[test]
fn a_step_is_taken_whole_after_the_lines_that_are_waited_for() {
    let mut played = Played::begin(setup(20));
    while !matches!(played.run.pending().first(), Some(Effect::Ask(_))) {
        assert!(played.step(&plain));
    }
    let from = played.run.world().now();
    played.command(FieldCommand::Step { ticks: 40 });
    assert_eq!(played.run.world().now(), from, "nobody's line is passed by");
    while played.step(&plain) {}
    assert_eq!(played.run.world().now(), from + 40, "and then all of it passes");
    assert!(played.run.is_paused() && played.run.pending().is_empty(), "and it rests");
    let folded: FieldRun = fold(&played.facts).unwrap();
    assert_eq!((folded.world().hash(), folded.rest.step_left), (played.run.world().hash(), 0));
}
