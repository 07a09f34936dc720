//! The report of an evaluation: one value, and its forms: a table for terminals, JSON, and one page
//! of HTML that needs nothing else.

mod escape;
pub mod explain;
mod html;
mod plots;
mod table;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::metrics::{self, Figures, Flow, Lenses};
use crate::peers::{self, PeerFigures};
use crate::result::CaseResult;
use crate::snapshot::SnapshotChange;
use crate::verdict::Verdict;

/// The name and version of the schema.
pub const SCHEMA: &str = "grounds.eval/1";

/// What an evaluation showed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(title = "grounds.eval/1")]
pub struct EvalReport {
    /// The name and version of the schema: `grounds.eval/1`.
    pub schema: &'static str,
    /// The version of the program.
    pub version: String,
    /// Cases beside each other.
    pub jobs: usize,
    /// Over all, by suite and by class.
    pub figures: Vec<Figures>,
    /// How cases should end and how they ended.
    pub flows: Vec<Flow>,
    /// The derived confidence beside the scorecard, on the same runs.
    pub lenses: Lenses,
    /// The figures over the cases that other tools were given; null if none was asked.
    pub beside_peers: Option<Figures>,
    /// Other tools on the same cases.
    pub peers: Vec<PeerFigures>,
    /// What differs from the snapshot; null if none was compared.
    pub changes: Option<Vec<SnapshotChange>>,
    /// Every case, in the order of the suites.
    pub cases: Vec<CaseResult>,
}

impl EvalReport {
    /// Returns the report of results.
    pub fn of(
        cases: Vec<CaseResult>,
        jobs: usize,
        peers: Vec<PeerFigures>,
        changes: Option<Vec<SnapshotChange>>,
    ) -> Self {
        // Only cases that other tools can be asked are compared with them.
        let shared: Vec<&CaseResult> = cases
            .iter()
            .filter(|case| peers::is_for_peers(case))
            .collect();
        let beside_peers = (!peers.is_empty()).then(|| Figures::of("grounds", &shared));
        Self {
            beside_peers,
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            jobs,
            figures: metrics::all(&cases),
            flows: metrics::flows(&cases),
            lenses: Lenses::of(&cases),
            peers,
            changes,
            cases,
        }
    }

    /// Returns the schema of the report.
    pub fn schema() -> schemars::Schema {
        schemars::schema_for!(Self)
    }

    /// Returns the report as JSON.
    ///
    /// # Errors
    /// The error of the writer.
    pub fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }

    /// Returns the report as a table for terminals.
    pub fn table(&self) -> String {
        table::of(self)
    }

    /// Returns the report as one page of HTML.
    pub fn html(&self) -> String {
        html::of(self)
    }

    /// Counts the cases with a verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.cases
            .iter()
            .filter(|case| case.verdict == verdict)
            .count()
    }

    /// Returns the cases of each verdict except right ones, by name.
    pub fn misses(&self) -> BTreeMap<Verdict, Vec<&CaseResult>> {
        let mut misses: BTreeMap<Verdict, Vec<&CaseResult>> = BTreeMap::new();
        let wrong = self
            .cases
            .iter()
            .filter(|case| case.verdict != Verdict::Right);
        wrong.for_each(|case| misses.entry(case.verdict).or_default().push(case));
        misses
    }
}

/// Formats a rate for people: `97.5 %`, or a dash for no cases.
fn percent(rate: Option<f64>) -> String {
    rate.map_or_else(|| "-".to_owned(), |rate| format!("{:.1} %", rate * 100.0))
}

/// Formats a number for people, or a dash.
fn number(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.decimals$}"))
}

#[cfg(test)]
mod tests;
