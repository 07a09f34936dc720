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

/// Findings of one report that are read; more are counted and told.
const FINDINGS_MAX: usize = 50_000;
/// Letters of a title.
const TITLE_LETTERS_MAX: usize = 200;
/// Letters of a message.
const MESSAGE_LETTERS_MAX: usize = 4_000;

/// A report of another tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Others {
    /// What it was called when it was named.
    pub name: String,
    /// Its findings.
    pub findings: Vec<Other>,
    /// What says that the tool did not come to its end, or that not all was read.
    pub failed: Option<String>,
}

/// One finding of another tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Other {
    /// The tool.
    pub tool: String,
    /// Whether a program that follows rules found it, and no model or person.
    pub is_of_analyzer: bool,
    /// The rule, where one is named.
    pub rule: Option<String>,
    /// The file as it is named.
    pub path: String,
    /// The first and the last line.
    pub lines: Option<(u32, u32)>,
    /// How much harm it does.
    pub severity: Severity,
    /// What it says.
    pub message: String,
    /// The words of the file that it is about.
    pub quote: Option<String>,
}

/// Reads a report of another tool, in whichever of the known forms it is.
///
/// # Errors
/// Returns the reason if the text is not a report.
pub fn read(name: &str, text: &str) -> Result<Others, String> {
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
            // One diagnostic a line is reviewdog's other form.
            None => rdjson::read_lines(text)
                .or_else(|| cargo::read_lines(text))
                .ok_or_else(|| error.to_string())?,
        },
    };
    name.clone_into(&mut others.name);
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

/// Anchors findings in a diff: candidates by the order of the report, and what is not about the
/// change.
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

/// Rates a finding of an analyzer by what became of the earlier ones of its rule here.
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

/// Where a finding stands and what it stands on: of an analyzer its line, where the change added
/// one of it; of all others the words that it names and that stand there.
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

/// Whether a comment names, as code, something that stands on its lines.
fn names_line(other: &Other, file: &ChangedFile, lines: (u32, u32)) -> bool {
    let text: Vec<&str> = added(file, lines).map(|(_, text)| text).collect();
    let named = other.message.split('`').enumerate();
    named
        .filter(|(place, words)| place % 2 == 1 && words.trim().len() > 2)
        .any(|(_, words)| text.iter().any(|line| line.contains(words.trim())))
}

/// The added lines of a file between two lines.
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

/// The words of a finding's first added line, so that its fingerprint holds when lines move.
fn quote(other: &Other, file: &ChangedFile, anchor: Anchor) -> Option<String> {
    match anchor {
        Anchor::Lines { start, end } => added(file, (start, end))
            .next()
            .map(|(_, text)| text.trim().to_owned()),
        Anchor::File => other.quote.clone(),
    }
}

/// The changed file that a tool means: it may name it from another folder, as an address, or with
/// the letters of a diff before it.
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
        fits.next().is_none().then_some(first)
    })
}

/// The first sentence of a finding, after the rule that found it.
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
