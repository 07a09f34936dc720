//! What a compiler's index (SCIP) says about the targets: where their symbols are defined, referred
//! to and implemented.
//!
//! Takes an index, the targets and where the syntax sees them defined, and returns places that were
//! compared with the files on disk. A document that no longer fits its file is ignored completely
//! and reported. The index may come from the repository, so nothing in it is trusted without this
//! comparison.

mod check;
pub mod listing;
mod position;
mod scip;
mod symbol;
mod wire;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use grounds_evidence::QuestionTarget;

use crate::checkout::Checkout;
use crate::git::open_unwaiting;
use crate::labels::LabelledPlace;
use crate::limits::Limits;
use crate::within::Within;

/// The name of an index at the top of a repository.
pub const FILE_NAME: &str = "index.scip";
/// Maximum number of examples that are kept for a report.
const EXAMPLES_MAX: usize = 3;

/// A question to an index.
#[derive(Debug)]
pub struct Question<'q> {
    /// The checkout.
    pub checkout: &'q Checkout,
    /// The bounds.
    pub limits: &'q Limits,
    /// The part of the tree that is searched.
    pub within: &'q Within,
    /// The targets that name symbols, by their numbers, with the places where the syntax sees them
    /// defined.
    pub targets: Vec<(usize, &'q QuestionTarget, Vec<LabelledPlace>)>,
}

/// The answer of an index.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Consulted {
    /// The file, as it was named.
    pub file: String,
    /// The program that wrote it, with its version.
    pub producer: String,
    /// Documents that were read.
    pub documents: u64,
    /// Documents that no longer fit their files.
    pub stale: CountedExamples,
    /// Documents whose path leaves the checkout, or leads to no text file in it.
    pub unusable: CountedExamples,
    /// Bounds that were reached.
    pub bounds: Vec<&'static str>,
    /// What it said of each target.
    pub answers: Vec<Indexed>,
}

/// The answer of an index about one target.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Indexed {
    /// The number of the target.
    pub number: usize,
    /// Its places, as checked on disk, best first.
    pub places: Vec<LabelledPlace>,
    /// Places of its symbols where the name itself is not written.
    pub unnamed: CountedExamples,
    /// Places at which text and index contradict each other.
    pub disputes: Vec<Dispute>,
    /// Places that the syntax sees as definitions, and about which the index knows nothing although
    /// it has the file.
    pub unknown: CountedExamples,
    /// Places that the syntax sees as definitions in files that the index does not have.
    pub not_indexed: CountedExamples,
}

/// A place at which text and index contradict each other.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dispute {
    /// The file.
    pub path: String,
    /// The line, counted from 1.
    pub line: u32,
    /// What the syntax of the file says.
    pub text: &'static str,
    /// What the index says.
    pub index: String,
}

/// Something that is counted and reported with a few examples.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct CountedExamples {
    /// How many.
    pub count: u64,
    /// The first few in the order of their names.
    pub examples: Vec<String>,
}

/// Why an index was not used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the index `{file}` cannot be used: {reason}")]
pub struct Unusable {
    /// The file.
    pub file: String,
    /// What is wrong with it.
    pub reason: String,
}

/// Returns the index of a run: the given one, or else a regular file at the top of the checkout.
pub fn find(checkout: &Checkout, given: Option<&Path>) -> Option<PathBuf> {
    let in_tree = || checkout.root().join(FILE_NAME);
    given.map(Path::to_owned).or_else(|| {
        Some(in_tree()).filter(|path| path.symlink_metadata().is_ok_and(|kind| kind.is_file()))
    })
}

/// Consults an index.
///
/// # Errors
/// [`Unusable`] if it does not exist, is too large, or is no such index; then nothing of it counts.
pub fn consult(path: &Path, question: &Question<'_>) -> Result<Consulted, Unusable> {
    let shown = path
        .strip_prefix(question.checkout.root())
        .unwrap_or(path)
        .display()
        .to_string();
    let unusable = |reason: String| Unusable {
        file: shown.clone(),
        reason,
    };
    let file = open(path, question.limits).map_err(unusable)?;
    let deadline = Instant::now() + Duration::from_millis(question.limits.pass_ms_max);
    let mut checks = check::Checks::new(question);
    // An error at the end of the file drops what was read before: a broken index shows nothing.
    let passed = scip::read(file, deadline, &mut |document| checks.visit(document))
        .map_err(|error| unusable(error.to_string()))?;
    let mut consulted = checks.finish();
    consulted.bounds.extend(passed.bounds);
    consulted.bounds.sort_unstable();
    consulted.bounds.dedup();
    Ok(Consulted {
        file: shown,
        producer: passed.producer,
        documents: passed.documents,
        ..consulted
    })
}

/// Opens a regular file without waiting for a pipe's writer.
fn open(path: &Path, limits: &Limits) -> Result<File, String> {
    let file = open_unwaiting(path).map_err(|error| error.to_string())?;
    let kind = file.metadata().map_err(|error| error.to_string())?;
    match () {
        () if !kind.is_file() => Err("it is no file".to_owned()),
        () if kind.len() == 0 => Err("it is empty".to_owned()),
        () if kind.len() > limits.index_bytes_max => Err(format!(
            "it has {} bytes, `index_bytes_max` is {}",
            kind.len(),
            limits.index_bytes_max
        )),
        () => Ok(file),
    }
}

impl CountedExamples {
    /// Counts one, and keeps it if it is among the first examples.
    pub(crate) fn tell(&mut self, what: String) {
        self.count += 1;
        let at = self.examples.partition_point(|known| *known < what);
        if at < EXAMPLES_MAX && self.examples.get(at) != Some(&what) {
            self.examples.insert(at, what);
            self.examples.truncate(EXAMPLES_MAX);
        }
    }
}

#[cfg(test)]
mod tests;
