//! `check` of a document: the job, and its report as diagnostics.

use std::fmt::Write as _;
use std::ops::Range;

use lsp_types::{Diagnostic, DiagnosticSeverity};
use serde::{Deserialize, Serialize};

use super::diagnostics::{CHECK, bounded, code, notice};
use super::documents::OpenDocument;
use super::position::TextLines;
use crate::exit::Exit;
use crate::mcp::tools::ProgramCall;
use crate::safe;

/// Codes that come with a report.
pub(super) const CODES: [Exit; 3] = [Exit::Answered, Exit::Insufficient, Exit::False];

/// The parts of a report of `check` that are read.
#[derive(Debug, Deserialize)]
pub(super) struct CheckedReport {
    counts: CheckedCounts,
    claims: Vec<CheckedClaim>,
    limits: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct CheckedCounts {
    claims: usize,
    holds: usize,
    contradicted: usize,
    gone: usize,
    not_found: usize,
    unknown: usize,
}

#[derive(Debug, Deserialize)]
struct CheckedClaim {
    line: usize,
    column: usize,
    text: String,
    kind: String,
    verdict: String,
    is_note: bool,
    message: String,
    suggestion: Option<String>,
    fix: Option<String>,
    evidence: Vec<Evidence>,
}

#[derive(Debug, Deserialize)]
struct Evidence {
    path: String,
    line: Option<u32>,
    commit: Option<String>,
    date: Option<String>,
    text: String,
}

/// A repair, as a diagnostic carries it to the editor and back.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Repair {
    /// The text in the document.
    pub(super) written: String,
    /// The replacement.
    pub(super) fix: String,
}

/// Letters of a commit's hash that are shown.
const HASH_LETTERS: usize = 10;

/// Returns the call that checks the text of a document as the editor has it.
pub(super) fn call(document: &OpenDocument) -> ProgramCall {
    let mut name = std::ffi::OsString::from("--stdin-name=");
    name.push(&document.place.path);
    ProgramCall {
        folder: Some(document.place.folder.clone()),
        words: vec!["check".into(), "--no-store".into(), name, "-".into()],
        input: Some(document.text.to_string()),
        ..ProgramCall::default()
    }
}

impl CheckedReport {
    /// Returns the report as diagnostics of the text that was checked.
    pub(super) fn diagnostics(&self, text: &str, most: usize) -> Vec<Diagnostic> {
        let lines = TextLines::of(text);
        // `check` counts lines by `\n` alone, unlike the protocol, and columns in bytes.
        let starts: Vec<usize> = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(at, _)| at + 1))
            .collect();
        let claims = self.claims.iter();
        let found = claims.map(|claim| claim.diagnostic(&lines, &starts, text));
        let mut found = bounded(CHECK, found.collect(), most, text);
        let limits = self.limits.iter().map(|limit| {
            let message = format!("checked in part: {limit}");
            notice(
                CHECK,
                "in-part",
                &message,
                DiagnosticSeverity::INFORMATION,
                text,
            )
        });
        found.extend(limits);
        // An empty list would look as if every statement held.
        if self.counts.claims > 0 && self.counts.holds + self.claims.len() == 0 {
            let message = format!(
                "no statement of this text could be decided: {} were not seen here, {} are not decidable",
                self.counts.not_found, self.counts.unknown
            );
            found.push(notice(
                CHECK,
                "undecided",
                &message,
                DiagnosticSeverity::HINT,
                text,
            ));
        }
        found
    }

    /// Returns the report in one line.
    pub(super) fn summary(&self) -> String {
        let counts = &self.counts;
        format!(
            "{} claims: {} hold, {} do not, {} were not seen here, {} could not be decided",
            counts.claims,
            counts.holds,
            counts.contradicted + counts.gone,
            counts.not_found,
            counts.unknown
        )
    }
}

impl CheckedClaim {
    fn diagnostic(&self, lines: &TextLines<'_>, starts: &[usize], text: &str) -> Diagnostic {
        let place = self.place(starts, text);
        let range = match place.clone() {
            Some(bytes) => lines.span(bytes),
            // The program read the text in another way: the line is right, the columns may not be.
            None => lines.line_span(self.line.saturating_sub(1)),
        };
        // Without its exact place a repair could be written elsewhere.
        let repair = self
            .fix
            .as_ref()
            .filter(|_| place.is_some())
            .map(|fix| Repair {
                written: self.text.clone(),
                fix: fix.clone(),
            });
        Diagnostic {
            range,
            severity: Some(match self.is_note {
                true => DiagnosticSeverity::INFORMATION,
                false => DiagnosticSeverity::ERROR,
            }),
            code: Some(code(&format!("{}-{}", self.kind, self.verdict))),
            source: Some(CHECK.to_owned()),
            message: self.message(),
            data: repair.and_then(|repair| serde_json::to_value(repair).ok()),
            ..Diagnostic::default()
        }
    }

    /// Returns the bytes of the claim, if the text has it there.
    fn place(&self, starts: &[usize], text: &str) -> Option<Range<usize>> {
        let start = starts.get(self.line.checked_sub(1)?)? + self.column.checked_sub(1)?;
        let bytes = start..start + self.text.len();
        (text.get(bytes.clone()) == Some(&self.text)).then_some(bytes)
    }

    fn message(&self) -> String {
        let verdict = self.verdict.replace('_', " ");
        let mut message = format!("{verdict}: {}", self.message);
        if let Some(suggestion) = &self.suggestion {
            let _ = write!(message, "; try `{suggestion}`");
        }
        for evidence in &self.evidence {
            let _ = write!(message, "\n{}", evidence.words());
        }
        safe::for_terminal(&message).into_owned()
    }
}

impl Evidence {
    fn words(&self) -> String {
        let place = match (&self.commit, self.line) {
            (Some(commit), _) => {
                let short: String = commit.chars().take(HASH_LETTERS).collect();
                let date = self.date.as_deref().unwrap_or("an unknown date");
                format!("{short} of {date}, {}", self.path)
            }
            (None, Some(line)) => format!("{}:{line}", self.path),
            (None, None) => self.path.clone(),
        };
        match self.text.is_empty() {
            true => place,
            false => format!("{place}: {}", self.text),
        }
    }
}
