//! What the ledger costs for each job: submits jobs that need no work, and lets one worker end
//! them.
//!
//!     cargo run --release -p grounds-fleet --example overhead -- ADDRESS JOBS THREADS

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use grounds_fleet::bounds::FleetBounds;
use grounds_fleet::job::ClaimJob;
use grounds_fleet::ledger::NewRun;
use grounds_fleet::worker::{self, WorkerDone, WorkerPlan};
use grounds_fleet::{Job, Ledger, LedgerPlace, Shard, Terms};

#[expect(clippy::print_stdout, reason = "a program that measures prints")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [address, jobs, threads] = words.as_slice() else {
        return Err("usage: overhead ADDRESS JOBS THREADS".into());
    };
    let jobs: usize = jobs.parse()?;
    let mut ledger = Ledger::with_tables(LedgerPlace::of(address, None, None).open()?)?;
    let claim = |number: usize| {
        Job::Claim(ClaimJob {
            claim: format!("claim {number}"),
            ..ClaimJob::default()
        })
    };
    let all: Vec<Job> = (0..jobs).map(claim).collect();
    let terms = Terms::of([("version", "overhead".to_owned())]);
    let run = NewRun {
        name: None,
        terms: terms.clone(),
        budgets: Vec::new(),
        attempts_max: 3,
        shard: Shard { number: 1, of: 1 },
    };
    let start = Instant::now();
    ledger.submit(&run, &all)?;
    println!("submit: {:.3} ms a job", ms(start, jobs));
    let start = Instant::now();
    let done = work(ledger, terms.hash(), threads.parse()?)?;
    let each = ms(start, jobs);
    println!("lease and finish: {each:.3} ms a job, {done} results");
    Ok(())
}

/// Ends every job; returns how many.
fn work(ledger: Ledger, terms: String, threads: usize) -> Result<u64, grounds_fleet::Fault> {
    let plan = WorkerPlan {
        terms,
        name: format!("w{}", std::process::id()),
        threads,
        bounds: FleetBounds::default(),
        until_empty: true,
    };
    let report = format!("\"{}\"", "x".repeat(4_000));
    let work = |_: &_, _: &worker::Hand<'_>| WorkerDone::Result {
        verdict: "True".to_owned(),
        report: report.clone(),
        used: Vec::new(),
    };
    let summary = worker::run(
        &Mutex::new(ledger),
        &plan,
        &AtomicBool::new(false),
        &work,
        &|_| (),
    )?;
    Ok(summary.done)
}

fn ms(start: Instant, jobs: usize) -> f64 {
    start.elapsed().as_secs_f64() * 1_000.0 / jobs as f64
}
