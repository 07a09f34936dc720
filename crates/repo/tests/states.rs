//! States of work trees, made at random, against what plain git says of them.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use grounds_repo::checkout::Checkout;
use grounds_repo::git::{self, IndexFile, TreeState};
use grounds_repo::parses::{Parses, Shelves};

/// States of one test.
const STATES: u64 = 80;
/// Changes of one state.
const CHANGES_MAX: u64 = 3;

/// Numbers that are the same in each run.
struct Dice(u64);

impl Dice {
    fn next(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// What is kept from one look to the next.
#[derive(Clone, Debug, Default)]
struct Memory(Arc<Mutex<BTreeMap<[u8; 32], Vec<u8>>>>);

impl Shelves for Memory {
    fn find(&self, name: &[u8; 32]) -> Option<Vec<u8>> {
        self.0.lock().expect("a lock").get(name).cloned()
    }

    fn keep(&self, name: &[u8; 32], bytes: Vec<u8>) {
        self.0.lock().expect("a lock").insert(*name, bytes);
    }
}

fn tree_state(top: &Path) -> TreeState {
    Checkout::open(top).expect("a folder").tree_state()
}

/// The state as it is told with what is kept, the first time and when it is kept.
fn kept_states(top: &Path, memory: &Memory) -> [TreeState; 2] {
    let look = || {
        let parses = Parses::of("p", Box::new(memory.clone()));
        let checkout = Checkout::open(top).expect("a folder");
        checkout.with_parses(parses).tree_state()
    };
    [look(), look()]
}

struct Bed(tempfile::TempDir);

impl Bed {
    fn new(format: &str, index: &str) -> Self {
        let bed = Self(tempfile::tempdir().expect("a folder"));
        bed.git(&[
            "init",
            "-q",
            "-b",
            "main",
            &format!("--object-format={format}"),
        ]);
        bed.git(&["config", "index.version", index]);
        for (name, text) in [
            (&b"a.rs"[..], "one\ntwo\n"),
            (b"sub/b.rs", "three\n"),
            (b"sub/deep/c.txt", "four\r\n"),
            (b"colon:d.rs", "five\n"),
            (b"\xff.rs", "six\n"),
            (b"empty", ""),
            (b".gitattributes", "*.txt text=auto\n*.rs diff=rust\n"),
        ] {
            bed.write(name, text);
        }
        std::os::unix::fs::symlink("a.rs", bed.path(b"link")).expect("a link");
        bed.git(&["add", "-A"]);
        bed.git(&["commit", "-q", "-m", "one"]);
        bed
    }

    fn top(&self) -> &Path {
        self.0.path()
    }

    fn path(&self, name: &[u8]) -> PathBuf {
        self.top().join(OsStr::from_bytes(name))
    }

    fn write(&self, name: &[u8], text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        std::fs::write(path, text).expect("a file");
    }

    fn git(&self, words: &[&str]) -> Vec<u8> {
        let mut command = Command::new("git");
        command
            .args([
                "-c",
                "user.name=a",
                "-c",
                "user.email=a@example.org",
                "-c",
                "commit.gpgsign=false",
            ])
            .args(words)
            .current_dir(self.top())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1");
        command.output().expect("git").stdout
    }

    /// Whether plain git shows a tracked file that differs.
    fn is_dirty(&self) -> bool {
        let words = [
            "--no-optional-locks",
            "status",
            "--porcelain=v2",
            "--untracked-files=no",
            "--ignore-submodules=all",
        ];
        !self.git(&words).is_empty()
    }
}

const FILES: [&[u8]; 7] = [
    b"a.rs",
    b"sub/b.rs",
    b"sub/deep/c.txt",
    b"colon:d.rs",
    b"\xff.rs",
    b"empty",
    b"link",
];

/// One change, by its number; its name for a failure.
fn change(bed: &Bed, dice: &mut Dice) -> &'static str {
    let name = FILES[usize::try_from(dice.next(FILES.len() as u64)).expect("a place")];
    let path = bed.path(name);
    let shown = String::from_utf8_lossy(name).into_owned();
    let text = std::fs::read(&path).unwrap_or_default();
    match dice.next(22) {
        0 => {
            let other: Vec<u8> = text.iter().map(|byte| byte ^ 1).collect();
            let _ = std::fs::write(&path, other);
            "the same size"
        }
        1 => {
            let _ = std::fs::write(&path, [&text[..], b"more\n"].concat());
            "another size"
        }
        2 => {
            let _ = std::fs::write(&path, &text);
            "written again"
        }
        3 => {
            set_time(&path, SystemTime::now() - Duration::from_secs(7_200));
            "another time"
        }
        4 => {
            let before = path.symlink_metadata().and_then(|kind| kind.modified());
            let other: Vec<u8> = text.iter().map(|byte| byte ^ 1).collect();
            let _ = std::fs::write(&path, other);
            set_time(&path, before.unwrap_or_else(|_| SystemTime::now()));
            "the same size and time"
        }
        5 => {
            let _ = std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755));
            "a mode"
        }
        6 => {
            let _ = std::fs::remove_file(&path);
            "gone"
        }
        7 => {
            let _ = std::fs::remove_file(&path);
            let _ = std::os::unix::fs::symlink("elsewhere", &path);
            "a link"
        }
        8 => {
            let _ = std::fs::rename(bed.path(b"sub"), bed.path(b"moved"));
            let _ = std::os::unix::fs::symlink("moved", bed.path(b"sub"));
            "a folder as a link"
        }
        9 => {
            bed.git(&["add", "-A"]);
            "staged"
        }
        10 => {
            bed.write(b"new.rs", "new\n");
            bed.git(&["add", "-N", "new.rs"]);
            "announced"
        }
        11 => {
            bed.write(b"new.rs", "new\n");
            "untracked"
        }
        12 => {
            bed.git(&["update-index", "--assume-unchanged", &shown]);
            "assumed unchanged"
        }
        13 => {
            bed.git(&["update-index", "--skip-worktree", &shown]);
            "passed over"
        }
        14 => {
            bed.git(&["rm", "-q", "--cached", &shown]);
            "no longer tracked"
        }
        15 => {
            bed.git(&["commit", "-q", "-a", "-m", "more"]);
            "committed"
        }
        16 => {
            bed.git(&["update-index", "--split-index"]);
            "an index in parts"
        }
        17 => {
            bed.git(&["config", "core.filemode", "false"]);
            "modes do not count"
        }
        18 => {
            bed.git(&["config", "core.autocrlf", "true"]);
            "line ends of another system"
        }
        19 => {
            let text = String::from_utf8_lossy(&text).replace('\n', "\r\n");
            let _ = std::fs::write(&path, text);
            "carriage returns"
        }
        20 => {
            bed.git(&["mv", "a.rs", "b.rs"]);
            "renamed"
        }
        _ => {
            let _ = std::fs::remove_file(&path);
            let _ = std::fs::create_dir_all(&path);
            "a folder in its place"
        }
    }
}

fn set_time(path: &Path, at: SystemTime) {
    if let Ok(file) = std::fs::File::options().write(true).open(path) {
        let _ = file.set_modified(at);
    }
}

/// What is read of the index and of `HEAD` without git is what git says, or nothing.
fn see_index(bed: &Bed, head: &str) {
    let listed = bed.git(&["ls-files", "--stage", "-z"]);
    let listed: Vec<&[u8]> = listed.split_inclusive(|byte| *byte == 0).collect();
    let shown = |file: IndexFile| {
        let words = format!("{:06o} {} 0\t", file.mode, file.object);
        [words.as_bytes(), &file.path, b"\0"].concat()
    };
    let found = git::index_files(bed.top(), u64::MAX).expect("an index");
    let is_in_parts = bed
        .path(b".git")
        .read_dir()
        .expect("a folder")
        .flatten()
        .any(|entry| {
            let name = entry.file_name();
            name.as_bytes().starts_with(b"sharedindex.")
        });
    assert_eq!(found.is_none(), is_in_parts);
    if let Some(files) = found {
        assert_eq!(files.into_iter().map(shown).collect::<Vec<_>>(), listed);
        assert_eq!(git::has_conflict(bed.top()), Ok(Some(false)));
    }
    let kept = git::hold(bed.top()).expect("a repository");
    assert_eq!(
        git::checked_out(bed.top()).as_ref().map(Option::as_deref),
        Ok(Some(head))
    );
    let asked = git::call(bed.top(), &["rev-parse", "HEAD"]).expect("a commit");
    assert_eq!(String::from_utf8_lossy(&asked).trim(), head);
    drop(kept);
}

fn check(format: &str, index: &str, seed: u64) {
    if !Command::new("git")
        .arg("--version")
        .output()
        .is_ok_and(|done| done.status.success())
    {
        return;
    }
    let (mut dirty, memory) = (0, Memory::default());
    for state in 0..STATES {
        let mut dice = Dice(seed * 1_000 + state);
        let bed = Bed::new(format, index);
        let count = dice.next(CHANGES_MAX + 1);
        let changes: Vec<&str> = (0..count).map(|_| change(&bed, &mut dice)).collect();
        let head = String::from_utf8(bed.git(&["rev-parse", "HEAD"])).expect("a hash");
        let (found, expected) = (tree_state(bed.top()), bed.is_dirty());
        let kept = kept_states(bed.top(), &memory);
        assert_eq!(
            kept,
            [found.clone(), found.clone()],
            "state {state}: {changes:?}"
        );
        assert_eq!(
            found.commit.as_deref(),
            Some(head.trim()),
            "state {state}: {changes:?}"
        );
        assert_eq!(found.dirty, Some(expected), "state {state}: {changes:?}");
        see_index(&bed, head.trim());
        dirty += u64::from(expected);
    }
    assert!(
        dirty > STATES / 10 && dirty < STATES * 9 / 10,
        "{dirty} of {STATES}"
    );
}

#[test]
fn states_are_told_as_git_tells_them() {
    check("sha1", "2", 1);
}

#[test]
fn states_are_told_as_git_tells_them_with_long_names_of_objects() {
    check("sha256", "3", 2);
}

#[test]
fn states_are_told_as_git_tells_them_with_short_paths_in_the_index() {
    check("sha1", "4", 3);
}

/// Sides of a conflict are seen, and what was held does not outlive its holder.
#[test]
fn a_conflict_is_seen_without_git() {
    let bed = Bed::new("sha1", "2");
    let held = git::hold(bed.top()).expect("a repository");
    bed.git(&["checkout", "-q", "-b", "other"]);
    bed.write(b"a.rs", "other\n");
    bed.git(&["commit", "-q", "-a", "-m", "other"]);
    let other = bed.git(&["rev-parse", "HEAD"]);
    let commit = |name: &str| git::call(bed.top(), &["rev-parse", name]).ok();
    assert_ne!(
        commit("HEAD"),
        Some(other.clone()),
        "as it was when it was held"
    );
    drop(held);
    assert_eq!(commit("HEAD"), Some(other));
    bed.git(&["checkout", "-q", "main"]);
    bed.write(b"a.rs", "main\n");
    bed.git(&["commit", "-q", "-a", "-m", "main"]);
    assert_eq!(git::has_conflict(bed.top()), Ok(Some(false)));
    bed.git(&["merge", "-q", "other"]);
    assert_eq!(git::has_conflict(bed.top()), Ok(Some(true)));
}

#[test]
fn a_fresh_clone_is_clean_without_a_look_into_its_files() {
    let bed = Bed::new("sha1", "2");
    let clone = tempfile::tempdir().expect("a folder");
    let (from, to) = (
        bed.top().display().to_string(),
        clone.path().display().to_string(),
    );
    bed.git(&["clone", "-q", &from, &to]);
    assert_eq!(tree_state(clone.path()).dirty, Some(false));
    std::fs::write(clone.path().join("a.rs"), "two\none\n").expect("a file");
    assert_eq!(tree_state(clone.path()).dirty, Some(true));
}

#[test]
fn the_tree_of_a_commit_is_asked_for_once() {
    let (bed, memory) = (Bed::new("sha1", "2"), Memory::default());
    bed.git(&["read-tree", "HEAD"]);
    bed.git(&["update-index", "--refresh"]);
    let [first, again] = kept_states(bed.top(), &memory);
    assert_eq!((first.dirty, &first), (Some(false), &again));
    let kept = memory.0.lock().expect("a lock").len();
    assert_eq!(kept, 1);
    std::fs::write(bed.top().join("a.rs"), "staged\n").expect("a file");
    bed.git(&["add", "a.rs"]);
    let [first, again] = kept_states(bed.top(), &memory);
    assert_eq!((first.dirty, &first), (Some(true), &again));
    assert_eq!(memory.0.lock().expect("a lock").len(), kept);
}
