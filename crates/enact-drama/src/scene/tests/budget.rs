//! Scenes with a budget never use more, and end with a transcript before they would.

use proptest::prelude::*;

use super::*;
use crate::{
    CallId,
    budget::{Budget, Reserve},
    scene::{DeckEvent, OnMalformed, SceneEnd},
    usage::{NanoUsd, Price, Usage},
};

const PRICE: Price = Price { uncached: 3_000, cache_read: 300, cache_write: 3_750, output: 15_000 };

fn with_budget(budget: Budget) -> SceneSetup {
    let mut setup = setup(SceneConfig { max_beats: Some(40), ..config(&ALICE_AND_BOB, None) });
    setup.budget = budget;
    setup.models.get_mut("script").unwrap().price = Some(PRICE);
    setup.models.get_mut("script").unwrap().max_tokens = Some(100);
    setup
}

/// Plays until the end. Every call uses what `usage` says of the request's bytes, or does not tell.
fn play(setup: SceneSetup, usage: impl Fn(u64, u32) -> Option<Usage>) -> (Stage, Vec<Usage>) {
    play_with_tries(setup, 1, usage)
}

/// The same where every call is billed so many tries, if that many may be paid.
fn play_with_tries(
    setup: SceneSetup,
    tries: u32,
    usage: impl Fn(u64, u32) -> Option<Usage>,
) -> (Stage, Vec<Usage>) {
    let mut stage = Stage::open(setup);
    let mut used = Vec::new();
    while stage.ended().is_none() {
        let beat = stage.scene.beat.number;
        for ask in stage.asks() {
            // An answer before it may have ended what this one was for.
            if !stage.asks().contains(&ask) {
                continue;
            }
            let request = stage.scene.request(&ask);
            let texts = request.system.iter().chain(request.thread.iter().map(|message| &message.text));
            let schema = request.schema.map_or(0, |schema| schema.json.to_string().len() as u64);
            let bytes = texts.map(|text| text.len() as u64).sum::<u64>() + schema;
            let each = usage(bytes, request.max_tokens);
            let billed = tries.min(request.paid_tries.unwrap_or(tries)) as usize;
            let usage = vec![each; billed].into_iter().flatten().reduce(|mut sum, usage| {
                sum += usage;
                sum
            });
            used.extend(usage);
            let text = match ask.purpose.as_str() {
                "judge" => {
                    r#"{"goals": [], "closure": true, "positionsExpressed": true, "leftToExplore": true}"#
                        .into()
                }
                "world_event" => format!(r#"{{"event": "The clock strikes {beat}"}}"#),
                _ if ask.call.0 % 5 == 4 => format!("[TO: So, {beat} it is, and what then?"),
                _ => format!(r#"[TONE: calm] "So, {beat} it is, and what then?""#),
            };
            let answer = Answer { text, usage, took_ms: 1, first_word_ms: None };
            stage.happens(Happened::Answered { call: ask.call, answer });
        }
    }
    (stage, used)
}

/// What was put aside for a call.
fn reserved(stage: &Stage, asked: CallId) -> Reserve {
    let reserved = stage.facts.iter().find_map(|fact| match &fact.event {
        SceneEvent::Asked { call, reserved, .. } if *call == asked => *reserved,
        _ => None,
    });
    reserved.unwrap().reserve
}

fn cost(used: &[Usage]) -> u64 {
    used.iter().map(|usage| PRICE.of(usage).0).sum()
}

#[test]
fn a_scene_ends_before_the_beat_that_would_exceed_its_budget() {
    let budget = Budget { cost: Some(NanoUsd(50_000_000)), tokens: None };
    let typical = |bytes: u64, _| Some(Usage { uncached: bytes / 4, output: 40, ..Usage::NONE });
    let (stage, used) = play(with_budget(budget), typical);
    assert_eq!(stage.ended(), Some(SceneEnd::BudgetExceeded));
    assert!(used.len() > 6, "it gets somewhere: {} calls", used.len());
    assert!(cost(&used) <= 50_000_000);
    let (stage, _) = play(with_budget(Budget { cost: None, tokens: Some(10_000) }), typical);
    assert_eq!(stage.ended(), Some(SceneEnd::BudgetExceeded));
}

/// What is put aside is for tokenizers that count more than most, and for longer answers than most: up to
/// twice what the beat comes to.
#[test]
fn a_budget_that_pays_for_the_first_beat_plays_it() {
    // The second model thinks.
    for (longest, output) in [(1_024, 40), (4_096, 300)] {
        let with = |budget: Budget| {
            let mut setup = with_budget(budget);
            setup.models.get_mut("script").unwrap().max_tokens = Some(longest);
            setup
        };
        // As most tokenizers count.
        let typical = |bytes: u64, _| Some(Usage { cache_write: bytes / 4, output, ..Usage::NONE });
        let (_, used) = play(with(Budget { tokens: Some(1_000_000), cost: None }), typical);
        let first_beat = cost(&used[..2]);
        let budget = Budget { cost: Some(NanoUsd(2 * first_beat)), tokens: None };
        let (stage, used) = play(with(budget), typical);
        assert!(used.len() >= 2, "{first_beat}: {}", stage.story());
        assert!(cost(&used) <= 2 * first_beat);
    }
}

#[test]
fn a_budget_that_is_too_small_for_the_opening_asks_nobody() {
    let (stage, used) = play(with_budget(Budget { cost: Some(NanoUsd(1)), tokens: None }), |_, _| None);
    assert_eq!((stage.ended(), used.len()), (Some(SceneEnd::BudgetExceeded), 0));
    assert!(!stage.facts.iter().any(|fact| matches!(fact.event, SceneEvent::Asked { .. })));
}

#[test]
fn calls_that_do_not_tell_count_with_what_was_put_aside() {
    let budget = Budget { cost: Some(NanoUsd(50_000_000)), tokens: None };
    let (stage, _) = play(with_budget(budget), |_, _| None);
    assert_eq!(stage.ended(), Some(SceneEnd::BudgetExceeded), "unknown usage is not free");
}

#[test]
fn however_often_a_run_is_killed_its_budget_holds() {
    let budget = Budget { cost: Some(NanoUsd(100_000_000)), tokens: None };
    let mut stage = Stage::open(with_budget(budget));
    let tries = |stage: &Stage| -> u64 {
        let tries = stage.asks().iter().map(|ask| stage.scene.request(ask).paid_tries.unwrap()).sum::<u32>();
        tries.into()
    };
    let mut paid = tries(&stage);
    let each = reserved(&stage, stage.asks()[0].call).cost.unwrap().0 * 2 / paid;
    while stage.ended().is_none() {
        stage.happens(Happened::Resumed);
        paid += tries(&stage);
    }
    assert_eq!(stage.ended(), Some(SceneEnd::BudgetExceeded));
    assert!(paid > 8 && paid * each <= 100_000_000, "{paid} tries of up to {each} nano-USD");
}

#[test]
fn what_is_known_only_in_part_counts_with_what_was_put_aside() {
    let mut stage = Stage::open(with_budget(Budget { cost: Some(NanoUsd(1_000_000_000)), tokens: None }));
    let call = stage.asks()[0].call;
    let share = reserved(&stage, call);
    let usage = Some(Usage { uncached: 10, output: 1, partial: true, ..Usage::NONE });
    let failure = Failure { usage, ..Failure::new("broke off") };
    stage.happens(Happened::Failed { call, failure });
    assert_eq!(stage.scene.spent.cost, share.cost.unwrap());
}

#[test]
fn as_many_tries_may_be_paid_as_there_is_room_for() {
    let tries = |tokens| {
        let stage = Stage::open(with_budget(Budget { cost: None, tokens: Some(tokens) }));
        let tries = stage.asks().iter().map(|ask| stage.scene.request(ask).paid_tries).collect::<Vec<_>>();
        (reserved(&stage, stage.asks()[0].call).tokens, tries)
    };
    let (for_three, three) = tries(100_000);
    assert_eq!(three, [Some(3); 2]);
    let one = for_three / 3;
    assert_eq!(tries(one * 2), (one, vec![Some(1); 2]));
    assert_eq!(tries(one * 4), (one * 2, vec![Some(2); 2]));
    let open = Stage::open(with_budget(Budget::default()));
    assert_eq!(
        open.scene.request(&open.asks()[0]).paid_tries,
        None,
        "without a budget models decide themselves"
    );
}

/// Judge and event writer are asked as well, and everything costs what it usually does.
#[test]
fn most_of_a_budget_is_used_before_it_ends_a_scene() {
    let typical = |bytes: u64, _| Some(Usage { uncached: bytes / 4, output: 60, ..Usage::NONE });
    let mut shares = Vec::new();
    for (cast, tokens, least) in [
        (&ALICE_AND_BOB[..], 15_000, 75),
        (&ALICE_AND_BOB[..], 30_000, 85),
        (&ALICE_AND_BOB[..], 60_000, 90),
        (&ALL_THREE[..], 30_000, 80),
        (&ALL_THREE[..], 60_000, 85),
        (&ALL_THREE[..], 200_000, 90),
    ] {
        for in_tokens in [true, false] {
            let mut setup = setup(SceneConfig {
                max_beats: Some(200),
                goals: vec!["Alice tells Bob the truth".into(), "Bob forgives Alice".into()],
                ..config(cast, None)
            });
            setup.models.get_mut("script").unwrap().price = Some(PRICE);
            (setup.judge, setup.event_writer) = (Some("script".into()), Some("script".into()));
            let cost = NanoUsd(tokens * PRICE.uncached);
            setup.budget = match in_tokens {
                true => Budget { cost: None, tokens: Some(tokens) },
                false => Budget { cost: Some(cost), tokens: None },
            };
            let (stage, used) = play(setup, typical);
            assert_eq!(stage.ended(), Some(SceneEnd::BudgetExceeded));
            let share = match in_tokens {
                true => used.iter().map(Usage::total).sum::<u64>() * 100 / tokens,
                false => super::budget::cost(&used) * 100 / cost.0,
            };
            shares.push((cast.len(), tokens, in_tokens, share, least));
        }
    }
    assert!(shares.iter().all(|(.., share, least)| *share <= 100 && share >= least), "{shares:?}");
}

#[test]
fn a_resumed_run_counts_the_calls_that_were_lost() {
    let budget = Budget { cost: Some(NanoUsd(1_000_000_000)), tokens: None };
    let mut stage = Stage::open(with_budget(budget));
    let before = stage.scene.spent;
    stage.happens(Happened::Resumed);
    assert!(stage.scene.spent.cost > before.cost && stage.scene.spent.tokens > before.tokens);
}

proptest! {
    /// However dear the answers are, within what they were allowed: the budget holds.
    #[test]
    fn no_budget_is_ever_exceeded(
        tokens in 1_000_u64..200_000,
        nano in 1_000_000_u64..500_000_000,
        in_tokens in any::<bool>(),
        output in 0_u64..=100,
        written in any::<bool>(),
        advised in any::<bool>(),
        loud in 0_usize..3,
        dear in any::<bool>(),
        tries in 1_u32..=3,
        asked_again in any::<bool>(),
    ) {
        let budget = if in_tokens {
            Budget { cost: None, tokens: Some(tokens) }
        } else {
            Budget { cost: Some(NanoUsd(nano)), tokens: None }
        };
        let mut setup = with_budget(budget);
        if advised {
            (setup.judge, setup.event_writer) = (Some("script".into()), Some("script".into()));
        }
        if asked_again {
            setup.config.on_malformed = OnMalformed::Retry;
        }
        let event = |beat| DeckEvent::AtBeat { beat, text: "Bang! ".repeat(600) };
        setup.config.events = (0..40).flat_map(|beat| vec![event(beat); loud]).collect();
        let (_, used) = play_with_tries(setup, tries, |bytes, most| {
            let (uncached, cache_write) = if written { (0, bytes / 3) } else { (bytes / 3, 0) };
            let output = output.max(if dear { u64::from(most) } else { 0 });
            Some(Usage { uncached, cache_write, output, ..Usage::NONE })
        });
        if in_tokens {
            prop_assert!(used.iter().map(Usage::total).sum::<u64>() <= tokens);
        } else {
            prop_assert!(cost(&used) <= nano);
        }
    }
}

/// Claude Code adds some tokens of its own to every request: they are put aside for, too.
#[test]
fn what_a_models_own_program_adds_is_put_aside_for() {
    let first_reserve = |own_tokens| {
        let mut setup = with_budget(Budget { cost: None, tokens: Some(1_000_000) });
        setup.models.get_mut("script").unwrap().own_tokens = own_tokens;
        let stage = Stage::open(setup);
        reserved(&stage, stage.asks()[0].call).tokens
    };
    let (plain, more) = (first_reserve(None), first_reserve(Some(250)));
    // For each of three tries.
    assert!(more >= plain + 3 * 250, "{plain} {more}");
}
