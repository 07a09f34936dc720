//! Cases of rules: texts that a rule must report, and texts that it must not. The format is that of
//! ast-grep's tests, with additions if one text is not enough: a path, the text before the change,
//! other files, the lines that are meant.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;

use super::callers::{self, CallSite, Callers};
use super::documents::{self, RuleError};
use super::report::{RuleReport, Unread};
use super::rule::{DetectorKind, Rule};
use super::set::RuleSet;
use super::side::{Blobs, Side};
use super::stated::{BothSides, InDocuments, World};
use super::{built_in, run};
use crate::diff::{ChangedFile, ChangedLine, Diff, FileChange, Hunk, LineKind, Revision};
use crate::finding::{Anchor, Finding};

/// Maximum product of the numbers of lines of both sides of a case.
const CELLS_MAX: usize = 4_000_000;
/// The characters of a made-up secret, in an order that does not look like a word.
const MADE: &str = "a8Kd03ZqLm5Xv9Rt2WcYb7NfHs4Pj6Ge1";

/// The result of the cases of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CaseReport {
    /// The rules that had cases, with how many passed.
    pub passed: BTreeMap<String, usize>,
    /// The cases that failed.
    pub failed: Vec<FailedCase>,
}

/// A case that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedCase {
    /// The rule.
    pub rule: String,
    /// Which case: `invalid 2`.
    pub case: String,
    /// The actual result.
    pub why: String,
}

/// One document of a file of cases.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CasesDocument {
    id: String,
    #[serde(default)]
    valid: Vec<RuleCase>,
    #[serde(default)]
    invalid: Vec<RuleCase>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum RuleCase {
    Text(String),
    One(CaseFile),
    Many(CaseFiles),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseFiles {
    files: Vec<CaseFile>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct CaseFile {
    path: Option<String>,
    /// The text before the change; without it the file is new.
    base: Option<String>,
    /// The text after it; without it the file is gone.
    code: Option<String>,
    /// The lines where findings begin; `None` if any lines will do.
    lines: Option<Vec<u32>>,
}

/// The expected result of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Silence,
    Findings,
}

/// Returns the cases of the built-in rules, by file.
pub fn built_in_cases() -> &'static [(&'static str, &'static str)] {
    built_in::CASES
}

/// Returns the built-in rules as written, by file.
pub fn built_in_files() -> &'static [(&'static str, &'static str)] {
    built_in::FILES
}

/// Returns a text that a built-in rule reports: the first of its cases.
pub fn example(rule: &str) -> Option<String> {
    let file = format!("{rule}-test.yml");
    let (_, text) = built_in::CASES.iter().find(|(name, _)| *name == file)?;
    let pages: Vec<CasesDocument> = ast_grep_config::from_multiple(text).ok()?;
    let case = pages.into_iter().flat_map(|page| page.invalid).next()?;
    let file = match case {
        RuleCase::Text(text) => return Some(text),
        RuleCase::One(file) => file,
        RuleCase::Many(many) => many.files.into_iter().next()?,
    };
    // For a rule about removed text, the old text is the example.
    file.code.or(file.base)
}

/// Runs the cases of one file on disk.
///
/// # Errors
/// As [`check`], and a file that cannot be read.
pub fn check_file(rules: &RuleSet, path: &std::path::Path) -> Result<CaseReport, RuleError> {
    check(
        rules,
        &path.display().to_string(),
        &super::set::read_bounded(path)?,
    )
}

/// Runs the cases of one file.
///
/// # Errors
/// The first fault of the file, with line and column.
pub fn check(rules: &RuleSet, path: &str, text: &str) -> Result<CaseReport, RuleError> {
    let pages: Vec<CasesDocument> = ast_grep_config::from_multiple(text)
        .map_err(|error| documents::at_error(path, 1, text, &error))?;
    let mut report = CaseReport::default();
    for page in &pages {
        let name = page.id.split('/').next().unwrap_or_default();
        let no_rule =
            || documents::at_key(path, 1, text, "id", format!("there is no rule `{name}`"));
        let rule = rules.rule(name).ok_or_else(no_rule)?;
        let groups = [
            (Expected::Silence, "valid", &page.valid),
            (Expected::Findings, "invalid", &page.invalid),
        ];
        for (expected, word, cases) in groups {
            for (index, case) in cases.iter().enumerate() {
                match verdict(rules, rule, &page.id, case, expected) {
                    Ok(()) => *report.passed.entry(name.to_owned()).or_default() += 1,
                    Err(why) => report.failed.push(FailedCase {
                        rule: page.id.clone(),
                        case: format!("{word} {}", index + 1),
                        why,
                    }),
                }
            }
        }
    }
    Ok(report)
}

fn verdict(
    rules: &RuleSet,
    rule: &Rule,
    id: &str,
    case: &RuleCase,
    expected: Expected,
) -> Result<(), String> {
    let files: Vec<CaseFile> = match case {
        RuleCase::Text(text) => vec![CaseFile {
            code: Some(text.clone()),
            ..CaseFile::default()
        }],
        RuleCase::One(file) => vec![file.clone()],
        RuleCase::Many(many) => many.files.clone(),
    };
    let files: Vec<CaseFile> = files
        .into_iter()
        .map(|file| prepared(file, rule, id))
        .collect();
    let (diff, texts) = (diff(&files)?, Texts(&files));
    let stated = InDocuments::new(&texts, &diff, &rules.limits);
    let report = run::run_chosen(
        rules,
        &|one| one.name == rule.name,
        &diff,
        &texts,
        Some(run::ChangeSurroundings {
            callers: &texts,
            stated: &stated,
            world: &texts,
        }),
    );
    // A rule that could not finish has not passed the case.
    if let Some(open) = report.not_judged.first() {
        return Err(format!("`{}` was not judged: {}", open.path, open.reason));
    }
    compare(&report, &files, expected)
}

fn compare(report: &RuleReport, files: &[CaseFile], expected: Expected) -> Result<(), String> {
    // A case is about the rule, so a comment that would silence it only after the merge silences it
    // here.
    let told = || {
        let is_told = |finding: &&Finding| !report.silenced_by_change.contains_key(&finding.id);
        report.findings.iter().filter(is_told)
    };
    let places = |path: &str| {
        let lines = told()
            .filter(|finding| finding.path == path)
            .map(|finding| match finding.anchor {
                Anchor::Lines { start, .. } => start,
                Anchor::File => 0,
            });
        lines.collect::<Vec<u32>>()
    };
    match (expected, told().next()) {
        (Expected::Silence, Some(finding)) => {
            return Err(format!(
                "it complains at lines {:?} of `{}`: {}",
                places(&finding.path),
                finding.path,
                finding.title
            ));
        }
        (Expected::Findings, None) => return Err("it finds nothing".to_owned()),
        (Expected::Silence, None) | (Expected::Findings, Some(_)) => {}
    }
    for file in files {
        let Some((path, lines)) = file.path.as_deref().zip(file.lines.as_ref()) else {
            continue;
        };
        if places(path) != *lines {
            return Err(format!(
                "it complains at lines {:?} of `{path}`, not at {lines:?}",
                places(path)
            ));
        }
    }
    Ok(())
}

/// Returns a file of a case with a path, and with the secrets that its text asks for.
fn prepared(file: CaseFile, rule: &Rule, id: &str) -> CaseFile {
    let path = file
        .path
        .unwrap_or_else(|| format!("src/case.{}", ending(rule, id)));
    CaseFile {
        path: Some(path),
        base: file.base.map(|text| made_up(&text)),
        code: file.code.map(|text| made_up(&text)),
        lines: file.lines,
    }
}

/// Returns the extension of a file of the language that a rule, or the named part of it, is for.
fn ending<'r>(rule: &'r Rule, id: &str) -> &'r str {
    let meant = rule
        .detectors
        .iter()
        .find(|detector| detector.id == id)
        .or(rule.detectors.first());
    let language = meant.and_then(|detector| match &detector.kind {
        DetectorKind::Tree(tree) => Some(tree.body.language.syntax()),
        DetectorKind::Text(_) | DetectorKind::Native(_) => None,
    });
    language
        .and_then(|language| language.extensions.first())
        .copied()
        .unwrap_or("txt")
}

/// Replaces `{{made HEAD LETTERS}}` by a made-up secret. In that way no file in the repository
/// contains one.
fn made_up(text: &str) -> String {
    let mut parts = text.split("{{made ");
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (call, rest) = part.split_once("}}").unwrap_or((part, ""));
        let (head, letters) = call.split_once(' ').unwrap_or((call, "0"));
        whole.push_str(head);
        whole.extend(
            MADE.chars()
                .cycle()
                .take(letters.trim().parse().unwrap_or(0)),
        );
        whole.push_str(rest);
    }
    whole
}

struct Texts<'a>(&'a [CaseFile]);

impl Blobs for Texts<'_> {
    fn read(&self, file: &ChangedFile, side: Side) -> Result<Option<Vec<u8>>, Unread> {
        let case = self
            .0
            .iter()
            .find(|case| case.path.as_deref() == Some(&file.path));
        let text = case.and_then(|case| match side {
            Side::Base => case.base.as_ref(),
            Side::Head => case.code.as_ref(),
        });
        Ok(text.map(|text| text.clone().into_bytes()))
    }
}

/// A case is a repository of its own.
impl World for Texts<'_> {
    fn name(&self) -> String {
        "case".to_owned()
    }

    fn paths(&self) -> Result<Vec<String>, Unread> {
        let here = self.0.iter().filter(|file| file.code.is_some());
        Ok(here.filter_map(|file| file.path.clone()).collect())
    }

    fn each(
        &self,
        paths: &[&str],
        on_file: &mut dyn FnMut(usize, &[u8]) -> bool,
    ) -> Result<(), Unread> {
        for (place, path) in paths.iter().enumerate() {
            let is_it = |file: &&CaseFile| file.path.as_deref() == Some(path);
            let code = self
                .0
                .iter()
                .find(is_it)
                .and_then(|file| file.code.as_ref());
            if code.is_some_and(|code| !on_file(place, code.as_bytes())) {
                break;
            }
        }
        Ok(())
    }

    fn sides(&self, file: &ChangedFile) -> Result<BothSides, Unread> {
        Ok((self.read(file, Side::Base)?, self.read(file, Side::Head)?))
    }
}

/// In a case, every line that contains the name counts as a call.
impl Callers for Texts<'_> {
    fn of(&self, _file: usize, name: &str) -> Result<Vec<CallSite>, Unread> {
        let sites = |file: &CaseFile| {
            let (path, text) = (
                file.path.clone().unwrap_or_default(),
                file.code.clone().unwrap_or_default(),
            );
            let with_name = |(index, line): (usize, &str)| {
                line.contains(name)
                    .then(|| u32::try_from(index + 1).unwrap_or(u32::MAX))
            };
            let lines: Vec<u32> = text.lines().enumerate().filter_map(with_name).collect();
            let site = |line: u32| CallSite {
                path: path.clone(),
                line,
                text: callers::from_line(&text, line),
                brings: Arc::new(crate::chain::brought_in(text.as_bytes())),
            };
            lines.into_iter().map(site).collect::<Vec<CallSite>>()
        };
        Ok(self.0.iter().flat_map(sites).collect())
    }

    fn is_gone(&self, _file: usize, name: &str) -> Result<bool, Unread> {
        let defines = |text: &String| {
            let mut words = ["def", "fn", "func", "function", "class"].iter();
            words.any(|word| text.contains(&format!("{word} {name}")))
        };
        Ok(!self
            .0
            .iter()
            .filter_map(|file| file.code.as_ref())
            .any(defines))
    }
}

fn diff(files: &[CaseFile]) -> Result<Diff, String> {
    let files = files.iter().map(changed_file).collect::<Result<_, _>>()?;
    Ok(Diff {
        base: Revision::Unknown,
        head: Revision::Unknown,
        files,
    })
}

fn changed_file(file: &CaseFile) -> Result<ChangedFile, String> {
    let change = match (&file.base, &file.code) {
        (None, Some(_)) => FileChange::Added,
        (Some(_), Some(_)) => FileChange::Modified,
        (Some(_), None) => FileChange::Deleted,
        (None, None) => return Err("the case has neither `code` nor `base`".to_owned()),
    };
    let path = file.path.clone().unwrap_or_default();
    let lines = changed_lines(
        file.base.as_deref().unwrap_or_default(),
        file.code.as_deref().unwrap_or_default(),
    )?;
    Ok(ChangedFile {
        path,
        path_old: None,
        change,
        blob_old: None,
        blob_new: None,
        mode_old: None,
        mode_new: None,
        hunks: vec![Hunk {
            old_start: 1,
            new_start: 1,
            lines,
        }],
    })
}

/// Returns all lines of both sides as one hunk, in which the longest common subsequence is kept.
fn changed_lines(base: &str, head: &str) -> Result<Vec<ChangedLine>, String> {
    let (base, head): (Vec<&str>, Vec<&str>) = (base.lines().collect(), head.lines().collect());
    if base.len().saturating_mul(head.len()) > CELLS_MAX {
        return Err("its texts are too long".to_owned());
    }
    let kept = common(&base, &head);
    let (mut lines, mut old, mut new) = (Vec::new(), 0, 0);
    for (kept_old, kept_new) in kept.into_iter().chain([(base.len(), head.len())]) {
        lines.extend((old..kept_old).map(|at| line(LineKind::Removed, Some(at), None, base[at])));
        lines.extend((new..kept_new).map(|at| line(LineKind::Added, None, Some(at), head[at])));
        if kept_old < base.len() && kept_new < head.len() {
            lines.push(line(
                LineKind::Context,
                Some(kept_old),
                Some(kept_new),
                base[kept_old],
            ));
        }
        (old, new) = (kept_old + 1, kept_new + 1);
    }
    Ok(lines)
}

fn line(kind: LineKind, old: Option<usize>, new: Option<usize>, text: &str) -> ChangedLine {
    let number = |at: usize| u32::try_from(at + 1).unwrap_or(u32::MAX);
    ChangedLine {
        kind,
        old_number: old.map(number),
        new_number: new.map(number),
        text: text.to_owned(),
        ending: crate::diff::LineEnding::Lf,
    }
}

/// Returns the places of a longest common subsequence, on both sides.
fn common(base: &[&str], head: &[&str]) -> Vec<(usize, usize)> {
    let width = head.len() + 1;
    let mut longest = vec![0_u32; (base.len() + 1) * width];
    for old in (0..base.len()).rev() {
        for new in (0..head.len()).rev() {
            let (down, right) = (
                longest[(old + 1) * width + new],
                longest[old * width + new + 1],
            );
            let both = longest[(old + 1) * width + new + 1] + 1;
            longest[old * width + new] = if base[old] == head[new] {
                both
            } else {
                down.max(right)
            };
        }
    }
    let (mut kept, mut old, mut new) = (Vec::new(), 0, 0);
    while old < base.len() && new < head.len() {
        if base[old] == head[new] {
            kept.push((old, new));
            (old, new) = (old + 1, new + 1);
        } else if longest[(old + 1) * width + new] >= longest[old * width + new + 1] {
            old += 1;
        } else {
            new += 1;
        }
    }
    kept
}

/// Runs of all rules over texts, for tests.
#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// One file `src/a.py` from a base to a head, and its added lines.
    pub(crate) fn judge(rules: &RuleSet, base: Option<&str>, head: &str) -> (RuleReport, Vec<u32>) {
        let file = CaseFile {
            path: Some("src/a.py".to_owned()),
            base: base.map(str::to_owned),
            code: Some(head.to_owned()),
            lines: None,
        };
        let files = [file];
        let diff = diff(&files).expect("a diff");
        let added = crate::rules::changes::ChangedLines::of(&diff.files[0]).added;
        (run::run(rules, &diff, &Texts(&files)), added)
    }

    /// The change of files from a base to a head, by path.
    pub(crate) fn change(files: &[(&str, Option<&str>, Option<&str>)]) -> Diff {
        let file = |(path, base, code): &(&str, Option<&str>, Option<&str>)| CaseFile {
            path: Some((*path).to_owned()),
            base: base.map(str::to_owned),
            code: code.map(str::to_owned),
            lines: None,
        };
        let files: Vec<CaseFile> = files.iter().map(file).collect();
        diff(&files).expect("a diff")
    }

    /// New files.
    pub(crate) fn judge_files(rules: &RuleSet, files: &[(String, String)]) -> RuleReport {
        let file = |(path, text): &(String, String)| CaseFile {
            path: Some(path.clone()),
            code: Some(text.clone()),
            ..CaseFile::default()
        };
        let files: Vec<CaseFile> = files.iter().map(file).collect();
        run::run(rules, &diff(&files).expect("a diff"), &Texts(&files))
    }

    /// As [`judge`], where the base cannot be read.
    pub(crate) fn judge_without_base(rules: &RuleSet, base: &str, head: &str) -> RuleReport {
        struct NoBase<'a>(Texts<'a>);
        impl Blobs for NoBase<'_> {
            fn read(&self, file: &ChangedFile, side: Side) -> Result<Option<Vec<u8>>, Unread> {
                match side {
                    Side::Base => Err(Unread::failed("gone")),
                    Side::Head => self.0.read(file, side),
                }
            }
        }
        let file = CaseFile {
            path: Some("src/a.py".to_owned()),
            base: Some(base.to_owned()),
            code: Some(head.to_owned()),
            lines: None,
        };
        let files = [file];
        run::run(
            rules,
            &diff(&files).expect("a diff"),
            &NoBase(Texts(&files)),
        )
    }
}
