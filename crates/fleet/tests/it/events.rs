//! What an observer of a worker is told about each job, in which order.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use grounds_fleet::bounds::FleetBounds;
use grounds_fleet::ledger::{Lease, Leased, Next};
use grounds_fleet::worker::{self, Hand, JobEvent, WorkerDone, WorkerPlan};

use crate::support::{bounds, claims, new_run, on_both, terms};

/// What happened to the job of a name, in words.
fn told(events: &Mutex<Vec<(Lease, String)>>, name: &str) -> Vec<String> {
    let events = events.lock().expect("no panic");
    let first = format!("leased {name} 1");
    let (of, _) = events.iter().find(|(_, word)| *word == first).expect("it");
    let of_job = events.iter().filter(|(lease, _)| lease.job == of.job);
    of_job.map(|(_, word)| word.clone()).collect()
}

fn note(events: &Mutex<Vec<(Lease, String)>>, event: &JobEvent<'_>) {
    let (lease, word) = match event {
        JobEvent::Leased(leased) => {
            assert!(leased.created_ms <= leased.ready_ms && leased.ready_ms <= leased.leased_ms);
            (
                &leased.lease,
                format!("leased {} {}", leased.job.name(), leased.attempt),
            )
        }
        JobEvent::Returned(lease) => (*lease, "returned".to_owned()),
        JobEvent::Begun(lease) => (*lease, "begun".to_owned()),
        JobEvent::Lost(lease) => (*lease, "lost".to_owned()),
        JobEvent::Ended { lease, queries, .. } => (*lease, format!("ended {queries}")),
        JobEvent::Writing(lease) => (*lease, "writing".to_owned()),
        JobEvent::Written(lease, fate) => (*lease, format!("written {}", fate.word())),
        JobEvent::Counted(_) => return,
    };
    let mut events = events.lock().expect("no panic");
    events.push((lease.clone(), word));
}

/// A job that fails, one that waits for money, and one that ends well.
fn by_name(leased: &Leased, _: &Hand<'_>) -> WorkerDone {
    let next = match leased.job.name() {
        "c0" => Next::Retry,
        "c1" => Next::Hold,
        _ => {
            return WorkerDone::Result {
                verdict: "true".to_owned(),
                report: "{}".to_owned(),
                used: Vec::new(),
            };
        }
    };
    WorkerDone::Failed {
        reason: "exit_1".to_owned(),
        detail: String::new(),
        next,
    }
}

/// What happens in one attempt.
fn attempt(name: &str, number: u32, fate: &str) -> Vec<String> {
    [
        format!("leased {name} {number}"),
        "begun".to_owned(),
        "ended 0".to_owned(),
        "writing".to_owned(),
        format!("written {fate}"),
    ]
    .to_vec()
}

#[test]
fn an_observer_is_told_what_happens_to_each_job() {
    on_both(|ground| {
        let mut ledger = ground.ledger();
        ledger.submit(&new_run("r"), &claims(3)).expect("submitted");
        let plan = WorkerPlan {
            terms: terms("1").hash(),
            name: "w".to_owned(),
            threads: 1,
            bounds: bounds(),
            until_empty: true,
        };
        let stop = AtomicBool::new(false);
        let events = Mutex::default();
        let summary = worker::run(&Mutex::new(ledger), &plan, &stop, &by_name, &|event| {
            note(&events, event);
        });
        assert_eq!(summary.expect("it works").done, 1);
        let tried = [
            attempt("c0", 1, "queued"),
            attempt("c0", 2, "queued"),
            attempt("c0", 3, "dead"),
        ];
        assert_eq!(told(&events, "c0"), tried.concat());
        assert_eq!(told(&events, "c1"), attempt("c1", 1, "held"));
        assert_eq!(told(&events, "c2"), attempt("c2", 1, "done"));
    });
}

/// A worker that is asked to end returns what no thread has begun, and says so.
#[test]
fn an_observer_is_told_what_is_returned() {
    let ground = crate::support::Ground::file();
    let mut ledger = ground.ledger();
    ledger.submit(&new_run("r"), &claims(4)).expect("submitted");
    let plan = WorkerPlan {
        terms: terms("1").hash(),
        name: "w".to_owned(),
        threads: 1,
        bounds: FleetBounds {
            drain_ms_max: 100,
            ..bounds()
        },
        until_empty: false,
    };
    let stop = AtomicBool::new(false);
    let events = Mutex::default();
    let work = |_: &_, hand: &Hand<'_>| {
        stop.store(true, Ordering::Relaxed);
        while !hand.is_off() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        WorkerDone::Failed {
            reason: "called_off".to_owned(),
            detail: String::new(),
            next: Next::Release,
        }
    };
    let summary = worker::run(&Mutex::new(ledger), &plan, &stop, &work, &|event| {
        note(&events, event);
    });
    assert_eq!(summary.expect("it works").released, 4);
    let events = events.into_inner().expect("no panic");
    let count = |word: &str| {
        events
            .iter()
            .filter(|(_, told)| told.starts_with(word))
            .count()
    };
    assert_eq!(
        (count("leased"), count("returned"), count("begun")),
        (4, 3, 1)
    );
    assert_eq!(count("written queued"), 1);
}
