//! A seeded mixture of faults: the same requests meet the same misfortunes in every run.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use crate::{
    act::{Fault, Script, Trouble},
    seen::Api,
};

/// How often what goes wrong, each a part of all requests between 0 and 1. What is left goes well.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    pub seed: u64,
    pub draw: Draw,
    /// 500, or the status of an overloaded provider.
    pub fail: f64,
    /// 429 with `retry_after`.
    pub rate_limit: f64,
    pub retry_after: Option<Duration>,
    pub hang: f64,
    /// Nothing more after the first piece.
    pub hang_midway: f64,
    pub cut: f64,
    pub end_without_stop: f64,
    pub stream_error: f64,
    pub empty: f64,
    pub refuse: f64,
    pub malformed: f64,
    pub not_json: f64,
}

/// What decides a request's fate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Draw {
    /// Its model, its body, and how often exactly that has been asked before: independent of the order in which
    /// requests arrive, and a retry may fare better.
    #[default]
    Content,
    /// Its place in the order of arrival.
    Number,
}

impl Faults {
    /// Good replies where nothing goes wrong.
    #[must_use]
    pub fn script(self) -> Script {
        self.over(Script::default())
    }

    /// What another script decides, where nothing goes wrong. Its timing holds for faults as well.
    #[must_use]
    pub fn over(self, script: Script) -> Script {
        let asked: Mutex<HashMap<u64, u64>> = Mutex::new(HashMap::new());
        Script::new(move |seen| {
            let key = match self.draw {
                Draw::Number => hash(&(self.seed, seen.number)),
                Draw::Content => {
                    let content = hash(&(&seen.model, seen.body.to_string()));
                    let mut asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
                    let times = asked.entry(content).or_default();
                    *times += 1;
                    hash(&(self.seed, content, *times))
                }
            };
            let act = script.decide(seen);
            match self.fault(key, seen.api) {
                Some(fault) => act.with_fault(fault),
                None => act,
            }
        })
    }

    fn fault(&self, key: u64, api: Api) -> Option<Fault> {
        let trouble = if key & 1 == 0 { Trouble::Overloaded } else { Trouble::Internal };
        let table = [
            (self.fail, Fault::Status(trouble.status(api), None)),
            (self.rate_limit, Fault::Status(429, self.retry_after)),
            (self.hang, Fault::Hang),
            (self.hang_midway, Fault::HangAfter(1)),
            (self.cut, Fault::CutAfter(1)),
            (self.end_without_stop, Fault::EndWithoutStop),
            (self.stream_error, Fault::StreamError(trouble)),
            (self.empty, Fault::Empty),
            (self.refuse, Fault::Refuse),
            (self.malformed, Fault::Malformed),
            (self.not_json, Fault::NotJson),
        ];
        // The upper bits make a number between 0 and 1, which falls into one of the rates laid end to end.
        let mut left = (key >> 11) as f64 / (1_u64 << 53) as f64;
        for (rate, fault) in table {
            if left < rate {
                return Some(fault);
            }
            left -= rate;
        }
        None
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, sync::Arc, time::Instant};

    use serde_json::json;

    use super::*;
    use crate::seen::{Outcome, Seen, Usage};

    fn seen(number: u64, content: u64) -> Seen {
        Seen {
            number,
            api: Api::OpenAi,
            method: "POST".to_owned(),
            path: String::new(),
            model: "m".to_owned(),
            headers: BTreeMap::new(),
            body: Arc::new(json!({"content": content})),
            arrived: Instant::now(),
            began: None,
            finished: None,
            in_flight: 1,
            outcome: Outcome::InFlight,
            usage: Usage::default(),
        }
    }

    fn mixture(draw: Draw) -> Script {
        Faults { seed: 7, draw, fail: 0.2, hang: 0.05, malformed: 0.1, ..Faults::default() }.script()
    }

    #[test]
    fn rates_are_kept() {
        let script = mixture(Draw::Number);
        let mut counts = [0; 4];
        for number in 0..10_000 {
            let index = match script.decide(&seen(number, 0)).fault {
                Some(Fault::Status(500 | 503, None)) => 0,
                Some(Fault::Hang) => 1,
                Some(Fault::Malformed) => 2,
                None => 3,
                Some(other) => panic!("nobody asked for {other:?}"),
            };
            counts[index] += 1;
        }
        for (count, expected) in counts.into_iter().zip([2000, 500, 1000, 6500]) {
            assert!(i32::abs(count - expected) < 150, "{counts:?}");
        }
    }

    #[test]
    fn content_decides_whatever_the_order() {
        let fates = |order: &mut dyn Iterator<Item = u64>| -> BTreeMap<u64, Option<Fault>> {
            let script = mixture(Draw::Content);
            order
                .enumerate()
                .map(|(number, content)| (content, script.decide(&seen(number as u64, content)).fault))
                .collect()
        };
        let forwards = fates(&mut (0..200));
        assert_eq!(forwards, fates(&mut (0..200).rev()));
        assert!(forwards.values().any(Option::is_some) && forwards.values().any(Option::is_none));
    }

    #[test]
    fn asking_again_draws_again() {
        let script = mixture(Draw::Content);
        let draws: Vec<bool> =
            (0..100).map(|number| script.decide(&seen(number, 0)).fault.is_some()).collect();
        assert!(draws.contains(&true) && draws.contains(&false), "{draws:?}");
    }

    #[test]
    fn another_seed_draws_otherwise() {
        let fates = |seed| -> Vec<bool> {
            let script = Faults { seed, draw: Draw::Number, fail: 0.5, ..Faults::default() }.script();
            (0..100).map(|number| script.decide(&seen(number, 0)).fault.is_some()).collect()
        };
        assert_eq!(fates(1), fates(1));
        assert_ne!(fates(1), fates(2));
    }
}
