//! The snapshot: the parts of each case's result that stay the same between runs and machines. It
//! is committed, and every difference from it is reported for its case.

use std::collections::BTreeMap;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::EvalError;
use crate::result::CaseResult;

/// Most places of a case.
const PLACES_MAX: usize = 5;

/// What is kept of a case: one line of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SnapshotLine {
    /// SUITE/ID.
    pub case: String,
    /// What came of it.
    pub verdict: String,
    /// How it ended.
    pub ended: String,
    /// The intent.
    pub intent: String,
    /// The level of the confidence.
    pub level: String,
    /// The band of the scorecard.
    pub band: String,
    /// The first places, as PATH:LINE.
    pub places: Vec<String>,
}

/// What differs for one case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SnapshotChange {
    /// SUITE/ID.
    pub case: String,
    /// What differs.
    pub field: String,
    /// As it was kept; null for a new case.
    pub before: Option<String>,
    /// As it is; null for a case that is gone.
    pub now: Option<String>,
}

/// Returns the snapshot of results.
pub fn of(results: &[CaseResult]) -> Vec<SnapshotLine> {
    results.iter().map(kept).collect()
}

fn kept(result: &CaseResult) -> SnapshotLine {
    let seen = result.observed.clone().unwrap_or_default();
    // A case without an answer still leads to places, and changes of these must be seen as well.
    let places = if seen.cited.is_empty() {
        &seen.leads
    } else {
        &seen.cited
    };
    SnapshotLine {
        case: result.name(),
        verdict: result.verdict.as_str().to_owned(),
        ended: result.ending().to_owned(),
        intent: seen.intent.clone(),
        level: seen.confidence.level.clone(),
        band: seen
            .scorecard
            .as_ref()
            .map_or_else(String::new, |card| card.band.clone()),
        places: places
            .iter()
            .take(PLACES_MAX)
            .map(crate::observed::Spot::shown)
            .collect(),
    }
}

/// Returns the text of a snapshot.
pub fn text(kept: &[SnapshotLine]) -> String {
    kept.iter()
        .filter_map(|kept| serde_json::to_string(kept).ok())
        .fold(String::new(), |text, line| text + &line + "\n")
}

/// Reads a snapshot. A missing file is an empty one, so that every case is new.
///
/// # Errors
/// [`EvalError::File`] when it cannot be read.
pub fn read(path: &Path) -> Result<Vec<SnapshotLine>, EvalError> {
    let text = match std::fs::read_to_string(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other.map_err(|error| EvalError::file(path, error))?,
    };
    parse(&text).map_err(|reason| EvalError::file(path, reason))
}

/// Reads a snapshot's text.
///
/// # Errors
/// The error, with its line.
pub fn parse(text: &str) -> Result<Vec<SnapshotLine>, String> {
    let line = |(line, number): (&str, usize)| {
        serde_json::from_str(line).map_err(|error| format!("line {number}: {error}"))
    };
    text.lines().zip(1..).map(line).collect()
}

/// Writes a snapshot as a whole, or not at all. Suites that were not run stay as they were.
///
/// # Errors
/// [`EvalError::File`] when it cannot be written.
pub fn write(path: &Path, before: &[SnapshotLine], now: &[SnapshotLine]) -> Result<(), EvalError> {
    let suites: Vec<&str> = now.iter().map(|kept| kept.suite()).collect();
    let others = before.iter().filter(|kept| !suites.contains(&kept.suite()));
    let all: Vec<SnapshotLine> = now.iter().chain(others).cloned().collect();
    let fault = |error: std::io::Error| EvalError::file(path, error);
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    // Only within one file system is a file replaced in one step.
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(fault)?;
    std::io::Write::write_all(&mut file, text(&all).as_bytes()).map_err(fault)?;
    file.persist(path)
        .map_err(|error| EvalError::file(path, error))?;
    Ok(())
}

/// Returns the differences, case by case, in the order of the run. Suites that were not run are not
/// compared.
pub fn changes(before: &[SnapshotLine], now: &[SnapshotLine]) -> Vec<SnapshotChange> {
    let known: BTreeMap<&str, &SnapshotLine> = before
        .iter()
        .map(|kept| (kept.case.as_str(), kept))
        .collect();
    let names: Vec<&str> = now.iter().map(|kept| kept.case.as_str()).collect();
    let suites: Vec<&str> = now.iter().map(|kept| kept.suite()).collect();
    let new = now.iter().flat_map(|kept| {
        known
            .get(kept.case.as_str())
            .map_or_else(|| vec![appeared(kept)], |before| before.differences(kept))
    });
    let gone = before
        .iter()
        .filter(|kept| suites.contains(&kept.suite()) && !names.contains(&kept.case.as_str()))
        .map(vanished);
    new.chain(gone).collect()
}

fn appeared(kept: &SnapshotLine) -> SnapshotChange {
    SnapshotChange {
        case: kept.case.clone(),
        field: "case".to_owned(),
        before: None,
        now: Some(kept.verdict.clone()),
    }
}

fn vanished(kept: &SnapshotLine) -> SnapshotChange {
    SnapshotChange {
        case: kept.case.clone(),
        field: "case".to_owned(),
        before: Some(kept.verdict.clone()),
        now: None,
    }
}

impl SnapshotLine {
    fn suite(&self) -> &str {
        self.case.split('/').next().unwrap_or_default()
    }

    fn differences(&self, now: &Self) -> Vec<SnapshotChange> {
        let fields = [
            ("verdict", self.verdict.clone(), now.verdict.clone()),
            ("ended", self.ended.clone(), now.ended.clone()),
            ("intent", self.intent.clone(), now.intent.clone()),
            ("level", self.level.clone(), now.level.clone()),
            ("band", self.band.clone(), now.band.clone()),
            ("places", self.places.join(", "), now.places.join(", ")),
        ];
        let differing = fields.into_iter().filter(|(_, before, now)| before != now);
        differing
            .map(|(field, before, now)| SnapshotChange {
                case: self.case.clone(),
                field: field.to_owned(),
                before: Some(before),
                now: Some(now),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests;
