//! A worker that is a process of its own: this very test program, started again with a variable
//! that says what to do. So it can be killed without a word.

use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use grounds_fleet::bounds::FleetBounds;
use grounds_fleet::ledger::{Leased, Next, Unit};
use grounds_fleet::worker::{self, Hand, Paid, WorkerDone, WorkerPlan};
use grounds_fleet::{Ledger, LedgerPlace};
use serde_json::{Value, json};

use crate::engine;
use crate::support::terms;

const VARIABLE: &str = "GROUNDS_FLEET_TEST_WORKER";

/// How a worker of the tests works.
#[derive(Clone)]
pub(crate) struct Worker {
    pub(crate) address: String,
    pub(crate) engine: u16,
    pub(crate) terms: &'static str,
    pub(crate) lease_ms: u64,
    pub(crate) outage_ms_max: u64,
}

impl Worker {
    pub(crate) fn new(address: &str, engine: u16) -> Self {
        Self {
            address: address.to_owned(),
            engine,
            terms: "1",
            lease_ms: 700,
            outage_ms_max: 60_000,
        }
    }

    /// Starts it; it ends when no job of its terms is left.
    pub(crate) fn start(&self) -> Child {
        let plan = json!({"address": self.address, "engine": self.engine, "terms": self.terms,
            "lease_ms": self.lease_ms, "outage_ms_max": self.outage_ms_max});
        let own = std::env::current_exe().expect("this program");
        Command::new(own)
            .args([
                "--exact",
                "process::worker_of_another_process",
                "--nocapture",
            ])
            .env(VARIABLE, plan.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a worker starts")
    }
}

/// What the other process does; in this one it is nothing.
#[test]
fn worker_of_another_process() {
    let Ok(plan) = std::env::var(VARIABLE) else {
        return;
    };
    let plan: Value = serde_json::from_str(&plan).expect("a plan");
    let number = |key: &str| plan[key].as_u64().expect("a number");
    let text = |key: &str| plan[key].as_str().expect("a text").to_owned();
    let database = LedgerPlace::of(&text("address"), None, None)
        .open()
        .expect("a database");
    let ledger = Mutex::new(Ledger::of(database).expect("a ledger"));
    let engine = u16::try_from(number("engine")).expect("a port");
    let made_by = text("terms");
    let worker = WorkerPlan {
        terms: terms(&made_by).hash(),
        name: format!("w{}", std::process::id()),
        threads: 2,
        bounds: FleetBounds {
            lease_ms: number("lease_ms"),
            outage_ms_max: number("outage_ms_max"),
            retry_ms: 20,
            prefetch: 4,
            ..FleetBounds::default()
        },
        until_empty: true,
    };
    let work = |leased: &Leased, hand: &Hand<'_>| one(leased, hand, engine, &made_by);
    worker::run(&ledger, &worker, &AtomicBool::new(false), &work, &|_| ()).expect("it works");
}

fn failed(reason: &str, detail: String, next: Next) -> WorkerDone {
    WorkerDone::Failed {
        reason: reason.to_owned(),
        detail,
        next,
    }
}

/// A job: a paid query that it shares with its neighbour, some tokens, a little time.
fn one(leased: &Leased, hand: &Hand<'_>, port: u16, made_by: &str) -> WorkerDone {
    let number: u64 = leased
        .job
        .name()
        .trim_start_matches('c')
        .parse()
        .expect("a number");
    let query = format!("q{}", number / 2);
    if let Err(fault) = hand.reserve(Unit::Tokens, 10) {
        return failed("ledger", fault.to_string(), Next::Retry);
    }
    let answer = match hand.begin(&query, "engine", 0) {
        Ok(Paid::Known(answer)) => answer,
        Ok(Paid::Send) => match engine::ask(port, &query) {
            Ok(answer) => {
                hand.keep(&query, "engine", &answer).expect("kept");
                answer
            }
            Err(error) => {
                hand.failed(&query, "engine").expect("noted");
                return failed("engine", error.to_string(), Next::Retry);
            }
        },
        Ok(Paid::Unknown) => return failed("query_unknown", query, Next::Never),
        Ok(Paid::Spent) => return failed("budget_spent", query, Next::Hold),
        Ok(Paid::Lost | Paid::Closed) => return failed("lost", query, Next::Retry),
        Err(fault) => return failed("ledger", fault.to_string(), Next::Retry),
    };
    std::thread::sleep(Duration::from_millis(20));
    WorkerDone::Result {
        verdict: "true".to_owned(),
        report: json!({"claim": leased.job.topic(), "answer": answer, "made_by": made_by})
            .to_string(),
        used: vec![(Unit::Tokens, 7)],
    }
}
