//! The findings of each document. A list of the protocol replaces all of a document's findings, so
//! those of `check` and of `review` are kept separately here and sent together.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lsp_types::{Diagnostic, DiagnosticSeverity, NumberOrString, PublishDiagnosticsParams, Uri};
use url::Url;

use super::position::TextLines;
use crate::safe;

/// The source of a finding of `check`.
pub(super) const CHECK: &str = "grounds check";
/// The source of a finding of `review`.
pub(super) const REVIEW: &str = "grounds review";

/// The findings that are shown.
#[derive(Default)]
pub(super) struct ShownFindings {
    by_file: BTreeMap<String, FindingsCount>,
}

struct FindingsCount {
    uri: Uri,
    check: Vec<Diagnostic>,
    review: Vec<Diagnostic>,
    /// The checkout whose review gave `review`.
    folder: Option<PathBuf>,
}

impl ShownFindings {
    /// Returns the findings of `check` at a document.
    pub(super) fn of_check(&self, uri: &str) -> &[Diagnostic] {
        self.by_file
            .get(&key(uri))
            .map_or(&[], |findings| &findings.check)
    }

    /// Replaces the findings of `check` at a document.
    pub(super) fn check(
        &mut self,
        uri: &Uri,
        version: Option<i32>,
        found: Vec<Diagnostic>,
    ) -> PublishDiagnosticsParams {
        let findings = self.at(uri);
        // The editor finds a document again only by the address in its own spelling.
        findings.uri = uri.clone();
        findings.check = found;
        findings.publish(version)
    }

    /// Replaces all findings of the review of a checkout.
    pub(super) fn review(
        &mut self,
        folder: &Path,
        found: Vec<(Uri, Vec<Diagnostic>)>,
    ) -> Vec<PublishDiagnosticsParams> {
        let mut changed = Vec::new();
        for (file, findings) in &mut self.by_file {
            let is_of_folder = findings.folder.as_deref() == Some(folder);
            // A file whose last finding is mended is in no new list: an empty one has to be sent
            // for it.
            if is_of_folder && !found.iter().any(|(uri, _)| key(uri.as_str()) == *file) {
                findings.review.clear();
                findings.folder = None;
                changed.push(findings.publish(None));
            }
        }
        for (uri, found) in found {
            let findings = self.at(&uri);
            findings.review = found;
            findings.folder = Some(folder.to_owned());
            changed.push(findings.publish(None));
        }
        changed
    }

    /// Adds to the findings of a review at a document, whose review failed.
    pub(super) fn review_failed(
        &mut self,
        folder: &Path,
        uri: &Uri,
        why: &str,
    ) -> PublishDiagnosticsParams {
        let findings = self.at(uri);
        findings.folder = Some(folder.to_owned());
        let is_notice = |found: &Diagnostic| found.code == Some(code(NOT_DONE));
        // Older findings stay, since the review that failed says nothing about them; notices do not
        // pile up.
        findings.review.retain(|found| !is_notice(found));
        findings.review.push(not_done(REVIEW, why, ""));
        findings.publish(None)
    }

    /// Forgets the findings of `check` at a document that is closed.
    pub(super) fn close(&mut self, uri: &str) -> Option<PublishDiagnosticsParams> {
        let findings = self.by_file.get_mut(&key(uri))?;
        findings.check.clear();
        let left = findings.publish(None);
        if left.diagnostics.is_empty() {
            self.by_file.remove(&key(uri));
        }
        Some(left)
    }

    fn at(&mut self, uri: &Uri) -> &mut FindingsCount {
        let none = || FindingsCount {
            uri: uri.clone(),
            check: Vec::new(),
            review: Vec::new(),
            folder: None,
        };
        self.by_file.entry(key(uri.as_str())).or_insert_with(none)
    }
}

/// Returns the file of an address, since editors escape other characters than we do.
fn key(uri: &str) -> String {
    let path = Url::parse(uri).ok().and_then(|url| url.to_file_path().ok());
    path.map_or_else(
        || uri.to_owned(),
        |path| path.to_string_lossy().into_owned(),
    )
}

impl FindingsCount {
    fn publish(&self, version: Option<i32>) -> PublishDiagnosticsParams {
        let all = self.check.iter().chain(&self.review).cloned().collect();
        PublishDiagnosticsParams::new(self.uri.clone(), all, version)
    }
}

/// The code of the diagnostic of a job that failed.
const NOT_DONE: &str = "not-done";

/// Returns the diagnostic of a job that failed: without it an empty list would say that nothing was
/// found.
pub(super) fn not_done(source: &str, why: &str, text: &str) -> Diagnostic {
    let message = format!("nothing is known: {why}");
    notice(
        source,
        NOT_DONE,
        &message,
        DiagnosticSeverity::WARNING,
        text,
    )
}

/// Returns a diagnostic about a text as a whole, shown at its first line.
pub(super) fn notice(
    source: &str,
    code_name: &str,
    message: &str,
    severity: DiagnosticSeverity,
    text: &str,
) -> Diagnostic {
    Diagnostic {
        range: TextLines::of(text).line_span(0),
        severity: Some(severity),
        code: Some(code(code_name)),
        source: Some(source.to_owned()),
        message: safe::for_terminal(message).into_owned(),
        ..Diagnostic::default()
    }
}

/// Returns the first findings of a list, with a notice of how many are left out.
pub(super) fn bounded(
    source: &str,
    mut found: Vec<Diagnostic>,
    most: usize,
    text: &str,
) -> Vec<Diagnostic> {
    let more = found.len().saturating_sub(most);
    if more > 0 {
        found.truncate(most);
        let message = format!("{more} more findings are not shown (`lsp.diagnostics_max`)");
        let severity = DiagnosticSeverity::WARNING;
        found.push(notice(source, "not-all", &message, severity, text));
    }
    found
}

pub(super) fn code(name: &str) -> NumberOrString {
    NumberOrString::String(name.to_owned())
}
