//! Comments of a review on a code forge: the comments of the previous run are compared with the
//! present findings. Takes both, and returns the steps between them; sends nothing and knows no
//! service.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::anchor;
use crate::diff::Diff;
use crate::finding::{Anchor, Finding};
use crate::forms::{ShownScope, markdown};
use crate::report::{GateStanding, Report, Reported};

/// Maximum number of comments on lines that one review opens; further findings are only in the
/// summary.
const COMMENTS_MAX: usize = 30;
/// The mark before the fingerprint of the finding that a comment is about.
const FINDING: &str = "<!-- grounds-finding ";
/// The mark of a comment that we closed ourselves, since its finding was gone.
const GONE: &str = "<!-- grounds-gone -->";
/// The mark before the list of findings that were commented on.
const POSTED: &str = "<!-- grounds-posted ";
/// The mark before the stored judgements of the model, for the next review.
const CARRIED: &str = "<!-- grounds-carried ";
/// Maximum number of bytes of the comment about the whole change; GitHub refuses more than 65,536
/// characters.
const SUMMARY_BYTES_MAX: usize = 65_000;
const END: &str = " -->";

/// Our comments on a change from the previous run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Existing {
    /// Our comment about the whole change: its id at the service, and its text; `None` before the
    /// first run.
    pub summary: Option<(String, String)>,
    /// Our comments on lines.
    pub threads: Vec<Thread>,
}

/// A comment on a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Its id at the service.
    pub id: String,
    /// Its text.
    pub body: String,
    /// Whether it is resolved.
    pub is_resolved: bool,
}

/// One thing to do at the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PostStep {
    /// Write the comment about the whole change, over the one with this id if there is one.
    Summarise {
        /// Its name.
        id: Option<String>,
        /// Its text.
        body: String,
    },
    /// Comment on a line.
    Open {
        /// The file.
        path: String,
        /// The path that it had before the change.
        path_old: String,
        /// The line at the reviewed side.
        line: u32,
        /// The number of the line at the base; `None` if the change added it.
        line_old: Option<u32>,
        /// The text.
        body: String,
    },
    /// Replace the text of a comment.
    Edit {
        /// Its name.
        id: String,
        /// Its text.
        body: String,
    },
    /// Resolve a comment.
    Resolve {
        /// Its name.
        id: String,
    },
    /// Open a resolved comment again.
    Reopen {
        /// Its name.
        id: String,
    },
}

impl PostStep {
    /// Returns a description of the step.
    pub fn words(&self) -> String {
        match self {
            Self::Summarise { id: None, .. } => "write the summary".to_owned(),
            Self::Summarise { id: Some(_), .. } => "update the summary".to_owned(),
            Self::Open { path, line, .. } => format!("comment on {path}:{line}"),
            Self::Edit { id, .. } => format!("update comment {id}"),
            Self::Resolve { id } => format!("resolve comment {id}"),
            Self::Reopen { id } => format!("open comment {id} again"),
        }
    }
}

/// Reports whether a text is our comment about a whole change.
pub fn is_summary(body: &str) -> bool {
    body.contains(markdown::MARK)
}

/// Reports whether a text is our comment on a line.
pub fn is_of_finding(body: &str) -> bool {
    marked(body, FINDING).is_some()
}

/// Returns the stored judgements of the model from the comment about the whole change, if it has
/// them.
pub fn carried(existing: &Existing) -> Option<&str> {
    let (_, body) = existing.summary.as_ref()?;
    marked(body, CARRIED)
}

/// Returns the steps from the existing comments to the present findings. The judgements of the
/// model go into the comment about the whole change, for the next review.
pub fn plan(
    report: &Report,
    diff: &Diff,
    existing: &Existing,
    carried: Option<&str>,
) -> Vec<PostStep> {
    let blocks = |reported: &&Reported| reported.standing == GateStanding::Blocks;
    let found: Vec<&Reported> = report.findings.iter().filter(blocks).collect();
    let summary_before = existing.summary.as_ref();
    // A comment that a person deleted leaves no thread behind, only its entry in this list.
    let posted = summary_before
        .and_then(|(_, body)| marked(body, POSTED))
        .unwrap_or_default();
    let posted: BTreeSet<&str> = posted.split_whitespace().collect();
    let (mut steps, mut now, mut dismissed) = (Vec::new(), BTreeSet::new(), 0);
    for reported in &found {
        let fingerprint = reported.fingerprint.as_str();
        let thread = thread_of(existing, fingerprint);
        let is_dismissed = match thread {
            // A thread that is resolved without our mark was resolved by a person.
            Some(thread) => thread.is_resolved && !thread.body.contains(GONE),
            // The summary lists it as posted, so someone deleted it.
            None => posted.contains(fingerprint),
        };
        if is_dismissed {
            // It stays in the list of posted findings, so that the next run does not post it again.
            dismissed += 1;
            now.insert(fingerprint);
            continue;
        }
        let room = now.len() < COMMENTS_MAX;
        match (thread, opened(reported, diff)) {
            (Some(thread), _) => {
                steps.extend(renewed(thread, reported));
                now.insert(fingerprint);
            }
            // Two findings with the same quote in the same item have one fingerprint, and get one
            // comment.
            (None, Some(step)) if room && !now.contains(fingerprint) => {
                steps.push(step);
                now.insert(fingerprint);
            }
            (None, _) => {}
        }
    }
    steps.extend(closed(existing, &found));
    let body = summary(report, &now, dismissed, carried);
    let id = summary_before.map(|(id, _)| id.clone());
    let is_same = summary_before.is_some_and(|(_, old)| *old == body);
    if !is_same {
        steps.push(PostStep::Summarise { id, body });
    }
    steps
}

fn thread_of<'e>(existing: &'e Existing, fingerprint: &str) -> Option<&'e Thread> {
    let is_it = |thread: &&Thread| marked(&thread.body, FINDING) == Some(fingerprint);
    existing.threads.iter().find(is_it)
}

/// Returns the words after the last mark. Our marks end a comment, and a quote before them may
/// contain any text.
fn marked<'b>(body: &'b str, mark: &str) -> Option<&'b str> {
    let (_, rest) = body.rsplit_once(mark)?;
    rest.split_once(END).map(|(words, _)| words.trim())
}

fn summary(
    report: &Report,
    now: &BTreeSet<&str>,
    dismissed: usize,
    carried: Option<&str>,
) -> String {
    let mut body = markdown::render(report, ShownScope::Gate);
    if dismissed > 0 {
        let _ = writeln!(
            body,
            "\n{} resolved or deleted by a person and not repeated; the gate still counts it.",
            crate::forms::counted(dismissed, "comment")
        );
    }
    let list: Vec<&str> = now.iter().copied().collect();
    let _ = writeln!(body, "\n{POSTED}{}{END}", list.join(" "));
    match carried {
        // A part of it could not be read again, so it is stored as a whole or not at all.
        Some(text) if body.len() + text.len() > SUMMARY_BYTES_MAX => {
            let _ = writeln!(
                body,
                "What the model judged has no room in {SUMMARY_BYTES_MAX} bytes: the next review asks about all."
            );
        }
        Some(text) => {
            let _ = writeln!(body, "{CARRIED}{text}{END}");
        }
        None => {}
    }
    body
}

fn text(reported: &Reported) -> String {
    format!(
        "{}{}\n{FINDING}{}{END}\n",
        markdown::finding(reported).trim_start(),
        suggestion(&reported.finding).unwrap_or_default(),
        reported.fingerprint
    )
}

/// Returns the fix of a rule as a suggestion that a person can accept, if it changes only the line
/// that the comment is on.
fn suggestion(finding: &Finding) -> Option<String> {
    let fix = finding.exact.as_ref()?.fix.as_ref()?;
    let Anchor::Lines { start, .. } = finding.anchor else {
        return None;
    };
    let is_of_line = fix.line_start == start && fix.line_end == start;
    is_of_line.then(|| markdown::suggestion(&fix.lines))
}

/// Returns the comment on the line of a finding, or `None` if the diff does not show that line.
fn opened(reported: &Reported, diff: &Diff) -> Option<PostStep> {
    let Anchor::Lines { start: line, .. } = reported.finding.anchor else {
        return None;
    };
    let file = diff
        .files
        .iter()
        .find(|file| file.path == reported.finding.path)?;
    if !anchor::is_shown(file, line) {
        return None;
    }
    let lines = file.hunks.iter().flat_map(|hunk| &hunk.lines);
    let line_old = lines
        .filter(|shown| shown.new_number == Some(line))
        .find_map(|shown| shown.old_number);
    Some(PostStep::Open {
        path: file.path.clone(),
        path_old: file.path_at_base().to_owned(),
        line,
        line_old,
        body: text(reported),
    })
}

/// Returns the steps for a comment whose finding is still there, or there again.
fn renewed(thread: &Thread, reported: &Reported) -> Vec<PostStep> {
    let (id, body) = (thread.id.clone(), text(reported));
    let mut steps = Vec::new();
    if thread.is_resolved {
        steps.push(PostStep::Reopen { id: id.clone() });
    }
    if thread.body.trim() != body.trim() {
        steps.push(PostStep::Edit { id, body });
    }
    steps
}

/// Returns the steps that close the comments whose findings are gone.
fn closed(existing: &Existing, found: &[&Reported]) -> Vec<PostStep> {
    let is_gone = |thread: &&Thread| {
        marked(&thread.body, FINDING).is_some_and(|fingerprint| {
            !found
                .iter()
                .any(|reported| reported.fingerprint == fingerprint)
        })
    };
    // A thread that a person resolved stays as it is.
    let open = |thread: &&Thread| !thread.is_resolved && !thread.body.contains(GONE);
    let gone = existing.threads.iter().filter(is_gone).filter(open);
    gone.flat_map(|thread| {
        let body = format!(
            "Gone with the last push.\n\n{}\n{GONE}\n",
            thread.body.trim()
        );
        let id = thread.id.clone();
        // The mark is written first: a thread that is resolved without it counts as dismissed by a
        // person.
        [
            PostStep::Edit {
                id: id.clone(),
                body,
            },
            PostStep::Resolve { id },
        ]
    })
    .collect()
}
