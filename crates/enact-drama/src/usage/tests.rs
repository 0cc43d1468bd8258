use super::*;

const PRICE: Price = Price { uncached: 3, cache_read: 1, cache_write: 4, output: 15 };

#[test]
fn what_was_billed_wins_over_any_price() {
    let used = Usage { uncached: 100, output: 10, ..Usage::NONE };
    let billed = Usage { billed: Some(NanoUsd(7)), ..used };
    assert_eq!(used.cost(Some(PRICE)), Some(NanoUsd(450)));
    assert_eq!(used.cost(None), None);
    assert_eq!(billed.cost(Some(PRICE)), Some(NanoUsd(7)));
    assert_eq!(billed.cost(None), Some(NanoUsd(7)));
}

#[test]
fn sums_keep_what_is_known_of_bills() {
    let of = |billed: Option<u64>| Usage { billed: billed.map(NanoUsd), ..Usage::NONE };
    for (one, other, sum) in [
        (None, None, None),
        (Some(2), None, Some(2)),
        (None, Some(3), Some(3)),
        (Some(2), Some(3), Some(5)),
        (Some(u64::MAX), Some(1), Some(u64::MAX)),
    ] {
        let mut total = of(one);
        total += of(other);
        assert_eq!(total, of(sum));
    }
}

/// A bill of one try says nothing about another that told its tokens only.
#[test]
fn what_was_billed_in_part_is_charged_at_the_price() {
    let tokens = Usage { uncached: 100, output: 10, ..Usage::NONE };
    let billed = Usage { billed: Some(NanoUsd(7)), ..tokens };
    for (tries, at_price, without_price) in [
        (vec![billed, tokens], Some(900), None),
        (vec![tokens, billed], Some(900), None),
        (vec![billed, tokens, billed], Some(1_350), None),
        (vec![billed, billed], Some(14), Some(14)),
        // What was turned away is free, and needs no bill.
        (vec![Usage::NONE, billed, Usage::NONE], Some(7), Some(7)),
    ] {
        let mut sum = Usage::NONE;
        tries.iter().for_each(|used| sum += *used);
        assert_eq!(sum.cost(Some(PRICE)), at_price.map(NanoUsd), "{tries:?}");
        assert_eq!(sum.cost(None), without_price.map(NanoUsd), "{tries:?}");
    }
}

#[test]
fn what_tries_that_told_nothing_cost_is_unknown() {
    let silent = Usage { partial: true, untold: Some(UntoldTries { output: 0, all: 1 }), ..Usage::NONE };
    assert!(silent.tells_nothing());
    assert_eq!(silent.cost(Some(PRICE)), None);
    let billed = Usage { billed: Some(NanoUsd(7)), ..silent };
    for told in [Usage::NONE, Usage { output: 1, ..silent }, billed] {
        assert!(!told.tells_nothing(), "{told:?}");
    }
}

#[test]
fn a_bill_is_written_down_only_where_there_is_one() {
    let plain = Usage { uncached: 1, cache_read: 2, cache_write: 3, output: 4, ..Usage::NONE };
    let text = r#"{"uncached":1,"cacheRead":2,"cacheWrite":3,"output":4}"#;
    assert_eq!(serde_json::to_string(&plain).unwrap(), text);
    assert_eq!(serde_json::from_str::<Usage>(text).unwrap(), plain);
    let billed = Usage { billed: Some(NanoUsd(5)), ..plain };
    let text = r#"{"uncached":1,"cacheRead":2,"cacheWrite":3,"output":4,"billed":5}"#;
    assert_eq!(serde_json::to_string(&billed).unwrap(), text);
    assert_eq!(serde_json::from_str::<Usage>(text).unwrap(), billed);
}

#[test]
fn sums_keep_what_is_known_of_tries_that_did_not_tell() {
    let whole = Usage { uncached: 1, ..Usage::NONE };
    let unknown = Usage { partial: true, ..whole };
    let untold = |output, all| Usage { untold: Some(UntoldTries { output, all }), ..unknown };
    for (one, other, sum) in [
        (whole, whole, None),
        (whole, untold(1, 2), Some(UntoldTries { output: 1, all: 2 })),
        (untold(1, 2), whole, Some(UntoldTries { output: 1, all: 2 })),
        (untold(1, 2), untold(3, 4), Some(UntoldTries { output: 4, all: 6 })),
        (unknown, untold(1, 2), None),
        (untold(1, 2), unknown, None),
    ] {
        let mut total = one;
        total += other;
        assert_eq!(total.untold, sum, "{one:?} {other:?}");
    }
    let text = r#"{"uncached":1,"cacheRead":0,"cacheWrite":0,"output":0,"partial":true,"untold":{"output":1,"all":2}}"#;
    assert_eq!(serde_json::to_string(&untold(1, 2)).unwrap(), text);
}
