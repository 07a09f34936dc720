//! The events of jobs at a worker, for observers. Observers change nothing: they return nothing,
//! and they must not wait, because the loop of the worker waits for them.

use super::{Summary, WorkerDone};
use crate::ledger::{Fate, Lease, Leased};

/// An event of a job.
#[derive(Clone, Copy, Debug)]
pub enum JobEvent<'e> {
    /// It was leased.
    Leased(&'e Leased),
    /// It was returned, because the worker ends before a thread was free.
    Returned(&'e Lease),
    /// A thread began it.
    Begun(&'e Lease),
    /// The lease was lost while the job waited or ran, and the job was cancelled.
    Lost(&'e Lease),
    /// The thread ended it.
    Ended {
        /// The right to finish it.
        lease: &'e Lease,
        /// Its end.
        done: &'e WorkerDone,
        /// Paid queries that were sent for it.
        queries: u64,
    },
    /// The ledger is asked to write its end.
    Writing(&'e Lease),
    /// The ledger answered.
    Written(&'e Lease, Fate),
    /// The counts of the worker after a round of its loop, for no single job.
    Counted(&'e Summary),
}

/// A function that is called with each event, from every thread of a worker.
pub type Observer<'o> = dyn Fn(&JobEvent<'_>) + Sync + 'o;
