//! The kept index of a history against its patches: the same answers for generated histories, and
//! whatever is done to the index.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use grounds_repo::history::{GonePath, GoneWord, HistoryReading, Past, Repository};
use grounds_repo::limits::Limits;
use proptest::prelude::*;

/// Milliseconds that reading a history may take here.
const MS_MAX: u64 = 600_000;

const PATHS: [&str; 8] = [
    "a.py",
    "lib/b.rs",
    "lib/deep/b.rs",
    "docs/c.md",
    "style.css",
    "query.sql",
    "package.json",
    "tests/t.py",
];
const LINES: [&str; 24] = [
    "def alpha_one():",
    "    alpha_one(beta)",
    "const dryRun = '--dry-run'",
    "add('--dry-run-fast', x--dry-run)",
    ".foo-bar-baz { dry: run }",
    "typedef struct foo foo_t;",
    "-- select gamma",
    "select gamma -- dry-run",
    "import requests",
    "gamma := 1",
    "    let beta = 2;",
    "\"requests\": \"1\"",
    "def ünï(): # é",
    "class Alpha(Base):",
    "12-34 56",
    "pub fn delta(a: u8) -> u8 {",
    "pub fn delta_two(a: u8) -> u8 {",
    "delta(1);",
    "find_package(Threads)",
    "run: dry",
    "+++ plus",
    "--- a/minus.py",
    "nul\0in a line with alpha_one",
    "x = [alpha_one, foo, dry, run, bar]",
];
const WORDS: [&str; 24] = [
    "alpha_one",
    "beta",
    "--dry-run",
    "dry-run",
    "dryRun",
    "-run",
    "foo-bar",
    "bar-baz",
    "foo-bar-baz",
    "--dry-",
    "foo_t",
    "gamma",
    "select",
    "requests",
    "ünï",
    "Alpha",
    "12-34",
    "delta",
    "a.dry",
    "dry: run",
    "find_package",
    "minus",
    "plus",
    "no_such_word",
];
const ASKED_PATHS: [&str; 9] = [
    "a.py",
    "b.rs",
    "deep/b.rs",
    "lib",
    "lib/deep",
    "docs/c.md",
    "query.sql",
    "moved.py",
    "lib/",
];

type Answers = (
    (BTreeMap<String, GoneWord>, bool),
    (BTreeMap<String, GonePath>, bool),
);

/// A commit to be made.
#[derive(Clone, Debug)]
struct Made {
    /// Commits before it that its parent, and the second one of a merge, are away.
    parents: (usize, Option<usize>),
    /// Its time, which need not be after that of its parents.
    time: u32,
    /// Files with the lines that they then have; none removes a file.
    files: Vec<(usize, Vec<usize>)>,
    /// A file that is moved.
    moved: Option<usize>,
}

fn made() -> impl Strategy<Value = Made> {
    let files = proptest::collection::vec(
        (
            0..PATHS.len(),
            proptest::collection::vec(0..LINES.len(), 0..6),
        ),
        1..4,
    );
    let parents = (1_usize..3, proptest::option::weighted(0.2, 2_usize..5));
    let moved = proptest::option::weighted(0.2, 0..PATHS.len());
    (parents, 0_u32..50, files, moved).prop_map(|(parents, time, files, moved)| Made {
        parents,
        time,
        files,
        moved,
    })
}

struct Repo(tempfile::TempDir);

impl Repo {
    /// A repository with a branch for each commit: `b0`, `b1` and so on.
    fn of(history: &[Made]) -> Self {
        let repo = Self(tempfile::tempdir().expect("a folder"));
        repo.git(&["init", "-q", "-b", "main"]);
        let mut child = command(repo.top(), &["fast-import", "--quiet", "--force"])
            .stdin(Stdio::piped())
            .spawn()
            .expect("git runs");
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all(&stream(history)).expect("it is taken");
        drop(input);
        assert!(child.wait().expect("it ends").success());
        repo.head(history.len() - 1);
        repo
    }

    fn top(&self) -> &Path {
        self.0.path()
    }

    fn git(&self, words: &[&str]) {
        let done = command(self.top(), words).output().expect("git runs");
        assert!(done.status.success(), "{words:?}: {done:?}");
    }

    /// Checks out a commit, as far as references go.
    fn head(&self, number: usize) {
        self.git(&["symbolic-ref", "HEAD", &format!("refs/heads/b{number}")]);
    }

    fn patches(&self) -> Answers {
        let repository = Repository::open(self.top(), MS_MAX).expect("a repository");
        answers(&mut Past::of_patches(&repository))
    }

    /// What the index says, and why it is missing.
    fn kept(&self, cache: &Path, limits: &Limits) -> (Answers, Option<String>) {
        self.kept_within(cache, limits, None)
    }

    fn kept_within(
        &self,
        cache: &Path,
        limits: &Limits,
        commits_max: Option<usize>,
    ) -> (Answers, Option<String>) {
        let repository = Repository::open(self.top(), MS_MAX).expect("a repository");
        let reading = HistoryReading {
            folder: Some(cache.to_owned()),
            commits_max,
            is_index_only: commits_max.is_some(),
        };
        let mut past = Past::open(&repository, &reading, limits).expect("a past");
        let answers = answers(&mut past);
        (answers, past.unkept)
    }
}

fn command(top: &Path, words: &[&str]) -> Command {
    let mut command = Command::new("git");
    command
        .current_dir(top)
        .args(["-c", "protocol.file.allow=always"])
        .args(words)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1");
    command
}

fn answers(past: &mut Past<'_>) -> Answers {
    let all = |list: &[&str]| -> Vec<String> { list.iter().map(|one| (*one).to_owned()).collect() };
    let words = past.gone_words(&all(&WORDS)).expect("a history");
    let paths = past.gone_paths(&all(&ASKED_PATHS)).expect("a history");
    (words, paths)
}

/// A commit without its files.
fn head_of(number: usize, made: &Made) -> String {
    let before = |away: usize| number.checked_sub(away);
    let time = 1_500_000_000 + made.time * 86_400;
    let mark = number + 1;
    let mut text = format!(
        "commit refs/heads/b{number}\nmark :{mark}\ncommitter A <a@b> {time} +0000\ndata 2\nm\n"
    );
    if let Some(parent) = before(made.parents.0) {
        let _ = writeln!(text, "from :{}", parent + 1);
        let other = made.parents.1.and_then(before);
        if let Some(other) = other.filter(|other| *other != parent) {
            let _ = writeln!(text, "merge :{}", other + 1);
        }
    }
    text
}

/// The commits in the form of `git fast-import`.
fn stream(history: &[Made]) -> Vec<u8> {
    let mut trees: Vec<BTreeMap<String, String>> = Vec::new();
    let mut text = String::new();
    for (number, made) in history.iter().enumerate() {
        let before = |away: usize| number.checked_sub(away);
        let mut tree =
            before(made.parents.0).map_or_else(BTreeMap::new, |parent| trees[parent].clone());
        for (path, lines) in &made.files {
            let content: String = lines
                .iter()
                .map(|line| format!("{}\n", LINES[*line]))
                .collect();
            match content.is_empty() {
                true => tree.remove(PATHS[*path]),
                false => tree.insert(PATHS[*path].to_owned(), content),
            };
        }
        let moved = made.moved.and_then(|path| tree.remove(PATHS[path]));
        tree.extend(moved.map(|content| ("lib/moved.py".to_owned(), content)));
        text.push_str(&head_of(number, made));
        text.push_str("deleteall\n");
        for (path, content) in &tree {
            let _ = write!(
                text,
                "M 100644 inline {path}\ndata {}\n{content}\n",
                content.len()
            );
        }
        trees.push(tree);
    }
    text.into_bytes()
}

/// A history in which words and paths went.
fn plain() -> Vec<Made> {
    let commit = |lines: &[usize]| Made {
        parents: (1, None),
        time: 1,
        files: vec![(0, lines.to_vec()), (2, vec![15])],
        moved: None,
    };
    let mut history: Vec<Made> = (0..LINES.len()).map(|line| commit(&[line])).collect();
    history.push(Made {
        files: vec![(0, Vec::new()), (2, Vec::new())],
        ..commit(&[])
    });
    history
}

fn cache() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// The files of all indexes.
fn files(cache: &Path) -> Vec<PathBuf> {
    let below = |folder: PathBuf| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path())
    };
    let files = below(cache.to_owned()).flat_map(below).flat_map(below);
    files.filter(|path| path.extension().is_some()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 40,
        max_shrink_iters: 60,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// An index that grows with its history, and is used for other branches, says what the patches say.
    #[test]
    fn an_index_says_what_the_patches_say(
        history in proptest::collection::vec(made(), 2..14),
        first in 0_usize..14,
        other in 0_usize..14,
    ) {
        let (repo, cache) = (Repo::of(&history), cache());
        for head in [first % history.len(), history.len() - 1, other % history.len()] {
            repo.head(head);
            let (said, unkept) = repo.kept(cache.path(), &Limits::default());
            prop_assert_eq!(unkept, None);
            prop_assert_eq!(&said, &repo.patches());
            // Now nothing is missing, so that no commit may be read.
            let (said, _) = repo.kept_within(cache.path(), &Limits::default(), Some(0));
            prop_assert_eq!(&said, &repo.patches());
        }
    }
}

#[test]
fn words_and_paths_of_the_plain_history_are_gone() {
    let repo = Repo::of(&plain());
    let ((words, is_whole), (paths, _)) = repo.kept(cache().path(), &Limits::default()).0;
    assert!(is_whole);
    assert!(words["alpha_one"].was_defined, "{words:?}");
    assert!(words.contains_key("--dry-run"), "{words:?}");
    assert!(paths.contains_key("b.rs"), "{paths:?}");
    assert!(!words.contains_key("no_such_word"));
}

/// Whatever a file has, the answers are those of the patches, and the next run mends it.
#[test]
fn a_damaged_index_is_made_anew() {
    let (repo, cache) = (Repo::of(&plain()), cache());
    let patches = repo.patches();
    repo.kept(cache.path(), &Limits::default());
    let [file] = files(cache.path()).try_into().expect("one file");
    let whole = fs::read(&file).expect("its bytes");
    let last = whole.len() - 1;
    let mut damaged: Vec<Vec<u8>> = vec![Vec::new(), whole[..last].to_vec(), vec![b'x'; 5_000]];
    for at in [0, 20, 60, last / 2, last - 100, last] {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        damaged.push(bytes);
    }
    for bytes in damaged {
        fs::write(&file, bytes).expect("it is written");
        for _ in 0..2 {
            let (said, unkept) = repo.kept(cache.path(), &Limits::default());
            assert_eq!(said, patches, "{unkept:?}");
        }
        assert_eq!(
            fs::read(&file).ok().as_ref(),
            Some(&whole),
            "it is as it was"
        );
    }
    fs::remove_file(&file).expect("it is there");
    assert_eq!(repo.kept(cache.path(), &Limits::default()).0, patches);
}

/// What is kept of a commit that is no longer of the history accuses nobody.
#[test]
fn a_rewritten_history_has_its_own_answers() {
    let (repo, cache) = (Repo::of(&plain()), cache());
    repo.kept(cache.path(), &Limits::default());
    repo.git(&["checkout", "-q", "--orphan", "new"]);
    repo.git(&[
        "-c",
        "user.name=A",
        "-c",
        "user.email=a@b",
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "new",
    ]);
    let (said, unkept) = repo.kept(cache.path(), &Limits::default());
    assert_eq!((said.0.0.len(), said.1.0.len(), unkept), (0, 0, None));
    assert_eq!(said, repo.patches());
}

// A clone needs a shell.
#[cfg(unix)]
#[test]
fn no_index_is_kept_of_a_shallow_clone() {
    let (repo, cache) = (Repo::of(&plain()), cache());
    let clone = tempfile::tempdir().expect("a folder");
    let from = format!("file://{}", repo.top().display());
    let into = clone.path().join("clone");
    repo.git(&[
        "clone",
        "-q",
        "--no-checkout",
        "--depth=3",
        &from,
        &into.to_string_lossy(),
    ]);
    let repository = Repository::open(&into, MS_MAX).expect("a repository");
    assert!(!repository.extent.boundary.is_empty());
    let reading = HistoryReading {
        folder: Some(cache.path().to_owned()),
        ..HistoryReading::default()
    };
    let mut past = Past::open(&repository, &reading, &Limits::default()).expect("a past");
    assert_eq!(
        answers(&mut past),
        answers(&mut Past::of_patches(&repository))
    );
    assert!(files(cache.path()).is_empty());
}

/// Where an index cannot be kept, the answers are those of the patches, and it is said why.
#[test]
fn bounds_and_others_in_the_way_change_no_answer() {
    let repo = Repo::of(&plain());
    let usual = Limits::default();
    let bytes = Limits {
        history_index_bytes_max: 1_000,
        ..usual
    };
    let commits = Limits {
        history_index_commits_max: 3,
        ..usual
    };
    for (limits, why) in [
        (bytes, "history_index_bytes_max"),
        (commits, "history_index_commits_max"),
    ] {
        let cache = cache();
        for _ in 0..2 {
            let (said, unkept) = repo.kept(cache.path(), &limits);
            assert_eq!(said, repo.patches());
            assert!(
                unkept.as_ref().is_some_and(|told| told.contains(why)),
                "{unkept:?}"
            );
        }
        // With more room, it goes on.
        assert_eq!(repo.kept(cache.path(), &usual), (repo.patches(), None));
    }
    let cache = cache();
    let file = cache.path().join("file");
    fs::write(&file, "").expect("a file");
    let (said, unkept) = repo.kept(&file, &usual);
    assert_eq!(said, repo.patches());
    assert!(unkept.is_some());
}

#[test]
fn another_run_that_writes_is_not_waited_for() {
    let (repo, cache) = (Repo::of(&plain()), cache());
    repo.head(3);
    repo.kept(cache.path(), &Limits::default());
    let folder = files(cache.path())[0]
        .parent()
        .expect("a folder")
        .to_owned();
    let lock = File::create(folder.join("lock")).expect("a lock");
    lock.lock().expect("it is free");
    repo.head(20);
    let (said, unkept) = repo.kept(cache.path(), &Limits::default());
    assert_eq!(said, repo.patches());
    assert!(unkept.is_some_and(|why| why.contains("another run")));
}

/// What is read of a history is the same with an index and without one, however little a run may read.
#[test]
fn each_run_reads_some_more_until_all_is_read() {
    let repo = Repo::of(&plain());
    let repository = Repository::open(repo.top(), MS_MAX).expect("a repository");
    for commits_max in [1, 2, 5, 100] {
        let cache = cache();
        let mut read = 0;
        for run in 1.. {
            let reading = |folder: Option<&Path>, commits_max| HistoryReading {
                folder: folder.map(Path::to_owned),
                commits_max: Some(commits_max),
                is_index_only: folder.is_some(),
            };
            let open = |reading| Past::open(&repository, &reading, &Limits::default());
            let mut kept = open(reading(Some(cache.path()), commits_max)).expect("a past");
            let mut patches = open(reading(None, run * commits_max)).expect("a past");
            assert_eq!(kept.read_back, patches.read_back);
            assert_eq!(answers(&mut kept), answers(&mut patches));
            let Some(back) = kept.read_back else {
                assert_eq!(answers(&mut kept), repo.patches());
                break;
            };
            assert_eq!(back.commits, read + commits_max);
            assert!(back.commit.is_some() && back.date.is_some());
            read = back.commits;
        }
    }
}

/// Commits of another branch come before those that are read already: what is between is not left out.
#[test]
fn what_is_read_has_no_hole() {
    let (repo, cache) = (Repo::of(&plain()), cache());
    let repository = || Repository::open(repo.top(), MS_MAX).expect("a repository");
    let reading = HistoryReading {
        folder: Some(cache.path().to_owned()),
        commits_max: Some(2),
        is_index_only: true,
    };
    repo.head(15);
    repo.kept(cache.path(), &Limits::default());
    repo.head(23);
    let opened = repository();
    let past = Past::open(&opened, &reading, &Limits::default()).expect("a past");
    assert_eq!(past.read_back.map(|back| back.commits), Some(2));
}

#[test]
fn a_run_that_may_read_nothing_says_nothing() {
    let (repo, cache) = (Repo::of(&plain()), cache());
    let none = ((BTreeMap::new(), true), (BTreeMap::new(), true));
    let kept = repo.kept_within(cache.path(), &Limits::default(), Some(0));
    assert_eq!(kept, (none, None));
    assert!(files(cache.path()).is_empty());
}

#[test]
fn a_run_without_time_is_not_whole_and_the_next_one_goes_on() {
    let (repo, cache) = (Repo::of(&plain()), cache());
    let reading = HistoryReading {
        folder: Some(cache.path().to_owned()),
        ..HistoryReading::default()
    };
    let repository = Repository::open(repo.top(), 0).expect("a repository");
    let mut past = Past::open(&repository, &reading, &Limits::default()).expect("a past");
    let ((_, all_words), (_, all_paths)) = answers(&mut past);
    assert!(!all_words && !all_paths);
    assert_eq!(
        repo.kept(cache.path(), &Limits::default()),
        (repo.patches(), None)
    );
}

#[test]
fn the_index_that_was_not_used_for_longest_goes_first() {
    let (one, other, cache) = (Repo::of(&plain()), Repo::of(&plain()), cache());
    let limits = Limits {
        history_indexes_max: 1,
        ..Limits::default()
    };
    one.kept(cache.path(), &limits);
    let first = files(cache.path());
    other.kept(cache.path(), &limits);
    let second = files(cache.path());
    assert_eq!((first.len(), second.len()), (1, 1));
    assert_ne!(first, second);
}

/// Removes or damages the object of a file as a commit has it.
fn lose(repo: &Repo, version: &str, is_damaged: bool) {
    let named = command(repo.top(), &["rev-parse", version]).output();
    let named = String::from_utf8(named.expect("git runs").stdout).expect("a name");
    let (folder, name) = named.trim().split_at(2);
    let object = repo.top().join(".git/objects").join(folder).join(name);
    // Git makes it read-only, and Windows removes no such file.
    fs::rename(&object, object.with_extension("lost")).expect("a loose object");
    if is_damaged {
        fs::write(&object, b"no object").expect("it is written");
    }
}

#[test]
fn what_git_cannot_read_costs_the_history_of_its_own_path_alone() {
    let asked = ["alpha_one".to_owned(), "delta".to_owned()];
    for (is_damaged, keeps) in [(false, false), (false, true), (true, false), (true, true)] {
        let (repo, cache) = (Repo::of(&plain()), cache());
        // `a.py` had both words, `lib/deep/b.rs` had only `delta`.
        lose(&repo, "b4:a.py", is_damaged);
        let reading = HistoryReading {
            folder: Some(cache.path().to_owned()),
            ..HistoryReading::default()
        };
        let repository = Repository::open(repo.top(), MS_MAX).expect("a repository");
        let patches = HistoryReading::default();
        let reading = if keeps { &reading } else { &patches };
        let mut past = Past::open(&repository, reading, &Limits::default()).expect("a past");
        let (words, is_whole) = past.gone_words(&asked).expect("a history");
        let (paths, _) = past
            .gone_paths(&ASKED_PATHS.map(str::to_owned))
            .expect("a history");
        let paths: Vec<&String> = paths.keys().collect();
        let found: Vec<_> = words
            .iter()
            .map(|(word, gone)| (word.as_str(), gone.path.as_str()))
            .collect();
        assert_eq!(found, [("delta", "lib/deep/b.rs")]);
        assert_eq!(paths, ["b.rs", "deep/b.rs", "lib", "lib/deep"]);
        assert!(is_whole);
        assert_eq!(past.left_out.iter().collect::<Vec<_>>(), ["a.py"]);
    }
}
