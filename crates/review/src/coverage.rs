//! What was not judged, and why. Takes the change, what the rules left open and the bytes of the
//! reviewed side, and returns the lines and files that nobody judged. With it, a caller that
//! requires a complete review can see where it is incomplete.

use std::collections::{BTreeMap, BTreeSet};

use grounds_syntax::languages;

use crate::diff::{Change, ChangedFile, ChangedLine, FileChange, LineKind};
use crate::report::{Failure, LineState, Report, Unjudged};
use crate::rules::{NotJudged, Open};
use crate::sides::Texts;

/// Maximum number of characters of a line that a model is shown.
pub const LINE_LETTERS_MAX: usize = 2_000;
/// Maximum number of files that are named if not everything was judged.
const NAMED_MAX: usize = 10;

/// The parts that the rules could not judge, by file.
#[derive(Clone, Debug)]
pub struct Left {
    files: BTreeMap<String, Unjudged>,
    texts: BTreeSet<String>,
    line_bytes_max: usize,
}

impl Default for Left {
    fn default() -> Self {
        Self {
            files: BTreeMap::new(),
            texts: BTreeSet::new(),
            line_bytes_max: usize::MAX,
        }
    }
}

impl Left {
    /// Returns what the rules left open in a change.
    pub fn of(
        change: &Change,
        heads: Option<&Texts>,
        open: &[NotJudged],
        line_bytes_max: usize,
    ) -> Self {
        // If one rule failed on a file, the others have still judged its lines.
        let is_whole = |open: &&NotJudged| open.rule.is_none() && !open.path.is_empty();
        let why = |open: &NotJudged| match open.open {
            Open::Kind | Open::Bound => Unjudged::Bound,
            Open::NoText => Unjudged::NoText,
            Open::Failure => Unjudged::Failure,
        };
        let texts = change.diff.files.iter().filter(|file| {
            let bytes = heads.and_then(|heads| heads.get(&file.path)?.bytes());
            file.change == FileChange::Binary && is_hidden_text(file, bytes)
        });
        Self {
            files: open
                .iter()
                .filter(is_whole)
                .map(|open| (open.path.clone(), why(open)))
                .collect(),
            texts: texts.map(|file| file.path.clone()).collect(),
            line_bytes_max,
        }
    }

    /// Reports whether a file is text that git treats as binary.
    pub fn is_hidden_text(&self, path: &str) -> bool {
        self.texts.contains(path)
    }

    /// Returns the state of a line, given its state in the plan.
    pub fn state(&self, file: &ChangedFile, line: &ChangedLine, planned: LineState) -> LineState {
        let length = line.text.len();
        let is_cut = length > LINE_LETTERS_MAX && line.text.chars().nth(LINE_LETTERS_MAX).is_some();
        match planned {
            // A line that a model has seen as a whole is judged, even if the rules could not read
            // its file.
            LineState::Reviewed if !is_cut => planned,
            _ if self.files.contains_key(&file.path) => {
                LineState::NotJudged(self.files[&file.path])
            }
            _ if length > self.line_bytes_max => LineState::NotJudged(Unjudged::LongLine),
            // Lines that end with a carriage return alone are one line to git and to the rules.
            _ if line.kind == LineKind::Added
                && line.text.trim_end_matches('\r').contains('\r') =>
            {
                LineState::NotJudged(Unjudged::LineEnds)
            }
            LineState::Reviewed => LineState::Clipped,
            other => other,
        }
    }
}

/// Reports whether a file that git treats as binary is text that someone runs or reads: in another
/// encoding, or source with a NUL in it.
fn is_hidden_text(file: &ChangedFile, bytes: Option<&[u8]>) -> bool {
    let name = file.path.rsplit('/').next().unwrap_or(&file.path);
    // The byte order marks of UTF-16, which has a NUL in most of its letters.
    let has_mark = bytes
        .is_some_and(|bytes| bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]));
    file.mode_new.is_some() && (has_mark || languages::of_name(name).is_some())
}

/// Returns a failure if not every changed line was judged.
pub fn shortfall(report: &Report, is_from_file: bool) -> Option<Failure> {
    let mut open = Vec::new();
    let mut lines = 0;
    for file in &report.files {
        if file.skipped == Some(crate::report::SkipReason::Encoding) {
            open.push(file.path.clone());
        }
        let of_file = file
            .lines
            .iter()
            .filter(|lines| !is_judged(report, lines.state));
        let count: u64 = of_file
            .map(|lines| u64::from(lines.added) + u64::from(lines.removed))
            .sum();
        lines += count;
        if count > 0 {
            open.push(format!("{} ({count})", file.path));
        }
    }
    let changed = report.coverage().changed;
    let what = match open.is_empty() {
        true if is_from_file && changed == 0 => {
            "judge the diff: it holds no changed line".to_owned()
        }
        true => return None,
        false => format!(
            "judge all of the change: {lines} of {changed} changed lines and {} were not judged: {}",
            crate::forms::counted(open.len(), "file"),
            open.iter()
                .take(NAMED_MAX)
                .cloned()
                .collect::<Vec<_>>()
                .join(", ")
        ),
    };
    Some(Failure {
        part: "the coverage".to_owned(),
        what: format!("cannot {what}"),
        advice: "see what is not judged and why; raise the bound, split the change, or look at it by hand and leave `--require-coverage` out".to_owned(),
        raw: None,
    })
}

/// Reports whether lines in a state were judged by everyone who was to judge them.
fn is_judged(report: &Report, state: LineState) -> bool {
    use crate::report::{ReviewJudge, SkipReason};
    let is_by_model = matches!(report.judge, ReviewJudge::RulesAndModel { .. });
    match state {
        LineState::Reviewed | LineState::RulesOnly => true,
        // Such lines were judged by the rules, which is enough only if no model was to judge.
        LineState::Skipped(SkipReason::TooLarge) | LineState::Clipped => !is_by_model,
        LineState::Skipped(_) => true,
        LineState::Failed | LineState::NotJudged(_) => false,
    }
}
