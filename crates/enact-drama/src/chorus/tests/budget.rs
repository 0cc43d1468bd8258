//! What a chorus may use, and what it does when that is not enough.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::{Stage, options, setup, wanted};
use crate::{
    Happened, Problem, RunId,
    budget::Budget,
    chorus::{ChorusEvent, ChorusOptions, ChorusSetup},
    model_card::ModelCard,
    production::Answer,
    usage::{NanoUsd, Price, Usage},
};

const PRICE: Price = Price { uncached: 3_000, cache_read: 300, cache_write: 3_750, output: 15_000 };

fn tokens(most: u64) -> Budget {
    Budget { tokens: Some(most), cost: None }
}

fn with(slots: u8, budget: Budget) -> ChorusSetup {
    let mut setup = ChorusSetup { budget, ..setup(slots) };
    setup.models.values_mut().for_each(|card| card.price = Some(PRICE));
    setup
}

fn check(stage: &Stage, expected: Expect) {
    expected.assert_eq(&stage.story());
    let again = Stage::found(&stage.facts);
    assert_eq!(format!("{:?}", again.chorus), format!("{:?}", stage.chorus), "the log folded is the state");
}

/// Everybody who is asked answers, and has used as much as was put aside for it, or a part of that.
fn answer_all(stage: &mut Stage, part: f64) {
    for ask in stage.asks() {
        let reserved = stage.facts.iter().find_map(|fact| match &fact.event {
            ChorusEvent::SlotAsked { call, reserved, .. } if *call == ask.call => *reserved,
            _ => None,
        });
        let output = u64::from(stage.chorus.request_of(ask.call).max_tokens);
        let all = reserved.unwrap().reserve.tokens;
        let usage = Usage {
            cache_write: ((all - output) as f64 * part) as u64,
            output: (output as f64 * part) as u64,
            ..Usage::NONE
        };
        // Nobody can comment on slot 9, so that comments are asked for twice.
        let text =
            r#"{"targetSlotId": 9, "text": "Yes.", "comment": "Yes.", "voice_profile": "calm_soothing"}"#;
        let answer = Answer { usage: Some(usage), ..Answer::from(text) };
        stage.happens(Happened::Answered { call: ask.call, answer });
    }
}

#[test]
fn a_turn_that_could_need_too_much_is_not_opened_and_what_was_said_is_heard() {
    let mut stage = Stage::open(with(2, tokens(8_000)));
    answer_all(&mut stage, 1.0);
    assert!(stage.asks().is_empty());
    stage.play("spoken");
    check(
        &stage,
        expect![[r#"
            turn 1: 1 2
              1: Yes.
              2: Yes.
            turn 1 done: 1 2
            no room for turn 2, which could need 5198 tokens
              1 heard (response)
              2 heard (response)
            ended: budget_exceeded
        "#]],
    );
}

#[test]
fn a_budget_that_is_too_small_for_anything_ends_at_once() {
    let stage = Stage::open(with(2, tokens(100)));
    check(
        &stage,
        expect![[r#"
            no room for turn 1, which could need 4482 tokens
            ended: budget_exceeded
        "#]],
    );
    let stage = Stage::open(with(2, Budget { cost: Some(NanoUsd(1_000)), tokens: None }));
    assert!(stage.asks().is_empty());
}

#[test]
fn what_lost_calls_may_have_used_counts() {
    let mut stage = Stage::open(with(2, tokens(5_000)));
    stage.play("1: It sounds like rain.\nresumed\nspoken");
    check(
        &stage,
        expect![[r#"
            turn 1: 1 2
              1: It sounds like rain.
            resumed
            no room for turn 1, which could need 2240 tokens
              2 failed: the budget has no room for asking again (other)
            turn 1 done: 1
              1 heard (response)
            ended: budget_exceeded
        "#]],
    );
}

#[test]
fn a_budget_in_money_needs_prices() {
    let priced = |price| {
        let card = ModelCard { price, ..ModelCard::free("script") };
        let budget = Budget { cost: Some(NanoUsd(1)), tokens: None };
        let options = ChorusOptions { budget, models: [("script".to_owned(), card)].into(), ..options() };
        options.assemble(RunId(uuid::Uuid::nil()), wanted(2))
    };
    priced(Some(PRICE)).unwrap();
    let problem: Problem = priced(None).unwrap_err();
    assert!(problem.message.contains("the price of the model 'script' is unknown"), "{}", problem.message);
}

proptest! {
    #[test]
    fn no_budget_is_exceeded(
        slots in 1_u8..=6,
        most in 0_u64..80_000,
        part in prop::sample::select(vec![0.1, 0.5, 1.0]),
        lost in prop::collection::vec(any::<bool>(), 6),
    ) {
        for budget in [tokens(most), Budget { cost: Some(NanoUsd(most * 10_000)), tokens: None }] {
            let mut stage = Stage::open(with(slots, budget));
            // The usage of lost calls, which is never reported.
            let mut unknown = Usage::NONE;
            for lost in &lost {
                if *lost {
                    for ask in stage.asks() {
                        unknown.output += u64::from(stage.chorus.request_of(ask.call).max_tokens);
                    }
                    stage.happens(Happened::Resumed);
                }
                answer_all(&mut stage, part);
                stage.play("spoken");
            }
            prop_assert!(stage.chorus.ended.is_some(), "{}", stage.story());
            let used = stage.facts.iter().filter_map(|fact| match &fact.event {
                ChorusEvent::CommentRefused { usage, .. }
                | ChorusEvent::SlotSpoke { usage, .. }
                | ChorusEvent::SlotFailed { usage, .. } => *usage,
                _ => None,
            });
            let used: Vec<Usage> = used.chain([unknown]).collect();
            let tokens: u64 = used.iter().map(Usage::total).sum();
            let cost: u64 = used.iter().map(|usage| PRICE.of(usage).0).sum();
            prop_assert!(budget.tokens.is_none_or(|most| tokens <= most), "{tokens} tokens\n{}", stage.story());
            prop_assert!(budget.cost.is_none_or(|most| cost <= most.0), "{cost} nano-USD\n{}", stage.story());
        }
    }
}
