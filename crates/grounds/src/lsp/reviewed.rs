//! `review` of what is not committed: the job, and its report as diagnostics of files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use grounds_repo::text::read_regular;
use lsp_types::{Diagnostic, DiagnosticSeverity, Position, Range, Uri};
use serde::Deserialize;
use url::Url;

use super::diagnostics::{REVIEW, bounded, code};
use super::position::{TextLines, small};
use super::workspace::{DocumentPlace, Workspace};
use crate::config::LspBounds;
use crate::exit::Exit;
use crate::mcp::tools::ProgramCall;
use crate::safe;

/// Codes that come with a report.
pub(super) const CODES: [Exit; 3] = [Exit::Answered, Exit::Failed, Exit::Blocked];

/// The parts of a report of `review` that are read.
#[derive(Debug, Deserialize)]
pub(super) struct ReviewedReport {
    outcome: String,
    files: Vec<serde_json::Value>,
    findings: Vec<ReviewedFinding>,
    rules: ReviewedRules,
    bounds: Vec<serde_json::Value>,
    failures: Vec<serde_json::Value>,
    notes: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct ReviewedRules {
    not_judged: Vec<serde_json::Value>,
}

#[derive(Debug, Deserialize)]
struct ReviewedFinding {
    path: String,
    line_start: Option<usize>,
    line_end: Option<usize>,
    column_start: Option<usize>,
    column_end: Option<usize>,
    rule: Option<String>,
    severity: String,
    title: String,
    message: String,
    standing: String,
}

/// Returns the call that reviews the checkout of a document by rules; `None` if it is in no
/// repository.
pub(super) fn call(place: &DocumentPlace) -> Option<(PathBuf, ProgramCall)> {
    let mut above = place.folder.ancestors();
    // In a linked worktree `.git` is a file.
    let top = above.find(|folder| folder.join(".git").exists())?;
    // A review after each save must not wait for a model, nor fill the store of runs.
    let words = ["review", "--uncommitted", "--rules-only", "--no-store"];
    let call = ProgramCall {
        folder: Some(place.folder.clone()),
        words: words.map(Into::into).to_vec(),
        ..ProgramCall::default()
    };
    Some((top.to_owned(), call))
}

impl ReviewedReport {
    /// Returns what failed in it, if anything did.
    pub(super) fn failure(&self) -> Option<String> {
        let shown: Vec<String> = self.failures.iter().map(ToString::to_string).collect();
        (self.outcome == "failed")
            .then(|| format!("a part of the review failed: {}", shown.join("; ")))
    }

    /// Returns the report in one line.
    pub(super) fn summary(&self) -> String {
        let mut words = vec![format!(
            "{} changed files, {} findings",
            self.files.len(),
            self.findings.len()
        )];
        let parts = [
            ("not judged", &self.rules.not_judged),
            ("bounds reached", &self.bounds),
        ];
        for (what, list) in parts {
            words.extend(list.iter().map(|entry| format!("{what}: {entry}")));
        }
        words.extend(self.notes.iter().cloned());
        words.join("; ")
    }

    /// Returns the findings at or above the gate, by file.
    pub(super) fn diagnostics(
        &self,
        top: &Path,
        workspace: &Workspace,
        bounds: &LspBounds,
    ) -> Vec<(Uri, Vec<Diagnostic>)> {
        let mut by_path: BTreeMap<&str, Vec<&ReviewedFinding>> = BTreeMap::new();
        let blocks = |finding: &&ReviewedFinding| finding.standing == "blocks";
        for finding in self.findings.iter().filter(blocks) {
            by_path.entry(&finding.path).or_default().push(finding);
        }
        let mut found = Vec::new();
        for (path, findings) in by_path {
            let file = top.join(path);
            // The editor may have opened only a folder of the repository.
            if !workspace.holds(&file) {
                continue;
            }
            let uri = Url::from_file_path(&file).ok();
            let Some(uri) = uri.and_then(|uri| uri.as_str().parse::<Uri>().ok()) else {
                continue;
            };
            // Columns count letters here and UTF-16 units there; without the text, lines are enough.
            let text = read_regular(&file, bounds.documents_bytes_max as u64)
                .ok()
                .and_then(|bytes| String::from_utf8(bytes).ok());
            let lines = text.as_deref().map(TextLines::of);
            let each = findings
                .iter()
                .map(|finding| finding.diagnostic(text.as_deref(), lines.as_ref()));
            let text = text.as_deref().unwrap_or_default();
            found.push((
                uri,
                bounded(REVIEW, each.collect(), bounds.diagnostics_max, text),
            ));
        }
        found
    }
}

impl ReviewedFinding {
    fn diagnostic(&self, text: Option<&str>, lines: Option<&TextLines<'_>>) -> Diagnostic {
        let severity = match self.severity.as_str() {
            "critical" | "major" => DiagnosticSeverity::ERROR,
            "info" => DiagnosticSeverity::INFORMATION,
            _ => DiagnosticSeverity::WARNING,
        };
        let message = match self.message.is_empty() {
            true => self.title.clone(),
            false => format!("{}\n{}", self.title, self.message),
        };
        let range = match (text, lines) {
            (Some(text), Some(lines)) => self.range(text, lines),
            _ => {
                // An editor counts lines from 0, and shows a finding about a whole file at the
                // first.
                let line = small(self.line_start.unwrap_or(1).saturating_sub(1));
                Range::new(Position::new(line, 0), Position::new(line, 0))
            }
        };
        Diagnostic {
            range,
            severity: Some(severity),
            code: self.rule.as_deref().map(code),
            source: Some(REVIEW.to_owned()),
            message: safe::for_terminal(&message).into_owned(),
            ..Diagnostic::default()
        }
    }

    /// Returns the range from the first column to the last; whole lines if the rule names no
    /// columns.
    fn range(&self, text: &str, lines: &TextLines<'_>) -> Range {
        let first = self.line_start.unwrap_or(1).saturating_sub(1);
        let last = self.line_end.map_or(first, |line| line.saturating_sub(1));
        let byte = |line: usize, column: Option<usize>| {
            let bytes = lines.line(line)?;
            let mut letters = text[bytes.clone()].char_indices();
            let at = letters.nth(column?.saturating_sub(1));
            Some(at.map_or(bytes.end, |(at, _)| bytes.start + at))
        };
        match (byte(first, self.column_start), byte(last, self.column_end)) {
            (Some(start), Some(end)) if start <= end => lines.span(start..end),
            _ => Range::new(lines.line_span(first).start, lines.line_span(last).end),
        }
    }
}
