//! What is put aside, charged and learnt.

use super::*;

const PRICE: Price = Price { uncached: 3, cache_read: 1, cache_write: 4, output: 10 };

fn request(text: &str) -> Request {
    Request { system: vec![text.into()], max_tokens: 1_000, ..Request::default() }
}

fn quote(text: &str, earlier: EarlierCalls) -> Quote {
    Quote::of(&request(text), 0, Some(PRICE), earlier)
}

fn tokens(most: u64) -> Budget {
    Budget { cost: None, tokens: Some(most) }
}

#[test]
fn a_call_is_charged_with_what_it_told_and_may_have_used_beside() {
    let each_try = Some(TryAllowance { tries: 3, input: 500, max_tokens: 100 });
    let reserve = Reserve { tokens: 1_800, cost: Some(NanoUsd(9_000)) };
    let allowance = CallAllowance { reserve, each_try };
    let told = Usage { cache_read: 400, output: 10, ..Usage::NONE };
    let untold =
        |output, all| Some(Usage { partial: true, untold: Some(UntoldTries { output, all }), ..told });
    let silent =
        |all| Some(Usage { partial: true, untold: Some(UntoldTries { output: 0, all }), ..Usage::NONE });
    for (usage, tokens, cost) in [
        (Some(Usage::NONE), 0, 0),
        // Nothing but how many tries there were.
        (silent(1), 600, 3_000),
        (silent(2), 1_200, 6_000),
        (silent(3), 1_800, 9_000),
        (Some(told), 410, 500),
        // Nothing is known: all of it.
        (None, 1_800, 9_000),
        (Some(Usage { partial: true, ..told }), 1_800, 9_000),
        // One try may have gone on to its longest answer.
        (untold(1, 0), 410 + 100, 500 + 1_000),
        // One try told nothing.
        (untold(0, 1), 410 + 600, 500 + 3_000),
        (untold(1, 1), 410 + 700, 500 + 4_000),
        // Never more than was put aside, unless more was told.
        (untold(9, 9), 1_800, 9_000),
        (untold(0, 1).map(|usage| Usage { uncached: 5_000, ..usage }), 5_410, 15_500),
    ] {
        let mut spent = Spent::default();
        spent.add(Spend { usage: usage.as_ref(), price: Some(PRICE), allowance });
        assert_eq!(spent, Spent { tokens, cost: NanoUsd(cost) }, "{usage:?}");
    }
}

#[test]
fn what_was_put_aside_by_earlier_versions_is_charged_as_a_whole() {
    let allowance = CallAllowance::from(Reserve { tokens: 700, cost: None });
    let usage = Usage { uncached: 1, partial: true, untold: Some(UntoldTries::default()), ..Usage::NONE };
    let mut spent = Spent::default();
    spent.add(Spend { usage: Some(&usage), price: None, allowance });
    assert_eq!(spent.tokens, 700);
    let read: CallAllowance = serde_json::from_str(r#"{"tokens":700,"cost":null}"#).unwrap();
    assert_eq!(read, allowance);
}

#[test]
fn later_calls_are_estimated_by_what_earlier_ones_have_told() {
    let allowance = |input| {
        let each_try = Some(TryAllowance { tries: 1, input, max_tokens: 100 });
        Some(CallAllowance { reserve: Reserve::NOTHING, each_try })
    };
    let told = |uncached, output| Usage { uncached, output, ..Usage::NONE };
    for (estimated, usage, next, expected) in [
        // Only what has come since is estimated.
        (1_000, Some(told(700, 50)), 1_200, 900),
        // This provider counts more than was thought, of what comes next too.
        (1_000, Some(told(1_500, 50)), 1_200, 1_800),
        // The thread was trimmed.
        (1_000, Some(told(700, 50)), 600, 600),
        // Nothing was told, or not all of it.
        (1_000, None, 1_200, 1_200),
        (1_000, Some(Usage { partial: true, ..told(700, 50) }), 1_200, 1_200),
        (1_000, Some(Usage::NONE), 1_200, 1_200),
    ] {
        let mut earlier = EarlierCalls::default();
        earlier.add(allowance(estimated), usage.as_ref());
        assert_eq!(earlier.expect(next), expected, "{usage:?} {next}");
    }
}

#[test]
fn calls_are_allowed_as_much_as_there_is_room_for() {
    let mut earlier = EarlierCalls::default();
    let first = plan(&tokens(1_000_000), &Spent::default(), &[quote("Once upon a time", earlier)]).unwrap();
    let told = Usage { uncached: 90, output: 150, ..Usage::NONE };
    earlier.add(Some(first[0]), Some(&told));
    let quotes = [quote("Once upon a time", earlier); 2];
    let allowed = |most: u64| {
        let planned = plan(&tokens(most), &Spent { tokens: 500, ..Spent::default() }, &quotes);
        planned.map(|allowances| {
            assert!(500 + sum(&allowances).tokens <= most);
            let each = allowances[0].each_try.unwrap();
            (each.tries, each.max_tokens)
        })
    };
    // Two calls, each of which puts 90 tokens in.
    assert_eq!(allowed(10_000), Ok((3, 1_000)));
    assert_eq!(allowed(500 + 2 * 2 * 1_090), Ok((2, 1_000)));
    assert_eq!(allowed(500 + 2 * 2 * 1_090 - 1), Ok((1, 1_000)));
    assert_eq!(allowed(500 + 2 * 1_090 - 1), Ok((1, 300 + 700 / 8 * 7 + 3)));
    assert_eq!(allowed(500 + 2 * 390), Ok((1, 300)));
    assert_eq!(allowed(500 + 2 * 390 - 1), Err(Reserve { tokens: 780, cost: Some(NanoUsd(2 * 3_360)) }));
}
