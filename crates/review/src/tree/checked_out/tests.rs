//! Only the very bytes of an object are taken from disk.

use super::{CheckedOut, is_named};
use crate::tree::TreeFile;

/// What git calls the four bytes `one\n`.
const ONE: &str = "5626abf0f72e58d7a153368ba57db4c673c0e171";

fn file(path: &str, object: &str) -> TreeFile {
    TreeFile {
        path: path.to_owned(),
        mode: 0o100_644,
        object: Some(object.to_owned()),
    }
}

#[test]
fn bytes_have_the_name_that_git_gives_them() {
    assert!(is_named(b"one\n", ONE));
    assert!(!is_named(b"one\r\n", ONE));
    assert!(is_named(b"", "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"));
    assert!(is_named(
        b"",
        "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"
    ));
    assert!(!is_named(b"", "e69de29b"));
    assert!(!is_named(b"", "E69DE29BB2D1D6434B8B29AE775AD8C2E48C5391"));
}

#[test]
fn only_an_unchanged_file_without_links_on_its_way_is_taken() {
    let bed = tempfile::tempdir().expect("a folder");
    let at = |path: &str| bed.path().join(path);
    std::fs::create_dir_all(at(".git")).expect("a folder");
    std::fs::create_dir_all(at("real")).expect("a folder");
    for (path, text) in [
        ("real/same", "one\n"),
        ("real/other", "two\n"),
        ("real/longer", "one\n\n"),
    ] {
        std::fs::write(at(path), text).expect("written");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(at("real"), at("linked")).expect("a link");
        std::os::unix::fs::symlink(at("real/same"), at("link")).expect("a link");
    }
    let mut checked_out = CheckedOut::at(bed.path());
    assert_eq!(
        checked_out.object(&file("real/same", ONE)).as_deref(),
        Some(b"one\n".as_slice())
    );
    for path in [
        "real/other",
        "real/longer",
        "real/none",
        "linked/same",
        "link",
        "real/../real/same",
        "real",
    ] {
        assert_eq!(checked_out.object(&file(path, ONE)), None, "{path}");
    }
    let link = TreeFile {
        mode: 0o120_000,
        ..file("real/same", ONE)
    };
    assert_eq!(checked_out.object(&link), None);
}

#[test]
fn a_repository_without_a_working_tree_has_nothing_checked_out() {
    let bed = tempfile::tempdir().expect("a folder");
    std::fs::write(bed.path().join("same"), "one\n").expect("written");
    assert_eq!(CheckedOut::at(bed.path()).object(&file("same", ONE)), None);
}
