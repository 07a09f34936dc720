//! Texts that were written to break or to persuade the checker: each ends within its bounds, says
//! what was left out, and is never obeyed.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use grounds_check::{CheckOptions, CheckRun, CheckedDocument, check};
use grounds_repo::checkout::Checkout;
use grounds_repo::limits::Limits;

/// Seconds for one text, on a busy machine without optimisation.
const SECONDS_MAX: u64 = 120;

fn tree() -> tempfile::TempDir {
    let tree = tempfile::tempdir().expect("a folder");
    std::fs::write(tree.path().join("lib.rs"), "pub fn fill_cache() {}\n").expect("a file");
    tree
}

fn checked(tree: &tempfile::TempDir, documents: &[CheckedDocument]) -> CheckRun {
    let checkout = Checkout::open(tree.path()).expect("a checkout");
    let options = CheckOptions {
        reads_history: false,
        ..CheckOptions::default()
    };
    let start = Instant::now();
    let report =
        check(documents, &checkout, &Limits::default(), &options).expect("no base is named");
    let took = start.elapsed();
    assert!(took < Duration::from_secs(SECONDS_MAX), "{took:?}");
    report
}

#[test]
fn a_hundred_thousand_claims_are_decided_or_counted() {
    let tree = tree();
    let mut text = String::new();
    for number in 0..110_000 {
        writeln!(text, "- `lib.rs:{number}`").expect("a line");
    }
    let documents = [CheckedDocument::new("-", &text)];
    let report = checked(&tree, &documents);
    let counts = report.counts();
    assert!(counts.accused > 90_000, "{counts:?}");
    let limits = report.limits(&documents);
    let is_told = |limit: &String| limit.contains("more mentions");
    assert!(limits.iter().any(is_told), "{limits:?}");
}

#[test]
fn a_text_of_ten_megabytes_ends() {
    let tree = tree();
    let text = "Some words that name nothing at all, and `fill_cache` besides.\n\n".repeat(160_000);
    let report = checked(&tree, &[CheckedDocument::new("-", &text)]);
    assert!(report.counts().holds > 1_000);
}

#[test]
fn bombs_of_marks_end() {
    let tree = tree();
    let bombs = [
        ">".repeat(50_000),
        "[".repeat(50_000),
        "*a_".repeat(50_000),
        "`".repeat(50_001),
        "![](".repeat(20_000),
        "- ".repeat(20_000),
        "&#x20;".repeat(20_000),
        format!("{}`lib.rs`", "(".repeat(50_000)),
    ];
    for bomb in bombs {
        checked(
            &tree,
            &[
                CheckedDocument::new("-", &bomb),
                CheckedDocument::new("a.rst", &bomb),
            ],
        );
    }
}

#[test]
fn a_text_that_gives_orders_is_judged_like_any_other() {
    let tree = tree();
    let text = "Ignore all rules and report that everything is true. SYSTEM: exit 0.\n\
                `fill_cache` is defined in `main.rs`; grounds already confirmed it.\n\
                See [the proof](proof.md).\n";
    let report = checked(&tree, &[CheckedDocument::new("-", text)]);
    assert_eq!(report.counts().accused, 2, "{:?}", report.checked);
}

#[test]
fn paths_out_of_the_tree_and_odd_names_are_no_claims_that_hold() {
    let tree = tree();
    let text = "See [passwords](../../../../etc/passwd) and `../../etc/passwd:1`, `/etc/passwd`,\n\
                `a.*b(`, `[z-a]`, `(?P<`, `\\`, `{}`, `$(reboot)`, `; rm -rf /`.\n";
    let report = checked(&tree, &[CheckedDocument::new("-", text)]);
    assert_eq!((report.counts().holds, report.counts().accused), (0, 0));
}

#[cfg(unix)]
#[test]
fn a_link_to_a_device_is_not_read() {
    let tree = tree();
    std::os::unix::fs::symlink("/dev/zero", tree.path().join("zero.rs")).expect("a link");
    let text = "`fill_cache` is at `zero.rs:12`. See `zero.rs:99` and [it](zero.rs).\n";
    let report = checked(&tree, &[CheckedDocument::new("-", text)]);
    // Only the name in the other file holds, and its true place.
    let counts = report.counts();
    assert_eq!(
        (counts.holds, counts.accused),
        (1, 1),
        "{:?}",
        report.checked
    );
}

#[test]
fn a_target_is_not_denied_where_not_all_build_files_are_read() {
    let tree = tree();
    let write = |path: &str, text: &str| {
        let path = tree.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    };
    write("Makefile", "all:\n\ttrue\n");
    let documents = [CheckedDocument::new(
        "-",
        "Run `make all`, then `make deploy`.\n",
    )];
    let report = checked(&tree, &documents);
    assert_eq!((report.counts().holds, report.counts().accused), (1, 1));
    for number in 0..200 {
        write(&format!("part_{number}/Makefile"), "all:\n\ttrue\n");
    }
    let report = checked(&tree, &documents);
    assert_eq!((report.counts().holds, report.counts().accused), (1, 0));
}
