//! `grounds rules`: list, explain and test the rules that changes are judged by.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use grounds_review::measured::{self, MeasureError};
use grounds_review::rules::cases::{self, CaseReport};
use grounds_review::rules::{RuleError, case_files};
use grounds_review::{PlanLimits, ReviewError, RuleSet};

use super::print;
use crate::cli::{Global, RulesArgs, RulesCommand};
use crate::config;
use crate::error::Error;
use crate::exit::Exit;
use crate::output::rules::{FailedEntry, RuleEntry, RulesReport};
use crate::rules;

pub(super) fn run(arguments: &RulesArgs, global: &Global) -> Result<Exit, Error> {
    let checkout = super::ask::open(global)?;
    match &arguments.command {
        RulesCommand::List => {
            let set = project(checkout.root(), global)?;
            let report =
                RulesReport::new(set.rules().iter().map(RuleEntry::of).collect(), Vec::new());
            print(Exit::Answered, &mut |out| report.list(global.format, out))
        }
        RulesCommand::Explain { rule } => {
            let mut set = project(checkout.root(), global)?;
            // Switching it to what it is tells an unknown name with the nearest one.
            let is_on = set.rule(rule).is_some_and(|rule| rule.is_on);
            set.switch(std::slice::from_ref(rule), is_on)?;
            let report = RulesReport::new(
                set.rule(rule).map(RuleEntry::of).into_iter().collect(),
                Vec::new(),
            );
            print(Exit::Answered, &mut |out| {
                report.explain(global.format, out)
            })
        }
        RulesCommand::Measure { commits, analyzer } => {
            measure(checkout.root(), global, *commits, analyzer)
        }
        RulesCommand::Test { paths } if paths.is_empty() => test_project(checkout.root(), global),
        RulesCommand::Test { paths } => test_paths(paths, global),
    }
}

fn project(root: &Path, global: &Global) -> Result<RuleSet, Error> {
    rules::of_project(root, &config::read(global.config.as_deref(), root)?.rules)
}

/// Measures what became of the findings of the project's rules, and of analyzers, in its history.
fn measure(root: &Path, global: &Global, commits: u16, wanted: &[String]) -> Result<Exit, Error> {
    let (set, limits) = (project(root, global)?, PlanLimits::default());
    let measured = measured::measure(root, &set, wanted, usize::from(commits), &limits);
    let measured = measured.map_err(|error| match error {
        MeasureError::Git(error) => Error::Review(ReviewError::Git(error)),
        MeasureError::Analyzer { .. } => Error::Analyzer(error.to_string()),
    })?;
    print(Exit::Answered, &mut |out| {
        out.write_all(measured.render().as_bytes())
    })
}

/// Tests the cases of the program and those of the project.
fn test_project(root: &Path, global: &Global) -> Result<Exit, Error> {
    let set = project(root, global)?;
    let mut all = CaseReport::default();
    for (name, text) in cases::built_in_cases() {
        join(&mut all, cases::check(&set, name, text)?);
    }
    for path in case_files(&root.join(rules::FOLDER))? {
        join(&mut all, cases::check_file(&set, &path)?);
    }
    told(&set, &all, global, &|_| true)
}

/// Tests the cases of some rule files, each in the files of cases beside it.
fn test_paths(paths: &[PathBuf], global: &Global) -> Result<Exit, Error> {
    let mut set = RuleSet::built_in();
    let mut files: Vec<PathBuf> = Vec::new();
    for path in paths {
        if path.is_dir() {
            set = set.with_folder(path)?;
            files.extend(case_files(path)?);
        } else if path
            .file_stem()
            // `NAME-test.yml` has the cases of rules, and is no rule itself.
            .is_some_and(|stem| stem.to_string_lossy().ends_with("-test"))
        {
            files.push(path.clone());
        } else {
            set = set.with_file(path)?;
            files.extend(beside(path)?);
        }
    }
    files.sort();
    // A folder and a file in it may both be named.
    files.dedup();
    let mut all = CaseReport::default();
    for path in &files {
        join(&mut all, cases::check_file(&set, path)?);
    }
    // Built-in rules are in the set too, since cases may be about them; the others were not asked
    // about.
    let is_meant = |name: &str| all.passed.contains_key(name) || set.rule(name).is_some_and(is_own);
    told(&set, &all, global, &is_meant)
}

fn is_own(rule: &grounds_review::rules::Rule) -> bool {
    match rule.origin {
        grounds_review::rules::RuleOrigin::File(_) => true,
        grounds_review::rules::RuleOrigin::BuiltIn => false,
    }
}

/// Returns the file of cases of a rule file: `NAME-test.yml` beside `NAME.yml`.
fn beside(path: &Path) -> Result<Vec<PathBuf>, RuleError> {
    let stem = path
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default();
    let folder = path
        .parent()
        // The parent of `NAME.yml` is an empty path.
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let is_its = |file: &PathBuf| {
        file.parent() == Some(folder)
            && file
                .file_stem()
                .is_some_and(|name| name == format!("{stem}-test").as_str())
    };
    Ok(case_files(folder)?.into_iter().filter(is_its).collect())
}

fn join(all: &mut CaseReport, report: CaseReport) {
    for (rule, passed) in report.passed {
        *all.passed.entry(rule).or_default() += passed;
    }
    all.failed.extend(report.failed);
}

fn told(
    set: &RuleSet,
    all: &CaseReport,
    global: &Global,
    is_meant: &dyn Fn(&str) -> bool,
) -> Result<Exit, Error> {
    let passed: &BTreeMap<String, usize> = &all.passed;
    let meant = set.rules().iter().filter(|rule| is_meant(&rule.name));
    let entry = |rule| {
        let entry = RuleEntry::of(rule);
        RuleEntry {
            cases_passed: passed.get(&entry.id).copied(),
            ..entry
        }
    };
    let failed = all.failed.iter().map(|failed| FailedEntry {
        rule: failed.rule.clone(),
        case: failed.case.clone(),
        why: failed.why.clone(),
    });
    let report = RulesReport::new(meant.map(entry).collect(), failed.collect());
    let exit = if report.failed.is_empty() {
        Exit::Answered
    } else {
        Exit::Blocked
    };
    print(exit, &mut |out| report.test(global.format, out))
}
