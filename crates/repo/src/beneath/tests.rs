use super::*;

#[test]
fn files_are_found_made_and_read_below_a_folder() {
    let top = tempfile::tempdir().expect("a folder");
    let beneath = Beneath::open(top.path()).expect("a folder");
    beneath.make_folders(Path::new("a/b")).expect("folders");
    beneath
        .make_folders(Path::new("a/b"))
        .expect("they are there");
    let file = Path::new("a/b/file");
    beneath.write(file, b"one").expect("a file");
    beneath.write(file, b"two").expect("in its place");
    assert_eq!(beneath.read(file, 3).ok().as_deref(), Some(&b"two"[..]));
    assert!(beneath.read(file, 2).is_err() && beneath.create(Path::new("a/b")).is_err());
    assert!(beneath.has(file) && beneath.has(Path::new("a")) && !beneath.has(Path::new("b")));
    for path in ["", "a", "../a", "a/..", "a/b/file/c", "a/c/file"] {
        assert!(beneath.read(Path::new(path), 99).is_err(), "{path}");
    }
    let whole = top.path().canonicalize().expect("a path").join(file);
    assert!(is_unlinked(&whole) && !is_unlinked(&whole.with_file_name("other")));
    assert!(open_file(&whole).is_ok() && open_folder(&whole).is_err());
    assert!(open_folder(whole.parent().expect("a folder")).is_ok());
}

#[cfg(windows)]
#[test]
fn streams_and_devices_are_no_files() {
    let top = tempfile::tempdir().expect("a folder");
    let beneath = Beneath::open(top.path()).expect("a folder");
    beneath.write(Path::new("file"), b"one").expect("a file");
    for path in [
        "file:stream",
        "file::$DATA",
        "NUL",
        "con.txt",
        "file.",
        "C:file",
        "folder:a/b",
    ] {
        let path = Path::new(path);
        assert!(
            beneath.read(path, 99).is_err() && beneath.write(path, b"x").is_err(),
            "{path:?}"
        );
        assert!(open_file(&top.path().join(path)).is_err(), "{path:?}");
    }
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::symlink;

    use super::*;

    /// A folder with a file, and links out of it of every kind, beside a file that nobody may touch.
    fn planted() -> (tempfile::TempDir, Beneath) {
        let top = tempfile::tempdir().expect("a folder");
        let root = top.path().join("root");
        std::fs::create_dir_all(root.join("in")).expect("folders");
        std::fs::create_dir(top.path().join("out")).expect("a folder");
        std::fs::write(top.path().join("out/file"), "secret").expect("a file");
        std::fs::write(root.join("in/file"), "own").expect("a file");
        symlink("../out", root.join("folder")).expect("a link");
        symlink(top.path().join("out/file"), root.join("file")).expect("a link");
        symlink("in", root.join("inner")).expect("a link");
        let beneath = Beneath::open(&root).expect("a folder");
        (top, beneath)
    }

    #[test]
    fn nothing_is_read_through_a_link() {
        let (_top, beneath) = planted();
        assert_eq!(
            beneath.read(Path::new("in/./file"), 3).ok().as_deref(),
            Some(&b"own"[..])
        );
        assert!(beneath.read(Path::new("in/file"), 2).is_err());
        for path in [
            "file",
            "folder/file",
            "inner/file",
            "../out/file",
            "/etc/passwd",
            "in",
            "in/..",
            "",
        ] {
            assert!(beneath.read(Path::new(path), 99).is_err(), "{path}");
        }
        assert!(beneath.has(Path::new("in/file")) && beneath.has(Path::new("in")));
        for path in ["file", "folder", "folder/file", "inner/file", "../out/file"] {
            assert!(!beneath.has(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn nothing_is_written_through_a_link() {
        let (top, beneath) = planted();
        beneath
            .write(Path::new("file"), b"new")
            .expect("the link is replaced");
        for path in ["folder/file", "folder/new", "inner/new", "../out/new"] {
            assert!(beneath.write(Path::new(path), b"new").is_err(), "{path}");
            assert!(
                beneath.link(Path::new("x"), Path::new(path)).is_err(),
                "{path}"
            );
            assert!(beneath.make_folders(Path::new(path)).is_err(), "{path}");
        }
        beneath.make_folders(Path::new("a/b/c")).expect("folders");
        beneath.write(Path::new("a/b/c/d"), b"new").expect("a file");
        let out = std::fs::read_dir(top.path().join("out")).expect("the folder");
        assert_eq!(out.count(), 1);
        let kept = std::fs::read(top.path().join("out/file")).expect("the file");
        assert_eq!(kept, b"secret");
    }

    #[test]
    fn a_pipe_is_no_file_and_nobody_waits_for_it() {
        let (top, beneath) = planted();
        let pipe = top.path().join("root/pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.is_ok_and(|status| status.success()));
        assert!(beneath.read(Path::new("pipe"), 9).is_err() && !beneath.has(Path::new("pipe")));
    }
}
