//! Simulates runs and says what did not hold: `cargo run --release -p enact-sim -- --scenes 1000000`.

#![allow(clippy::print_stdout, reason = "it is a program")]

use std::{process::ExitCode, time::Instant};

use clap::Parser;
use enact_sim::{SimulatedProduction, campaign::Campaign, fields};

/// Plays runs with seeded faults on virtual time, and checks the invariants of ARCHITECTURE.md after each.
#[derive(Debug, Parser)]
struct Args {
    /// How many runs to play of each production.
    #[arg(long, alias = "runs", default_value_t = 10_000)]
    scenes: u64,
    /// Only this production: scene, chorus, episode, field, mind or toy.
    #[arg(long)]
    production: Option<SimulatedProduction>,
    /// Plays this seed only.
    #[arg(long)]
    seed: Option<u64>,
    /// The first seed.
    #[arg(long, default_value_t = 0, conflicts_with = "seed")]
    first: u64,
    /// How many at once; as many as there are cores by default.
    #[arg(long)]
    threads: Option<usize>,
    /// Tells what happened when in the run of this seed, and its whole log.
    #[arg(long, requires = "seed")]
    timeline: bool,
    /// Instead of runs, plays so many ticks of troubled fields.
    #[arg(long, value_name = "TICKS", conflicts_with_all = ["production", "timeline"])]
    field_ticks: Option<u64>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    if let Some(ticks) = args.field_ticks {
        return play_fields(ticks, args.seed.unwrap_or(args.first));
    }
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let productions = args.production.map_or(SimulatedProduction::ALL.to_vec(), |only| vec![only]);
    let mut code = ExitCode::SUCCESS;
    for production in productions {
        let (first, runs) = args.seed.map_or((args.first, args.scenes), |seed| (seed, 1));
        let mut campaign = Campaign::new(production, first, runs);
        campaign.threads = args.threads.unwrap_or(campaign.threads);
        campaign.timeline = args.timeline;
        let began = Instant::now();
        let report = campaign.play(folder.path());
        let (took, tally) = (began.elapsed(), &report.tally);
        for timeline in &report.timelines {
            println!("{timeline}");
        }
        for failure in &report.failures {
            println!("{failure}\n");
            code = ExitCode::FAILURE;
        }
        let each = took.as_secs_f64() * 1e3 / tally.runs.max(1) as f64;
        println!("{production}: {} runs in {took:.1?} ({each:.3} ms each)", tally.runs);
        println!("  violations: {}", report.failures.len());
        println!("  played twice: {}, records: {}, calls: {}", tally.repeated, tally.records, tally.calls);
        println!("  commands: {}", tally.commands);
        println!("  ends: {:?}\n  records: {:?}", tally.ends, tally.kinds);
    }
    code
}

/// Plays troubled fields one after the other until so many ticks have passed.
fn play_fields(ticks: u64, first: u64) -> ExitCode {
    let began = Instant::now();
    let report = fields::play(ticks, first);
    for violation in &report.violations {
        println!("{violation}");
    }
    let took = began.elapsed();
    println!("field: {} ticks of {} fields in {took:.1?}", report.ticks, report.fields);
    println!("  violations: {}, stuck among them: {}", report.violations.len(), report.stuck);
    if report.violations.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
