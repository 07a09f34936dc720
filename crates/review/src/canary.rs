//! Planted defects that a model must find before its silence says something. One call
//! about a change of our own, in the same words as every other; what it finds of what is
//! known to be there is told, and where that is too little, that it found nothing counts
//! for nothing.

use std::sync::LazyLock;

use grounds_model::{Client, ModelError, Request};

use crate::anchor::{self, Found};
use crate::answer::{self, Answer, MayAsk};
use crate::bundle::{Bundle, Part};
use crate::diff::{self, Diff, Revision};
use crate::material::Menu;
use crate::prompt;

/// The change, as a diff.
const CHANGE: &str = include_str!("canary.diff");
/// The defects in it: file, first and last line, and what is wrong there.
const PLANTED: [(&str, u32, u32, &str); 3] = [
    (
        "billing/export.py",
        6,
        6,
        "a value in a command line that a shell reads",
    ),
    (
        "billing/pages.go",
        5,
        6,
        "an index one past the last element",
    ),
    (
        "billing/session.js",
        4,
        5,
        "a check that lets an expired session through",
    ),
];
/// Defects that a model must find for its silence to count.
pub const FOUND_MIN: usize = 2;
/// Lines that a hunk of the change may have.
const LINES_MAX: usize = 1_000;

/// What a model found of what was planted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canary {
    /// Defects that were planted.
    pub planted: usize,
    /// Those of them that it found.
    pub found: usize,
    /// Why it could not be asked, where it could not.
    pub failed: Option<String>,
}

impl Canary {
    /// Whether that the model found nothing says something.
    pub const fn is_heard(&self) -> bool {
        self.failed.is_none() && self.found >= FOUND_MIN
    }

    /// The same in words.
    pub fn told(&self, model: &str) -> String {
        let counted = format!(
            "{model} found {} of {} planted defects",
            self.found, self.planted
        );
        match (&self.failed, self.is_heard()) {
            (Some(why), _) => format!(
                "the canary failed, so that the silence of {model} counts for nothing, and all lines as judged by rules alone: {why}"
            ),
            (None, true) => counted,
            (None, false) => format!(
                "{counted}: its silence counts for nothing, and all lines as judged by rules alone"
            ),
        }
    }
}

static DIFF: LazyLock<Diff> = LazyLock::new(|| Diff {
    base: Revision::Unknown,
    head: Revision::Unknown,
    // A test reads it; what is broken here never left the house.
    files: diff::parse_patch(CHANGE.as_bytes(), LINES_MAX).unwrap_or_default(),
});

/// The request about the planted defects.
pub(crate) fn request(answer_tokens_max: u32) -> Request {
    let parts = DIFF.files.iter().enumerate().flat_map(|(file, changed)| {
        let hunks = changed.hunks.iter().enumerate();
        hunks.map(move |(hunk, lines)| Part {
            file,
            hunk,
            lines: 0..lines.lines.len(),
        })
    });
    let bundle = Bundle {
        id: "canary".to_owned(),
        parts: parts.collect(),
        items: Vec::new(),
        unresolved: Vec::new(),
        menu: Menu::default(),
    };
    prompt::first(&bundle, &DIFF, &[], MayAsk::No, answer_tokens_max).0
}

/// Asks about them.
pub(crate) fn ask(client: &Client, answer_tokens_max: u32) -> Canary {
    let asked = client.ask_for(&request(answer_tokens_max), &|reply| {
        answer::read(reply, MayAsk::No)
    });
    judged(asked.map(|asked| asked.value))
}

fn judged(answer: Result<Answer, ModelError>) -> Canary {
    let (answer, failed) = match answer {
        Ok(answer) => (answer, None),
        Err(error) => (Answer::default(), Some(format!("cannot {error}"))),
    };
    let is_found = |(path, start, end, _): &&(&str, u32, u32, &str)| {
        let issues = answer.issues.iter();
        issues
            .filter(|issue| issue.path.as_deref() == Some(*path))
            .any(|issue| stands_at(path, issue, *start, *end))
    };
    Canary {
        planted: PLANTED.len(),
        found: PLANTED.iter().filter(is_found).count(),
        failed,
    }
}

/// Whether an issue is about these lines, by its quote or by its number.
fn stands_at(path: &str, issue: &answer::Issue, start: u32, end: u32) -> bool {
    let Some(file) = DIFF.files.iter().find(|file| file.path == path) else {
        return false;
    };
    let lines = start.saturating_sub(1)..=end + 1;
    match anchor::find(file, issue.line, issue.quote.as_deref()) {
        Found::AtClaim { start, .. } | Found::Elsewhere { start, .. } => lines.contains(&start),
        Found::Ambiguous { .. } | Found::Nowhere | Found::NoQuote => {
            issue.line.is_some_and(|line| lines.contains(&line))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::LineKind;

    #[test]
    fn every_planted_defect_stands_on_added_lines() {
        for (path, start, end, what) in PLANTED {
            let file = DIFF.files.iter().find(|file| file.path == path);
            let lines = file.into_iter().flat_map(|file| &file.hunks);
            let added: Vec<u32> = lines
                .flat_map(|hunk| &hunk.lines)
                .filter(|line| line.kind == LineKind::Added)
                .filter_map(|line| line.new_number)
                .collect();
            assert!(
                (start..=end).all(|line| added.contains(&line)),
                "{path}: {what}: {added:?}"
            );
        }
    }

    #[test]
    fn silence_counts_only_after_planted_defects_were_found() {
        let issue = |path: &str, line: u32| {
            let value =
                serde_json::json!({"file": path, "line": line, "title": "t", "message": "m"});
            answer::issue(&value).unwrap_or_else(|wrong| panic!("{wrong:?}"))
        };
        let found = |issues: Vec<answer::Issue>| {
            judged(Ok(Answer {
                issues,
                ..Answer::default()
            }))
        };
        assert!(!found(Vec::new()).is_heard());
        assert!(!found(vec![issue("billing/export.py", 6)]).is_heard());
        assert!(
            !found(vec![
                issue("billing/export.py", 6),
                issue("billing/pages.go", 60)
            ])
            .is_heard()
        );
        let two = found(vec![
            issue("billing/export.py", 6),
            issue("billing/pages.go", 5),
        ]);
        assert!(two.is_heard() && two.found == 2, "{two:?}");
        assert!(!judged(Err(ModelError::Cancelled)).is_heard());
    }
}
