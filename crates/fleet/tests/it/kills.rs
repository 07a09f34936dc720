//! Workers and the server are killed without a word: no result is lost or doubled, no paid query is
//! sent twice, no budget is overrun.

use std::collections::BTreeMap;
use std::process::Child;
use std::sync::Arc;
use std::time::{Duration, Instant};

use grounds_fleet::ledger::{RunStatus, Unit};
use serde_json::Value;

use crate::engine::Engine;
use crate::process::Worker;
use crate::server::Server;
use crate::support::{Ground, claims, count, new_run, terms};

/// Jobs for each kill: enough that work is left at the last one.
const JOBS_PER_KILL: usize = 100;
/// Attempts that no job of these tests uses up.
const ATTEMPTS: u32 = 1_000;
/// Seconds that a test of kills may take.
const TEST_S_MAX: u64 = 240;

/// How often something is killed: a few times here, many times in `.ci/full`.
fn times(here: usize, in_full: usize) -> usize {
    match std::env::var_os("GROUNDS_FLEET_KILLS") {
        Some(_) => in_full,
        None => here,
    }
}

pub(crate) fn submit(ground: &Ground, jobs: usize) {
    let mut run = new_run("r");
    run.attempts_max = ATTEMPTS;
    run.budgets = vec![
        (Unit::Queries, Some(jobs as u64 * 10)),
        (Unit::Tokens, Some(jobs as u64 * 1_000)),
    ];
    let mut ledger = ground.ledger();
    ledger.submit(&run, &claims(jobs)).expect("submitted");
}

/// Lets workers work to the end, and says afterwards what must hold whatever was killed.
#[track_caller]
pub(crate) fn ends_well(ground: &Ground, engine: &Engine, jobs: usize) {
    let worker = Worker::new(&ground.address, engine.port);
    [worker.start(), worker.start()]
        .iter_mut()
        .for_each(ended_well);
    let mut ledger = ground.ledger();
    let twice: BTreeMap<String, u64> = engine
        .asked()
        .into_iter()
        .filter(|(_, times)| *times > 1)
        .collect();
    assert!(twice.is_empty(), "paid twice: {twice:?}");
    let status = ledger.status(Some("r")).expect("a status");
    let (done, dead) = (count(&status, "done"), count(&status, "dead"));
    assert_eq!(done + dead, jobs as u64, "{:?}", status.counts);
    let unknown: Vec<_> = status
        .counts
        .iter()
        .filter(|count| count.state == "dead")
        .collect();
    assert!(
        unknown.iter().all(|count| count.reason == "query_unknown"),
        "{unknown:?}"
    );
    keeps_to_budgets(&status, engine, done);
    // A person says that what nobody knows may be sent again.
    ledger.retry("r", Some("query_unknown")).expect("asked");
    ended_well(&mut worker.start());
    let results = results(ground);
    assert_eq!(results.len(), jobs);
    for (place, report) in &results {
        assert_eq!(report["claim"], format!("claim {place}"));
        assert_eq!(report["answer"], format!("answer to q{}", place / 2));
    }
    #[expect(clippy::print_stderr, reason = "what was seen is worth a line")]
    {
        eprintln!(
            "{jobs} jobs, {dead} of them with a query on its way; failed attempts: {}",
            status.failures.iter().map(|(_, count)| count).sum::<u64>()
        );
    }
}

#[track_caller]
fn keeps_to_budgets(status: &RunStatus, engine: &Engine, done: u64) {
    let queries = status
        .budgets
        .iter()
        .find(|budget| budget.unit == "queries")
        .expect("queries");
    let sent: u64 = engine.asked().values().sum();
    assert!(
        sent <= queries.used && queries.used <= queries.most.expect("a cap"),
        "{sent} {queries:?}"
    );
    let tokens = status
        .budgets
        .iter()
        .find(|budget| budget.unit == "tokens")
        .expect("tokens");
    assert!(
        tokens.used >= done * 7 && tokens.used <= tokens.most.expect("a cap"),
        "{tokens:?}"
    );
}

fn results(ground: &Ground) -> BTreeMap<i64, Value> {
    let (mut ledger, mut all, mut after) = (ground.ledger(), BTreeMap::new(), -1);
    loop {
        let page = ledger.results("r", after).expect("results");
        let Some(last) = page.last() else {
            return all;
        };
        after = last.place;
        for kept in page {
            let report = serde_json::from_str(&kept.report).expect("JSON");
            assert!(all.insert(kept.place, report).is_none(), "two results");
        }
    }
}

/// Kills one of four workers again and again, each time at another moment of its work.
fn kill_workers(ground: &Ground, kills: usize) {
    let engine = Engine::start();
    let jobs = kills * JOBS_PER_KILL;
    submit(ground, jobs);
    let worker = Worker::new(&ground.address, engine.port);
    let mut workers: Vec<Child> = (0..4).map(|_| worker.start()).collect();
    let start = Instant::now();
    for number in 0..kills {
        std::thread::sleep(Duration::from_millis(60 + 37 * (number as u64 % 9)));
        let place = number % workers.len();
        workers[place].kill().expect("it is there");
        workers[place].wait().expect("it ends");
        workers[place] = worker.start();
        assert!(
            start.elapsed() < Duration::from_secs(TEST_S_MAX),
            "too slow"
        );
    }
    assert!(is_at_work(ground), "the last kills met nobody at work");
    workers.iter_mut().for_each(ended_well);
    ends_well(ground, &engine, jobs);
}

fn is_at_work(ground: &Ground) -> bool {
    ground
        .ledger()
        .open_jobs(&terms("1").hash())
        .expect("asked")
        .0
        > 0
}

#[track_caller]
pub(crate) fn ended_well(worker: &mut Child) {
    let start = Instant::now();
    loop {
        if let Some(status) = worker.try_wait().expect("a status") {
            let mut said = String::new();
            if let Some(err) = &mut worker.stderr {
                let _ = std::io::Read::read_to_string(err, &mut said);
            }
            assert!(status.success(), "{said}");
            return;
        }
        assert!(
            start.elapsed() < Duration::from_secs(TEST_S_MAX),
            "a worker hangs"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn workers_on_a_file_are_killed() {
    kill_workers(&Ground::file(), times(20, 100));
}

#[test]
fn workers_on_a_server_are_killed() {
    if let Some(server) = Server::shared() {
        kill_workers(&Ground::of(&server), times(20, 100));
    }
}

#[test]
fn the_server_is_killed() {
    let Some(server) = Server::start().map(Arc::new) else {
        return;
    };
    let ground = Ground::of(&server);
    let engine = Engine::start();
    let kills = times(2, 10);
    let jobs = kills * JOBS_PER_KILL * 4;
    submit(&ground, jobs);
    let worker = Worker::new(&ground.address, engine.port);
    let mut workers: Vec<Child> = (0..2).map(|_| worker.start()).collect();
    for number in 0..kills {
        std::thread::sleep(Duration::from_millis(300 + 70 * (number as u64 % 5)));
        server.kill();
        server.run();
    }
    assert!(is_at_work(&ground), "the last kill met nobody at work");
    workers.iter_mut().for_each(ended_well);
    ends_well(&ground, &engine, jobs);
}

/// A fleet that is upgraded while it works: results of two versions are never mixed, and none is
/// lost.
#[test]
fn two_versions_work_side_by_side() {
    crate::support::on_both(|ground| {
        let engine = Engine::start();
        let mut ledger = ground.ledger();
        for version in ["1", "2"] {
            let mut run = new_run(version);
            run.terms = terms(version);
            run.attempts_max = ATTEMPTS;
            ledger.submit(&run, &claims(60)).expect("submitted");
        }
        let old = Worker::new(&ground.address, engine.port);
        let new = Worker {
            terms: "2",
            ..old.clone()
        };
        let mut workers = vec![old.start(), old.start()];
        // One by one the old ones end and new ones begin; the jobs of the old version still need
        // one of the old.
        for worker in &mut workers {
            std::thread::sleep(Duration::from_millis(150));
            worker.kill().expect("it is there");
            worker.wait().expect("it ends");
            *worker = new.start();
        }
        for worker in &mut workers {
            ended_well(worker);
        }
        ended_well(&mut old.start());
        for version in ["1", "2"] {
            let kept = ledger.results(version, -1).expect("results");
            let unknown = ledger.without_result(version, -1).expect("the others");
            assert!(
                unknown.iter().all(|dead| dead.reason == "query_unknown"),
                "{unknown:?}"
            );
            assert_eq!(kept.len() + unknown.len(), 60);
            for kept in kept {
                let report: Value = serde_json::from_str(&kept.report).expect("JSON");
                assert_eq!(report["made_by"], version);
            }
        }
    });
}
