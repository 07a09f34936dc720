//! Findings of other tools and models, judged like those of our own model: anchored in the diff,
//! checked against the tree, merged, gated. Takes the text of a report in SARIF, in the format of
//! reviewdog, in that of a known analyzer or as a list of comments, and returns candidates, and the
//! entries that could not become one.

mod cargo;
mod checkstyle;
mod comments;
mod rdjson;
mod reports;
mod sarif;

use serde_json::Value;

use crate::anchor::{self, AnchorPlace};
use crate::answer::NameClaim;
use crate::candidate::Candidate;
use crate::diff::{ChangedFile, Diff, LineKind};
use crate::finding::{Anchor, Finding, Producer, Severity};
use crate::measured::{self, Measured, Worth};
use crate::quality::{self, Basis};
use crate::report::{DropReason, Dropped};

/// Maximum number of findings of one report; more are counted and reported.
const FINDINGS_MAX: usize = 50_000;
/// Maximum number of characters of a title.
const TITLE_LETTERS_MAX: usize = 200;
/// Maximum number of characters of a message.
const MESSAGE_LETTERS_MAX: usize = 4_000;

/// A report of another tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Others {
    /// The name that it was given under.
    pub name: String,
    /// Its findings.
    pub findings: Vec<Other>,
    /// The sign that the tool did not finish or that not everything was read; `None` for a complete
    /// report.
    pub failed: Option<String>,
}

/// One finding of another tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Other {
    /// The tool.
    pub tool: String,
    /// Whether an analyzer found it, and not a model or a person.
    pub is_of_analyzer: bool,
    /// The rule; `None` if it names no rule.
    pub rule: Option<String>,
    /// The file, as the report names it.
    pub path: String,
    /// The first and the last line; `None` for the whole file.
    pub lines: Option<(u32, u32)>,
    /// Its severity.
    pub severity: Severity,
    /// Its message.
    pub message: String,
    /// The words of the file that it is about; `None` if it quotes nothing.
    pub quote: Option<String>,
}

/// Reads a report of another tool in any of the known formats.
///
/// # Errors
/// Returns the reason if the text is not a report.
pub fn read(name: &str, text: &str) -> Result<Others, String> {
    // A list of comments is tried last: nearly any JSON with a list could be one.
    let mut others = match serde_json::from_str::<Value>(text) {
        Ok(value) if value.get("runs").is_some() => sarif::read(&value)?,
        Ok(value) if value.get("diagnostics").is_some() => rdjson::read(&value)?,
        Ok(value) if value.get("reason").is_some() => {
            cargo::read_lines(text).ok_or("it is not a cargo report")?
        }
        Ok(value) => match reports::read(&value) {
            Some(others) => others,
            None => comments::read(&value)?,
        },
        Err(error) => match checkstyle::read(text) {
            Some(read) => read?,
            // The other format of reviewdog has one diagnostic per line.
            None => rdjson::read_lines(text)
                .or_else(|| cargo::read_lines(text))
                .ok_or_else(|| error.to_string())?,
        },
    };
    name.clone_into(&mut others.name);
    // ruff reports a syntax error as a finding, mostly outside of the diff. Dropping it like any
    // other would make a file that was not read count as clean.
    others.failed = others.failed.or_else(|| reports::unread(&others.findings));
    if others.findings.len() > FINDINGS_MAX {
        let count = others.findings.len();
        others.findings.truncate(FINDINGS_MAX);
        others.failed = Some(format!(
            "it has {count} findings, of which {FINDINGS_MAX} were read"
        ));
    }
    Ok(others)
}

/// Anchors findings in a diff. Returns candidates in the order of the report, and the findings that
/// are not about the change.
pub fn candidates(
    others: &Others,
    number: usize,
    diff: &Diff,
    measured: &Measured,
) -> (Vec<Candidate>, Vec<Dropped>) {
    let (mut kept, mut dropped) = (Vec::new(), Vec::new());
    for (place, other) in others.findings.iter().enumerate() {
        let id = format!("T{}.{}", number + 1, place + 1);
        match candidate(other, id, diff) {
            Ok(mut candidate) => {
                rate(&mut candidate, other, measured);
                kept.push(*candidate);
            }
            Err(gone) => dropped.push(*gone),
        }
    }
    (kept, dropped)
}

/// Rates a finding of an analyzer by the fate of earlier findings of its rule in this repository.
fn rate(candidate: &mut Candidate, other: &Other, measured: &Measured) {
    if candidate.basis != Basis::Analyzer {
        return;
    }
    let name = measured::name_of(&other.tool, other.rule.as_deref());
    match measured.worth(&name) {
        Worth::Unmeasured | Worth::Quiet => {}
        Worth::Mended => candidate.stand_on(Basis::AnalyzerMended),
        Worth::Noisy => {
            candidate.stand_on(Basis::Noisy);
            candidate.notes.push(measured.told(&name));
        }
    }
}

fn candidate(other: &Other, id: String, diff: &Diff) -> Result<Box<Candidate>, Box<Dropped>> {
    let title = title(other);
    let gone = |why: DropReason| {
        Box::new(Dropped {
            id: id.clone(),
            path: other.path.clone(),
            line: other.lines.map(|(start, _)| start),
            title: title.clone(),
            why,
        })
    };
    let file = file_of(&other.path, diff).ok_or_else(|| gone(DropReason::FileNotInDiff))?;
    let (anchor, basis, note) = anchored(other, file);
    let is_outside = other.lines.is_some_and(|lines| !touches(file, lines));
    // A comment of a person or a model may name a wrong line, but its quote may still identify the
    // right one.
    if is_outside && (other.is_of_analyzer || anchor == Anchor::File) {
        return Err(gone(DropReason::LineNotInDiff));
    }
    Ok(Box::new(Candidate {
        finding: Finding {
            id: id.clone(),
            rule: None,
            path: file.path.clone(),
            anchor,
            severity: other.severity,
            title: title.clone(),
            message: other.message.chars().take(MESSAGE_LETTERS_MAX).collect(),
            quote: quote(other, file, anchor),
            symbol: String::new(),
            producers: vec![Producer::Tool(other.tool.clone())],
            quality: quality::of(basis),
            exact: None,
        },
        basis,
        claim: NameClaim::Nothing,
        same_as: None,
        notes: note.into_iter().collect(),
    }))
}

/// Returns the place of a finding and its evidence. The line of an analyzer is trusted if the
/// change added one of its lines. All others need words that occur there.
fn anchored(other: &Other, file: &ChangedFile) -> (Anchor, Basis, Option<String>) {
    let line = other.lines.map(|(start, _)| start);
    let found = anchor::find(file, line, other.quote.as_deref());
    match (found, other.lines) {
        (AnchorPlace::AtClaim { start, end }, _) if !other.is_of_analyzer => {
            (Anchor::Lines { start, end }, Basis::Anchored, None)
        }
        (AnchorPlace::Elsewhere { start, end }, _) if !other.is_of_analyzer => {
            let note = format!("the line was corrected to {start}: its quote occurs only there");
            (Anchor::Lines { start, end }, Basis::Anchored, Some(note))
        }
        (_, Some(lines)) if other.is_of_analyzer && touches(file, lines) => (
            Anchor::Lines {
                start: lines.0,
                end: lines.1,
            },
            Basis::Analyzer,
            None,
        ),
        (_, Some((start, end))) if names_line(other, file, (start, end)) => {
            (Anchor::Lines { start, end }, Basis::Anchored, None)
        }
        (_, Some((start, end))) if touches(file, (start, end)) => (
            Anchor::Lines { start, end },
            Basis::ModelAlone,
            Some("it names nothing that occurs there".to_owned()),
        ),
        _ => (
            Anchor::File,
            Basis::ModelAlone,
            Some("unanchored: its line is not part of the change".to_owned()),
        ),
    }
}

/// Reports whether a comment names something in backticks that occurs on its lines.
fn names_line(other: &Other, file: &ChangedFile, lines: (u32, u32)) -> bool {
    let text: Vec<&str> = added(file, lines).map(|(_, text)| text).collect();
    let named = other.message.split('`').enumerate();
    named
        .filter(|(place, words)| place % 2 == 1 && words.trim().len() > 2)
        .any(|(_, words)| text.iter().any(|line| line.contains(words.trim())))
}

/// Returns the added lines of a file between two lines.
pub(crate) fn added(
    file: &ChangedFile,
    (start, end): (u32, u32),
) -> impl Iterator<Item = (u32, &str)> {
    file.hunks
        .iter()
        .flat_map(|hunk| &hunk.lines)
        .filter(|line| line.kind == LineKind::Added)
        .filter_map(|line| Some((line.new_number?, line.text.as_str())))
        .filter(move |(number, _)| (start..=end).contains(number))
}

fn touches(file: &ChangedFile, lines: (u32, u32)) -> bool {
    added(file, lines).next().is_some()
}

/// Returns the text of a finding's first added line, so that its fingerprint stays the same when
/// lines move.
fn quote(other: &Other, file: &ChangedFile, anchor: Anchor) -> Option<String> {
    match anchor {
        Anchor::Lines { start, end } => added(file, (start, end))
            .next()
            .map(|(_, text)| text.trim().to_owned()),
        Anchor::File => other.quote.clone(),
    }
}

/// Returns the changed file that a tool means. The tool may name it from another folder, as an
/// address, or with the prefixes of a diff.
pub(crate) fn file_of<'d>(path: &str, diff: &'d Diff) -> Option<&'d ChangedFile> {
    let plain = path
        .strip_prefix("file://")
        .unwrap_or(path)
        .replace('\\', "/");
    let plain = plain.trim_start_matches("./");
    let named = |path: &str| diff.files.iter().find(|file| file.path == path);
    let bare = plain
        .strip_prefix("a/")
        .or_else(|| plain.strip_prefix("b/"));
    named(plain).or_else(|| bare.and_then(named)).or_else(|| {
        let ends = |file: &&ChangedFile| plain.ends_with(&format!("/{}", file.path));
        let mut fits = diff.files.iter().filter(ends);
        let first = fits.next()?;
        // An absolute path can end like two changed files, as with `a/x.py` and `x.py`.
        fits.next().is_none().then_some(first)
    })
}

/// Returns the first sentence of a finding, after the name of its rule.
fn title(other: &Other) -> String {
    let line = other.message.lines().next().unwrap_or_default();
    let end = line.find(". ").unwrap_or(line.len());
    let said = line[..end].trim_end_matches('.');
    let named = other
        .rule
        .as_ref()
        .map_or_else(String::new, |rule| format!("{rule}: "));
    format!("{named}{said}")
        .chars()
        .take(TITLE_LETTERS_MAX)
        .collect()
}

#[cfg(test)]
mod tests;
