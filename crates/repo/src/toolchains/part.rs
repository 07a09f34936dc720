//! The parts of a run: what was built and which tests ran, by name and path. A question about some
//! of them is answered about those alone.
//!
//! "Does test_foo pass?" is no question about all tests: a run in which no test
//! of that name ran shows nothing about it, whatever else passed.

use grounds_evidence::{QuestionTarget, TargetKind};

use super::{BuildReport, TestReport, ToolchainFailure};

/// Parts of one run that are kept; further ones cannot be asked for by name.
pub const PARTS_MAX: usize = 200_000;

/// Something that was built, or a test that ran.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct BuiltPart {
    /// Its name.
    pub name: String,
    /// The file or, with a slash at its end, the folder that it comes from (`/` is the whole tree);
    /// empty if unknown.
    pub path: String,
}

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestVerdict {
    /// It passed.
    Passed,
    /// It failed.
    Failed,
    /// It was skipped.
    Skipped,
    /// It failed, as its author expects.
    ExpectedFailure,
    /// The project's own configuration left it out of the run.
    Deselected,
}

impl BuiltPart {
    /// Returns a part by its name, with its path.
    pub fn new(name: impl Into<String>, path: impl Into<String>) -> Self {
        let path: String = path.into();
        Self {
            name: name.into(),
            path: path.strip_prefix("./").map_or(path.clone(), str::to_owned),
        }
    }

    /// Reports whether the target means this part.
    pub fn is_meant_by(&self, target: &QuestionTarget) -> bool {
        match target.kind {
            TargetKind::Path => self.lies_in(target.text.trim_end_matches('/')),
            TargetKind::Commit => false,
            TargetKind::Identifier
            | TargetKind::SymbolPath
            | TargetKind::Phrase
            | TargetKind::Quoted
            | TargetKind::Message => {
                contains(&segments(&self.name), &segments(&target.text))
                    || contains(&segments(&self.path), &segments(&target.text))
            }
        }
    }

    /// Reports whether it comes from this path or from below it, or is a whole folder that contains
    /// the path.
    fn lies_in(&self, path: &str) -> bool {
        let below = |inner: &str, outer: &str| {
            inner
                .strip_prefix(outer)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        match self.path.strip_suffix('/') {
            Some("") => true,
            Some(folder) => below(folder, path) || below(path, folder),
            None => {
                !self.path.is_empty()
                    && (below(&self.path, path) || self.path.ends_with(&format!("/{path}")))
            }
        }
    }
}

/// Returns the words of a name: `tests::adds`, `TestAdd/small`, `test_x[1-2]`.
fn segments(name: &str) -> Vec<&str> {
    name.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|segment| !segment.is_empty())
        .collect()
}

fn contains(name: &[&str], asked: &[&str]) -> bool {
    !asked.is_empty() && name.windows(asked.len()).any(|window| window == asked)
}

impl BuildReport {
    /// Returns the report of a build that failed.
    pub(super) fn failed(self, failure: ToolchainFailure) -> Self {
        Self {
            failure: Some(failure),
            ..self
        }
    }

    /// Notes what was asked for: if nothing of it was built, something else was.
    pub fn narrow(&mut self, targets: &[QuestionTarget]) {
        for target in targets {
            if self.failure.is_none() && !self.parts.iter().any(|part| part.is_meant_by(target)) {
                self.is_target = false;
                self.notes.push(format!(
                    "nothing that was built is known to be `{}`",
                    target.text
                ));
            }
        }
    }
}

impl TestReport {
    /// Counts the requested tests and no others; a failure without a name counts for all.
    pub fn narrow(&mut self, targets: &[QuestionTarget]) {
        let Some(first) = targets.first().filter(|_| self.unbuilt.is_none()) else {
            return;
        };
        let count = |verdict| self.meant(targets, verdict);
        let (passed, skipped) = (count(TestVerdict::Passed), count(TestVerdict::Skipped));
        let expected = count(TestVerdict::ExpectedFailure);
        let deselected = count(TestVerdict::Deselected);
        // A failure without a name may be one of the requested tests.
        let is_unnamed = self.failures.iter().any(|failure| failure.name.is_empty());
        let failed = count(TestVerdict::Failed).max(u64::from(is_unnamed));
        let others = (self.passed + self.failed).saturating_sub(passed + failed);
        let others_failed = self.failed.saturating_sub(failed);
        let unknown = targets
            .iter()
            .find(|target| !self.parts.iter().any(|(part, _)| part.is_meant_by(target)));
        self.about = quoted(targets);
        self.failures
            .retain(|failure| failure.name.is_empty() || is_meant(&failure.part(), targets));
        let known = passed + failed + skipped + expected + deselected;
        if let Some(unknown) = unknown.or_else(|| (known == 0).then_some(first)) {
            self.count_none(unknown, failed, others);
            return;
        }
        if others > 0 {
            self.notes.push(format!(
                "{others} other tests ran in the same run, {others_failed} of them failed"
            ));
        }
        (self.passed, self.failed, self.skipped, self.uncounted) = (passed, failed, skipped, 0);
        (self.expected_failures, self.deselected) = (expected, deselected);
    }

    /// Returns how many of the requested tests ended so.
    fn meant(&self, targets: &[QuestionTarget], verdict: TestVerdict) -> u64 {
        let parts = self.parts.iter();
        let meant = parts.filter(|(part, seen)| *seen == verdict && is_meant(part, targets));
        meant.count() as u64
    }

    /// Keeps only the failures if a target is no test that ran.
    fn count_none(&mut self, unknown: &QuestionTarget, failed: u64, others: u64) {
        let text = &unknown.text;
        let note = format!("no test that ran is known to be `{text}`; others: {others}");
        self.notes.push(note);
        (self.passed, self.failed, self.skipped) = (0, failed, 0);
        (self.expected_failures, self.deselected) = (0, 0);
    }
}

fn is_meant(part: &BuiltPart, targets: &[QuestionTarget]) -> bool {
    targets.iter().any(|target| part.is_meant_by(target))
}

/// Returns the names of the targets, in backticks.
fn quoted(targets: &[QuestionTarget]) -> String {
    let names = targets.iter();
    let names: Vec<String> = names
        .map(|target| format!("`{}`", target.text.replace('`', "'")))
        .collect();
    names.join(", ")
}

#[cfg(test)]
mod tests;
