use super::*;

#[test]
fn times_read_well() {
    for (ms, text) in [
        (0, "0s"),
        (250, "250ms"),
        (999, "1s"),
        (1_000, "1s"),
        (1_500, "1.5s"),
        (2_999, "3s"),
        (30_000, "30s"),
    ] {
        assert_eq!(HumanDuration(Duration::from_millis(ms)).to_string(), text);
    }
}

#[test]
fn a_call_ends_before_it_is_given_up() {
    for (caller_ms, operator_ms, effective_ms, nominal_ms) in [
        (30_000, None, 29_950, 30_000),
        (200, None, 180, 200),
        (0, None, 0, 0),
        (30_000, Some(5_000), 5_000, 5_000),
        (30_000, Some(29_990), 29_950, 29_990),
        (30_000, Some(90_000), 29_950, 30_000),
    ] {
        let operator = operator_ms.map(Duration::from_millis);
        let CallDeadline { effective, nominal } =
            CallDeadline::new(Duration::from_millis(caller_ms), operator);
        let told = (effective.as_millis(), nominal.as_millis());
        assert_eq!(told, (effective_ms, nominal_ms), "{caller_ms} {operator_ms:?}");
    }
    assert!(CallDeadline::new(Duration::MAX, None).effective <= MAX_TIMEOUT);
}
