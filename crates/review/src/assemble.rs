//! Assembles the report. Takes the diff, what the calls showed and their results, and gives every
//! changed line exactly one state, every finding its fingerprint, and the gate's decision on each.
//! A line without an account was not judged.

use std::collections::BTreeMap;
use std::ops::Range;

use grounds_repo::labels::parse_is_late;
use grounds_syntax::{Parser, languages};

use crate::bundle::Plan;
use crate::coverage::Left;
use crate::diff::skip::{self, SkipLimits};
use crate::diff::{ChangedFile, Diff, Hunk, LineKind};
use crate::finding::{Anchor, Finding, Severity};
use crate::fingerprint;
use crate::merge::Merged;
use crate::report::{
    BaselineState, FileReport, Gate, GateStanding, LineReport, LineState, Report, Reported,
    SkipReason,
};
use crate::tree::Content;

/// Maximum number of bytes of a file that is parsed for the items around a finding.
const PARSED_BYTES_MAX: usize = 2 << 20;

/// The judge of the lines.
#[derive(Clone, Copy)]
pub enum JudgedBy<'p> {
    /// Rules alone.
    ByRules,
    /// Rules, and a model with this plan, of which some calls failed.
    ByModel {
        /// The lines that each call showed.
        plan: &'p Plan,
        /// The calls that failed, by their place.
        failed: &'p [usize],
    },
}

/// Returns the changed files with the states of their lines.
pub fn files(diff: &Diff, judged: JudgedBy<'_>, left: &Left) -> Vec<FileReport> {
    let states = states(judged);
    let report = |(place, file): (usize, &ChangedFile)| {
        let hunks = file.hunks.iter().enumerate();
        let lines = hunks
            .flat_map(|(number, hunk)| {
                let planned = state_of(&states, judged, place, number);
                runs(number, hunk, &|line| {
                    left.state(file, &hunk.lines[line], planned(line))
                })
            })
            .collect();
        // A file with changed lines has a state for each of them, and needs no reason of its own.
        let skipped = if file.hunks.is_empty() {
            match left.is_hidden_text(&file.path) {
                true => Some(SkipReason::Encoding),
                false => skip::reason(file, None, None, &SkipLimits::default()),
            }
        } else {
            None
        };
        FileReport {
            path: file.path.clone(),
            change: file.change,
            skipped,
            lines,
        }
    };
    diff.files.iter().enumerate().map(report).collect()
}

/// Marks lines as judged by the rules alone if the silence of the model counts for nothing.
pub fn unhear(files: &mut [FileReport]) {
    for lines in files.iter_mut().flat_map(|file| &mut file.lines) {
        if lines.state == LineState::Reviewed {
            lines.state = LineState::RulesOnly;
        }
    }
}

/// The states of lines by file and hunk.
type States = BTreeMap<(usize, usize), Vec<(Range<usize>, LineState)>>;

fn states(judged: JudgedBy<'_>) -> States {
    let mut states = States::new();
    let JudgedBy::ByModel { plan, failed } = judged else {
        return states;
    };
    for (place, bundle) in plan.bundles.iter().enumerate() {
        let state = if failed.contains(&place) {
            LineState::Failed
        } else {
            LineState::Reviewed
        };
        for part in &bundle.parts {
            states
                .entry((part.file, part.hunk))
                .or_default()
                .push((part.lines.clone(), state));
        }
    }
    for (part, state) in &plan.left_out {
        states
            .entry((part.file, part.hunk))
            .or_default()
            .push((part.lines.clone(), *state));
    }
    states
}

/// Returns the state of each line of a hunk: the worst one if several parts contain it.
fn state_of<'s>(
    states: &'s States,
    judged: JudgedBy<'_>,
    file: usize,
    hunk: usize,
) -> impl Fn(usize) -> LineState + 's {
    let by_rules = matches!(judged, JudgedBy::ByRules);
    move |line| match (by_rules, states.get(&(file, hunk))) {
        (true, _) => LineState::RulesOnly,
        // A line without an account was in no call, so it must not count as reviewed.
        (false, None) => LineState::Clipped,
        (false, Some(parts)) => {
            let states = parts
                .iter()
                .filter(|(lines, _)| lines.contains(&line))
                .map(|(_, state)| *state);
            states.max().unwrap_or(LineState::Clipped)
        }
    }
}

/// Returns the changed lines of a hunk, with neighbours in the same state combined.
fn runs(number: usize, hunk: &Hunk, state_of: &dyn Fn(usize) -> LineState) -> Vec<LineReport> {
    let mut runs: Vec<LineReport> = Vec::new();
    for (place, line) in hunk
        .lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.kind != LineKind::Context)
    {
        let state = state_of(place);
        if runs.last().is_none_or(|last| last.state != state) {
            runs.push(LineReport {
                hunk: number,
                new_lines: 0..0,
                added: 0,
                removed: 0,
                state,
            });
        }
        let Some(run) = runs.last_mut() else { continue };
        match (line.kind, line.new_number) {
            (LineKind::Added, Some(number)) => {
                run.added += 1;
                let start = if run.new_lines.is_empty() {
                    number
                } else {
                    run.new_lines.start
                };
                run.new_lines = start..number + 1;
            }
            (LineKind::Added, None) => run.added += 1,
            (LineKind::Removed, _) => run.removed += 1,
            (LineKind::Context, _) => {}
        }
    }
    runs
}

/// Returns findings as they are reported: the most severe first, then by place.
pub fn findings(
    merged: Vec<Merged>,
    heads: &BTreeMap<String, Content>,
    gate: Gate,
) -> Vec<Reported> {
    let mut reported: Vec<Reported> = merged
        .into_iter()
        .map(|merged| of(merged, heads, gate))
        .collect();
    reported.sort_by(|one, other| key(&one.finding).cmp(&key(&other.finding)));
    reported
}

fn key(finding: &Finding) -> (std::cmp::Reverse<Severity>, &str, u32, &str) {
    let line = match finding.anchor {
        Anchor::Lines { start, .. } => start,
        Anchor::File => 0,
    };
    (
        std::cmp::Reverse(finding.severity),
        &finding.path,
        line,
        &finding.id,
    )
}

fn of(merged: Merged, heads: &BTreeMap<String, Content>, gate: Gate) -> Reported {
    let Merged { mut finding, notes } = merged;
    if finding.rule.is_none() {
        // A rule names the symbol itself. The fingerprint is made from it, so it has to be set
        // before.
        finding.symbol = symbol(&finding, heads).unwrap_or_default();
    }
    let baseline = BaselineState::New;
    let standing = standing(&finding, &baseline, gate);
    Reported {
        fingerprint: fingerprint::of(&finding),
        finding,
        baseline,
        standing,
        notes,
    }
}

/// Returns the effect of a finding at the gate.
pub fn standing(finding: &Finding, baseline: &BaselineState, gate: Gate) -> GateStanding {
    match baseline {
        // The gate is asked first, so that a known finding below it is not shown.
        _ if finding.quality < gate.min_quality => GateStanding::BelowQuality,
        _ if finding.severity < gate.severity => GateStanding::BelowSeverity,
        BaselineState::New => GateStanding::Blocks,
        BaselineState::Unchanged | BaselineState::Dismissed { .. } => GateStanding::Known,
    }
}

/// Sets the effect of each finding at the gate again, after a baseline was applied.
pub fn stand(report: &mut Report) {
    let gate = report.gate;
    for reported in &mut report.findings {
        let gate = report.folders.gate(&reported.finding.path, gate);
        reported.standing = standing(&reported.finding, &reported.baseline, gate);
    }
}

/// Returns the names of the items around a finding.
fn symbol(finding: &Finding, heads: &BTreeMap<String, Content>) -> Option<String> {
    let Anchor::Lines { start, .. } = finding.anchor else {
        return None;
    };
    let bytes = heads
        .get(&finding.path)?
        .bytes()
        .filter(|bytes| bytes.len() <= PARSED_BYTES_MAX)?;
    let language = languages::of_file(
        finding.path.rsplit('/').next()?,
        &bytes[..bytes.len().min(256)],
    )?;
    let parse = Parser::default()
        .parse(language, bytes, &parse_is_late())
        .ok()?;
    let at = line_start(bytes, start)?;
    // The indentation of a line is outside of an item that begins on it.
    let at = at
        + bytes[at..]
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count();
    Some(parse.containers(at..(at + 1).min(bytes.len())).join("."))
}

fn line_start(bytes: &[u8], line: u32) -> Option<usize> {
    match line.checked_sub(2) {
        None => Some(0),
        Some(newlines) => memchr::memchr_iter(b'\n', bytes)
            .nth(newlines as usize)
            .map(|at| at + 1)
            .filter(|at| *at < bytes.len()),
    }
}

#[cfg(test)]
mod tests;
