//! A ranking for a text, in each format of a result. Every format says that a ranking is no proof.

use std::io::{self, Write};

use grounds_ask::Investigation;
use grounds_ask::localise::{RankedFile, RankedSpan};
use grounds_evidence::Outcome;
use schemars::JsonSchema;
use serde::Serialize;

use super::pretty::{BAD, DIM, PrettyPage};
use crate::safe;

/// Where a text points, which is no proof.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct RankingReport {
    /// The likeliest first.
    files: Vec<FileReport>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct FileReport {
    path: String,
    /// The part that the file plays: source, header, test, documentation and others.
    role: &'static str,
    /// Whether the text points at it by path, trace, definition or message, and not by words alone.
    named: bool,
    /// The weightiest reason first.
    why: Vec<String>,
    /// The functions and lines in it, the likeliest first.
    spans: Vec<SpanReport>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct SpanReport {
    /// The definition with what encloses it; empty for lines without one.
    name: String,
    line_start: u32,
    line_end: u32,
}

impl RankingReport {
    pub(super) fn of(investigation: &Investigation) -> Option<Self> {
        let span = |span: &RankedSpan| SpanReport {
            name: span.name.clone(),
            line_start: span.line_start,
            line_end: span.line_end,
        };
        let file = |file: &RankedFile| FileReport {
            path: file.path.as_str().to_owned(),
            role: file.role.as_str(),
            named: file.is_named,
            why: file.why.clone(),
            spans: file.spans.iter().map(span).collect(),
        };
        investigation.is_ranking.then(|| Self {
            files: investigation.ranked.iter().map(file).collect(),
        })
    }
}

/// Returns the first line: what the ranking is worth.
pub(super) fn verdict(investigation: &Investigation) -> &'static str {
    if investigation.outcome == Outcome::NotCheckable {
        return "not checkable: the text names nothing in a codebase to look for";
    }
    match investigation.ranked.is_empty() {
        true => "cannot tell: the text points at nothing that was read",
        false => "ranking, no proof: the places that the text points at, the likeliest first",
    }
}

/// Writes the places with the reasons below each.
pub(super) fn pretty(
    page: &PrettyPage<'_>,
    investigation: &Investigation,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{}\n", page.paint(BAD, verdict(investigation)))?;
    for (number, file) in investigation.ranked.iter().enumerate() {
        let line = file.spans.first().map_or(0, |span| span.line_start);
        let spans = spans(file);
        let gap = if spans.is_empty() { "" } else { "  " };
        writeln!(
            out,
            "{:>2}. {}{gap}{}",
            number + 1,
            page.place(file.path.as_str(), line),
            safe::for_line(&spans)
        )?;
        writeln!(
            out,
            "    {}",
            page.paint(DIM, &safe::for_line(&file.why.join("; ")))
        )?;
    }
    if investigation.ranked.is_empty() {
        Ok(())
    } else {
        writeln!(out)
    }
}

/// Writes a numbered list.
pub(super) fn markdown(investigation: &Investigation, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}\n", verdict(investigation))?;
    for (number, file) in investigation.ranked.iter().enumerate() {
        let line = file
            .spans
            .first()
            .map_or_else(String::new, |span| format!(":{}", span.line_start));
        let path = safe::for_line(file.path.as_str());
        writeln!(
            out,
            "{}. `{path}{line}` {}",
            number + 1,
            safe::for_line(&spans(file))
        )?;
        writeln!(out, "   {}", safe::for_line(&file.why.join("; ")))?;
    }
    writeln!(out)
}

/// Returns the functions and lines of a file.
fn spans(file: &RankedFile) -> String {
    let lines = |span: &RankedSpan| match span.line_start == span.line_end {
        true => span.line_start.to_string(),
        false => format!("{}-{}", span.line_start, span.line_end),
    };
    let of = |span: &RankedSpan| {
        if span.name.is_empty() {
            lines(span)
        } else {
            format!("`{}` {}", span.name, lines(span))
        }
    };
    file.spans
        .iter()
        .map(of)
        .collect::<Vec<String>>()
        .join(", ")
}
