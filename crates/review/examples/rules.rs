//! How often rules speak: findings for 100 added lines, over the last commits of
//! repositories, or over the changes of a file of labelled comments.
//!
//! `rules commits COUNT REPOSITORY…` or `rules comments FOLDER VALID.json REJECTED.json`, where
//! FOLDER holds the repositories as `owner+name`, or `rules peer AST-GREP FOLDER…`: the same rule
//! files given to both, over all files. With `all` as the first word, rules that are off speak too;
//! with `show`, every finding is printed; `only RULE,…` or `without RULE,…` behind them chooses rules.

#![expect(clippy::print_stdout, reason = "an example prints what it measures")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use grounds_review::diff::{DiffScope, load};
use grounds_review::rules::{RuleReport, RuleSet, run_in_repository};
use grounds_review::{Anchor, Finding, PlanLimits, Severity, Sides};
use serde_json::Value;

/// Number of lines between a finding and a comment that are still the same place.
const NEAR_LINES: u32 = 1;

/// What was seen of some changes.
#[derive(Default)]
struct Seen {
    changes: usize,
    lines: usize,
    lines_judged: usize,
    by_rule: BTreeMap<String, Counts>,
    findings: usize,
    suppressed: usize,
    took: Duration,
    absent: usize,
}

#[derive(Default)]
struct Counts {
    findings: usize,
    on_valid: usize,
    on_rejected: usize,
}

/// A comment of a reviewer.
struct Comment {
    path: String,
    first: u32,
    last: u32,
}

type Failure = Box<dyn std::error::Error>;

/// The same rules and files, given to ast-grep.
mod peer {
    use std::collections::BTreeSet;
    use std::path::Path;
    use std::process::Command;
    use std::time::Instant;

    use grounds_review::rules::{Blobs, RuleSet, Side, Unread, cases, run};
    use grounds_review::{
        Anchor, ChangedFile, ChangedLine, Diff, FileChange, Hunk, LineEnding, LineKind, Revision,
    };
    use serde_json::Value;

    use super::Failure;

    /// Rule, file and first line.
    type Found = BTreeSet<(String, String, u64)>;

    struct Disk<'a>(&'a Path);

    impl Blobs for Disk<'_> {
        fn read(&self, file: &ChangedFile, side: Side) -> Result<Option<Vec<u8>>, Unread> {
            match side {
                Side::Base => Ok(None),
                Side::Head => std::fs::read(self.0.join(&file.path))
                    .map(Some)
                    .map_err(Unread::failed),
            }
        }
    }

    pub(super) fn compare(program: &str, folder: &Path) -> Result<(), Failure> {
        let rules = shared();
        let start = Instant::now();
        let ours = ours(&rules, folder)?;
        let our_time = start.elapsed();
        let start = Instant::now();
        let theirs = theirs(program, &rules, folder)?;
        let their_time = start.elapsed();
        let both = ours.intersection(&theirs).count();
        println!(
            "{}: {both} places of both, {} of grounds alone, {} of ast-grep alone; {:.2} s and {:.2} s",
            folder.display(),
            ours.len() - both,
            theirs.len() - both,
            our_time.as_secs_f64(),
            their_time.as_secs_f64()
        );
        ours.difference(&theirs)
            .take(10)
            .for_each(|(rule, path, line)| println!("  grounds alone: {rule} {path}:{line}"));
        theirs
            .difference(&ours)
            .take(10)
            .for_each(|(rule, path, line)| println!("  ast-grep alone: {rule} {path}:{line}"));
        Ok(())
    }

    /// The built-in patterns over trees, without what only grounds reads: neither leaves tests out
    /// then.
    fn shared() -> Vec<String> {
        let documents = cases::built_in_files()
            .iter()
            .flat_map(|(_, text)| text.split("\n---\n"));
        let is_tree = |document: &&str| {
            !document.contains("language: Native") && !document.contains("language: Text")
        };
        let plain = |document: &str| {
            let mut kept = String::new();
            let mut is_left_out = false;
            for line in document.lines() {
                if !line.starts_with([' ', '#']) {
                    is_left_out = line.starts_with("metadata:");
                }
                if !is_left_out {
                    kept.push_str(line);
                    kept.push('\n');
                }
            }
            kept
        };
        documents.filter(is_tree).map(plain).collect()
    }

    fn ours(documents: &[String], folder: &Path) -> Result<Found, Failure> {
        let mut rules = RuleSet::default();
        rules.limits.findings_in_file_max = usize::MAX;
        rules.limits.findings_max = usize::MAX;
        rules.limits.threads_max = 2;
        for (index, document) in documents.iter().enumerate() {
            let name = document
                .lines()
                .next()
                .unwrap_or_default()
                .trim_start_matches("id: ")
                .replace('/', "-");
            rules = rules.with_text(
                &format!("{index}.yml"),
                &document.replacen(
                    document.lines().next().unwrap_or_default(),
                    &format!("id: {name}"),
                    1,
                ),
            )?;
        }
        let names: Vec<String> = rules.rules().iter().map(|rule| rule.name.clone()).collect();
        rules.switch(&names, true)?;
        let files = all_files(folder)?
            .iter()
            .filter_map(|path| added(folder, path))
            .collect();
        let diff = Diff {
            base: Revision::Unknown,
            head: Revision::Unknown,
            files,
        };
        let report = run(&rules, &diff, &Disk(folder));
        report
            .not_judged
            .iter()
            .for_each(|open| println!("  not judged by grounds: {} {}", open.path, open.reason));
        let place = |finding: &grounds_review::Finding| match finding.anchor {
            Anchor::Lines { start, .. } => Some((
                finding.rule.clone()?,
                finding.path.clone(),
                u64::from(start),
            )),
            Anchor::File => None,
        };
        Ok(report.findings.iter().filter_map(place).collect())
    }

    fn all_files(folder: &Path) -> Result<Vec<String>, Failure> {
        let told = super::git(folder, &["ls-files", "-z"])?;
        Ok(String::from_utf8_lossy(&told)
            .split('\0')
            .filter(|path| !path.is_empty())
            .map(str::to_owned)
            .collect())
    }

    fn added(folder: &Path, path: &str) -> Option<ChangedFile> {
        let text = std::fs::read(folder.join(path))
            .ok()
            .filter(|bytes| !bytes.contains(&0))?;
        let text = String::from_utf8(text).ok()?;
        let line = |(index, text): (usize, &str)| ChangedLine {
            kind: LineKind::Added,
            old_number: None,
            new_number: u32::try_from(index + 1).ok(),
            text: text.to_owned(),
            ending: LineEnding::Lf,
        };
        let hunks = vec![Hunk {
            old_start: 0,
            new_start: 1,
            lines: text.lines().enumerate().map(line).collect(),
        }];
        Some(ChangedFile {
            path: path.to_owned(),
            path_old: None,
            change: FileChange::Added,
            blob_old: None,
            blob_new: None,
            mode_old: None,
            mode_new: None,
            hunks,
        })
    }

    fn theirs(program: &str, documents: &[String], folder: &Path) -> Result<Found, Failure> {
        let place = std::env::temp_dir().join(format!("grounds-peer-{}", std::process::id()));
        std::fs::create_dir_all(place.join("rules"))?;
        std::fs::write(place.join("sgconfig.yml"), "ruleDirs: [rules]\n")?;
        for (index, document) in documents.iter().enumerate() {
            std::fs::write(place.join(format!("rules/{index}.yml")), document)?;
        }
        let mut command = Command::new(program);
        command
            .args([
                "scan",
                "--json=stream",
                "--no-ignore",
                "hidden",
                "--threads",
                "2",
                "--config",
            ])
            .arg(place.join("sgconfig.yml"));
        let done = command.current_dir(folder).output()?;
        std::fs::remove_dir_all(&place)?;
        let tracked: BTreeSet<String> = all_files(folder)?.into_iter().collect();
        let mut found = Found::new();
        for line in String::from_utf8_lossy(&done.stdout).lines() {
            let value: Value = serde_json::from_str(line)?;
            let path = value["file"]
                .as_str()
                .unwrap_or_default()
                .trim_start_matches("./")
                .to_owned();
            let rule = value["ruleId"]
                .as_str()
                .unwrap_or_default()
                .replace('/', "-");
            if tracked.contains(&path) {
                found.insert((
                    rule,
                    path,
                    value["range"]["start"]["line"].as_u64().unwrap_or(0) + 1,
                ));
            }
        }
        match found.is_empty() && !done.status.success() {
            true => Err(String::from_utf8_lossy(&done.stderr).into()),
            false => Ok(found),
        }
    }
}

/// Switches off what `only RULE` or `without RULE` leaves out.
fn choose(rules: &mut RuleSet, words: &mut Vec<String>) -> Result<(), Failure> {
    if let [word, rule, ..] = words.as_slice()
        && matches!(word.as_str(), "only" | "without")
    {
        let names = rules.rules().iter().map(|rule| rule.name.clone());
        let is_named = |name: &String| rule.split(',').any(|one| one == name);
        let is_off = |name: &String| is_named(name) == (word == "without");
        let off: Vec<String> = names.filter(is_off).collect();
        rules.switch(&off, false)?;
        words.drain(..2);
    }
    Ok(())
}

fn main() -> Result<(), Failure> {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let mut take = |word: &str| {
        let has = words.first().is_some_and(|first| first == word);
        if has {
            words.remove(0);
        }
        has
    };
    let (all, show) = (take("all"), take("show"));
    let mut rules = RuleSet::built_in();
    if all {
        let names: Vec<String> = rules.rules().iter().map(|rule| rule.name.clone()).collect();
        rules.switch(&names, true)?;
    }
    choose(&mut rules, &mut words)?;
    let mut seen = Seen::default();
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["commits", count, repositories @ ..] => {
            for repository in repositories {
                commits(&rules, Path::new(repository), count.parse()?, show, &mut seen)?;
            }
        }
        ["peer", program, folders @ ..] => return folders.iter().try_for_each(|folder| peer::compare(program, Path::new(folder))),
        ["comments", folder, valid, rejected] => comments(&rules, Path::new(folder), [valid, rejected], show, &mut seen)?,
        _ => return Err("give `commits COUNT REPOSITORY…`, `comments FOLDER VALID REJECTED` or `peer AST-GREP FOLDER…`".into()),
    }
    print(&seen);
    Ok(())
}

fn git(repository: &Path, words: &[&str]) -> Result<Vec<u8>, Failure> {
    let done = Command::new("git")
        .args(words)
        .current_dir(repository)
        .env("GIT_NO_LAZY_FETCH", "1")
        .output()?;
    if done.status.success() {
        Ok(done.stdout)
    } else {
        Err(String::from_utf8_lossy(&done.stderr).into())
    }
}

fn commits(
    rules: &RuleSet,
    repository: &Path,
    count: usize,
    show: bool,
    seen: &mut Seen,
) -> Result<(), Failure> {
    let told = git(
        repository,
        &["rev-list", "--no-merges", &format!("-n{count}"), "HEAD"],
    )?;
    for commit in String::from_utf8_lossy(&told).lines() {
        match judge(rules, repository, &format!("{commit}^"), commit) {
            Ok((report, took)) => count_in(
                seen,
                &report,
                took,
                [&[], &[]],
                show,
                &format!("{} {commit}", repository.display()),
            ),
            Err(_) => seen.absent += 1,
        }
    }
    Ok(())
}

fn judge(
    rules: &RuleSet,
    repository: &Path,
    base: &str,
    head: &str,
) -> Result<(RuleReport, Duration), Failure> {
    let limits = PlanLimits::default();
    let start = Instant::now();
    let change = load(
        repository,
        &DiffScope::Between(base.to_owned(), head.to_owned()),
        &limits.diff,
    )?;
    let sides = Sides::of(&change, &limits).ok_or("there is no repository")?;
    let report = run_in_repository(rules, &sides)?;
    Ok((report, start.elapsed()))
}

fn comments(
    rules: &RuleSet,
    folder: &Path,
    files: [&str; 2],
    show: bool,
    seen: &mut Seen,
) -> Result<(), Failure> {
    let mut changes: BTreeMap<(String, String, String), [Vec<Comment>; 2]> = BTreeMap::new();
    for (kind, file) in files.into_iter().enumerate() {
        let list: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(file)?)?;
        for change in &list {
            let text = |key: &str| change[key].as_str().unwrap_or_default().to_owned();
            let address = text("githubPrUrl");
            let name: Vec<&str> = address.split('/').skip(3).take(2).collect();
            let entry = changes
                .entry((name.join("+"), text("source_commit"), text("target_commit")))
                .or_default();
            entry[kind].extend(
                change["comments"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter(|one| one["side"] == "right")
                    .map(comment),
            );
        }
    }
    for ((name, source, target), [valid, rejected]) in &changes {
        let Some(repository) = repository(&folder.join(name)) else {
            seen.absent += 1;
            continue;
        };
        let base = git(&repository, &["merge-base", source, target])
            .map(|told| String::from_utf8_lossy(&told).trim().to_owned());
        match base.and_then(|base| judge(rules, &repository, &base, target)) {
            Ok((report, took)) => count_in(
                seen,
                &report,
                took,
                [valid, rejected],
                show,
                &format!("{name} {target}"),
            ),
            Err(_) => seen.absent += 1,
        }
    }
    Ok(())
}

/// Returns the folder itself if it is a repository, otherwise the first repository below it.
fn repository(folder: &Path) -> Option<PathBuf> {
    let is_one = |folder: &Path| folder.join("HEAD").is_file() || folder.join(".git").exists();
    if is_one(folder) {
        return Some(folder.to_owned());
    }
    let mut below: Vec<PathBuf> = std::fs::read_dir(folder)
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .collect();
    below.sort();
    below.into_iter().find(|folder| is_one(folder))
}

fn comment(value: &Value) -> Comment {
    let line = |key: &str| {
        value[key]
            .as_u64()
            .and_then(|line| u32::try_from(line).ok())
            .unwrap_or(0)
    };
    let (one, other) = (line("from_line"), line("to_line"));
    Comment {
        path: value["path"].as_str().unwrap_or_default().to_owned(),
        first: one.min(other),
        last: one.max(other),
    }
}

fn count_in(
    seen: &mut Seen,
    report: &RuleReport,
    took: Duration,
    comments: [&[Comment]; 2],
    show: bool,
    what: &str,
) {
    seen.changes += 1;
    seen.lines += report.judged.lines;
    seen.lines_judged += report.judged.lines_judged;
    seen.findings += report.findings.len();
    seen.suppressed += report.suppressed.len();
    seen.took += took;
    for finding in &report.findings {
        let counts = seen
            .by_rule
            .entry(finding.rule.clone().unwrap_or_default())
            .or_default();
        counts.findings += 1;
        counts.on_valid += usize::from(comments[0].iter().any(|comment| is_at(finding, comment)));
        counts.on_rejected +=
            usize::from(comments[1].iter().any(|comment| is_at(finding, comment)));
        if show {
            let line = if let Anchor::Lines { start, .. } = finding.anchor {
                start
            } else {
                0
            };
            let quote = finding
                .quote
                .as_deref()
                .unwrap_or_default()
                .lines()
                .next()
                .unwrap_or_default();
            println!(
                "{what} {}:{line} [{}] {quote:.120} ({} {:.300})",
                finding.path,
                finding.rule.as_deref().unwrap_or_default(),
                match finding.severity {
                    Severity::Info => "info",
                    Severity::Minor => "minor",
                    Severity::Major => "major",
                    Severity::Critical => "critical",
                },
                finding.title
            );
        }
    }
    if show {
        report.not_judged.iter().for_each(|open| {
            println!(
                "{what} NOT JUDGED {} {} {}",
                open.path,
                open.rule.as_deref().unwrap_or("all rules"),
                open.reason
            )
        });
    }
}

fn is_at(finding: &Finding, comment: &Comment) -> bool {
    let Anchor::Lines { start, end } = finding.anchor else {
        return false;
    };
    finding.path == comment.path
        && start <= comment.last + NEAR_LINES
        && comment.first <= end + NEAR_LINES
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn print(seen: &Seen) {
    let rate = |count: usize| count as f64 * 100.0 / seen.lines.max(1) as f64;
    println!(
        "| rule | findings | for 100 added lines | on a valid comment | on a rejected one |\n|---|---|---|---|---|"
    );
    for (rule, counts) in &seen.by_rule {
        println!(
            "| {rule} | {} | {:.4} | {} | {} |",
            counts.findings,
            rate(counts.findings),
            counts.on_valid,
            counts.on_rejected
        );
    }
    println!(
        "| all | {} | {:.4} | | |",
        seen.findings,
        rate(seen.findings)
    );
    println!(
        "\n{} changes, {} added lines, {} of them judged by every rule, {} suppressed, {} changes could not be had, {:.1} ms a change",
        seen.changes,
        seen.lines,
        seen.lines_judged,
        seen.suppressed,
        seen.absent,
        seen.took.as_secs_f64() * 1000.0 / seen.changes.max(1) as f64
    );
}
