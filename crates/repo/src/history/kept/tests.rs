use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use aho_corasick::AhoCorasick;
use proptest::prelude::*;
use sha2::{Digest as _, Sha256};

use super::segment::{self, ReadCommit, Segment, SegmentEntry};
use super::{KeptHistory, hex, name, terms};
use crate::history::gone::removals;
use crate::history::patch::{self, PatchPart};
use crate::history::repository::Repository;
use crate::limits::Limits;

/// The keys of a line, and those that it has as a definition.
fn keys(line: &str) -> (BTreeSet<u64>, BTreeSet<u64>) {
    let (mut all, mut defined) = (BTreeSet::new(), BTreeSet::new());
    terms::of_line(line, &mut |key, is_defined| {
        all.insert(key);
        if is_defined {
            defined.insert(key);
        }
    });
    (all, defined)
}

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[ab_1é-]{1,3}",
        "[-. :=(]",
        Just("def ".to_owned()),
        Just("fn ".to_owned()),
        Just("typedef ".to_owned()),
        Just("let ".to_owned()),
        Just(" := ".to_owned()),
        Just("();".to_owned()),
        Just(";".to_owned()),
    ];
    proptest::collection::vec(piece, 1..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    /// What looks for whole words never finds one in a line that lacks a key of the word.
    #[test]
    fn a_line_with_a_word_has_all_its_keys(line in pieces(), word in "-{0,2}[ab_1é]{1,2}([-.:][ab_1é]{1,2}){0,2}-?") {
        let record = format!("--- a/x.py\n+++ b/x.py\n@@ -1 +0,0 @@\n-{line}\n");
        let words = [word];
        let automaton = AhoCorasick::new(&words).expect("one word");
        let gone = removals("aa 2020-01-01", &record, &words, &automaton);
        if let (Some(gone), Some(asked)) = (gone.get(&0), terms::of_word(&words[0])) {
            let (all, defined) = keys(&line);
            prop_assert!(asked.keys.iter().all(|key| all.contains(key)));
            prop_assert!(!gone.was_defined || defined.contains(&asked.defined));
        }
    }

    #[test]
    fn a_path_has_the_key_of_each_end_and_folder(
        path in "[ab]{1,2}(/[ab]{1,2}){0,3}",
        asked in "/?[ab]{1,2}(/[ab]{1,2}){0,2}/?",
    ) {
        let mut all = BTreeSet::new();
        terms::of_path(&path, &mut |key| { all.insert(key); });
        if crate::history::gone::is_path_or_end(&path, &asked) {
            prop_assert!(all.contains(&terms::of_asked_path(&asked)));
        }
    }
}

#[test]
fn what_has_no_key_is_not_asked_for() {
    for word in ["", "12", "--", "->", "1.2"] {
        assert_eq!(terms::of_word(word), None, "{word}");
    }
    assert!(terms::of_word("dry-run").expect("keys").is_exact);
    assert!(!terms::of_word("--dry-run").expect("keys").is_exact);
}

/// A patch with what decides which keys a commit has.
const PATCH: &str = "--- a/src/lib.rs\n+++ b/src/lib.rs\n@@ -1,5 +0,0 @@\n-pub fn first_one(a: u8) -> u8 {\n\
-    let second = 2;\n-typedef struct third third_t;\n-fourth := 4\n-find_package(Threads)\n\
--- a/docs/page.md\n+++ b/docs/page.md\n@@ -1 +0,0 @@\n-prose_word\n\
--- a/tests/a.py\n+++ b/tests/a.py\n@@ -1 +0,0 @@\n-def tested(): pass\n\
--- a/package.json\n+++ b/package.json\n@@ -1 +1 @@\n-\"dry-run-fast\": \"1.2\"\n+\"x\": 1\n\
--- a/Makefile\n+++ b/Makefile\n@@ -1 +0,0 @@\n-install-all: build\n";

/// An index of before would leave out what is found by new rules: `terms::VERSION` tells them apart.
#[test]
fn the_keys_of_a_patch_change_with_the_version() {
    let mut hash = Sha256::new();
    patch::each_part(PATCH, &mut |part| {
        if let PatchPart::Change(change) = part {
            for line in &change.removed {
                terms::of_line(line, &mut |key, is_defined| {
                    hash.update(key.to_le_bytes());
                    hash.update([u8::from(is_defined)]);
                });
            }
        }
    });
    let hash = hash.finalize()[..8]
        .iter()
        .fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        });
    assert_eq!(
        (terms::VERSION, hash.as_str()),
        (3, "1bf9b2c4820485b2"),
        "count `terms::VERSION` up, and write what is here now"
    );
}

/// Git writes the removed line `-- the rows` as `--- the rows`, like the head of the next file.
#[test]
fn a_removed_comment_begins_no_file() {
    const SQL: &str = "--- a/src/load.lua\n+++ b/src/load.lua\n@@ -1,3 +1 @@\n--- the rows\n-local before = 1\n\
        -return before\n+++ counted\n--- a/src/b.lua\n+++ /dev/null\n@@ -1 +0,0 @@\n-local last = 2\n";
    let (mut changes, mut deleted) = (Vec::new(), Vec::new());
    patch::each_part(SQL, &mut |part| match part {
        PatchPart::Change(change) => {
            changes.push((change.path.to_owned(), change.removed.join("|")));
        }
        PatchPart::Deleted(path) => deleted.push(path.to_owned()),
        _ => {}
    });
    let own = |path: &str, lines: &str| (path.to_owned(), lines.to_owned());
    assert_eq!(
        changes,
        [
            own("src/load.lua", "-- the rows|local before = 1|return before"),
            own("src/b.lua", "local last = 2"),
        ]
    );
    assert_eq!(deleted, ["src/b.lua"]);
}

/// Runs git in a repository that is made here.
fn git(folder: &Path, words: &[&str]) {
    let done = Command::new("git")
        .current_dir(folder)
        .args(["-c", "user.name=A", "-c", "user.email=a@b"])
        .args(words)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .status();
    assert!(done.expect("git runs").success(), "{words:?}");
}

fn file_below(folder: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    let ending = |path: &&PathBuf| path.extension().is_some();
    paths
        .iter()
        .find(ending)
        .cloned()
        .or_else(|| paths.iter().find_map(|path| file_below(path)))
}

/// A repository whose last commit removed `gone_word`, and the folder of its index.
struct Case {
    top: tempfile::TempDir,
    cache: tempfile::TempDir,
}

impl Case {
    fn new() -> Self {
        let folder = || tempfile::tempdir().expect("a folder");
        let case = Self {
            top: folder(),
            cache: folder(),
        };
        let top = case.top.path();
        git(top, &["init", "-q"]);
        for content in ["never_removed = 1\ngone_word = 1\n", "never_removed = 1\n"] {
            std::fs::write(top.join("a.py"), content).expect("a file");
            git(top, &["add", "-A"]);
            git(top, &["commit", "-q", "-m", "x"]);
        }
        case
    }

    /// The words and paths that are gone, and whether all were looked for.
    fn gone(&self) -> (Vec<String>, bool) {
        let repository = Repository::open(self.top.path(), 60_000).expect("a repository");
        let kept = KeptHistory::open(&repository, self.cache.path(), None, &Limits::default());
        let kept = kept.expect("an index");
        let words = ["never_removed".to_owned(), "gone_word".to_owned()];
        let (words, is_whole) = kept.gone_words(&words).expect("an answer").expect("keys");
        let (paths, _) = kept.gone_paths(&["a.py".to_owned()]).expect("an answer");
        (
            words.into_keys().chain(paths.into_keys()).collect(),
            is_whole,
        )
    }
}

/// An index that was forged makes git show a commit, and that is all.
#[test]
fn what_an_index_says_alone_is_nothing() {
    let case = Case::new();
    let honest = vec!["gone_word".to_owned()];
    assert_eq!(case.gone(), (honest.clone(), true));
    let file = file_below(case.cache.path()).expect("a file");
    let folder = file.parent().expect("a folder");
    let commits = Segment::open(&file).expect("it is whole").commits;
    let forged = |key: u64| SegmentEntry {
        key,
        commit: 0,
        is_defined: true,
    };
    let asked = terms::of_word("never_removed").expect("keys");
    let keys = [asked.defined, terms::of_asked_path("a.py")];
    segment::write(folder, &commits, &mut keys.map(forged).to_vec()).expect("a file");
    assert_eq!(case.gone(), (honest.clone(), true));
    // A commit that was more than is read leaves a gap for ever.
    let cut = commits.iter().map(|commit| ReadCommit {
        is_cut: true,
        ..*commit
    });
    let cut: Vec<ReadCommit> = cut.collect();
    segment::write(folder, &cut, &mut vec![forged(1)]).expect("a file");
    assert_eq!(case.gone(), (honest, false));
}

#[test]
fn names_of_commits_are_read_and_written() {
    let long = "0123456789abcdef".repeat(4);
    for written in [&long[..40], &long[..]] {
        let read = name(written).expect("a name");
        assert_eq!(hex(&read, written.len() / 2), written);
    }
    for other in ["", "12", &"é".repeat(20), &"g".repeat(40)] {
        assert_eq!(name(other), None, "{other}");
    }
}

fn commits() -> Vec<ReadCommit> {
    let commit = |number: u8| ReadCommit {
        name: [number; segment::NAME_BYTES],
        is_cut: number == 2,
    };
    (0..3).map(commit).collect()
}

/// Many keys, of which some go over the ends of blocks.
fn entries() -> Vec<SegmentEntry> {
    let entry = |number: u32| SegmentEntry {
        key: u64::from(number % 700).pow(3),
        commit: number % 3,
        is_defined: number.is_multiple_of(5),
    };
    (0..3_000).map(entry).collect()
}

#[test]
fn a_file_has_what_was_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let (commits, entries) = (commits(), entries());
    let path = segment::write(folder.path(), &commits, &mut entries.clone()).expect("a file");
    let segment = Segment::open(&path).expect("it is whole");
    assert_eq!(segment.commits, commits);
    let of_key = |key: u64| -> BTreeSet<SegmentEntry> {
        let mut marks: BTreeSet<SegmentEntry> = entries
            .iter()
            .copied()
            .filter(|entry| entry.key == key)
            .collect();
        let all = marks.clone();
        // What is marked once stays marked.
        marks.retain(|entry| {
            entry.is_defined
                || !all.contains(&SegmentEntry {
                    is_defined: true,
                    ..*entry
                })
        });
        marks
    };
    for key in (0..700_u64).map(|key| key.pow(3)).chain([5, u64::MAX]) {
        let found: BTreeSet<SegmentEntry> = segment
            .find(key)
            .expect("it is whole")
            .into_iter()
            .collect();
        assert_eq!(found, of_key(key), "{key}");
    }
    let all: BTreeSet<SegmentEntry> = segment.all().expect("it is whole").into_iter().collect();
    assert_eq!(
        all,
        (0..700_u64).flat_map(|key| of_key(key.pow(3))).collect()
    );
}

/// No change of one byte is read as something else.
#[test]
fn a_damaged_file_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = segment::write(folder.path(), &commits(), &mut entries()).expect("a file");
    let whole = std::fs::read(&path).expect("its bytes");
    let is_noticed = |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("it is written");
        Segment::open(&path)
            .and_then(|segment| segment.all())
            .is_err()
    };
    assert!(!is_noticed(&whole));
    for at in (0..whole.len()).step_by(13) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x41;
        assert!(is_noticed(&bytes), "byte {at}");
    }
    for end in [0, 1, 30, whole.len() / 2, whole.len() - 1] {
        assert!(is_noticed(&whole[..end]), "{end} bytes");
    }
    let longer = [whole.as_slice(), &[0]].concat();
    assert!(is_noticed(&longer));
}
