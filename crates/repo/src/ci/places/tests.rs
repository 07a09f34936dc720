use super::*;

fn tree() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir_all(folder.path().join("src/deep")).expect("folders");
    for name in ["src/a.rs", "src/deep/b.py", "main.c", "naïve.rs"] {
        std::fs::write(folder.path().join(name), "one\ntwo\n").expect("a file");
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc", folder.path().join("link")).expect("a link");
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc/passwd", folder.path().join("src/passwd.rs")).expect("a link");
    folder
}

#[track_caller]
fn check(line: &str, places: &[(&str, u32)]) {
    let tree = tree();
    let root = tree.path().canonicalize().expect("a folder");
    let found = named(std::iter::once(line), &root, "project");
    let found: Vec<(&str, u32)> = found
        .iter()
        .map(|place| (place.path.as_str(), place.line))
        .collect();
    assert_eq!(found, places, "{line}");
}

#[test]
fn compilers_and_runners_name_places_in_many_ways() {
    check("  --> src/a.rs:12:5", &[("src/a.rs", 12)]);
    check(
        "thread 'main' panicked at src/a.rs:2:9:",
        &[("src/a.rs", 2)],
    );
    check(
        "  File \"src/deep/b.py\", line 3, in test",
        &[("src/deep/b.py", 3)],
    );
    check("src\\a.rs(7,3): error TS1: no", &[("src/a.rs", 7)]);
    check(
        "main.c:3:1: error: no; see ./src/a.rs:4",
        &[("main.c", 3), ("src/a.rs", 4)],
    );
    check("in src/a.rs on line 9", &[("src/a.rs", 9)]);
    check(
        "/home/runner/work/project/project/src/a.rs:5: no",
        &[("src/a.rs", 5)],
    );
    check(
        "D:\\a\\project\\project\\main.c(4): error",
        &[("main.c", 4)],
    );
    check("/builds/group/project/main.c:8", &[("main.c", 8)]);
    check("naïve.rs:1", &[("naïve.rs", 1)]);
}

#[test]
fn what_is_no_place_of_the_checkout_is_none() {
    for line in [
        "src/missing.rs:1",
        "/usr/include/src/a.rs:1",
        "../src/a.rs:1",
        "/home/runner/work/project/project/../../etc/passwd:1",
        "link/passwd:1",
        "src/passwd.rs:1",
        "src/a.rs:0",
        "src/a.rs:99999999999",
        "src/a.rs:12abc",
        "src:1",
        "12:30:45",
        "",
        ":::(((,,,",
    ] {
        check(line, &[]);
    }
}

proptest::proptest! {
    #[test]
    fn no_line_is_too_strange(line in "(?s).{0,200}") {
        let tree = tree();
        let _ = named(std::iter::once(line.as_str()), tree.path(), "project");
    }
}
