//! A diff from a file in a repository: both sides are found where it fits, and nothing of the
//! repository is written.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use grounds_review::{Change, DiffLimits, DiffScope, Revision, tree};

use crate::bed::Bed;

const BEFORE: &str = "one\ntwo\nthree\nfour\nfive\nsix\n";

fn changed(text: &str) -> String {
    BEFORE.replace("two", text)
}

/// The change of a diff that lies beside the repository.
fn of_text(bed: &Bed, text: &str) -> Change {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), text).expect("written");
    bed.change(&DiffScope::DiffFile(file.path().to_owned()))
}

fn side(change: &Change, path: &str) -> Option<String> {
    let top = change.top.as_deref()?;
    let (heads, _) = tree::read_sides(top, &change.diff, &DiffLimits::default()).expect("git");
    Some(String::from_utf8_lossy(heads.get(path)?.bytes()?).into_owned())
}

/// Every file below the repository with its bytes.
fn everything(folder: &Path, all: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            everything(&path, all);
        } else {
            all.insert(path.clone(), std::fs::read(&path).expect("a file"));
        }
    }
}

#[test]
fn a_diff_is_put_onto_the_last_commit_and_nothing_is_written() {
    let bed = Bed::with(&[("a", BEFORE), ("b", "b\n")]);
    bed.write("a", changed("zwei"));
    let text = bed.git(&["diff"]) + "\n";
    bed.git(&["checkout", "--quiet", "a"]);
    let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
    everything(bed.path(), &mut before);
    let change = of_text(&bed, &text);
    assert_eq!(
        change.diff.base,
        Revision::Commit(bed.git(&["rev-parse", "HEAD"]))
    );
    assert_eq!(
        side(&change, "a").as_deref(),
        Some(changed("zwei").as_str())
    );
    everything(bed.path(), &mut after);
    assert!(before == after, "the repository was written");
}

#[test]
fn a_diff_that_is_applied_already_is_seen_from_its_end() {
    let bed = Bed::with(&[("a", BEFORE)]);
    bed.write("a", changed("zwei"));
    let text = bed.git(&["diff"]) + "\n";
    let last = bed.commit("second");
    let change = of_text(&bed, &text);
    assert_eq!(
        (change.diff.head.clone(), change.diff.changed_lines()),
        (Revision::Commit(last), 2)
    );
    assert_eq!(
        side(&change, "a").as_deref(),
        Some(changed("zwei").as_str())
    );
}

#[test]
fn a_diff_is_put_onto_the_index_or_the_working_tree_where_it_was_made_from_them() {
    let bed = Bed::with(&[("a", BEFORE)]);
    bed.write("a", changed("zwei"));
    bed.git(&["add", "a"]);
    bed.write("a", changed("zwei\nund"));
    let from_index = bed.git(&["diff"]) + "\n";
    let first = bed.git(&["hash-object", "-w", "a"]);
    bed.write("a", changed("zwei\nund\nmehr"));
    let second = bed.git(&["hash-object", "-w", "a"]);
    let from_disk = bed
        .git(&["diff", &first, &second])
        .replace(&first, "a")
        .replace(&second, "a")
        + "\n";
    bed.git(&["checkout", "--quiet", "a"]);
    assert_eq!(
        side(&of_text(&bed, &from_index), "a").as_deref(),
        Some(changed("zwei\nund").as_str())
    );
    assert!(
        of_text(&bed, &from_disk).without_sides.is_some(),
        "what is on disk does not fit"
    );
    bed.write("a", changed("zwei\nund"));
    assert_eq!(
        side(&of_text(&bed, &from_disk), "a").as_deref(),
        Some(changed("zwei\nund\nmehr").as_str())
    );
}

#[test]
fn a_diff_that_fits_nowhere_says_why_and_has_no_sides() {
    let bed = Bed::with(&[("a", BEFORE)]);
    let change = of_text(
        &bed,
        "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n eins\n-zwei\n+deux\n",
    );
    assert_eq!(
        (
            change.top.clone(),
            change.diff.head.clone(),
            change.diff.changed_lines()
        ),
        (None, Revision::Unknown, 2)
    );
    let why = change.without_sides.expect("why");
    assert!(
        why.contains("does not apply to the last commit") && why.contains("a:1"),
        "{why}"
    );
}

#[test]
fn a_diff_that_leads_out_of_the_repository_is_put_nowhere() {
    let bed = Bed::with(&[("a", BEFORE)]);
    for path in ["../out", ".git/hooks/pre-commit", "/tmp/out"] {
        let change = of_text(
            &bed,
            &format!("--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+x\n"),
        );
        assert!(
            change.top.is_none() && change.without_sides.is_some(),
            "{path}"
        );
    }
}
