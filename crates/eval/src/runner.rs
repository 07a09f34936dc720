//! Runs cases: several at a time, with the results in the order of the cases. A case that panics or
//! does not end counts as failed, with its error; the others continue.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::Duration;

use grounds_model::ModelSettings;

use crate::case::Case;
use crate::checkouts::Checkouts;
use crate::cost::{Cost, CostMeter};
use crate::error::EvalError;
use crate::job::{self, Terms};
use crate::journal::{ATTEMPTS_MAX, EarlierRun, Journal};
use crate::observed::Observed;
use crate::result::CaseResult;

/// Milliseconds that a case may take beyond its own bound, which its tools observe by themselves.
const GRACE_MS: u64 = 30_000;
/// Most cases at a time.
pub const JOBS_MAX: usize = 64;
/// The name of the threads of cases.
const THREAD: &str = "case";

/// The settings of a run.
#[derive(Clone, Debug, Default)]
pub struct EvalOptions {
    /// Number of cases at a time.
    pub jobs: usize,
    /// Timeout in milliseconds of a case that sets none itself.
    pub case_ms_max: u64,
    /// The model that judges changes in addition to the rules, or `None` if only the rules judge.
    pub model: Option<Arc<ModelSettings>>,
}

/// The events of a run.
#[derive(Clone, Debug)]
pub enum EvalEvent<'e> {
    /// A case begins.
    Began {
        /// The case.
        case: &'e Case,
    },
    /// A case has ended, or was known from an earlier run.
    Ended {
        /// Its result.
        result: &'e CaseResult,
        /// The number of cases that have ended.
        done: usize,
        /// The number of all cases.
        of: usize,
    },
}

/// The state that the workers share.
struct Work<'w> {
    cases: &'w [Arc<Case>],
    checkouts: &'w Arc<Checkouts>,
    options: EvalOptions,
    journal: Option<&'w Journal>,
    results: Mutex<Vec<Option<CaseResult>>>,
    done: AtomicUsize,
    fault: Mutex<Option<EvalError>>,
    on_event: &'w (dyn Fn(EvalEvent<'_>) + Sync),
}

/// Runs all cases, except for those that an earlier run ended.
///
/// # Errors
/// [`EvalError::File`] when a result could not be written down.
pub fn run(
    cases: &[Arc<Case>],
    checkouts: &Arc<Checkouts>,
    options: EvalOptions,
    journal: Option<&Journal>,
    known: &EarlierRun,
    on_event: &(dyn Fn(EvalEvent<'_>) + Sync),
) -> Result<Vec<CaseResult>, EvalError> {
    keep_panics();
    let results = Mutex::new(vec![None; cases.len()]);
    let (done, fault) = (AtomicUsize::new(0), Mutex::new(None));
    let work = Work {
        cases,
        checkouts,
        options,
        journal,
        results,
        done,
        fault,
        on_event,
    };
    let mut left = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        match (known.result(case), known.attempts(case)) {
            (Some(result), _) => work.keep(
                number,
                CaseResult::of(case, ran_before(result), result.cost.clone()),
            ),
            (None, ATTEMPTS_MAX..) => {
                work.finish(number, CaseResult::of(case, Err(killed()), Cost::default()))
            }
            // A case that may have killed the program runs alone, so that it takes no other one
            // along.
            (None, 1..) => work.take(number, true),
            (None, 0) => left.push(number),
        }
    }
    work.take_all(&left);
    work.into_results()
}

/// Returns the earlier result, to be judged anew by the present judge.
fn ran_before(result: &CaseResult) -> Result<Observed, String> {
    result
        .observed
        .clone()
        .ok_or_else(|| result.error.clone().unwrap_or_default())
}

fn killed() -> String {
    format!("the program ended {ATTEMPTS_MAX} times while this case ran")
}

impl Work<'_> {
    fn take_all(&self, left: &[usize]) {
        let jobs = self.options.jobs.clamp(1, JOBS_MAX);
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..jobs.min(left.len()) {
                scope.spawn(|| {
                    while let Some(number) = left.get(next.fetch_add(1, Ordering::Relaxed)) {
                        // Results that cannot be written down would be lost, so no further case
                        // begins.
                        if self.fault().is_some() {
                            return;
                        }
                        self.take(*number, jobs == 1);
                    }
                });
            }
        });
    }

    fn take(&self, number: usize, is_alone: bool) {
        let case = &self.cases[number];
        (self.on_event)(EvalEvent::Began { case });
        if let Some(Err(error)) = self.journal.map(|journal| journal.began(case)) {
            *self.fault() = Some(error);
            return;
        }
        let jobs = if is_alone {
            1
        } else {
            self.options.jobs.max(1)
        };
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
        let case_ms_max = case.case_ms_max.unwrap_or(self.options.case_ms_max);
        let terms = Terms {
            case_ms_max,
            // Cases that run at a time share the cores.
            threads: (cores / jobs).clamp(1, 12),
            model: self.options.model.clone(),
        };
        let meter = CostMeter::start(is_alone);
        let ran = run_bounded(Arc::clone(case), Arc::clone(self.checkouts), terms);
        self.finish(number, CaseResult::of(case, ran, meter.stop()));
    }

    fn finish(&self, number: usize, result: CaseResult) {
        if let Some(Err(error)) = self.journal.map(|journal| journal.ended(&result)) {
            *self.fault() = Some(error);
        }
        self.keep(number, result);
    }

    fn keep(&self, number: usize, result: CaseResult) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        (self.on_event)(EvalEvent::Ended {
            result: &result,
            done,
            of: self.cases.len(),
        });
        self.results.lock().unwrap_or_else(PoisonError::into_inner)[number] = Some(result);
    }

    fn fault(&self) -> std::sync::MutexGuard<'_, Option<EvalError>> {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn into_results(self) -> Result<Vec<CaseResult>, EvalError> {
        match self
            .fault
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
        {
            Some(fault) => Err(fault),
            None => Ok(self
                .results
                .into_inner()
                .unwrap_or_else(PoisonError::into_inner)
                .into_iter()
                .flatten()
                .collect()),
        }
    }
}

/// Runs a case on a thread of its own. A thread that does not end is abandoned, and ends with the
/// program.
fn run_bounded(
    case: Arc<Case>,
    checkouts: Arc<Checkouts>,
    terms: Terms,
) -> Result<Observed, String> {
    let (tell, told) = channel();
    let case_ms_max = terms.case_ms_max;
    let work = move || {
        let ran = catch_unwind(AssertUnwindSafe(|| run_one(&case, &checkouts, &terms)));
        // Nobody listens any more if the case took longer than its bound.
        let _ = tell.send(ran.unwrap_or_else(|payload| Err(panicked(payload.as_ref()))));
    };
    let thread = std::thread::Builder::new()
        .name(THREAD.to_owned())
        .spawn(work)
        .map_err(|error| error.to_string())?;
    // The tools keep the bound of the case themselves, so the grace only catches those that do not.
    match told.recv_timeout(Duration::from_millis(case_ms_max + GRACE_MS)) {
        Ok(ran) => {
            let _ = thread.join();
            ran
        }
        Err(RecvTimeoutError::Timeout) => Err(format!(
            "it had not ended after {} ms",
            case_ms_max + GRACE_MS
        )),
        Err(RecvTimeoutError::Disconnected) => Err("its thread ended without a word".to_owned()),
    }
}

fn run_one(case: &Case, checkouts: &Checkouts, terms: &Terms) -> Result<Observed, String> {
    let job = job::of(case.job).ok_or_else(|| format!("there is no job `{}`", case.job))?;
    job.run(case, &|| checkouts.of(&case.place), terms)
}

thread_local! {
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Stores the message of a panic in a case for its result; other panics go to the previous hook.
fn keep_panics() {
    // A second run would otherwise wrap the hook of the first one.
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if std::thread::current().name() == Some(THREAD) {
                PANIC.with(|kept| *kept.borrow_mut() = Some(info.to_string()));
            } else {
                before(info);
            }
        }));
    });
}

fn panicked(payload: &(dyn Any + Send)) -> String {
    let kept = PANIC.with(|kept| kept.borrow_mut().take());
    let words = payload
        .downcast_ref::<&str>()
        .map(|words| (*words).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned());
    // The message of the hook has the place of the panic as well, which the payload lacks.
    kept.or(words).unwrap_or_else(|| "it panicked".to_owned())
}

#[cfg(test)]
mod tests;
