//! Texts about small trees, and what comes of each claim. Each page of `pages/` is one tree with its
//! history, a text, and the claims with their verdicts.
//!
//! A page has blocks: `file PATH` is written and committed, `write PATH` is written for the next
//! commit, `bytes PATH COUNT` is so many blanks,
//! `symlink PATH TARGET` is a link,
//! `remove PATH…` is removed and committed, `subject WORDS` is what the last commit says of itself,
//! `base` names the commit so far as the one to compare with, `description NAME` describes the change
//! since then, `comments NAME` is a file of code whose comments are checked,
//! `text NAME` is checked, `tree PATH` is a file of the tree that is checked, and `claims` lists
//! `LINE KIND NAME VERDICT [SUGGESTION]` in order. `fails`, if it is there, lists those of them that fail a
//! run, as `LINE KIND NAME`; the other accusations are notes.
#![cfg(unix)]

use std::path::Path;
use std::process::Command;

use grounds_check::{CheckOptions, Checked, CheckedDocument, ClaimVerdict, ThingKind, check};
use grounds_repo::checkout::Checkout;
use grounds_repo::limits::Limits;

#[test]
fn pages_come_out_as_they_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages");
    let mut pages: Vec<_> = std::fs::read_dir(folder)
        .expect("the pages")
        .flatten()
        .map(|entry| entry.path())
        .collect();
    pages.sort();
    assert!(!pages.is_empty());
    let wrong: String = pages.iter().map(|page| differences(page)).collect();
    assert!(wrong.is_empty(), "{wrong}");
}

fn differences(page: &Path) -> String {
    let text = std::fs::read_to_string(page).expect("a page");
    let mut wrong = String::new();
    for case in text.split("\n# ").skip(1) {
        let title = case.lines().next().unwrap_or_default();
        let tree = tempfile::tempdir().expect("a folder");
        git(tree.path(), &["init", "-q"]);
        let (mut documents, mut expected) = (Vec::new(), String::new());
        let mut failing: Option<String> = None;
        let mut options = CheckOptions::default();
        for (first, body) in blocks(case) {
            match first.split_once(' ').unwrap_or((first, "")) {
                (how @ ("file" | "write"), path) => {
                    let path = tree.path().join(path);
                    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
                    std::fs::write(path, body).expect("a file");
                    if how == "file" {
                        commit(tree.path());
                    }
                }
                ("bytes", rest) => {
                    let (path, count) = rest.split_once(' ').expect("a path and a count");
                    let spaces = " ".repeat(count.parse().expect("a count"));
                    std::fs::write(tree.path().join(path), spaces).expect("a file");
                    commit(tree.path());
                }
                ("symlink", rest) => {
                    let (path, target) = rest.split_once(' ').expect("a path and a target");
                    std::os::unix::fs::symlink(target, tree.path().join(path)).expect("a link");
                    commit(tree.path());
                }
                ("remove", paths) => {
                    for path in paths.split(' ') {
                        std::fs::remove_file(tree.path().join(path)).expect("a file");
                    }
                    commit(tree.path());
                }
                ("subject", said) => retitle(tree.path(), said),
                ("base", _) => options.base = Some(head(tree.path())),
                ("description", name) => {
                    documents.push(CheckedDocument::new(name, body).description());
                }
                ("comments", name) => {
                    options.reads_comments = true;
                    documents.push(CheckedDocument::new(name, body));
                }
                ("tree", name) => {
                    let text = std::fs::read_to_string(tree.path().join(name)).expect("a file");
                    documents.push(CheckedDocument::new(name, &text));
                }
                ("text", name) => documents.push(CheckedDocument::new(name, body)),
                ("claims", _) => body.clone_into(&mut expected),
                ("fails", _) => failing = Some(body.to_owned()),
                other => panic!("{title}: no such block: {other:?}"),
            }
        }
        let (found, fails) = verdicts(tree.path(), &documents, &options);
        if found.trim() != expected.trim() {
            wrong += &format!("\n{title}: expected\n{expected}found\n{found}");
        }
        let failing = failing.unwrap_or_else(|| fails.clone());
        if fails.trim() != failing.trim() {
            wrong += &format!("\n{title}: expected to fail\n{failing}found\n{fails}");
        }
    }
    wrong
}

fn blocks(case: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = case;
    while let Some(at) = rest.find("\n~~~~") {
        let after = &rest[at + 5..];
        let (head, body) = after.split_once('\n').unwrap_or((after, ""));
        let end = body.find("~~~~").unwrap_or(body.len());
        found.push((head.trim(), &body[..end]));
        rest = &body[(end + 4).min(body.len())..];
    }
    found
}

/// Every claim with its verdict, and those that fail a run.
fn verdicts(
    tree: &Path,
    documents: &[CheckedDocument],
    options: &CheckOptions,
) -> (String, String) {
    let checkout = Checkout::open(tree).expect("a checkout");
    let report =
        check(documents, &checkout, &Limits::default(), options).expect("the base is here");
    let (mut lines, mut fails) = (String::new(), String::new());
    // A page about statements is about them alone.
    let states = |checked: &&Checked| checked.claim.kind == ThingKind::Statement;
    let has_statements = report.checked.iter().any(|checked| states(&checked));
    for checked in report
        .checked
        .iter()
        .filter(|checked| !has_statements || states(checked))
    {
        let line = documents[checked.document].line_of(checked.claim.start);
        let (kind, name) = (checked.claim.kind.as_str(), &checked.claim.name);
        let closest = match &checked.verdict {
            ClaimVerdict::Contradicted { closest, .. } | ClaimVerdict::Gone { closest, .. } => {
                closest.clone()
            }
            _ => None,
        };
        let suggestion = closest.map_or_else(String::new, |closest| format!(" {closest}"));
        lines += &format!(
            "{line} {kind} {name} {}{suggestion}\n",
            checked.verdict.as_str()
        );
        if checked.verdict.accuses() && !checked.is_note {
            fails += &format!("{line} {kind} {name}\n");
        }
    }
    (lines, fails)
}

/// The commit that is checked out.
fn head(tree: &Path) -> String {
    let said = Command::new("git")
        .arg("-C")
        .arg(tree)
        .args(["rev-parse", "HEAD"])
        .output()
        .expect("git runs");
    String::from_utf8_lossy(&said.stdout).trim().to_owned()
}

fn commit(tree: &Path) {
    git(tree, &["add", "-A"]);
    git(
        tree,
        &[
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b",
            "commit",
            "-q",
            "-m",
            "change",
        ],
    );
}

/// Gives the last commit another subject.
fn retitle(tree: &Path, subject: &str) {
    let person = ["-c", "user.name=a", "-c", "user.email=a@b"];
    let words = ["commit", "-q", "--amend", "-m", subject];
    git(tree, &[&person[..], &words[..]].concat());
}

fn git(tree: &Path, words: &[&str]) {
    let done = Command::new("git")
        .arg("-C")
        .arg(tree)
        .args(words)
        .status()
        .expect("git runs");
    assert!(done.success(), "git {words:?}");
}
