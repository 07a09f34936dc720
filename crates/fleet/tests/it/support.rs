//! What the tests share: jobs, terms, and each check on both engines.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use grounds_fleet::bounds::FleetBounds;
use grounds_fleet::job::ClaimJob;
use grounds_fleet::ledger::{Finished, Lease, Leased, NewRun, Pick, RunStatus, Unit};
use grounds_fleet::{Job, Ledger, LedgerPlace, Shard, Terms};

use crate::server::Server;

/// A ledger for one test.
pub(crate) struct Ground {
    pub(crate) address: String,
    /// Held as long as the ledger is there.
    _server: Option<Arc<Server>>,
    _folder: Option<tempfile::TempDir>,
}

impl Ground {
    /// A ledger in a file.
    pub(crate) fn file() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        Self {
            address: folder.path().join("fleet.sqlite3").display().to_string(),
            _server: None,
            _folder: Some(folder),
        }
    }

    /// A ledger in a new database of a server.
    pub(crate) fn of(server: &Arc<Server>) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("fleet{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        Self {
            address: server.database(&name),
            _server: Some(Arc::clone(server)),
            _folder: None,
        }
    }

    pub(crate) fn place(&self) -> LedgerPlace {
        LedgerPlace::of(&self.address, None, None)
    }

    pub(crate) fn ledger(&self) -> Ledger {
        crate::server::ledger(&self.address)
    }
}

/// Runs a check on a file, and on a server where one can be had.
pub(crate) fn on_both(check: fn(&Ground)) {
    check(&Ground::file());
    if let Some(server) = Server::shared() {
        check(&Ground::of(&server));
    }
}

pub(crate) fn claims(count: usize) -> Vec<Job> {
    (0..count)
        .map(|number| {
            Job::Claim(ClaimJob {
                id: format!("c{number}"),
                claim: format!("claim {number}"),
                ..ClaimJob::default()
            })
        })
        .collect()
}

pub(crate) fn terms(version: &str) -> Terms {
    Terms::of([("version", version.to_owned())])
}

pub(crate) fn new_run(name: &str) -> NewRun {
    NewRun {
        name: Some(name.to_owned()),
        terms: terms("1"),
        budgets: Unit::ALL.into_iter().map(|unit| (unit, None)).collect(),
        attempts_max: 3,
        shard: Shard { number: 1, of: 1 },
    }
}

/// Bounds in which a test has no time to wait.
pub(crate) fn bounds() -> FleetBounds {
    FleetBounds {
        lease_ms: 60_000,
        retry_ms: 0,
        ..FleetBounds::default()
    }
}

#[track_caller]
pub(crate) fn lease(ledger: &mut Ledger, most: usize) -> Vec<Leased> {
    ledger
        .lease(&terms("1").hash(), "w", Pick::Fresh(most), 60_000)
        .expect("a lease")
}

pub(crate) fn finished(lease: &Lease, report: &str) -> Finished {
    Finished {
        lease: lease.clone(),
        verdict: "true".to_owned(),
        report: report.to_owned(),
        took_ms: 1,
        used: Vec::new(),
    }
}

/// How many jobs of all runs are in a state.
pub(crate) fn count(status: &RunStatus, state: &str) -> u64 {
    status
        .counts
        .iter()
        .filter(|count| count.state == state)
        .map(|count| count.jobs)
        .sum()
}
