//! Folders that are allowed, and every way out of them.

#[cfg(unix)]
use std::os::unix::fs::symlink;
#[cfg(windows)]
use std::os::windows::fs::symlink_dir as symlink;

use super::*;

fn tree() -> tempfile::TempDir {
    let tree = tempfile::tempdir().expect("a folder");
    for folder in ["root/inner", "root2", "outside/secret"] {
        std::fs::create_dir_all(tree.path().join(folder)).expect("folders are made");
    }
    std::fs::write(tree.path().join("root/file"), "x").expect("a file is written");
    symlink("../outside", tree.path().join("root/out")).expect("a link is made");
    symlink("inner", tree.path().join("root/in")).expect("a link is made");
    tree
}

#[test]
fn folders_below_a_root_are_allowed_however_they_are_written() {
    let tree = tree();
    let root = tree.path().canonicalize().expect("a path").join("root");
    let places = AllowedPlaces::of_server(std::slice::from_ref(&root));
    let inner = root.join("inner");
    for named in [
        "inner",
        "./inner",
        "in",
        "inner/../inner",
        &inner.display().to_string(),
        &format!("file://{}", inner.display()),
    ] {
        assert_eq!(
            places.repository(Some(named)).as_ref(),
            Ok(&inner),
            "{named}"
        );
    }
    assert_eq!(places.repository(None), Ok(root.clone()));
    assert_eq!(places.repository(Some(".")), Ok(root));
}

#[test]
fn nothing_leads_out() {
    let tree = tree();
    let root = tree.path().join("root");
    let places = AllowedPlaces::of_server(&[root]);
    let outside = tree.path().join("outside").display().to_string();
    let beside = tree.path().join("root2").display().to_string();
    for named in [
        "..",
        "../..",
        "../outside",
        "out",
        "out/secret",
        "inner/../../outside",
        "file",
        "gone",
        "",
        "/",
        &outside,
        &beside,
        "file:///etc",
        "http://localhost/etc",
        "\0",
    ] {
        if named.is_empty() {
            continue;
        }
        let refused = places.repository(Some(named)).expect_err(named);
        assert!(
            refused.what.contains("is not a folder below"),
            "{named}: {refused:?}"
        );
    }
}

#[test]
fn the_roots_of_a_client_never_leave_those_of_the_server() {
    let tree = tree();
    let at = |name: &str| tree.path().canonicalize().expect("a path").join(name);
    let uri = |name: &str| format!("file://{}", at(name).display());
    let narrow = AllowedPlaces::of_client(&[uri("root/inner")], &[at("root")]);
    assert_eq!(narrow.repository(None), Ok(at("root/inner")));
    assert!(
        narrow
            .repository(Some(&at("root").display().to_string()))
            .is_err()
    );
    let wide = AllowedPlaces::of_client(&["file:///".to_owned()], &[at("root")]);
    assert!(
        wide.repository(None).is_err()
            && wide
                .repository(Some(&at("outside").display().to_string()))
                .is_err()
    );
    assert_eq!(
        wide.repository(Some(&at("root").display().to_string())),
        Ok(at("root"))
    );
    let alone = AllowedPlaces::of_client(
        &[
            uri("root2"),
            "https://example.org/x".to_owned(),
            uri("gone"),
        ],
        &[],
    );
    assert_eq!(alone.repository(None), Ok(at("root2")));
}

/// As Visual Studio Code names its folder where the workspace is on the machine of the server.
#[test]
fn roots_of_another_machine_leave_what_the_server_was_started_with() {
    let tree = tree();
    let at = |name: &str| tree.path().canonicalize().expect("a path").join(name);
    let remote = |name: &str| format!("vscode-remote://localhost:8080{}", at(name).display());
    let places = AllowedPlaces::of_client(&[remote("root2")], &[at("root")]);
    assert_eq!(places, AllowedPlaces::of_server(&[at("root")]));
    assert_eq!(places.repository(None), Ok(at("root")));
    let both = AllowedPlaces::of_client(
        &[
            remote("root"),
            format!("file://{}", at("outside").display()),
        ],
        &[at("root")],
    );
    assert!(both.repository(None).is_err());
    let broken = AllowedPlaces::of_client(&["root".to_owned()], &[at("root")]);
    assert!(broken.repository(None).is_err());
    let alone = AllowedPlaces::of_client(&[remote("root")], &[]);
    let refused = alone
        .repository(None)
        .expect_err("no folder of this machine");
    assert!(
        refused.advice.starts_with("no root of the client"),
        "{refused:?}"
    );
}

#[test]
fn two_roots_ask_for_a_name_and_none_for_a_start() {
    let tree = tree();
    let two = AllowedPlaces::of_server(&[tree.path().join("root"), tree.path().join("root2")]);
    let refused = two.repository(None).expect_err("two folders");
    assert!(
        refused.what.contains("not given") && refused.advice.contains("root2"),
        "{refused:?}"
    );
    let none = AllowedPlaces::of_client(&["file:///gone".to_owned()], &[]);
    assert!(
        none.repository(None)
            .expect_err("no folder")
            .advice
            .contains("--root")
    );
}
