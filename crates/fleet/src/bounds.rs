//! Every limit of a fleet, with its unit.

/// Most bytes of one line of a file of jobs.
pub const LINE_BYTES_MAX: usize = 64 << 10;
/// Most jobs of one file.
pub const JOBS_MAX: usize = 1_000_000;
/// Most broken lines that an error names.
pub const BROKEN_SHOWN_MAX: usize = 5;
/// Number of jobs that one transaction submits.
pub const SUBMIT_CHUNK: usize = 500;
/// Most bytes of the report of a result.
pub const REPORT_BYTES_MAX: usize = 16 << 20;
/// Most bytes of the evidence of a failed attempt.
pub const DETAIL_BYTES_MAX: usize = 4 << 10;
/// Most results that one transaction writes.
pub const FLUSH_MAX: usize = 64;
/// Milliseconds that a finished result waits for others before it is written.
pub const FLUSH_MS: u64 = 20;
/// Milliseconds that a worker without work waits before it asks again.
pub const IDLE_MS: u64 = 500;
/// Milliseconds after which a statement is given up, with its connection.
pub const STATEMENT_MS_MAX: u64 = 30_000;
/// Milliseconds that a file of SQLite may be locked by another process.
pub const BUSY_MS_MAX: u64 = 30_000;
/// Number of rows of one page of results.
pub const PAGE_ROWS: usize = 500;

/// Most milliseconds that a request which waits for its turn waits for a ledger.
pub const TURN_OUTAGE_MS_MAX: u64 = 60_000;

/// Bounds that a person may set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FleetBounds {
    /// Milliseconds after which a lease without a heartbeat runs out.
    pub lease_ms: u64,
    /// Milliseconds that one job may take.
    pub job_ms_max: u64,
    /// Milliseconds that a worker waits for a ledger that does not answer, before it ends.
    pub outage_ms_max: u64,
    /// Milliseconds that a worker that was asked to end waits for jobs that run.
    pub drain_ms_max: u64,
    /// Milliseconds before the first retry of a job; each further one doubles it.
    pub retry_ms: u64,
    /// Most milliseconds before a retry.
    pub retry_ms_max: u64,
    /// Jobs that a worker holds for each of its threads.
    pub prefetch: usize,
}

impl FleetBounds {
    /// Returns the milliseconds that a request which waits for its turn waits for a ledger that
    /// does not answer. They are never more than those of the worker, so that only the job fails
    /// and is tried again later.
    pub const fn turn_outage_ms(&self) -> u64 {
        if self.outage_ms_max < TURN_OUTAGE_MS_MAX {
            self.outage_ms_max
        } else {
            TURN_OUTAGE_MS_MAX
        }
    }
}

impl Default for FleetBounds {
    fn default() -> Self {
        Self {
            lease_ms: 60_000,
            job_ms_max: 600_000,
            outage_ms_max: 300_000,
            drain_ms_max: 30_000,
            retry_ms: 1_000,
            retry_ms_max: 300_000,
            prefetch: 8,
        }
    }
}

/// Attempts of one job before it becomes a dead letter.
pub const ATTEMPTS_MAX: u32 = 5;
