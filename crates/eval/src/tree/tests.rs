//! Trees stay where they are made.

use super::*;

fn tree(files: &[(&str, TreeEntry)]) -> Inline {
    Inline {
        files: files
            .iter()
            .map(|(path, entry)| ((*path).to_owned(), entry.clone()))
            .collect(),
        git: false,
    }
}

fn text(text: &str) -> TreeEntry {
    TreeEntry::Text(text.to_owned())
}

fn link(to: &str) -> TreeEntry {
    TreeEntry::Special(Special {
        link: Some(to.to_owned()),
        ..Special::default()
    })
}

#[test]
fn nothing_is_written_outside_or_through_a_link() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["../a", "/tmp/a", "a/../../b", "", "."] {
        assert!(
            matches!(
                tree(&[(name, text("x"))]).write(folder.path()),
                Err(TreeError::Outside(_))
            ),
            "{name}"
        );
    }
    let outside = tempfile::tempdir().expect("a folder");
    let to = outside.path().to_string_lossy().into_owned();
    let both = tree(&[("a", link(&to)), ("a/b", link("c"))]);
    assert!(both.write(folder.path()).is_err());
    assert_eq!(
        std::fs::read_dir(outside.path()).expect("a folder").count(),
        0
    );
}

#[cfg(unix)]
#[test]
fn bytes_that_are_no_text_are_written_as_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let special = Special {
        bytes: Some("a\\xffb\\\\x41".to_owned()),
        ..Special::default()
    };
    tree(&[("n\\xe9.c", TreeEntry::Special(special))])
        .write(folder.path())
        .expect("written");
    let name: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(b"n\xe9.c");
    assert_eq!(
        std::fs::read(folder.path().join(name)).expect("a file"),
        b"a\xffb\\x41"
    );
}
