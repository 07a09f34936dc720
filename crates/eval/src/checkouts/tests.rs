//! Trees of commits are laid out beside the repository, which stays as it was.

use std::collections::BTreeMap;

use super::*;
use crate::tree::{Inline, TreeEntry};

fn named(name: &str, revision: Option<&str>) -> CaseTree {
    CaseTree::Repository {
        name: name.to_owned(),
        revision: revision.map(str::to_owned),
        root: String::new(),
    }
}

#[test]
fn a_commit_is_laid_out_and_the_repository_stays_as_it_was() {
    let below = tempfile::tempdir().expect("a folder");
    let repository = below.path().join("some__project");
    std::fs::create_dir(&repository).expect("a folder");
    let files = BTreeMap::from([("a.rs".to_owned(), TreeEntry::Text("struct A;\n".to_owned()))]);
    Inline { files, git: true }
        .write(&repository)
        .expect("a repository");
    let head = git::call(&repository, &["rev-parse", "HEAD"]).expect("a commit");
    let head = String::from_utf8_lossy(&head).trim().to_owned();
    std::fs::write(repository.join("a.rs"), "struct B;\n").expect("written");
    let person = [
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@example.org",
        "-c",
        "commit.gpgsign=false",
    ];
    let committed = std::process::Command::new("git")
        .arg("-C")
        .arg(&repository)
        .args(person)
        .args(["commit", "--quiet", "--all", "--message", "b"])
        .status();
    assert!(committed.is_ok_and(|status| status.success()));
    let checkouts = Checkouts::new(None, Some(below.path().to_owned()));
    let text = |place: &CaseTree| {
        let tree = checkouts.of(place).expect("a tree");
        std::fs::read_to_string(tree.checkout.root().join("a.rs")).expect("a file")
    };
    assert_eq!(text(&named("some/project", Some(&head))), "struct A;\n");
    assert_eq!(text(&named("some/project", None)), "struct B;\n");
    assert_eq!(
        std::fs::read_to_string(repository.join("a.rs")).expect("a file"),
        "struct B;\n"
    );
}

#[test]
fn names_and_revisions_that_are_none_are_refused() {
    let below = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(below.path().join("here")).expect("a folder");
    let checkouts = Checkouts::new(None, Some(below.path().to_owned()));
    for (name, revision) in [
        ("../here", None),
        ("/tmp", None),
        ("", None),
        ("gone", None),
        ("here", Some("--upload-pack=x")),
        ("here", Some("")),
    ] {
        assert!(
            checkouts.of(&named(name, revision)).is_err(),
            "{name} {revision:?}"
        );
    }
    assert!(checkouts.of(&CaseTree::Here).is_err());
}
