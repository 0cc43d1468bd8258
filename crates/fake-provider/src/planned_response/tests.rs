use std::{collections::BTreeMap, time::Instant};

use super::*;
use crate::seen::{BilledUsage, RequestOutcome};

fn seen(number: u64) -> Seen {
    Seen {
        number,
        api: Api::OpenAi,
        method: "POST".to_owned(),
        path: String::new(),
        model: "m".to_owned(),
        headers: BTreeMap::new(),
        body: Arc::default(),
        arrived: Instant::now(),
        began: None,
        finished: None,
        in_flight: 1,
        outcome: RequestOutcome::InFlight,
        usage: BilledUsage::default(),
    }
}

#[test]
fn rates_are_kept() {
    let faults = [(0.2, Fault::Status(500, None)), (0.05, Fault::Hang), (0.1, Fault::Malformed)];
    let script = Script::default().with_faults(7, faults);
    let mut counts = [0; 4];
    for number in 0..10_000 {
        let index = match script.decide(&seen(number)).fault {
            Some(Fault::Status(500, None)) => 0,
            Some(Fault::Hang) => 1,
            Some(Fault::Malformed) => 2,
            None => 3,
            Some(other) => panic!("{other:?} is not in the mixture"),
        };
        counts[index] += 1;
    }
    for (count, expected) in counts.into_iter().zip([2000, 500, 1000, 6500]) {
        assert!(i32::abs(count - expected) < 150, "{counts:?}");
    }
}

#[test]
fn another_seed_draws_otherwise() {
    let fates = |seed| -> Vec<bool> {
        let script = Script::default().with_faults(seed, [(0.5, Fault::Hang)]);
        (0..100).map(|number| script.decide(&seen(number)).fault.is_some()).collect()
    };
    assert_eq!(fates(1), fates(1));
    assert_ne!(fates(1), fates(2));
}

#[test]
fn what_a_script_decides_stays_where_no_fault_is_drawn() {
    let script = Script::new(|_| PlannedResponse::fault(Fault::Empty)).with_faults(1, [(0.5, Fault::Hang)]);
    let drawn: Vec<_> = (0..100).filter_map(|number| script.decide(&seen(number)).fault).collect();
    assert!(drawn.len() == 100 && drawn.contains(&Fault::Empty) && drawn.contains(&Fault::Hang), "{drawn:?}");
}
