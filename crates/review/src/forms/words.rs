//! The sentences about a review that every format shares: how it ended, how much was judged, by
//! whom, and what is open.

use crate::finding::{Producer, Severity};
use crate::report::{
    Ending, FileReport, GateStanding, LineState, Report, Reported, ReviewJudge, SkipReason,
    Unjudged,
};
use crate::rules::NotJudged;
use grounds_evidence::Quality;

/// Returns what a review reports in addition to its findings, each in one line: first how it ended.
pub fn told(report: &Report) -> Vec<String> {
    let mut lines = vec![ending(report), judged(report)];
    lines.extend(open(report));
    lines
}

/// Returns how the review ended.
pub(crate) fn ending(report: &Report) -> String {
    let count = |standing| {
        report
            .findings
            .iter()
            .filter(|reported| reported.standing == standing)
            .count()
    };
    let blocking = count(GateStanding::Blocks);
    let beside = [
        (count(GateStanding::Known), "known"),
        (
            count(GateStanding::BelowSeverity),
            "below the severity of the gate",
        ),
        (count(GateStanding::BelowQuality), "below its quality"),
    ];
    let beside: Vec<String> = beside
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    let beside = if beside.is_empty() {
        String::new()
    } else {
        format!(" ({})", beside.join(", "))
    };
    match report.ending() {
        Ending::Failed => format!(
            "The review failed: its findings may be incomplete; {blocking} findings block{beside}."
        ),
        Ending::Blocks => format!(
            "{} at or above the gate{beside}.",
            counted(blocking, "finding")
        ),
        // Two equal sides have no finding, but nothing was judged either.
        Ending::Passes if report.files.is_empty() && report.findings.is_empty() => {
            "Nothing was judged: the two sides do not differ in any file.".to_owned()
        }
        Ending::Passes if matches!(report.judge, ReviewJudge::RulesOnly { .. }) => format!(
            "Nothing at or above the gate{beside}: {} looked, and no model.",
            counted(report.rules_judged.rules, "rule")
        ),
        Ending::Passes => format!("Nothing at or above the gate{beside}."),
    }
}

/// Returns how many of the changed lines were judged, and by whom.
pub(crate) fn judged(report: &Report) -> String {
    let lines = report.coverage();
    let by = match &report.judge {
        ReviewJudge::RulesOnly { why } => {
            let open = match lines.not_judged {
                0 => String::new(),
                count => format!("; {count} not judged"),
            };
            return format!(
                "Judged by rules alone, no model judged ({why}): {} of {} changed lines{open}.",
                lines.rules_only, lines.changed
            );
        }
        ReviewJudge::RulesAndModel { model } => model,
    };
    let parts = [
        (lines.rules_only, "by rules alone"),
        (lines.clipped, "did not fit into a call"),
        (lines.skipped, "not shown to a model"),
        (lines.failed, "in calls that failed"),
        (lines.not_judged, "not judged by anybody"),
    ];
    let open: Vec<String> = parts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    let open = if open.is_empty() {
        String::new()
    } else {
        format!("; {}", open.join(", "))
    };
    format!(
        "Judged by rules and {by}: {} of {} changed lines{open}.",
        lines.reviewed, lines.changed
    )
}

/// Returns what is open, line by line; nothing if all was judged.
pub(crate) fn open(report: &Report) -> Vec<String> {
    let mut lines: Vec<String> = report
        .failures
        .iter()
        .map(|failure| {
            format!(
                "Failed: {}: {}. Next: {}",
                failure.part, failure.what, failure.advice
            )
        })
        .collect();
    let by_rules = report.rules_not_judged.iter();
    lines.extend(
        by_rules
            .filter(|open| !is_skipped_file(report, open))
            .map(open_by_rules),
    );
    lines.extend(report.files.iter().filter_map(|file| {
        Some(format!(
            "Not judged: {}: {}",
            file.path,
            skip_words(file.skipped?)
        ))
    }));
    lines.extend(report.files.iter().flat_map(|file| {
        file.lines.iter().filter_map(|lines| match lines.state {
            LineState::NotJudged(why) => Some(format!(
                "Not judged: {}, line {}: {}",
                file.path,
                lines.new_lines.start,
                unjudged_words(why)
            )),
            _ => None,
        })
    }));
    lines.extend(report.bounds.iter().map(|bound| {
        format!(
            "Bound reached: {} = {}: {}",
            bound.name, bound.value, bound.cut
        )
    }));
    lines
}

/// Reports whether a file is listed as skipped for the same reason: it is reported once.
fn is_skipped_file(report: &Report, open: &NotJudged) -> bool {
    let is_same = |file: &FileReport| {
        file.path == open.path && file.skipped.map(skip_words) == Some(open.reason.as_str())
    };
    open.rule.is_none() && report.files.iter().any(is_same)
}

/// Returns the line about a part that the rules, or one of them, did not judge.
fn open_by_rules(open: &NotJudged) -> String {
    let rule = open.rule.as_deref().map_or_else(
        || "the rules".to_owned(),
        |rule| format!("the rule `{rule}`"),
    );
    let path = match open.path.as_str() {
        "" => "the change",
        path => path,
    };
    format!(
        "Not judged: {path} by {rule}: {} ({})",
        open.reason,
        counted(open.lines, "added line")
    )
}

/// Returns the reason that a file was skipped.
pub(crate) const fn skip_words(reason: SkipReason) -> &'static str {
    match reason {
        SkipReason::Generated => "a program wrote it",
        SkipReason::LockFile => "it is a lock file",
        SkipReason::Vendored => "it is code of others",
        SkipReason::Binary => "it is not text",
        SkipReason::Encoding => {
            "it is text in an unsupported encoding, or source with bytes that are not text"
        }
        SkipReason::TooLarge => "it is larger than its bound",
        SkipReason::Secret => "its name is that of a file of secrets",
        SkipReason::Submodule => "it is a submodule",
        SkipReason::ModeOnly => "only its mode changed",
        SkipReason::RenamedOnly => "only its name changed",
        SkipReason::Deleted => "it is gone",
        SkipReason::Excluded => "the configuration excludes it",
    }
}

/// Returns the reason that nobody judged lines.
const fn unjudged_words(why: Unjudged) -> &'static str {
    match why {
        Unjudged::Bound => "a bound of the rules was reached",
        Unjudged::LongLine => "it is longer than what is read of a line",
        Unjudged::LineEnds => "its lines end with carriage returns alone",
        Unjudged::NoText => "its text is missing",
        Unjudged::Failure => "judging it broke",
    }
}

/// Returns the word for a severity.
pub(crate) const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Info => "info",
        Severity::Minor => "minor",
        Severity::Major => "major",
        Severity::Critical => "critical",
    }
}

/// Returns the word for a quality.
pub(crate) const fn quality(quality: Quality) -> &'static str {
    match quality {
        Quality::None => "none",
        Quality::Weak => "weak",
        Quality::Moderate => "moderate",
        Quality::Strong => "strong",
        Quality::Verified => "verified",
    }
}

/// Returns the rule of a finding, the tool that found it, or `model`.
pub(crate) fn source(reported: &Reported) -> String {
    let finding = &reported.finding;
    match (&finding.rule, finding.producers.first()) {
        (Some(rule), _) => rule.clone(),
        (None, Some(Producer::Tool(tool))) => tool.clone(),
        (None, _) => "model".to_owned(),
    }
}

/// Returns a number with its word.
pub(crate) fn counted(count: usize, word: &str) -> String {
    if count == 1 {
        format!("1 {word}")
    } else {
        format!("{count} {word}s")
    }
}

/// Truncates a text to a limit, with a mark where it was truncated.
pub(crate) fn cut(text: &str, bytes_max: usize) -> String {
    if text.len() <= bytes_max {
        return text.to_owned();
    }
    format!("{} […]", &text[..text.floor_char_boundary(bytes_max)])
}
