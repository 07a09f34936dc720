//! The loop of a worker: leases jobs, has threads do them, writes the results, sends heartbeats,
//! and ends when it is asked to. It gets the ledger, a function that does one job, and an observer
//! of events. It waits for every failure of the ledger that may pass, within a bound; results that
//! were made meanwhile are written then, if their leases still hold.

mod event;
mod hand;
mod pacer;
mod patience;

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::bounds::{FLUSH_MAX, FLUSH_MS, FleetBounds, IDLE_MS};
use crate::database::Result;
use crate::ledger::{FailedJob, Fate, Finished, Lease, Leased, Ledger, Next, Pick, Unit};

pub use event::{JobEvent, Observer};
pub use hand::{Hand, Paid};
pub use pacer::Pacer;
use patience::Patience;

/// The settings of a worker.
#[derive(Clone, Debug)]
pub struct WorkerPlan {
    /// The hash of the terms under which it works.
    pub terms: String,
    /// Its name.
    pub name: String,
    /// Number of jobs at one time.
    pub threads: usize,
    /// Its limits.
    pub bounds: FleetBounds,
    /// Whether it ends when no job of its terms is left.
    pub until_empty: bool,
}

/// The end of one job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkerDone {
    /// With a result.
    Result {
        /// The verdict, in one word.
        verdict: String,
        /// The report, as JSON on one line.
        report: String,
        /// The amounts that it used of what was reserved.
        used: Vec<(Unit, u64)>,
    },
    /// Without one.
    Failed {
        /// The reason, as a name.
        reason: String,
        /// The evidence.
        detail: String,
        /// The next step for the job.
        next: Next,
    },
}

/// The counts of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Results that were accepted.
    pub done: u64,
    /// Jobs that failed.
    pub failed: u64,
    /// Results and failures whose lease had run out.
    pub late: u64,
    /// Jobs that were returned untouched.
    pub released: u64,
    /// Jobs of other terms that wait for another worker.
    pub of_others: u64,
}

/// The function that does one job.
pub type Doer<'d> = dyn Fn(&Leased, &Hand<'_>) -> WorkerDone + Sync + 'd;

/// Works until it is asked to stop, or until no job is left.
///
/// # Errors
/// [`crate::Fault`] when the ledger cannot be used, or not within the bound.
pub fn run(
    ledger: &Mutex<Ledger>,
    plan: &WorkerPlan,
    stop: &AtomicBool,
    work: &Doer<'_>,
    observer: &Observer<'_>,
) -> Result<Summary> {
    let queue = Queue::default();
    let (sender, ended) = channel();
    std::thread::scope(|scope| {
        for _ in 0..plan.threads {
            let (queue, sender) = (&queue, sender.clone());
            scope.spawn(move || thread(ledger, plan, queue, &sender, work, observer));
        }
        let mut worker = Worker {
            ledger,
            plan,
            stop,
            queue: &queue,
            observer,
            held: HashMap::new(),
            results: Vec::new(),
            failures: Vec::new(),
            first_ended: None,
            beat: Instant::now(),
            has_suspect: false,
            summary: Summary::default(),
        };
        let worked = worker.work(&ended);
        // In every case the threads end, and what they still do is discarded.
        worker.cancel_all();
        queue.close();
        worked.map(|()| worker.summary)
    })
}

/// The jobs that wait for a thread.
#[derive(Default)]
struct Queue {
    state: Mutex<QueueState>,
    changed: Condvar,
}

#[derive(Default)]
struct QueueState {
    jobs: VecDeque<(Leased, Arc<AtomicBool>)>,
    is_closed: bool,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, leased: Leased, is_off: Arc<AtomicBool>) {
        self.lock().jobs.push_back((leased, is_off));
        self.changed.notify_one();
    }

    fn next(&self) -> Option<(Leased, Arc<AtomicBool>)> {
        let mut state = self.lock();
        loop {
            if state.is_closed {
                return None;
            }
            if let Some(job) = state.jobs.pop_front() {
                return Some(job);
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn take_all(&self) -> Vec<Lease> {
        let jobs = std::mem::take(&mut self.lock().jobs);
        jobs.into_iter().map(|(leased, _)| leased.lease).collect()
    }

    fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }
}

type JobEnd = (Lease, u64, WorkerDone);

fn thread(
    ledger: &Mutex<Ledger>,
    plan: &WorkerPlan,
    queue: &Queue,
    sender: &Sender<JobEnd>,
    work: &Doer<'_>,
    observer: &Observer<'_>,
) {
    while let Some((leased, is_off)) = queue.next() {
        let start = Instant::now();
        observer(&JobEvent::Begun(&leased.lease));
        let hand = Hand::new(ledger, &leased, &is_off, &plan.bounds);
        // A job that panics must not end the worker, and must not take its other jobs along.
        let done = catch_unwind(AssertUnwindSafe(|| match hand.is_off() {
            // The lease may be lost while the job waits in the queue.
            true => lost(),
            false => work(&leased, &hand),
        }));
        let done = done.unwrap_or_else(|_| WorkerDone::Failed {
            reason: "panic".to_owned(),
            detail: "the worker panicked at this job".to_owned(),
            next: Next::Retry,
        });
        observer(&JobEvent::Ended {
            lease: &leased.lease,
            done: &done,
            queries: hand.queries(),
        });
        let took_ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        // Nobody waits for results once the worker has ended.
        if sender.send((leased.lease, took_ms, done)).is_err() {
            return;
        }
    }
}

/// Returns the end of a job whose lease ran out before a thread was free.
fn lost() -> WorkerDone {
    WorkerDone::Failed {
        reason: "lease_lost".to_owned(),
        detail: "the lease ran out before the job was begun".to_owned(),
        next: Next::Release,
    }
}

struct Worker<'w> {
    ledger: &'w Mutex<Ledger>,
    plan: &'w WorkerPlan,
    stop: &'w AtomicBool,
    queue: &'w Queue,
    observer: &'w Observer<'w>,
    /// The leases that it has, each with the flag that cancels its job.
    held: HashMap<Lease, Arc<AtomicBool>>,
    results: Vec<Finished>,
    failures: Vec<FailedJob>,
    first_ended: Option<Instant>,
    beat: Instant,
    has_suspect: bool,
    summary: Summary,
}

impl Worker<'_> {
    fn work(&mut self, ended: &Receiver<JobEnd>) -> Result<()> {
        let mut idle_until = Instant::now();
        while !self.stop.load(Ordering::Relaxed) {
            if Instant::now() >= idle_until && self.wants_more() {
                let got = self.lease()?;
                // Only a worker without any job looks whether it may end.
                if got == 0 && self.held.is_empty() {
                    if self.is_over()? {
                        return Ok(());
                    }
                    self.sweep()?;
                }
                if got == 0 {
                    // Spread over workers, so that they do not ask all at once.
                    idle_until = Instant::now() + patience::spread(&self.plan.name, IDLE_MS);
                }
            }
            self.collect(ended, Duration::from_millis(FLUSH_MS));
            self.tend()?;
            (self.observer)(&JobEvent::Counted(&self.summary));
        }
        self.drain(ended)?;
        (self.observer)(&JobEvent::Counted(&self.summary));
        Ok(())
    }

    /// Reports whether few enough jobs are held to ask for more.
    fn wants_more(&self) -> bool {
        !self.has_suspect && self.held.len() <= self.plan.threads * self.plan.bounds.prefetch / 2
    }

    fn lease(&mut self) -> Result<usize> {
        let most = self.plan.threads * self.plan.bounds.prefetch - self.held.len();
        let mut leased = self.take(Pick::Fresh(most))?;
        // A job that was lost with a worker may have ended that worker, so it runs alone, after all
        // others.
        if leased.is_empty() && self.held.is_empty() {
            leased = self.take(Pick::Suspect)?;
            self.has_suspect = !leased.is_empty();
        }
        let count = leased.len();
        for leased in leased {
            (self.observer)(&JobEvent::Leased(&leased));
            let is_off = Arc::new(AtomicBool::new(false));
            self.held.insert(leased.lease.clone(), Arc::clone(&is_off));
            self.queue.add(leased, is_off);
        }
        Ok(count)
    }

    fn take(&mut self, pick: Pick) -> Result<Vec<Leased>> {
        let plan = self.plan;
        self.patiently(&mut |ledger| {
            ledger.lease(&plan.terms, &plan.name, pick, plan.bounds.lease_ms)
        })
    }

    fn is_over(&mut self) -> Result<bool> {
        let plan = self.plan;
        let (ours, others) = self.patiently(&mut |ledger| ledger.open_jobs(&plan.terms))?;
        self.summary.of_others = others;
        Ok(ours == 0 && plan.until_empty)
    }

    fn sweep(&mut self) -> Result<()> {
        self.patiently(&mut Ledger::sweep).map(drop)
    }

    /// Collects the jobs that threads have ended.
    fn collect(&mut self, ended: &Receiver<JobEnd>, wait: Duration) {
        let mut next = ended.recv_timeout(wait).ok();
        while let Some((lease, took_ms, done)) = next {
            self.first_ended.get_or_insert_with(Instant::now);
            match done {
                WorkerDone::Result {
                    verdict,
                    report,
                    used,
                } => self.results.push(Finished {
                    lease,
                    verdict,
                    report,
                    took_ms,
                    used,
                }),
                WorkerDone::Failed {
                    reason,
                    detail,
                    next,
                } => self.failures.push(FailedJob {
                    lease,
                    reason,
                    detail,
                    next,
                }),
            }
            // One transaction writes a bounded number of results, so these are written first.
            if self.results.len() >= FLUSH_MAX {
                return;
            }
            next = ended.try_recv().ok();
        }
    }

    /// Writes what has waited long enough, and sends a heartbeat.
    fn tend(&mut self) -> Result<()> {
        let is_old = |since: Instant| since.elapsed() >= Duration::from_millis(FLUSH_MS);
        // A result that cost money is written at once, so that nothing is paid twice after a crash.
        let is_paid = self.results.iter().any(|result| !result.used.is_empty());
        // With every held job at its end, nothing else can come to be written with them.
        let is_idle = self.results.len() + self.failures.len() >= self.held.len();
        if self.first_ended.is_some_and(is_old)
            || is_paid
            || is_idle
            || self.results.len() >= FLUSH_MAX
        {
            self.flush()?;
        }
        // A quarter of the lease leaves time for lost heartbeats before the lease runs out.
        if self.beat.elapsed() >= Duration::from_millis(self.plan.bounds.lease_ms / 4) {
            self.heartbeat()?;
            self.sweep()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        let (results, failures) = (
            std::mem::take(&mut self.results),
            std::mem::take(&mut self.failures),
        );
        self.first_ended = None;
        if !results.is_empty() {
            self.finish(&results)?;
        }
        failures.iter().try_for_each(|failure| self.fail(failure))
    }

    fn finish(&mut self, results: &[Finished]) -> Result<()> {
        for result in results {
            (self.observer)(&JobEvent::Writing(&result.lease));
        }
        let counts = self.patiently(&mut |ledger| ledger.finish(results))?;
        for (result, counts) in results.iter().zip(counts) {
            let fate = if counts { Fate::Done } else { Fate::Late };
            self.gone(&result.lease, fate);
            if counts {
                self.summary.done += 1;
            } else {
                self.summary.late += 1;
            }
        }
        Ok(())
    }

    fn fail(&mut self, failure: &FailedJob) -> Result<()> {
        let bounds = self.plan.bounds;
        (self.observer)(&JobEvent::Writing(&failure.lease));
        let fate = self.patiently(&mut |ledger| ledger.fail(failure, &bounds))?;
        self.gone(&failure.lease, fate);
        match (fate.counts(), failure.next) {
            (false, _) => self.summary.late += 1,
            (true, Next::Release) => self.summary.released += 1,
            (true, Next::Retry | Next::Never | Next::Hold) => self.summary.failed += 1,
        }
        Ok(())
    }

    fn gone(&mut self, lease: &Lease, fate: Fate) {
        (self.observer)(&JobEvent::Written(lease, fate));
        self.held.remove(lease);
        // With the suspect job gone, others may be leased again.
        self.has_suspect &= !self.held.is_empty();
    }

    fn heartbeat(&mut self) -> Result<()> {
        self.beat = Instant::now();
        let leases: Vec<Lease> = self.held.keys().cloned().collect();
        let lease_ms = self.plan.bounds.lease_ms;
        let lost = self.patiently(&mut |ledger| ledger.renew(&leases, lease_ms))?;
        for lease in lost {
            if let Some(is_off) = self.held.get(&lease) {
                is_off.store(true, Ordering::Relaxed);
                (self.observer)(&JobEvent::Lost(&lease));
            }
        }
        Ok(())
    }

    /// Returns the jobs that were not begun, and waits for the others.
    fn drain(&mut self, ended: &Receiver<JobEnd>) -> Result<()> {
        // Jobs that nobody began go back at once, so that other workers need not wait for the rest.
        let untouched = self.queue.take_all();
        self.summary.released += untouched.len() as u64;
        for lease in &untouched {
            self.held.remove(lease);
            (self.observer)(&JobEvent::Returned(lease));
        }
        self.patiently(&mut |ledger| ledger.release(&untouched))?;
        let end = Instant::now() + Duration::from_millis(self.plan.bounds.drain_ms_max);
        while !self.held.is_empty() {
            // A job that is called off still ends by itself, so that its end is written or is late.
            if Instant::now() >= end {
                self.cancel_all();
            }
            self.collect(ended, Duration::from_millis(FLUSH_MS));
            self.tend()?;
        }
        Ok(())
    }

    fn cancel_all(&self) {
        #[expect(clippy::iter_over_hash_type, reason = "each is only called off")]
        for is_off in self.held.values() {
            is_off.store(true, Ordering::Relaxed);
        }
    }

    /// Calls the ledger, and waits while it does not answer.
    fn patiently<T>(&self, call: &mut dyn FnMut(&mut Ledger) -> Result<T>) -> Result<T> {
        let mut patience = Patience::new(&self.plan.name, self.plan.bounds.outage_ms_max);
        loop {
            let asked = call(&mut self.ledger.lock().unwrap_or_else(PoisonError::into_inner));
            match asked {
                Err(fault) if fault.is_passing() && patience.waits() => {}
                asked => return asked,
            }
        }
    }
}
