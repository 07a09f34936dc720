//! probe: code search over syntax trees.

use std::ffi::OsString;

use super::{Peer, of_line};
use crate::observed::Spot;

/// `probe`.
pub(super) struct Probe;

impl Peer for Probe {
    fn name(&self) -> &'static str {
        "probe"
    }

    fn program(&self) -> &'static str {
        "probe"
    }

    fn words(&self, query: &str) -> Vec<OsString> {
        // After `--`, a query that begins with a dash is no option.
        let fixed = [
            "search",
            "--exact",
            "--allow-tests",
            "--format",
            "json",
            "--max-results",
            "50",
            "--",
        ];
        fixed
            .into_iter()
            .map(OsString::from)
            .chain([query.into(), ".".into()])
            .collect()
    }

    fn places(&self, said: &str, _query: &str) -> std::io::Result<Vec<Spot>> {
        let parsed: serde_json::Value = serde_json::from_str(said)?;
        let rows = parsed["results"]
            .as_array()
            .ok_or(std::io::ErrorKind::InvalidData)?;
        let mut rows: Vec<&serde_json::Value> = rows.iter().collect();
        // They are listed by file. If they have a score, it tells which is best.
        rows.sort_by(|one, other| score(other).total_cmp(&score(one)));
        Ok(rows.into_iter().filter_map(of_row).collect())
    }
}

fn score(row: &serde_json::Value) -> f64 {
    row["score"].as_f64().unwrap_or(0.0)
}

/// Parses `{"file": …, "lines": [first, last], "matches": [{"start_line": …}]}`. The place is that
/// of the first match, if it has a line.
fn of_row(row: &serde_json::Value) -> Option<Spot> {
    let line = row["matches"][0]["start_line"]
        .as_u64()
        .or_else(|| row["lines"][0].as_u64())
        .unwrap_or(0);
    of_line(&format!("{}:{line}:", row["file"].as_str()?))
}
