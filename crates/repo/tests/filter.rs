//! The kept filter of a tree against a reading of all of it: the same is seen, whatever is done to
//! the tree and to the filter.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use grounds_evidence::{Target, TargetKind, Wanted};
use grounds_repo::bench::Bench;
use grounds_repo::checkout::Checkout;
use grounds_repo::enquiry::Enquiry;
use grounds_repo::limits::Limits;
use grounds_repo::means::Means;
use grounds_repo::near;
use grounds_repo::scope::Excluded;
use grounds_repo::spelled;
use grounds_repo::survey::{Progress, Survey};

/// Milliseconds after which a file counts as settled here.
const SETTLED_MS: u64 = 40;
const NAMES: [&str; 6] = [
    "alpha_one",
    "beta",
    "GammaRay",
    "delta",
    "nowhere_at_all",
    "ab",
];

fn limits() -> Limits {
    Limits {
        filter_files_min: 0,
        filter_settled_ms: SETTLED_MS,
        ..Limits::default()
    }
}

/// A tree beside a folder for its filter.
struct Ground {
    folder: tempfile::TempDir,
}

impl Ground {
    fn new() -> Self {
        let ground = Self {
            folder: tempfile::tempdir().expect("a folder"),
        };
        fs::create_dir(ground.tree()).expect("the tree");
        for number in 0..40 {
            ground.write(
                &format!("src/f{number}.rs"),
                &format!("fn name_{number}() {{}}\n"),
            );
        }
        ground.write("src/a.rs", "fn alpha_one() { beta() }\n");
        ground.write("src/deep/g.py", "class GammaRay:\n    pass\n");
        ground.write("docs/d.md", "Nothing but words, and delta.\n");
        ground.write("src/e.js", "var d\\u0065lta = 1;\n");
        ground.write("u.txt", "gamma ünï ab\n");
        fs::write(ground.tree().join("utf16.rs"), b"\xff\xfeb\0e\0t\0a\0").expect("a file");
        fs::write(ground.tree().join("picture.png"), b"\x89PNG\0beta").expect("a file");
        ground
    }

    fn tree(&self) -> PathBuf {
        self.folder.path().join("tree")
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.tree().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, text).expect("a file");
    }

    /// Asks once, after which a filter is kept.
    fn asked(self) -> Self {
        self.check("the first question");
        self
    }

    fn rename(&self, from: &str, to: &str) {
        fs::rename(self.tree().join(from), self.tree().join(to)).expect("a name");
    }

    /// The file of the filter.
    fn filter(&self) -> PathBuf {
        let owner = fs::read_dir(self.cache()).expect("the cache");
        let owner = owner.flatten().next().expect("an owner").path();
        owner.join("filter/signatures")
    }

    /// What a run sees with the filter is what one sees without. Returns the files that the filter excluded.
    fn check(&self, what: &str) -> u64 {
        let plain = Checkout::open(&self.tree()).expect("the tree");
        let kept = plain.clone().with_filters(self.cache());
        let (alone, mut excluded) = (everything(&plain), 0);
        // One pass after the other in one run, so that what the first has read serves the others.
        let run = kept.for_one_run();
        for _ in 0..2 {
            let (seen, count) = everything(&run);
            assert_eq!(seen, alone.0, "{what}");
            excluded = count;
        }
        run.end_run(&limits());
        excluded
    }
}

/// All that passes see for the names, one line for each, and how many files were excluded.
fn everything(checkout: &Checkout) -> (String, u64) {
    let (limits, mut all, mut excluded) = (limits(), String::new(), 0);
    for name in NAMES {
        let target = Target {
            text: name.to_owned(),
            kind: TargetKind::Identifier,
            wanted: Wanted::Uses,
        };
        let enquiry = Enquiry {
            targets: vec![target.clone()],
            ..Enquiry::default()
        };
        let (means, progress) = (Means::default(), Progress::default());
        let mut bench = Bench::new(checkout, &limits, &enquiry, &means, &progress);
        let mut seen: Survey = (*bench.survey()).clone();
        excluded += std::mem::take::<Excluded>(&mut seen.scope.excluded).files;
        let near = near::look(checkout, &target, &limits);
        let spelled = spelled::look(checkout, &[target], &limits);
        all.push_str(&format!("{name}: {seen:?}\n{near:?}\n{spelled:?}\n"));
    }
    (all, excluded)
}

fn settle() {
    std::thread::sleep(Duration::from_millis(SETTLED_MS + 30));
}

/// Whether this system can tell that a file is as it was.
fn keeps(ground: &Ground) -> bool {
    let keeps = cfg!(target_os = "linux") && ground.cache().exists();
    if !keeps {
        assert!(std::env::var_os("CI").is_none() || !cfg!(target_os = "linux"));
        let mut stderr = std::io::stderr().lock();
        let _ = writeln!(stderr, "skipped: no filter is kept on this system");
    }
    keeps
}

#[test]
fn what_was_read_is_excluded_and_the_same_is_seen() {
    let ground = Ground::new().asked();
    settle();
    if !keeps(&ground) {
        return;
    }
    assert!(!ground.filter().exists(), "one question keeps none");
    assert_eq!(ground.check("the first run"), 0, "nothing was kept yet");
    let excluded = ground.check("the second run");
    assert!(excluded > 150, "{excluded} of 6 times 43 files");
}

#[test]
fn a_file_that_was_changed_a_moment_ago_is_read_again() {
    let ground = Ground::new().asked();
    let long = Limits {
        filter_settled_ms: 3_600_000,
        ..limits()
    };
    for _ in 0..2 {
        let kept = Checkout::open(&ground.tree()).expect("the tree");
        let run = kept.with_filters(ground.cache()).for_one_run();
        assert_eq!(everything(&run).1, 0);
        run.end_run(&long);
    }
}

/// Something that is done to a tree.
type Change = (&'static str, fn(&Ground));

/// What becomes of the texts of files.
const OF_TEXTS: [Change; 5] = [
    ("other words of the same length", |ground| {
        ground.write("src/f1.rs", "fn beta_1() {}\n");
    }),
    ("the same size and the same time", |ground| {
        let path = ground.tree().join("src/f2.rs");
        let before = fs::metadata(&path).expect("a file");
        let text = format!("{:<width$}", "beta", width = before.len() as usize);
        fs::write(&path, text).expect("a file");
        set_time(&path, before.modified().expect("a time"));
    }),
    ("a file that is no text any more", |ground| {
        fs::write(ground.tree().join("src/f5.rs"), b"beta\0").expect("a file");
    }),
    ("lines at the end of a file", |ground| {
        let path = ground.tree().join("src/f6.rs");
        let file = fs::OpenOptions::new().append(true).open(path);
        let written = file.expect("a file").write_all(b"fn delta() {}\n");
        written.expect("written");
    }),
    ("an ignored file", |ground| {
        ground.write(".ignore", "src/f3.rs\n");
    }),
];

/// What becomes of the names of files.
const OF_NAMES: [Change; 4] = [
    ("two files that change their names", |ground| {
        ground.rename("src/a.rs", "x");
        ground.rename("src/f3.rs", "src/a.rs");
        ground.rename("x", "src/f3.rs");
    }),
    ("a folder of another name", |ground| {
        ground.rename("src/deep", "src/other");
        ground.write("src/deep/g.py", "delta = 1\n");
    }),
    ("a file that is gone", |ground| {
        fs::remove_file(ground.tree().join("docs/d.md")).expect("a file");
    }),
    ("a file in the place of another", |ground| {
        ground.write("new", "class GammaRay {}\n");
        ground.rename("new", "src/f4.rs");
    }),
];

#[test]
fn every_change_of_a_tree_is_seen() {
    let ground = Ground::new().asked();
    settle();
    ground.check("the first run");
    for (what, change) in OF_NAMES.into_iter().chain(OF_TEXTS) {
        change(&ground);
        ground.check(what);
        settle();
        ground.check(&format!("{what}, later"));
        ground.check(&format!("{what}, once more"));
    }
}

#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_a_file_is_not_followed() {
    let ground = Ground::new().asked();
    settle();
    ground.check("the first run");
    fs::remove_file(ground.tree().join("src/f7.rs")).expect("a file");
    std::os::unix::fs::symlink("a.rs", ground.tree().join("src/f7.rs")).expect("a link");
    ground.check("a link in the place of a file");
}

#[test]
fn a_broken_filter_counts_as_none() {
    let ground = Ground::new().asked();
    settle();
    ground.check("the first run");
    if !keeps(&ground) {
        return;
    }
    let path = ground.filter();
    let whole = fs::read(&path).expect("the filter");
    for at in (0..whole.len()).step_by(whole.len() / 60) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        fs::write(&path, &bytes).expect("the filter");
        assert_eq!(ground.check(&format!("byte {at} is another")), 0, "{at}");
        fs::write(&path, &whole[..at]).expect("the filter");
        assert_eq!(ground.check(&format!("cut at {at}")), 0, "{at}");
    }
    fs::write(&path, &whole).expect("the filter");
    assert!(ground.check("as it was") > 0);
}

#[test]
fn the_filter_of_another_tree_excludes_nothing() {
    let (one, other) = (Ground::new().asked(), Ground::new().asked());
    other.write("src/f9.rs", "fn alpha_one() {}\n");
    settle();
    one.check("one");
    other.check("the other");
    if !keeps(&one) {
        return;
    }
    fs::copy(one.filter(), other.filter()).expect("a copy");
    assert_eq!(other.check("under the filter of one"), 0);
}

#[test]
fn where_nothing_can_be_kept_everything_is_read() {
    let ground = Ground::new();
    fs::write(ground.cache(), "a file").expect("a file");
    settle();
    ground.check("no folder");
    assert_eq!(ground.check("no folder still"), 0);
}

#[test]
fn runs_at_one_time_see_the_same() {
    let ground = Ground::new().asked();
    settle();
    std::thread::scope(|scope| {
        for number in 0..8 {
            let ground = &ground;
            scope.spawn(move || {
                for turn in 0..5 {
                    ground.write(
                        &format!("more/{number}.rs"),
                        &format!("fn own_{turn}() {{}}\n"),
                    );
                    let kept = Checkout::open(&ground.tree()).expect("the tree");
                    let run = kept.with_filters(ground.cache()).for_one_run();
                    assert!(everything(&run).0.contains("alpha_one: "));
                    run.end_run(&limits());
                }
            });
        }
    });
    ground.check("after all");
    ground.check("after all, once more");
}

#[test]
fn a_filter_has_no_more_bytes_than_are_allowed() {
    let ground = Ground::new().asked();
    settle();
    let kept = Checkout::open(&ground.tree()).expect("the tree");
    let run = kept.with_filters(ground.cache()).for_one_run();
    let few = Limits {
        filter_bytes_max: 3_000,
        ..limits()
    };
    everything(&run);
    run.end_run(&few);
    if keeps(&ground) {
        let bytes = fs::metadata(ground.filter()).expect("the filter").len();
        assert!(bytes <= 3_000, "{bytes}");
    }
    ground.check("with a part of a filter");
}

#[test]
fn of_a_small_tree_nothing_is_kept() {
    let ground = Ground::new();
    settle();
    let kept = Checkout::open(&ground.tree()).expect("the tree");
    let run = kept.with_filters(ground.cache()).for_one_run();
    let target = Target {
        text: "beta".to_owned(),
        kind: TargetKind::Identifier,
        wanted: Wanted::Uses,
    };
    near::look(&run, &target, &Limits::default());
    run.end_run(&Limits::default());
    assert!(!ground.cache().exists());
}

fn set_time(path: &Path, time: SystemTime) {
    let file = fs::OpenOptions::new().write(true).open(path);
    file.expect("a file").set_modified(time).expect("a time");
}
