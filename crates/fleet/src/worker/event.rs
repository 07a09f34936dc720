//! What happens to jobs at a worker, for whoever observes it. Observers change nothing: they return
//! nothing, and they must not wait, since the loop of the worker waits for them.

use super::{Summary, WorkerDone};
use crate::ledger::{Fate, Lease, Leased};

/// What happened to a job.
#[derive(Clone, Copy, Debug)]
pub enum JobEvent<'e> {
    /// It was leased.
    Leased(&'e Leased),
    /// It was returned, since the worker ends before a thread was free.
    Returned(&'e Lease),
    /// A thread began it.
    Begun(&'e Lease),
    /// The lease was lost while the job waited or ran, and the job was called off.
    Lost(&'e Lease),
    /// The thread ended it.
    Ended {
        /// The right to finish it.
        lease: &'e Lease,
        /// How it ended.
        done: &'e WorkerDone,
        /// Paid queries that were sent for it.
        queries: u64,
    },
    /// The ledger is asked to write how it ended.
    Writing(&'e Lease),
    /// The ledger answered.
    Written(&'e Lease, Fate),
    /// The counts of the worker after a round of its loop; no job alone.
    Counted(&'e Summary),
}

/// Called with what happens, from every thread of a worker.
pub type Observer<'o> = dyn Fn(&JobEvent<'_>) + Sync + 'o;
