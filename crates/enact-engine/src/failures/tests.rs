use super::*;

fn model(name: &str) -> FailureSource {
    FailureSource::Model { name: name.to_owned(), kind: "timeout" }
}

#[tokio::test(start_paused = true)]
async fn what_keeps_failing_is_logged_once_a_minute() {
    let mut tally = FailureTally::default();
    let mut lines = Vec::new();
    for second in 0..150 {
        if let Some(count) = tally.count(Instant::now()) {
            lines.push((second, count));
        }
        tokio::time::advance(Duration::from_secs(1)).await;
    }
    assert_eq!(lines, [(0, 1), (60, 60), (120, 60)]);
    assert_eq!(tally.total, 150);
}

#[test]
fn however_many_things_fail_few_are_told_apart() {
    let failures = Failures::default();
    let run = RunId(uuid::Uuid::nil());
    for at in 0..1_000 {
        failures.record(run, model(&at.to_string()), "no");
        failures.record(run, model("0"), "no");
    }
    let counts = failures.counts();
    assert!(counts.len() <= MAX_SOURCES + 1, "{}", counts.len());
    assert_eq!(counts.iter().map(|(_, count)| count).sum::<u64>(), 2_000);
    assert!(counts.contains(&(model("0"), 1_001)));
}
