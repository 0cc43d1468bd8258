use super::*;

#[test]
fn money_is_readable_at_any_size() {
    for (nano, expected) in [
        (0, "$0.00"),
        (1, "$0.000000001"),
        (12, "$0.000000012"),
        (123, "$0.00000012"),
        (4_200_000, "$0.0042"),
        (4_249_999, "$0.0042"),
        (9_949_999, "$0.0099"),
        (9_960_000, "$0.01"),
        (10_000_000, "$0.01"),
        (80_000_000, "$0.08"),
        (1_234_567_000_000, "$1,234.57"),
        (u64::MAX, "$18,446,744,073.70"),
    ] {
        assert_eq!(dollars(NanoUsd(nano)), expected, "{nano}");
    }
}

#[test]
fn money_that_is_compared_keeps_what_differs() {
    for (nano, expected) in [
        (0, "$0.00"),
        (46_800_000, "$0.0468"),
        (44_321_000, "$0.0443"),
        (80_000_000, "$0.08"),
        (500_000_000, "$0.50"),
        (4_249_999, "$0.00425"),
        (999_600_000, "$1.00"),
        (1_234_567_000, "$1.23"),
        (u64::MAX, "$18,446,744,073.70"),
    ] {
        assert_eq!(precise_dollars(NanoUsd(nano)), expected, "{nano}");
    }
}

#[test]
fn shares_are_all_or_nothing_only_when_they_are() {
    for (share, expected) in
        [(0.0, "0%"), (0.001, "<1%"), (0.005, "1%"), (0.874, "87%"), (0.996, ">99%"), (1.0, "100%")]
    {
        assert_eq!(percent(share), expected, "{share}");
    }
    assert_eq!(percent(1.25), "125%");
}
