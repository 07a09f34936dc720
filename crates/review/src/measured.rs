//! What happened to the findings of each rule in the history of a repository, and how that rates
//! its next ones. Takes merged commits and the present rules, and counts which of their findings
//! were fixed, silenced or left. A line of a finding often changes for another reason, so the share
//! of all added lines that changed is counted beside it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use grounds_repo::git::{self, GitError, Next};
use serde::Deserialize;

use crate::analyzers;
use crate::diff::{Change, DiffScope, LineKind, Revision, load};
use crate::finding::{Anchor, Finding};
use crate::others::{self, Others};
use crate::plan::PlanLimits;
use crate::rules::{RuleSet, run_in_repository};
use crate::settings::SettingsSide;
use crate::sides::Sides;
use crate::tree::Tree;

/// The path of the figures of a repository.
pub const PATH: &str = ".grounds/measured.yml";
/// Number of findings with a known fate that a share needs to mean anything.
const FOUND_MIN: u64 = 5;
/// Minimum number of bytes of a line that is searched again; shorter ones are everywhere.
const LINE_BYTES_MIN: usize = 8;
/// Maximum number of added lines that are kept; later commits are not read.
const LINES_MAX: usize = 1_000_000;
/// Maximum number of commits that can be asked for.
pub const COMMITS_MAX: usize = 10_000;
/// Words of a comment with which people silence linters.
const SILENCERS: [&str; 10] = [
    "grounds-ignore",
    "ast-grep-ignore",
    "noqa",
    "nosec",
    "nolint",
    "NOLINT",
    "eslint-disable",
    "nosemgrep",
    "shellcheck disable",
    "zizmor: ignore",
];

/// The figures of a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// Commits that were judged.
    pub commits: u64,
    /// Commits that could not be judged.
    #[serde(default)]
    pub commits_failed: u64,
    /// Added lines whose fate is known.
    pub lines: u64,
    /// Those of them that are gone today.
    pub lines_gone: u64,
    /// By rule; an analyzer's as `TOOL/RULE`.
    pub rules: BTreeMap<String, RuleFigures>,
}

/// The figures of a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleFigures {
    /// Findings.
    pub found: u64,
    /// Those of them whose line is gone today.
    pub gone: u64,
    /// Those whose line is unchanged.
    pub stands: u64,
    /// Those that a comment or the configuration silences.
    pub silenced: u64,
}

/// The rating of a rule by the figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// It has no figures.
    Unmeasured,
    /// It has too few findings for a share.
    Quiet,
    /// Its lines were fixed more often than other lines changed.
    Mended,
    /// Its lines were fixed no more often than other lines changed.
    Noisy,
}

impl Measured {
    /// Reads a file of figures.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(text: &str) -> Result<Self, String> {
        serde_saphyr::from_str(text).map_err(|error| error.to_string())
    }

    /// Returns the text of a file of figures.
    pub fn render(&self) -> String {
        let mut text =
            "# What became of findings on merged commits, by `grounds rules measure`.\n".to_owned();
        for (key, count) in [
            ("commits", self.commits),
            ("commits_failed", self.commits_failed),
            ("lines", self.lines),
            ("lines_gone", self.lines_gone),
        ] {
            text.push_str(&format!("{key}: {count}\n"));
        }
        text.push_str(if self.rules.is_empty() {
            "rules: {}\n"
        } else {
            "rules:\n"
        });
        for (name, row) in &self.rules {
            text.push_str(&format!(
                "  {}: {{found: {}, gone: {}, stands: {}, silenced: {}}}\n",
                serde_json::Value::from(name.as_str()),
                row.found,
                row.gone,
                row.stands,
                row.silenced
            ));
        }
        text
    }

    /// Returns the rating of a rule.
    pub fn worth(&self, rule: &str) -> Worth {
        let Some(row) = self.rules.get(rule) else {
            return Worth::Unmeasured;
        };
        let known = row.gone + row.stands + row.silenced;
        match known {
            _ if known < FOUND_MIN => Worth::Quiet,
            // Compares the share of fixed findings with the share of changed lines, multiplied out.
            _ if row.gone * self.lines > self.lines_gone * known => Worth::Mended,
            _ => Worth::Noisy,
        }
    }

    /// Returns a sentence about the figures of a rule.
    pub fn told(&self, rule: &str) -> String {
        match self.rules.get(rule) {
            None => format!(
                "`{rule}` was not measured on this repository, and is not believed alone: \
                 `grounds rules measure > {PATH}`"
            ),
            Some(row) => format!(
                "of {} findings of `{rule}` in {} commits {} were fixed, {} silenced and {} left, \
                 no better than any line ({} of {} went)",
                row.found,
                self.commits,
                row.gone,
                row.silenced,
                row.stands,
                self.lines_gone,
                self.lines
            ),
        }
    }
}

/// Returns the name of an analyzer's rule among the figures.
pub(crate) fn name_of(tool: &str, rule: Option<&str>) -> String {
    format!("{tool}/{}", rule.unwrap_or("any"))
}

/// The reason that nothing could be measured.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MeasureError {
    /// Git failed.
    #[error("read the history: {0}")]
    Git(#[from] GitError),
    /// An analyzer failed.
    #[error("run the analyzer `{name}` on commit {commit}: {why}")]
    Analyzer {
        /// The analyzer.
        name: String,
        /// The commit.
        commit: String,
        /// Why.
        why: String,
    },
}

/// An added line, with the rule that has a finding about it; `None` if no rule has.
struct MeasuredLine {
    rule: Option<String>,
    path: String,
    text: String,
    is_silenced: bool,
}

/// Measures the rules, and analyzers by their names, on the last commits.
///
/// # Errors
/// As [`MeasureError`].
pub fn measure(
    top: &Path,
    rules: &RuleSet,
    wanted: &[String],
    commits_max: usize,
    limits: &PlanLimits,
) -> Result<Measured, MeasureError> {
    let head = git::call(top, &["rev-parse", "--verify", "HEAD"])?;
    let head = String::from_utf8_lossy(&head).trim().to_owned();
    let count = format!("--max-count={}", commits_max.min(COMMITS_MAX));
    // The lines of a merge are those of the commits that it merges.
    let listed = git::call(top, &["rev-list", "--no-merges", &count, &head])?;
    let mut measured = Measured {
        rules: seeded(rules),
        ..Measured::default()
    };
    let mut came = Vec::new();
    for commit in String::from_utf8_lossy(&listed).lines() {
        if came.len() >= LINES_MAX {
            break;
        }
        let scope = DiffScope::Commit(commit.to_owned());
        match load(top, &scope, &limits.diff) {
            Ok(change) => {
                came.extend(judged(&change, rules, wanted, commit, limits)?);
                measured.commits += 1;
            }
            Err(_) => measured.commits_failed += 1,
        }
    }
    let now = today(top, &head, &came, limits)?;
    came.iter().for_each(|came| measured.count(came, &now));
    Ok(measured)
}

/// Returns empty figures for the rules of the repository and of packs, so that rules without any
/// finding are listed too.
fn seeded(rules: &RuleSet) -> BTreeMap<String, RuleFigures> {
    let own = rules.rules().iter().filter(|rule| rule.is_of_file());
    own.map(|rule| (rule.name.clone(), RuleFigures::default()))
        .collect()
}

/// Returns the added lines of a change, and the findings about them.
fn judged(
    change: &Change,
    rules: &RuleSet,
    wanted: &[String],
    commit: &str,
    limits: &PlanLimits,
) -> Result<Vec<MeasuredLine>, MeasureError> {
    // All added lines are counted as well: lines change for many reasons, and only a higher share
    // than theirs says something about a rule.
    let mut came: Vec<MeasuredLine> = added_lines(change).collect();
    if let Some(sides) = Sides::of(change, limits) {
        let report = run_in_repository(rules, &sides)?;
        let silenced = report.suppressed.iter().map(|one| (&one.finding, true));
        let found = report.findings.iter().map(|finding| {
            let is_silenced = report.silenced_by_change.contains_key(&finding.id);
            (finding, is_silenced)
        });
        came.extend(found.chain(silenced).filter_map(|(finding, is_silenced)| {
            came_of(change, finding, finding.rule.clone()?, is_silenced)
        }));
    }
    if !wanted.is_empty() {
        came.extend(analyzed(change, wanted, commit, limits)?);
    }
    Ok(came)
}

fn analyzed(
    change: &Change,
    wanted: &[String],
    commit: &str,
    limits: &PlanLimits,
) -> Result<Vec<MeasuredLine>, MeasureError> {
    let failed = |name: &str, why: String| MeasureError::Analyzer {
        name: name.to_owned(),
        commit: commit.to_owned(),
        why,
    };
    let settings = SettingsSide::of(change, &limits.diff);
    let reports = analyzers::run(wanted, change, &settings, &limits.diff)
        .map_err(|why| failed(&wanted.join(", "), why))?;
    let mut came = Vec::new();
    for Others {
        name,
        findings,
        failed: why,
    } in &reports
    {
        // Figures without the findings of one commit would rate the analyzer wrongly.
        if let Some(why) = why {
            return Err(failed(name, why.clone()));
        }
        for other in findings {
            let Some(file) = others::file_of(&other.path, &change.diff) else {
                continue;
            };
            let rule = name_of(&other.tool, other.rule.as_deref());
            let line = other
                .lines
                .and_then(|lines| others::added(file, lines).next());
            came.extend(line.map(|(_, text)| MeasuredLine {
                rule: Some(rule),
                path: file.path.clone(),
                text: text.trim().to_owned(),
                is_silenced: false,
            }));
        }
    }
    Ok(came)
}

fn added_lines(change: &Change) -> impl Iterator<Item = MeasuredLine> + '_ {
    let lines = change.diff.files.iter().flat_map(|file| {
        let lines = file.hunks.iter().flat_map(|hunk| &hunk.lines);
        lines.map(move |line| (file.path.as_str(), line))
    });
    lines
        .filter(|(_, line)| {
            line.kind == LineKind::Added && line.text.trim().len() >= LINE_BYTES_MIN
        })
        .map(|(path, line)| MeasuredLine {
            rule: None,
            path: path.to_owned(),
            text: line.text.trim().to_owned(),
            is_silenced: false,
        })
}

/// Returns a finding with its added line. A finding about a removed line has no text, and its fate
/// is not known.
fn came_of(
    change: &Change,
    finding: &Finding,
    rule: String,
    is_silenced: bool,
) -> Option<MeasuredLine> {
    let file = change
        .diff
        .files
        .iter()
        .find(|file| file.path == finding.path)?;
    let text = match finding.anchor {
        Anchor::Lines { start, end } => others::added(file, (start, end)).next(),
        Anchor::File => None,
    };
    Some(MeasuredLine {
        rule: Some(rule),
        path: finding.path.clone(),
        text: text.map_or_else(String::new, |(_, text)| text.trim().to_owned()),
        is_silenced,
    })
}

/// The present files that lines were added to, as lists of lines.
type Today = BTreeMap<String, Vec<String>>;

fn today(
    top: &Path,
    head: &str,
    came: &[MeasuredLine],
    limits: &PlanLimits,
) -> Result<Today, MeasureError> {
    let paths: BTreeSet<&str> = came.iter().map(|came| came.path.as_str()).collect();
    let tree = Tree::at(top, &Revision::Commit(head.to_owned()), &limits.diff)?;
    let files: Vec<_> = paths.iter().filter_map(|path| tree.file(path)).collect();
    let mut now = Today::new();
    tree.each(&files, &mut |place, content| {
        if let Some(bytes) = content.bytes() {
            let text = String::from_utf8_lossy(bytes);
            let lines = text.lines().map(|line| line.trim().to_owned());
            now.insert(files[place].path.clone(), lines.collect());
        }
        Next::GoOn
    })?;
    Ok(now)
}

impl Measured {
    fn count(&mut self, came: &MeasuredLine, now: &Today) {
        let fate = fate(came, now);
        let Some(rule) = &came.rule else {
            self.lines += u64::from(fate.is_some());
            self.lines_gone += u64::from(fate == Some(Fate::Gone));
            return;
        };
        let row = self.rules.entry(rule.clone()).or_default();
        row.found += 1;
        match fate {
            Some(Fate::Gone) => row.gone += 1,
            Some(Fate::Stands) => row.stands += 1,
            Some(Fate::Silenced) => row.silenced += 1,
            None => {}
        }
    }
}

/// The fate of an added line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Gone,
    Stands,
    Silenced,
}

/// Returns what happened to a line, or `None` if that is open: its file is gone, or the line is too
/// short.
fn fate(came: &MeasuredLine, now: &Today) -> Option<Fate> {
    if came.is_silenced {
        return Some(Fate::Silenced);
    }
    let lines = now
        .get(&came.path)
        .filter(|_| came.text.len() >= LINE_BYTES_MIN)?;
    let silences = |line: &String| SILENCERS.iter().any(|word| line.contains(word));
    let mut places = lines
        .iter()
        .enumerate()
        // A comment that silences a rule may have been added at the end of the line.
        .filter(|(_, line)| line.starts_with(&came.text))
        .peekable();
    if places.peek().is_none() {
        return Some(Fate::Gone);
    }
    // A line without a finding is only counted for the share of all lines, where a comment of a
    // linter does not matter.
    let is_silenced = came.rule.is_some()
        && places.all(|(at, line)| silences(line) || at > 0 && silences(&lines[at - 1]));
    Some(if is_silenced {
        Fate::Silenced
    } else {
        Fate::Stands
    })
}

#[cfg(test)]
mod tests;
