//! Checks many claims from a file and writes their results to another. Takes claims and a function
//! that checks one, and writes one line for each. It can be killed at any moment: the same command
//! does the missing claims and repeats none that is written. At the end, the lines are in the order
//! of the claims.

mod journal;

use std::collections::HashSet;
use std::io::BufRead as _;
use std::path::Path;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde::Deserialize;

use self::journal::Journal;

/// Maximum number of claims of one file.
pub const CLAIMS_MAX: usize = 1_000_000;
/// Maximum number of bytes of one line.
pub const LINE_BYTES_MAX: usize = 64 << 10;
/// Maximum number of failures that are listed by name.
pub const FAILURES_SHOWN_MAX: usize = 5;

/// A claim as a line gives it.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct BatchClaim {
    /// Its name; without one it is the number of its line.
    #[serde(default)]
    pub id: String,
    /// The claim.
    pub claim: String,
    /// The first day or moment of its time; `None` if it has no start.
    pub from: Option<String>,
    /// The last day or moment of its time; `None` if it has no end.
    pub to: Option<String>,
    /// What a reader needs to know beside the claim; `None` if nothing.
    pub context: Option<String>,
    /// The address that the claim comes from; `None` if it was not given.
    pub origin: Option<String>,
    /// Its language; `None` if it was not given.
    pub language: Option<String>,
}

/// The result of checking one claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BatchDone {
    /// A result: one object of JSON on one line, with the keys `id` and `claim`.
    Result(String),
    /// An internal failure: it is reported, and the next run checks the claim again.
    Failed(String),
    /// A cap is reached: no further claim is begun.
    Stop(String),
}

/// The counts of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Claims of the file.
    pub claims: usize,
    /// Claims that an earlier run had done.
    pub known: usize,
    /// Claims that this run did.
    pub done: usize,
    /// The first failures, each with its reason; at most [`FAILURES_SHOWN_MAX`].
    pub failures: Vec<String>,
    /// The number of claims that failed.
    pub failed: usize,
    /// Why no further claim was begun; `None` if the run was not stopped.
    pub stopped: Option<String>,
}

/// Why a batch cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// A file cannot be used.
    #[error("use `{path}`: {why}")]
    File {
        /// The file.
        path: String,
        /// Why.
        why: String,
    },
    /// A line of the claims cannot be used.
    #[error("read line {line} of `{path}`: {why}")]
    Line {
        /// The file.
        path: String,
        /// The line, from 1.
        line: usize,
        /// Why.
        why: String,
    },
    /// The results are of other claims.
    #[error("go on with `{path}`: {why}")]
    Other {
        /// The file.
        path: String,
        /// What does not fit.
        why: String,
    },
}

impl BatchError {
    fn file(path: &Path, why: impl ToString) -> Self {
        Self::File {
            path: path.display().to_string(),
            why: why.to_string(),
        }
    }

    /// Returns what to do next.
    pub const fn advice(&self) -> &'static str {
        match self {
            Self::File { .. } => {
                "check that it is there, can be written, and is used by no other run"
            }
            Self::Line { .. } => {
                "write one object a line: {\"id\": \"a\", \"claim\": \"…\"}, with from, to, context, origin or language where needed"
            }
            Self::Other { .. } => {
                "name another file with --out, or give the claims that it belongs to"
            }
        }
    }
}

/// Reads claims, one object a line; empty lines are skipped.
///
/// # Errors
/// [`BatchError`] with the first line that cannot be used.
pub fn read(path: &Path) -> Result<Vec<BatchClaim>, BatchError> {
    let file = std::fs::File::open(path).map_err(|error| BatchError::file(path, error))?;
    let (mut claims, mut names) = (Vec::new(), HashSet::new());
    for (number, line) in std::io::BufReader::new(file).split(b'\n').enumerate() {
        let wrong = |why: String| BatchError::Line {
            path: path.display().to_string(),
            line: number + 1,
            why,
        };
        let line = line.map_err(|error| BatchError::file(path, error))?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        if line.len() > LINE_BYTES_MAX || claims.len() >= CLAIMS_MAX {
            return Err(wrong(format!(
                "more than {LINE_BYTES_MAX} bytes, or more than {CLAIMS_MAX} claims"
            )));
        }
        let mut claim: BatchClaim =
            serde_json::from_slice(&line).map_err(|error| wrong(error.to_string()))?;
        if claim.id.is_empty() {
            // Empty lines count, so that it is the number that an editor shows.
            claim.id = (number + 1).to_string();
        }
        if claim.claim.trim().is_empty() {
            return Err(wrong("the claim is empty".to_owned()));
        }
        // Results are found again by this name.
        if !names.insert(claim.id.clone()) {
            return Err(wrong(format!("the id `{}` was used before", claim.id)));
        }
        claims.push(claim);
    }
    if claims.is_empty() {
        Err(BatchError::file(path, "it has no claim"))
    } else {
        Ok(claims)
    }
}

/// Returns the first result of a file of results, or `None` if it has no result yet. The rest of
/// the file must be made under the same terms.
///
/// # Errors
/// [`BatchError`] if the file exists and cannot be read.
pub fn first_result(out: &Path) -> Result<Option<serde_json::Value>, BatchError> {
    journal::first(out)
}

/// Checks every claim that has no result yet, on `jobs` threads. A result whose key `plan` differs
/// from what `plan` returns for its claim was made under other terms, and is made again.
///
/// # Errors
/// [`BatchError`] when a file cannot be used; failures of single claims are no error.
pub fn run(
    claims: &[BatchClaim],
    out: &Path,
    jobs: usize,
    plan: &dyn Fn(&BatchClaim) -> Option<String>,
    work: &(dyn Fn(&BatchClaim) -> BatchDone + Sync),
    tell: &(dyn Fn(&Summary) + Sync),
) -> Result<Summary, BatchError> {
    let journal = Journal::open(out, claims, plan)?;
    let open: Vec<&BatchClaim> = claims
        .iter()
        .filter(|claim| !journal.has(&claim.id))
        .collect();
    let summary = Summary {
        claims: claims.len(),
        known: claims.len() - open.len(),
        ..Summary::default()
    };
    tell(&summary);
    let shared = Mutex::new((journal, summary, None::<BatchError>));
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let worker = || {
        while !stop.load(Ordering::Relaxed) {
            let Some(claim) = open.get(next.fetch_add(1, Ordering::Relaxed)) else {
                return;
            };
            let done = work(claim);
            // Locked only after the work is done, so that claims are checked side by side.
            let (journal, summary, error) =
                &mut *shared.lock().unwrap_or_else(PoisonError::into_inner);
            if let Err(broken) = note(journal, summary, claim, done) {
                error.get_or_insert(broken);
            }
            // Where the file cannot be written, every further result would be lost.
            if error.is_some() || summary.stopped.is_some() {
                stop.store(true, Ordering::Relaxed);
            }
            tell(summary);
        }
    };
    std::thread::scope(|scope| {
        // `clamp` panics if its maximum is 0, as it would be with every claim done.
        for _ in 0..jobs.clamp(1, open.len().max(1)) {
            scope.spawn(worker);
        }
    });
    let (journal, summary, error) = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    match error {
        Some(error) => Err(error),
        // After a stop, too: the lines so far are put in order, and the next run adds the others.
        None => journal.finish(claims).map(|()| summary),
    }
}

fn note(
    journal: &mut Journal,
    summary: &mut Summary,
    claim: &BatchClaim,
    done: BatchDone,
) -> Result<(), BatchError> {
    match done {
        BatchDone::Result(line) => {
            journal.add(&claim.id, &line)?;
            summary.done += 1;
        }
        BatchDone::Failed(why) => {
            // No line is written, so that the next run checks the claim again.
            summary.failed += 1;
            if summary.failures.len() < FAILURES_SHOWN_MAX {
                summary.failures.push(format!("{}: {why}", claim.id));
            }
        }
        BatchDone::Stop(why) => {
            // Several threads may reach the cap; one reason is enough.
            summary.stopped.get_or_insert(why);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
