//! What rules found in a change: findings, what a reason silenced, and what they could not judge.
//! Nothing is left out silently.

use std::collections::BTreeMap;

use crate::finding::Finding;

/// The result of a run of the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleReport {
    /// What is new and wrong, in the order of files and lines.
    pub findings: Vec<Finding>,
    /// Findings that a suppression silences.
    pub suppressed: Vec<Suppressed>,
    /// The findings that a comment of the change itself would silence, by id, with its reason: they
    /// stay, since a change does not silence what is found in it.
    pub silenced_by_change: BTreeMap<String, String>,
    /// The parts that could not be judged.
    pub not_judged: Vec<NotJudged>,
    /// How much was judged.
    pub judged: RuleCoverage,
}

/// How much the rules judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleCoverage {
    /// The rules that were on.
    pub rules: usize,
    /// The files of the change.
    pub files: usize,
    /// Those of them that every rule for them has judged.
    pub files_judged: usize,
    /// The added lines of the change.
    pub lines: usize,
    /// Those of them in files that were judged.
    pub lines_judged: usize,
}

/// A finding that a person silenced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppressed {
    /// The finding.
    pub finding: Finding,
    /// The place of the suppression.
    pub by: SuppressedBy,
    /// The reason that it gives, if any.
    pub reason: Option<String>,
}

/// The place of a suppression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SuppressedBy {
    /// In a comment of the file, on this line.
    Comment {
        /// The line, from 1.
        line: u32,
        /// Whether the same change added it.
        is_new: bool,
    },
    /// In the configuration.
    Configuration,
}

/// A part of the change that was not judged, fully or by one rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NotJudged {
    /// The file.
    pub path: String,
    /// The rule that could not judge it; `None` if no rule could.
    pub rule: Option<String>,
    /// The reason.
    pub reason: String,
    /// The added lines that this leaves open.
    pub lines: usize,
    /// The kind of the reason.
    pub open: Open,
}

/// The reason that something which a rule needs could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// The kind of the reason.
    pub open: Open,
    /// The reason, for people.
    pub reason: String,
}

impl Unread {
    /// Returns the reason for a failure to read.
    pub fn failed(error: impl std::fmt::Display) -> Self {
        Self {
            open: Open::Failure,
            reason: error.to_string(),
        }
    }

    /// Returns the reason for a limit that was reached.
    pub(crate) const fn bound(reason: String) -> Self {
        Self {
            open: Open::Bound,
            reason,
        }
    }
}

/// The kind of reason that a part was not judged, by its consequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Open {
    /// Rules judge nothing of its kind: a binary, a submodule.
    Kind,
    /// A bound was reached.
    Bound,
    /// Its text is not available, as for a diff without a repository. If no model judges either,
    /// the review fails.
    NoText,
    /// Reading or judging it failed, and so does the review.
    Failure,
}
