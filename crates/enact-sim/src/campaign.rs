//! Many seeds, on as many threads as there are cores. Each thread has runtimes of its own, one for each run.

use std::{
    collections::BTreeMap,
    fmt::{self, Write},
    ops::AddAssign,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    thread,
};

use crate::{
    invariants::{Violation, difference, violations},
    scenario::{Mutant, Scenario, SimulatedProduction},
    simulate::{PlayedScenario, simulate},
};

/// How many seeds a thread takes at a time.
const CHUNK: u64 = 64;
/// One seed in so many is played twice, to see that it gives the same log.
const REPEATED: u64 = 16;
/// After how many failures a campaign ends: more say nothing new.
const MOST_FAILURES: usize = 10;
/// How much of a log is shown.
const TAIL: usize = 12;

/// What is to be played.
#[derive(Debug, Clone)]
pub struct Campaign {
    pub production: SimulatedProduction,
    /// The first seed.
    pub first: u64,
    pub runs: u64,
    pub threads: usize,
    pub mutant: Mutant,
    /// Whether what happened in each run, and its whole log, is to be told.
    pub timeline: bool,
}

/// What was played, and what did not hold.
#[derive(Debug, Default)]
pub struct CampaignReport {
    pub tally: Tally,
    pub failures: Vec<SeedFailure>,
    /// What happened in each run, if that is to be told.
    pub timelines: Vec<String>,
}

/// A seed of which an invariant does not hold.
#[derive(Debug)]
pub struct SeedFailure {
    pub seed: u64,
    pub production: SimulatedProduction,
    pub violations: Vec<Violation>,
    /// The end of each log.
    pub tail: String,
}

/// How much was played, so that a reader can see what the seeds reached.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    pub runs: u64,
    /// Seeds that were played a second time.
    pub repeated: u64,
    pub records: u64,
    pub calls: u64,
    pub commands: u64,
    /// Records of each kind, in all logs.
    pub kinds: BTreeMap<String, u64>,
    /// How runs ended; those that rest have no reason.
    pub ends: BTreeMap<String, u64>,
}

impl Campaign {
    pub fn new(production: SimulatedProduction, first: u64, runs: u64) -> Campaign {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        Campaign { production, first, runs, threads, mutant: Mutant::None, timeline: false }
    }

    /// Plays all seeds. `folder` is for recordings; what is there is removed after each run.
    pub fn play(&self, folder: &Path) -> CampaignReport {
        let (next, over) = (AtomicU64::new(0), AtomicBool::new(false));
        let report = Mutex::new(CampaignReport::default());
        thread::scope(|scope| {
            for number in 0..self.threads {
                let (next, over, report) = (&next, &over, &report);
                let folder = folder.join(number.to_string());
                scope.spawn(move || {
                    while !over.load(Relaxed) {
                        let from = next.fetch_add(CHUNK, Relaxed);
                        if from >= self.runs {
                            return;
                        }
                        let mut played = CampaignReport::default();
                        for offset in from..(from + CHUNK).min(self.runs) {
                            played.add(self.play_seed(self.first + offset, &folder));
                        }
                        let mut report = report.lock().expect("no holder panics");
                        report.add(played);
                        over.store(report.failures.len() >= MOST_FAILURES, Relaxed);
                    }
                });
            }
        });
        let mut report = report.into_inner().expect("no holder panics");
        report.failures.sort_by_key(|failure| failure.seed);
        report
    }

    /// Plays one seed and checks it.
    pub fn play_seed(&self, seed: u64, folder: &Path) -> CampaignReport {
        let scenario = Scenario::new(seed, self.production).with(self.mutant).with_timeline(self.timeline);
        let checked = catch_unwind(AssertUnwindSafe(|| self.check_seed(scenario, folder)));
        checked.unwrap_or_else(|_| {
            let panicked = Violation { invariant: "nothing panics", what: "see above".to_owned() };
            CampaignReport { failures: vec![self.failure(seed, vec![panicked], "")], ..Default::default() }
        })
    }

    fn check_seed(&self, scenario: Scenario, folder: &Path) -> CampaignReport {
        let (seed, speaks) = (scenario.seed, scenario.speaks);
        // Recordings are written by threads of their own, in an order that no seed decides.
        let again = (seed.is_multiple_of(REPEATED) && !speaks).then(|| scenario.clone());
        let played = simulate(scenario, folder);
        let mut violations = violations(&played);
        if speaks {
            // Otherwise the next run with this id would find its recordings.
            let _ = std::fs::remove_dir_all(folder);
        }
        let mut tally = Tally::of(&played);
        if let Some(again) = again {
            tally.repeated = 1;
            violations.extend(difference(&played, &simulate(again, folder)));
        }
        let failures = match violations.is_empty() {
            true => Vec::new(),
            false => vec![self.failure(seed, violations, &logs(&played, TAIL))],
        };
        let timelines = self.timeline.then(|| timeline(&played)).into_iter().collect();
        CampaignReport { tally, failures, timelines }
    }

    fn failure(&self, seed: u64, violations: Vec<Violation>, tail: &str) -> SeedFailure {
        SeedFailure { seed, production: self.production, violations, tail: tail.to_owned() }
    }
}

impl CampaignReport {
    fn add(&mut self, other: CampaignReport) {
        self.tally += other.tally;
        self.failures.extend(other.failures);
        self.timelines.extend(other.timelines);
    }
}

/// What happened when, and all logs.
fn timeline(played: &PlayedScenario) -> String {
    format!("{}\n{}", played.journal.timeline.join("\n"), logs(played, usize::MAX))
}

/// The last records of every log.
fn logs(played: &PlayedScenario, most: usize) -> String {
    let mut text = String::new();
    for run in &played.runs {
        let _ = writeln!(text, "  {:?}", run.summary);
        for record in run.records.iter().skip(run.records.len().saturating_sub(most)) {
            let body: String = record.body.get().chars().take(240).collect();
            let _ = writeln!(text, "    {} {} {} {body}", record.seq.0, record.at, record.kind);
        }
    }
    text
}

impl fmt::Display for SeedFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SeedFailure { seed, production, violations, tail } = self;
        for Violation { invariant, what } in violations {
            writeln!(f, "seed {seed} of {production}: not so: {invariant}\n  {what}")?;
        }
        write!(
            f,
            "{tail}  again: cargo run --release -p enact-sim -- --production {production} --seed {seed}"
        )
    }
}

impl Tally {
    fn of(played: &PlayedScenario) -> Tally {
        let mut tally = Tally {
            runs: 1,
            calls: played.journal.calls.len() as u64,
            commands: played.journal.commands.len() as u64,
            ..Tally::default()
        };
        for run in &played.runs {
            tally.records += run.records.len() as u64;
            for record in &run.records {
                bump(&mut tally.kinds, &record.kind);
            }
            bump(&mut tally.ends, run.summary.reason.as_deref().unwrap_or("resting"));
        }
        tally
    }
}

fn bump(counts: &mut BTreeMap<String, u64>, name: &str) {
    match counts.get_mut(name) {
        Some(count) => *count += 1,
        None => _ = counts.insert(name.to_owned(), 1),
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.runs += other.runs;
        self.repeated += other.repeated;
        self.records += other.records;
        self.calls += other.calls;
        self.commands += other.commands;
        for (mine, others) in [(&mut self.kinds, other.kinds), (&mut self.ends, other.ends)] {
            for (name, count) in others {
                *mine.entry(name).or_default() += count;
            }
        }
    }
}
