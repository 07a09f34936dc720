//! What changed, as git and files tell it: every kind of change, every kind of name, and what can
//! be wrong with a repository.

use grounds_review::diff::{LineEnding, MODE_LINK, parse_patch};
use grounds_review::tree::{Content, Texts, Tree, read_sides};
use grounds_review::{
    Change, ChangedFile, DiffError, DiffLimits, DiffScope, FileChange, LineKind, Revision,
};

use crate::bed::Bed;

/// A file as one line: what happened, its names, and its lines with their numbers.
fn told(file: &ChangedFile) -> String {
    let lines = file
        .hunks
        .iter()
        .flat_map(|hunk| &hunk.lines)
        .map(|line| match line.kind {
            LineKind::Context => format!(
                "={}/{}:{}",
                line.old_number.expect("old"),
                line.new_number.expect("new"),
                line.text
            ),
            LineKind::Added => format!("+{}:{}", line.new_number.expect("new"), line.text),
            LineKind::Removed => format!("-{}:{}", line.old_number.expect("old"), line.text),
        });
    let old = file
        .path_old
        .as_ref()
        .map(|old| format!("{old} > "))
        .unwrap_or_default();
    format!(
        "{:?} {old}{} {}",
        file.change,
        file.path,
        lines.collect::<Vec<_>>().join(" ")
    )
    .trim_end_matches(' ')
    .to_owned()
}

/// The changed files at both sides.
fn sides(bed: &Bed, change: &Change) -> (Texts, Texts) {
    read_sides(bed.path(), &change.diff, &DiffLimits::default()).expect("both sides")
}

fn told_all(files: &[ChangedFile]) -> Vec<String> {
    files.iter().map(told).collect()
}

#[cfg(unix)]
#[test]
fn each_kind_of_change_is_told_apart() {
    let bed = Bed::with(&[
        ("kept", "a\nb\nc\n"),
        ("gone", "x\n"),
        ("old name", "one\ntwo\nthree\nfour\n"),
        ("mode", "m\n"),
        ("raw", "\0\u{1}"),
    ]);
    std::os::unix::fs::symlink("kept", bed.path().join("link")).expect("a link");
    bed.commit("a link");
    bed.write("kept", "a\nB\nc\n");
    bed.write("new", "n");
    bed.write("raw", "\0\u{2}");
    bed.git(&["rm", "-q", "gone"]);
    bed.git(&["mv", "old name", "new name"]);
    bed.git(&["update-index", "--chmod=+x", "mode"]);
    std::fs::remove_file(bed.path().join("link")).expect("gone");
    std::os::unix::fs::symlink("new", bed.path().join("link")).expect("a link");
    bed.git(&["add", "kept", "new", "raw", "link"]);
    let change = bed.change(&DiffScope::Staged);
    let expected = [
        "Deleted gone -1:x",
        "Modified kept =1/1:a -2:b +2:B =3/3:c",
        "Modified link -1:kept +1:new",
        "ModeOnly mode",
        "Added new +1:n",
        "Renamed old name > new name",
        "Binary raw",
    ];
    assert_eq!(told_all(&change.diff.files), expected);
    assert_eq!(change.diff.files[2].mode_new, Some(MODE_LINK));
    assert_eq!(
        change.diff.files[4].hunks[0].lines[0].ending,
        LineEnding::None
    );
    assert_eq!(
        (change.diff.head.clone(), change.diff.changed_lines()),
        (Revision::Index, 6)
    );
}

#[cfg(unix)]
#[test]
fn a_link_that_becomes_a_file_is_one_change() {
    let bed = Bed::with(&[("a", "a\n")]);
    std::os::unix::fs::symlink("a", bed.path().join("link")).expect("a link");
    bed.commit("a link");
    std::fs::remove_file(bed.path().join("link")).expect("gone");
    bed.write("link", "now a file\n");
    bed.commit("a file");
    assert_eq!(
        told_all(&bed.change(&DiffScope::Commit("HEAD".to_owned())).diff.files),
        ["Modified link -1:a +1:now a file"]
    );
}

#[test]
fn names_of_every_kind_come_through() {
    let names: [&[u8]; 9] = [
        b"with space",
        b"qu\"ote",
        b"new\nline",
        b"tab\there",
        b"esc\x1b[31m",
        b"back\\slash",
        "umlaut \u{e4}".as_bytes(),
        b"bytes\xff\xfe",
        b" -- a b/x",
    ];
    let bed = Bed::new();
    names
        .iter()
        .for_each(|name| bed.write_bytes(name, b"1\n2\n3\n"));
    bed.commit("first");
    names
        .iter()
        .for_each(|name| bed.write_bytes(name, b"1\n2\nthree\n"));
    let mut expected: Vec<String> = names
        .iter()
        .map(|name| String::from_utf8_lossy(name).into_owned())
        .collect();
    expected.sort();
    for scope in [DiffScope::WorkingTree, DiffScope::Staged] {
        let change = bed.change(&scope);
        assert_eq!(
            change
                .diff
                .files
                .iter()
                .map(|file| file.path.clone())
                .collect::<Vec<_>>(),
            expected,
            "{scope:?}"
        );
        let heads = sides(&bed, &change).0;
        assert!(
            heads
                .values()
                .all(|head| head.bytes() == Some(b"1\n2\nthree\n")),
            "{scope:?}: {heads:?}"
        );
        let bases = sides(&bed, &change).1;
        assert_eq!(bases.len(), names.len());
        assert!(
            bases
                .values()
                .all(|base| base.bytes() == Some(b"1\n2\n3\n")),
            "{bases:?}"
        );
        bed.git(&["add", "--all"]);
    }
}

/// Since the last commit, whether staged or not; the bytes are those on disk, also of what was moved.
#[test]
fn what_is_not_committed_is_one_change() {
    let bed = Bed::with(&[
        ("kept", "1\n2\n3\n4\n"),
        ("moved", "a\nb\nc\nd\ne\nf\n"),
        ("gone", "x\n"),
    ]);
    bed.write("kept", "1\n2\n3\n5\n");
    bed.write("added", "staged\n");
    bed.git(&["mv", "moved", "there"]);
    bed.git(&["rm", "-q", "gone"]);
    bed.git(&["add", "--all"]);
    bed.write("added", "staged\nand not\n");
    bed.write("there", "a\nb\nc\nd\ne\ng\n");
    let change = bed.change(&DiffScope::Uncommitted);
    assert_eq!(
        told_all(&change.diff.files),
        [
            "Added added +1:staged +2:and not",
            "Deleted gone -1:x",
            "Modified kept =1/1:1 =2/2:2 =3/3:3 -4:4 +4:5",
            "Modified moved > there =3/3:c =4/4:d =5/5:e -6:f +6:g",
        ]
    );
    let tree = Tree::of_head(bed.path(), &change.diff, &DiffLimits::default()).expect("a tree");
    let there = tree.file("there").expect("the moved file");
    assert_eq!(there.object, None, "what is on disk is no object yet");
    let heads = sides(&bed, &change).0;
    let texts: Vec<Option<&[u8]>> = heads.values().map(Content::bytes).collect();
    let expected = ["staged\nand not\n", "1\n2\n3\n5\n", "a\nb\nc\nd\ne\ng\n"];
    assert_eq!(
        texts,
        expected.map(|text| Some(text.as_bytes())),
        "{heads:?}"
    );
}

#[test]
fn ends_of_lines_are_told_and_no_part_of_the_text() {
    let bed = Bed::with(&[("crlf", "a\r\nb\r\nc"), ("bare", "a\rb\n")]);
    bed.write("crlf", "a\r\nb\nc\r");
    bed.write("bare", "a\rc\n");
    let change = bed.change(&DiffScope::WorkingTree);
    assert_eq!(
        told_all(&change.diff.files),
        [
            "Modified bare -1:a\rb +1:a\rc",
            "Modified crlf =1/1:a -2:b -3:c +2:b +3:c\r"
        ]
    );
    let endings: Vec<LineEnding> = change.diff.files[1].hunks[0]
        .lines
        .iter()
        .map(|line| line.ending)
        .collect();
    use LineEnding as E;
    assert_eq!(endings, [E::CrLf, E::CrLf, E::None, E::Lf, E::None]);
}

#[test]
fn an_attribute_does_not_hide_text() {
    let bed = Bed::with(&[("code.c", "int a;\n"), ("real", "\0\n")]);
    bed.write(".gitattributes", "*.c binary\nreal binary\n");
    bed.write("code.c", "int b;\n");
    bed.write("real", "\0\0\n");
    // Attributes are read only where the files of the work tree are.
    for (scope, declared) in [
        (DiffScope::WorkingTree, &["code.c"][..]),
        (DiffScope::Staged, &[]),
    ] {
        let change = bed.change(&scope);
        assert_eq!(change.declared_binary, declared, "{scope:?}");
        let code = change
            .diff
            .files
            .iter()
            .find(|file| file.path == "code.c")
            .expect("code");
        assert_eq!(told(code), "Modified code.c -1:int a; +1:int b;");
        bed.git(&["add", "--all"]);
    }
}

#[test]
fn the_nearest_change_is_what_is_staged_then_the_tree_then_the_last_commit() {
    let bed = Bed::with(&[("a", "1\n"), ("b", "1\n")]);
    assert_eq!(
        told_all(&bed.change(&DiffScope::Nearest).diff.files),
        ["Added a +1:1", "Added b +1:1"]
    );
    bed.write("a", "2\n");
    bed.write("unknown", "u\n");
    let change = bed.change(&DiffScope::Nearest);
    assert_eq!(
        (told_all(&change.diff.files), change.untracked),
        (vec!["Modified a -1:1 +1:2".to_owned()], Some(1))
    );
    assert_eq!(change.diff.head, Revision::WorkingTree);
    bed.write("b", "2\n");
    bed.git(&["add", "b"]);
    assert_eq!(
        told_all(&bed.change(&DiffScope::Nearest).diff.files),
        ["Modified b -1:1 +1:2"]
    );
}

#[test]
fn a_base_is_compared_from_where_the_branches_parted() {
    let bed = Bed::with(&[("a", "1\n")]);
    bed.git(&["checkout", "-q", "-b", "topic"]);
    bed.write("b", "mine\n");
    let head = bed.commit("mine");
    bed.git(&["checkout", "-q", "main"]);
    bed.write("c", "theirs\n");
    bed.commit("theirs");
    bed.git(&["checkout", "-q", "topic"]);
    bed.write("b", "not committed\n");
    let change = bed.change(&DiffScope::Base("main".to_owned()));
    assert_eq!(
        (told_all(&change.diff.files), change.diff.head.clone()),
        (vec!["Added b +1:mine".to_owned()], Revision::Commit(head))
    );
    let tree = Tree::of_head(bed.path(), &change.diff, &DiffLimits::default()).expect("a tree");
    assert_eq!(
        tree.read_one("b").expect("git"),
        Some(Content::Bytes(b"mine\n".to_vec())),
        "from the commit, not from disk"
    );
    assert_eq!(tree.read_one("c").expect("git"), None);
}

#[cfg(unix)]
#[test]
fn a_working_tree_is_read_from_disk_where_it_differs() {
    let bed = Bed::with(&[("a", "1\n"), ("b", "1\n"), ("gone", "1\n")]);
    std::fs::remove_file(bed.path().join("gone")).expect("gone");
    bed.write("a", "2\n");
    let change = bed.change(&DiffScope::WorkingTree);
    let tree = Tree::of_head(bed.path(), &change.diff, &DiffLimits::default()).expect("a tree");
    let read = |path: &str| {
        tree.read_one(path)
            .expect("git")
            .and_then(|content| content.bytes().map(<[u8]>::to_vec))
    };
    assert_eq!(
        (read("a"), read("b"), read("gone")),
        (Some(b"2\n".to_vec()), Some(b"1\n".to_vec()), None)
    );
    std::fs::remove_file(bed.path().join("a")).expect("gone");
    std::os::unix::fs::symlink("/etc/passwd", bed.path().join("a")).expect("a link");
    assert_eq!(
        read("a"),
        Some(b"/etc/passwd".to_vec()),
        "a link is its target's name"
    );
}

#[test]
fn what_is_wrong_with_a_repository_is_said() {
    let check = |bed: &Bed, scope: &DiffScope, said: &str, advice: &str| {
        let error = bed.load(scope).expect_err(said);
        assert!(error.to_string().contains(said), "{error}");
        assert!(error.advice().contains(advice), "{}", error.advice());
    };
    let empty = Bed::new();
    check(
        &empty,
        &DiffScope::Nearest,
        "nothing is committed",
        "commit a change",
    );
    check(
        &empty,
        &DiffScope::Base("main".to_owned()),
        "no such commit",
        "git branch",
    );
    let bed = Bed::with(&[("a", "1\n2\n3\n")]);
    check(
        &bed,
        &DiffScope::Base("origin/main".to_owned()),
        "`origin/main`",
        "git fetch origin main",
    );
    check(
        &bed,
        &DiffScope::Commit("--output=x".to_owned()),
        "no such commit",
        "",
    );
    assert!(!bed.path().join("x").exists());
    bed.git(&["checkout", "-q", "--orphan", "other"]);
    bed.commit("other");
    check(
        &bed,
        &DiffScope::Base("main".to_owned()),
        "no common commit",
        "--base",
    );
    bed.write(".git/index.lock", "");
    check(&bed, &DiffScope::Staged, "another process", "index.lock");
    check(
        &bed,
        &DiffScope::WorkingTree,
        "another process",
        "index.lock",
    );
    std::fs::remove_file(bed.path().join(".git/index.lock")).expect("gone");
    bed.git(&["config", "filter.x.clean", "touch owned"]);
    assert!(bed.load(&DiffScope::WorkingTree).is_ok());
    bed.write(".gitattributes", "* filter=x\n");
    bed.git_may_fail(&["update-index", "--refresh"]);
    let _ = std::fs::remove_file(bed.path().join("owned"));
    let tracked = bed.git_may_fail(&["ls-files"]).stdout;
    let tracked = String::from_utf8_lossy(&tracked)
        .lines()
        .next()
        .map(str::to_owned);
    bed.write(&tracked.expect("a tracked file"), "changed\n");
    check(
        &bed,
        &DiffScope::WorkingTree,
        "name filter programs",
        "--staged",
    );
    assert!(!bed.path().join("owned").exists());
    // What git reads as UTF-16 is another text than the one that runs.
    bed.write(".gitattributes", "* working-tree-encoding=UTF-16LE\n");
    check(
        &bed,
        &DiffScope::WorkingTree,
        "another encoding",
        "--staged",
    );
    let nowhere = tempfile::tempdir().expect("a folder");
    let error =
        grounds_review::diff::load(nowhere.path(), &DiffScope::Nearest, &DiffLimits::default())
            .expect_err("no repository");
    assert!(matches!(error, DiffError::NotARepository(_)), "{error}");
}

#[test]
fn a_tree_in_conflict_is_not_reviewed() {
    let bed = Bed::with(&[("a", "1\n")]);
    bed.git(&["checkout", "-q", "-b", "topic"]);
    bed.write("a", "2\n");
    bed.commit("two");
    bed.git(&["checkout", "-q", "main"]);
    bed.write("a", "3\n");
    bed.commit("three");
    assert!(!bed.git_may_fail(&["merge", "topic"]).status.success());
    for scope in [
        DiffScope::Staged,
        DiffScope::WorkingTree,
        DiffScope::Nearest,
    ] {
        assert_eq!(
            bed.load(&scope).expect_err("a conflict"),
            DiffError::Conflicted(vec!["a".to_owned()]),
            "{scope:?}"
        );
    }
    assert_eq!(
        told_all(&bed.change(&DiffScope::Commit("HEAD".to_owned())).diff.files),
        ["Modified a -1:1 +1:3"]
    );
}

#[test]
fn a_shallow_clone_says_that_it_is_one() {
    let bed = Bed::with(&[("a", "1\n")]);
    bed.git(&["checkout", "-q", "-b", "topic"]);
    bed.write("a", "2\n");
    bed.commit("two");
    bed.git(&["checkout", "-q", "main"]);
    bed.write("b", "2\n");
    bed.commit("three");
    let clone = tempfile::tempdir().expect("a folder");
    let from = format!("file://{}", bed.path().display());
    bed.git(&[
        "clone",
        "-q",
        "--depth=1",
        "--no-single-branch",
        &from,
        &clone.path().join("c").display().to_string(),
    ]);
    let load = |scope: &DiffScope| {
        grounds_review::diff::load(&clone.path().join("c"), scope, &DiffLimits::default())
    };
    for scope in [
        DiffScope::Base("origin/topic".to_owned()),
        DiffScope::Commit("HEAD".to_owned()),
    ] {
        let error = load(&scope).expect_err("too little history");
        assert!(matches!(error, DiffError::Shallow(_)), "{error}");
        assert!(error.advice().contains("--unshallow"));
    }
}

#[test]
fn a_submodule_is_told_and_not_entered() {
    let inner = Bed::with(&[("x", "1\n")]);
    let bed = Bed::with(&[("a", "1\n")]);
    let from = inner.path().display().to_string();
    bed.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        &from,
        "sub",
    ]);
    let change = bed.change(&DiffScope::Staged);
    let sub = change
        .diff
        .files
        .iter()
        .find(|file| file.path == "sub")
        .expect("the submodule");
    assert_eq!(
        (sub.change, sub.blob_new.clone(), sub.hunks.len()),
        (FileChange::Submodule, None, 0)
    );
    assert!(!sides(&bed, &change).0.contains_key("sub"));
}

#[test]
fn a_diff_in_a_file_is_read_like_gits_own() {
    let bed = Bed::with(&[("a b", "1\n2\n3\n"), ("mode", "m\n"), ("gone", "g\n")]);
    bed.write("a b", "1\n2\nthree");
    bed.git(&["rm", "-q", "gone"]);
    bed.git(&["update-index", "--chmod=+x", "mode"]);
    bed.git(&["add", "a b"]);
    let text = bed.git(&["diff", "--cached"]) + "\n";
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), &text).expect("written");
    let from_file = bed.change(&DiffScope::DiffFile(file.path().to_owned()));
    assert_eq!(
        told_all(&from_file.diff.files),
        told_all(&bed.change(&DiffScope::Staged).diff.files)
    );
    assert!(matches!(from_file.diff.head, Revision::Applied(_)));
    let mail = format!("From: x\nSubject: y\n\n---\n a | 2 +-\n\n{text}-- \n2.39\n");
    assert_eq!(
        told_all(&parse_patch(mail.as_bytes(), 1_000).expect("a mail")),
        told_all(&from_file.diff.files)
    );
    let windows = text.replace('\n', "\r\n");
    assert_eq!(
        told_all(&parse_patch(windows.as_bytes(), 1_000).expect("with carriage returns")),
        told_all(&from_file.diff.files)
    );
}

#[test]
fn a_plain_diff_is_read_and_a_broken_one_is_an_error_with_its_line() {
    let plain = "--- old/x.c\t2026-01-01\n+++ new/x.c\t2026-01-02\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ y\n@@ -0,0 +1 @@\n+n\n";
    assert_eq!(
        told_all(&parse_patch(plain.as_bytes(), 100).expect("plain")),
        ["Modified old/x.c > new/x.c -1:a +1:b", "Added y +1:n"]
    );
    let check = |text: &str, line: usize, what: &str| match parse_patch(text.as_bytes(), 100)
        .expect_err(what)
    {
        DiffError::NotADiff {
            line: found,
            what: said,
        } => {
            assert_eq!(found, line, "{said}");
            assert!(said.contains(what), "{said}");
        }
        error => panic!("{error}"),
    };
    check("hello\n", 1, "no file");
    check("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n", 4, "ends inside");
    check(
        "--- a/x\n+++ b/x\n@@ -1 +1,99999999999 @@\n",
        3,
        "not the head of a hunk",
    );
    check(
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n-b\n+c\n",
        5,
        "more lines",
    );
    check("--- a/x\n+++ b/x\n@@ -1 +1 @@\n?a\n", 4, "begins with");
    check("@@ -1 +1 @@\n-a\n+b\n", 1, "without a file");
    check("diff --cc x\n@@@ -1 -1 +1 @@@\n", 1, "combined");
    assert_eq!(parse_patch(b"\n", 100).expect("nothing"), []);
    let long = format!(
        "--- a/x\n+++ b/x\n@@ -0,0 +1,200 @@\n{}",
        "+x\n".repeat(200)
    );
    assert!(matches!(
        parse_patch(long.as_bytes(), 100),
        Err(DiffError::TooMuch {
            bound: "diff_lines_max",
            most: 100,
            ..
        })
    ));
    let far = "--- a/x\n+++ b/x\n@@ -4294967295,2 +4294967295,2 @@\n-a\n-b\n+c\n+d\n";
    assert_eq!(parse_patch(far.as_bytes(), 100).expect("far").len(), 1);
}

#[test]
fn a_hundred_thousand_changed_lines_are_read() {
    let bed = Bed::with(&[("a", "1\n")]);
    let text: String = (0..100_000).map(|line| format!("line {line}\n")).collect();
    bed.write("big", text);
    bed.commit("big");
    let change = bed.change(&DiffScope::Commit("HEAD".to_owned()));
    assert_eq!(change.diff.changed_lines(), 100_000);
    let limits = DiffLimits {
        diff_bytes_max: 10_000,
        ..DiffLimits::default()
    };
    let error =
        grounds_review::diff::load(bed.path(), &DiffScope::Nearest, &limits).expect_err("too much");
    assert!(
        error.advice().contains("diff_bytes_max"),
        "{error}: {}",
        error.advice()
    );
}

/// Where the folder of the test below is told to the process that plays its hook.
const BED_OF_HOOK: &str = "GROUNDS_TEST_BED";

/// Runs only as the hook of the test below: reviews what is staged in the index that git gives it.
#[test]
fn as_a_hook_of_another_test() {
    let Some(folder) = std::env::var_os(BED_OF_HOOK) else {
        return;
    };
    let limits = DiffLimits {
        index_wait_ms_max: 100,
        ..DiffLimits::default()
    };
    let change =
        grounds_review::diff::load(std::path::Path::new(&folder), &DiffScope::Staged, &limits)
            .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(told_all(&change.diff.files), ["Modified a -1:1 +1:2"]);
}

#[cfg(unix)]
#[test]
fn a_hook_of_a_commit_of_all_sees_what_is_committed() {
    let bed = Bed::with(&[("a", "1\n"), ("b", "1\n")]);
    bed.write("a", "2\n");
    let program = std::env::current_exe().expect("this program");
    let hook = format!(
        "#!/bin/sh\n{BED_OF_HOOK}='{}' '{}' --exact diff::as_a_hook_of_another_test\n",
        bed.path().display(),
        program.display()
    );
    bed.write(".git/hooks/pre-commit", hook);
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(bed.path().join(".git/hooks/pre-commit"), mode).expect("a program");
    let output = bed.git_may_fail(&["commit", "--all", "-m", "two"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("1 passed"), "the hook ran: {said}");
}
