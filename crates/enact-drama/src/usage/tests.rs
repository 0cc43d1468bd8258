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
