//! The result of `grounds review` in its formats.

mod json;
mod owners;
mod pretty;

use std::io::{self, Write};

use grounds_review::forms::{self, ShownScope};
use grounds_review::{Report, RuleSet, Severity};

use super::Style;
use crate::cli::ReviewFormat;
use crate::safe;

pub use json::ReviewReport;

/// Returns the word for a severity.
pub(super) const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Info => "info",
        Severity::Minor => "minor",
        Severity::Major => "major",
        Severity::Critical => "critical",
    }
}

/// Writes a report in a format.
///
/// # Errors
/// What the writer says.
pub fn print(
    report: &Report,
    rules: &RuleSet,
    format: ReviewFormat,
    style: &Style<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    // For the other forms: JSON has every finding with its standing.
    let which = if style.verbose {
        ShownScope::All
    } else {
        ShownScope::Gate
    };
    let json = |value: serde_json::Value, out: &mut dyn Write| {
        let text = serde_json::to_string_pretty(&value)?;
        writeln!(out, "{}", safe::for_json(&text))
    };
    match format {
        ReviewFormat::Pretty => pretty::write(report, style, out),
        ReviewFormat::Json => json(serde_json::to_value(ReviewReport::of(report))?, out),
        ReviewFormat::Sarif => json(
            forms::sarif::render(report, rules, env!("CARGO_PKG_VERSION"), which),
            out,
        ),
        ReviewFormat::Rdjson => json(forms::rdjson::render(report, which), out),
        ReviewFormat::Markdown => write!(
            out,
            "{}",
            safe::for_terminal(&forms::markdown::render(report, which))
        ),
        ReviewFormat::Annotations => write!(
            out,
            "{}",
            safe::for_terminal(&forms::annotations::render(report, which))
        ),
    }
}
