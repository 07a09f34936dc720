//! Compares findings with earlier reviews and with dismissals: a finding is new, unchanged or
//! dismissed, and one that is gone is resolved. Compared by fingerprints, so that lines may move.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::diff::Revision;
use crate::finding::Finding;
use crate::report::{BaselineState, LineState, Report, Resolved};

/// The schema of a file of known findings.
const SCHEMA: &str = "grounds.baseline/1";
/// Maximum number of findings in one file.
const FINDINGS_MAX: usize = 100_000;

/// An error in a file of known or dismissed findings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("read `{path}`: {reason}")]
pub struct BaselineError {
    /// The file.
    pub path: String,
    /// What is wrong, with line and column if they are known.
    pub reason: String,
}

/// The findings of an earlier review.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// The commit that the earlier change started from; `None` if it was no commit.
    pub base: Option<String>,
    /// The findings.
    pub known: Vec<KnownFinding>,
}

/// A finding that is known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KnownFinding {
    /// Its fingerprint.
    pub fingerprint: String,
    /// Its file.
    pub path: String,
    /// Its title.
    pub title: String,
}

/// The findings that people dismissed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dismissals {
    /// The dismissals, in the order of the file.
    pub list: Vec<Dismissal>,
}

/// A finding that someone dismissed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dismissal {
    /// Its fingerprint.
    pub fingerprint: String,
    /// Its file.
    pub path: String,
    /// The title of the finding.
    pub finding: String,
    /// The reason that it does not count.
    pub reason: String,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct BaselineFile {
    schema: String,
    base: Option<String>,
    findings: Vec<KnownEntry>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct KnownEntry {
    fingerprint: String,
    path: String,
    title: String,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct DismissalEntry {
    fingerprint: String,
    path: String,
    finding: String,
    reason: String,
}

impl Baseline {
    /// Returns the findings of a report, for the next review.
    pub fn of(report: &Report) -> Self {
        let known = report.findings.iter().map(|reported| KnownFinding {
            fingerprint: reported.fingerprint.clone(),
            path: reported.finding.path.clone(),
            title: reported.finding.title.clone(),
        });
        let mut known: Vec<KnownFinding> = known.collect();
        known.sort();
        Self {
            base: commit(&report.base),
            known,
        }
    }

    /// Reads the text of a file of known findings.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(path: &str, text: &str) -> Result<Self, BaselineError> {
        let wrong = |reason: String| BaselineError {
            path: path.to_owned(),
            reason,
        };
        let file: BaselineFile =
            serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        if file.schema != SCHEMA {
            return Err(wrong(format!(
                "its schema is `{}`, not `{SCHEMA}`",
                file.schema
            )));
        }
        if file.findings.len() > FINDINGS_MAX {
            return Err(wrong(format!("it has more than {FINDINGS_MAX} findings")));
        }
        let known = file.findings.into_iter().map(
            |KnownEntry {
                 fingerprint,
                 path,
                 title,
             }| KnownFinding {
                fingerprint,
                path,
                title,
            },
        );
        Ok(Self {
            base: file.base,
            known: known.collect(),
        })
    }

    /// Returns the text of a file of these findings.
    pub fn render(&self) -> String {
        let entry = |known: &KnownFinding| KnownEntry {
            fingerprint: known.fingerprint.clone(),
            path: known.path.clone(),
            title: known.title.clone(),
        };
        let file = BaselineFile {
            schema: SCHEMA.to_owned(),
            base: self.base.clone(),
            findings: self.known.iter().map(entry).collect(),
        };
        serde_json::to_string_pretty(&file).unwrap_or_default() + "\n"
    }
}

impl Dismissals {
    /// Their path below the top of a repository.
    pub const PATH: &'static str = ".grounds/dismissed.yml";

    /// Reads the text of a file of dismissals.
    ///
    /// # Errors
    /// What is wrong with it, with line and column. A dismissal without a reason is wrong.
    pub fn read(path: &str, text: &str) -> Result<Self, BaselineError> {
        let wrong = |reason: String| BaselineError {
            path: path.to_owned(),
            reason,
        };
        if text
            .lines()
            // A file of comments alone is not a list for the YAML reader, but it means that nothing
            // is dismissed.
            .all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'))
        {
            return Ok(Self::default());
        }
        let entries: Vec<DismissalEntry> = serde_saphyr::from_str(text)
            .map_err(|error| wrong(error.without_snippet().to_string()))?;
        if entries.len() > FINDINGS_MAX {
            return Err(wrong(format!("it has more than {FINDINGS_MAX} dismissals")));
        }
        if let Some(entry) = entries.iter().find(|entry| entry.reason.trim().is_empty()) {
            return Err(wrong(format!(
                "the dismissal of `{}` gives no reason",
                entry.fingerprint
            )));
        }
        let dismissal = |DismissalEntry {
                             fingerprint,
                             path,
                             finding,
                             reason,
                         }| Dismissal {
            fingerprint,
            path,
            finding,
            reason,
        };
        Ok(Self {
            list: entries.into_iter().map(dismissal).collect(),
        })
    }

    /// Returns the lines to append to a file of dismissals. They are written as JSON strings, which
    /// are YAML strings too.
    pub fn entry(finding: &Finding, reason: &str) -> String {
        let quoted = |text: &str| {
            serde_json::to_string(&crate::fingerprint::normalised(text)).unwrap_or_default()
        };
        let (fingerprint, path) = (
            crate::fingerprint::of(finding),
            serde_json::to_string(&finding.path).unwrap_or_default(),
        );
        format!(
            "- fingerprint: {fingerprint:?}\n  path: {path}\n  finding: {}\n  reason: {}\n",
            quoted(&finding.title),
            quoted(reason)
        )
    }
}

fn commit(revision: &Revision) -> Option<String> {
    match revision {
        Revision::Commit(hash) => Some(hash.clone()),
        Revision::Applied(_) | Revision::Index | Revision::WorkingTree | Revision::Unknown => None,
    }
}

/// Sets the baseline state of each finding, and lists the findings of the last review that are
/// gone. The gate has to decide again afterwards.
pub fn apply(report: &mut Report, baseline: &Baseline, dismissals: &Dismissals) {
    let mut left = Left::of(&baseline.known);
    // Every finding takes a known one of its own file first, so that a finding in a copied file
    // does not take the one of the original.
    let looked_up: Vec<bool> = report
        .findings
        .iter()
        .map(|reported| left.take(&reported.fingerprint, Some(&reported.finding.path)))
        .collect();
    for (reported, mut is_known) in report.findings.iter_mut().zip(looked_up) {
        // The file may have been renamed.
        is_known = is_known || left.take(&reported.fingerprint, None);
        let dismissal = dismissals
            .list
            .iter()
            .find(|dismissal| dismissal.fingerprint == reported.fingerprint);
        reported.baseline = match dismissal {
            Some(dismissal) => BaselineState::Dismissed {
                reason: dismissal.reason.clone(),
            },
            None if is_known => BaselineState::Unchanged,
            None => BaselineState::New,
        };
    }
    let has_same_base = baseline.base.is_some() && baseline.base == commit(&report.base);
    report.resolved = left
        .rest()
        .filter(|known| was_judged(report, known, has_same_base))
        .map(resolved)
        .collect();
    if report
        .files
        .iter()
        .any(|file| file.path == Dismissals::PATH)
    {
        report.notes.push(format!(
            "this change itself edits what is dismissed (`{}`)",
            Dismissals::PATH
        ));
    }
}

fn resolved(known: &KnownFinding) -> Resolved {
    Resolved {
        fingerprint: known.fingerprint.clone(),
        path: known.path.clone(),
        title: known.title.clone(),
    }
}

/// Reports whether this review would have found a known finding: one that was not judged is not
/// resolved.
fn was_judged(report: &Report, known: &KnownFinding, has_same_base: bool) -> bool {
    if !report.failures.is_empty()
        || report
            .rules_not_judged
            .iter()
            .any(|open| open.path == known.path || open.path.is_empty())
    {
        return false;
    }
    let Some(file) = report.files.iter().find(|file| file.path == known.path) else {
        // A file that is not in this change is as it was at the base. That resolves a finding only
        // if the last review had the same base: then the change to the file was taken back.
        return has_same_base;
    };
    file.lines.iter().all(|lines| match lines.state {
        LineState::Reviewed | LineState::RulesOnly => true,
        LineState::Clipped
        | LineState::Skipped(_)
        | LineState::Failed
        | LineState::NotJudged(_) => false,
    })
}

/// Known findings that are not matched with a finding yet.
struct Left<'k> {
    known: &'k [KnownFinding],
    is_taken: Vec<bool>,
    by_fingerprint: BTreeMap<&'k str, Vec<usize>>,
}

impl<'k> Left<'k> {
    fn of(known: &'k [KnownFinding]) -> Self {
        let mut by_fingerprint: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, known) in known.iter().enumerate() {
            by_fingerprint
                .entry(&known.fingerprint)
                .or_default()
                .push(index);
        }
        Self {
            known,
            is_taken: vec![false; known.len()],
            by_fingerprint,
        }
    }

    /// Takes one with this fingerprint, in this file if one is given.
    fn take(&mut self, fingerprint: &str, path: Option<&str>) -> bool {
        let Some(same) = self.by_fingerprint.get(fingerprint) else {
            return false;
        };
        let fits = |index: &&usize| {
            !self.is_taken[**index] && path.is_none_or(|path| self.known[**index].path == path)
        };
        let Some(&index) = same.iter().find(fits) else {
            return false;
        };
        self.is_taken[index] = true;
        true
    }

    fn rest(&self) -> impl Iterator<Item = &'k KnownFinding> {
        self.known
            .iter()
            .zip(&self.is_taken)
            .filter(|(_, is_taken)| !**is_taken)
            .map(|(known, _)| known)
    }
}

#[cfg(test)]
mod tests;
