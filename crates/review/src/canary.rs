//! Planted defects that a model must find before its silence counts. One call about a change of our
//! own has the same wording as every other call. The report says how many of the known defects the
//! model found. If it found too few, a result without findings counts for nothing.

use std::sync::LazyLock;

use grounds_model::{ModelClient, ModelError, ModelRequest};

use crate::anchor::{self, AnchorPlace};
use crate::answer::{self, MayAsk, ModelAnswer};
use crate::bundle::{Bundle, BundlePart};
use crate::diff::{self, Diff, Revision};
use crate::material::Menu;
use crate::prompt;

/// The diff with the planted defects.
const CHANGE: &str = include_str!("canary.diff");
/// More files to score a model by: one with a defect, and one that only renames.
const KNOWN: &str = include_str!("known.diff");
/// The defects: file, first and last line, and what is wrong there. The last one is not in the
/// canary.
const PLANTED: [(&str, u32, u32, &str); 4] = [
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
    ("billing/label.c", 7, 8, "a copy whose bound is gone"),
];
/// Number of defects in the canary, the first of the list.
const CANARY: usize = 3;
/// Defects that a model must find for its silence to count.
pub const FOUND_MIN: usize = 2;
/// Maximum number of lines of the diff.
const LINES_MAX: usize = 1_000;

/// The result of the planted defects for a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canary {
    /// Defects that were planted.
    pub planted: usize,
    /// Those of them that it found.
    pub found: usize,
    /// The reason that it could not be asked; `None` if it was.
    pub failed: Option<String>,
}

impl Canary {
    /// Reports whether a review of this model without findings counts.
    pub const fn is_heard(&self) -> bool {
        self.failed.is_none() && self.found >= FOUND_MIN
    }

    /// Returns a sentence about the result.
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
    // A test makes sure that it can be parsed.
    files: diff::parse_patch([CHANGE, KNOWN].concat().as_bytes(), LINES_MAX).unwrap_or_default(),
});

/// The score of a model that reviews known diffs, each in a call of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Diffs that it was asked about.
    pub diffs: usize,
    /// Those with a defect.
    pub planted: usize,
    /// Those of them whose defect it found.
    pub found: usize,
    /// Issues at places where nothing is wrong.
    pub false_alarms: usize,
    /// Diffs whose answer could not be had or read, with the first reason.
    pub failed: Option<(usize, String)>,
}

/// Returns the requests of a score.
pub fn score_requests(answer_tokens_max: u32) -> Vec<ModelRequest> {
    (0..DIFF.files.len())
        .map(|file| request_about(&|at| at == file, answer_tokens_max))
        .collect()
}

/// Asks about each of the known diffs.
pub fn score(client: &ModelClient, answer_tokens_max: u32) -> Score {
    let requests = score_requests(answer_tokens_max);
    let ask = |request: &ModelRequest| {
        let asked = client.ask_for(request, &|reply| answer::read(reply, MayAsk::No));
        asked.map(|asked| asked.value.issues)
    };
    let answers: Vec<_> = requests.iter().map(ask).collect();
    scored(answers)
}

fn scored(answers: Vec<Result<Vec<answer::Issue>, ModelError>>) -> Score {
    let mut score = Score {
        diffs: answers.len(),
        planted: PLANTED.len(),
        ..Score::default()
    };
    for (file, answer) in DIFF.files.iter().zip(answers) {
        let issues = match answer {
            Ok(issues) => issues,
            Err(error) => {
                let (count, why) = score.failed.unwrap_or((0, format!("cannot {error}")));
                score.failed = Some((count + 1, why));
                continue;
            }
        };
        let planted = PLANTED.iter().find(|(path, ..)| *path == file.path);
        let is_right = |issue: &&answer::Issue| {
            planted.is_some_and(|(path, start, end, _)| stands_at(path, issue, *start, *end))
        };
        let right = issues.iter().filter(is_right).count();
        score.found += usize::from(right > 0);
        score.false_alarms += issues.len() - right;
    }
    score
}

/// Returns the request about the planted defects.
pub(crate) fn request(answer_tokens_max: u32) -> ModelRequest {
    let is_in_canary = |file: usize| {
        PLANTED[..CANARY]
            .iter()
            .any(|(path, ..)| *path == DIFF.files[file].path)
    };
    request_about(&is_in_canary, answer_tokens_max)
}

fn request_about(is_meant: &dyn Fn(usize) -> bool, answer_tokens_max: u32) -> ModelRequest {
    let files = DIFF.files.iter().enumerate();
    let parts = files
        .filter(|(file, _)| is_meant(*file))
        .flat_map(|(file, changed)| {
            let hunks = changed.hunks.iter().enumerate();
            hunks.map(move |(hunk, lines)| BundlePart {
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
    // The prompt is that of every other call, so a model cannot know that it is tested.
    prompt::first(&bundle, &DIFF, &[], MayAsk::No, answer_tokens_max).0
}

/// Asks about the planted defects.
pub(crate) fn ask(client: &ModelClient, answer_tokens_max: u32) -> Canary {
    let asked = client.ask_for(&request(answer_tokens_max), &|reply| {
        answer::read(reply, MayAsk::No)
    });
    judged(asked.map(|asked| asked.value))
}

fn judged(answer: Result<ModelAnswer, ModelError>) -> Canary {
    let (answer, failed) = match answer {
        Ok(answer) => (answer, None),
        Err(error) => (ModelAnswer::default(), Some(format!("cannot {error}"))),
    };
    let is_found = |(path, start, end, _): &&(&str, u32, u32, &str)| {
        let issues = answer.issues.iter();
        issues
            .filter(|issue| issue.path.as_deref() == Some(*path))
            .any(|issue| stands_at(path, issue, *start, *end))
    };
    Canary {
        planted: CANARY,
        found: PLANTED[..CANARY].iter().filter(is_found).count(),
        failed,
    }
}

/// Reports whether an issue is about these lines, by its quote or by its number.
fn stands_at(path: &str, issue: &answer::Issue, start: u32, end: u32) -> bool {
    let Some(file) = DIFF.files.iter().find(|file| file.path == path) else {
        return false;
    };
    // A model that names the line beside a defect has seen it.
    let lines = start.saturating_sub(1)..=end + 1;
    match anchor::find(file, issue.line, issue.quote.as_deref()) {
        AnchorPlace::AtClaim { start, .. } | AnchorPlace::Elsewhere { start, .. } => {
            lines.contains(&start)
        }
        AnchorPlace::Ambiguous { .. } | AnchorPlace::Nowhere | AnchorPlace::NoQuote => {
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
                .filter(|line| line.kind == LineKind::Added || path.ends_with(".c"))
                .filter_map(|line| line.new_number)
                .collect();
            assert!(
                (start..=end).all(|line| added.contains(&line)),
                "{path}: {what}: {added:?}"
            );
        }
    }

    #[test]
    fn a_score_counts_what_is_found_what_is_wrong_and_what_failed() {
        let issue = |path: &str, line: u32| {
            let value =
                serde_json::json!({"file": path, "line": line, "title": "t", "message": "m"});
            answer::issue(&value).unwrap_or_else(|wrong| panic!("{wrong:?}"))
        };
        let answers = vec![
            Ok(vec![
                issue("billing/export.py", 6),
                issue("billing/export.py", 1),
            ]),
            Ok(Vec::new()),
            Err(ModelError::Cancelled),
            Ok(vec![issue("billing/label.c", 7)]),
            Ok(vec![issue("billing/names.py", 2)]),
        ];
        let score = scored(answers);
        assert_eq!((score.diffs, score.planted, score.found), (5, 4, 2));
        assert_eq!(score.false_alarms, 2, "{score:?}");
        assert_eq!(score.failed.map(|(count, _)| count), Some(1));
        assert_eq!(score_requests(100).len(), 5);
    }

    #[test]
    fn silence_counts_only_after_planted_defects_were_found() {
        let issue = |path: &str, line: u32| {
            let value =
                serde_json::json!({"file": path, "line": line, "title": "t", "message": "m"});
            answer::issue(&value).unwrap_or_else(|wrong| panic!("{wrong:?}"))
        };
        let found = |issues: Vec<answer::Issue>| {
            judged(Ok(ModelAnswer {
                issues,
                ..ModelAnswer::default()
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
