//! The pre-commit hook: put in its place, taken away, and what it does with a commit.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Run, git, grounds, run};

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        git(folder.path(), &["init", "-q"]);
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn hook(&self, words: &[&str]) -> Run {
        let mut command = grounds(self.folder.path());
        run(command
            .current_dir(self.folder.path())
            .arg("hook")
            .args(words)
            .env("GIT_CONFIG_GLOBAL", "/dev/null"))
    }

    /// A program in the place of grounds that ends with a code and leaves what it was asked.
    fn stub(&self, code: u8) {
        let stub = self.path("stub");
        script(
            &stub,
            &format!(
                "#!/bin/sh\necho \"$@\" > '{}'\nexit {code}\n",
                self.path("asked").display()
            ),
        );
        let hook = self.path(".git/hooks/pre-commit");
        let text = std::fs::read_to_string(&hook).expect("a hook");
        let named = text.lines().map(|line| {
            if line.starts_with("grounds='") {
                format!("grounds='{}'", stub.display())
            } else {
                line.to_owned()
            }
        });
        std::fs::write(&hook, named.collect::<Vec<_>>().join("\n") + "\n").expect("a hook");
    }

    fn commit(&self, skip: Option<&str>) -> (bool, String) {
        let mut command = Command::new("git");
        command.args([
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.org",
            "-c",
            "commit.gpgsign=false",
            "commit",
            "-q",
            "--allow-empty",
            "-m",
            "x",
        ]);
        command.envs([
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_CONFIG_SYSTEM", "/dev/null"),
        ]);
        command.env("PATH", path_without_grounds());
        command.envs(skip.map(|reason| ("GROUNDS_SKIP", reason)));
        let done = command
            .current_dir(self.folder.path())
            .output()
            .expect("git");
        (
            done.status.success(),
            String::from_utf8_lossy(&done.stderr).into_owned(),
        )
    }
}

/// The folders of programs, apart from those with a grounds that somebody installed.
fn path_without_grounds() -> std::ffi::OsString {
    let all = std::env::var_os("PATH").unwrap_or_default();
    let kept: Vec<PathBuf> = std::env::split_paths(&all)
        .filter(|folder| !folder.join("grounds").exists())
        .collect();
    std::env::join_paths(kept).expect("folders")
}

fn script(path: &Path, text: &str) {
    std::fs::write(path, text).expect("a script");
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("a mode");
}

#[test]
fn the_hook_lets_a_clean_commit_through_and_asks_for_rules_alone() {
    let place = Place::new();
    assert_eq!(place.hook(&["install"]).code, Some(0));
    place.stub(0);
    assert!(place.commit(None).0);
    let asked = std::fs::read_to_string(place.path("asked")).expect("it was asked");
    assert!(
        asked.starts_with("review --staged --no-model --quiet --repo "),
        "{asked}"
    );
}

#[test]
fn a_finding_and_a_failure_stop_the_commit() {
    let place = Place::new();
    place.hook(&["install"]);
    for (code, words) in [
        (7, "the commit is blocked"),
        (1, "the review failed (code 1)"),
        (2, "the review failed (code 2)"),
    ] {
        place.stub(code);
        let (passed, told) = place.commit(None);
        assert!(!passed && told.contains(words), "{code}: {told}");
    }
}

#[test]
fn a_skipped_run_is_said_and_counted() {
    let place = Place::new();
    place.hook(&["install"]);
    place.stub(7);
    let (passed, told) = place.commit(Some("a fire\t\u{1b}[2J; rm -r"));
    assert!(
        passed && told.contains("SKIPPED, nothing was judged") && !told.contains('\u{1b}'),
        "{told}"
    );
    std::fs::remove_file(place.path("stub")).expect("the stub goes");
    let (passed, told) = place.commit(None);
    assert!(
        passed && told.contains("not installed where the hook was told"),
        "{told}"
    );
    let status = place.hook(&["status"]).text();
    assert!(
        status.contains("skipped runs: 2") && status.contains("not installed where"),
        "{status}"
    );
    // A list that cannot be read counts nothing, and says so.
    let list = place.path(".git/grounds/skipped");
    std::fs::remove_file(&list).expect("the list goes");
    std::fs::create_dir(&list).expect("a folder in its place");
    place
        .hook(&["status"])
        .is_one_error(2, "count the skipped runs");
}

#[test]
fn another_hook_is_never_written_over_and_comes_back() {
    let place = Place::new();
    let hook = place.path(".git/hooks/pre-commit");
    std::fs::create_dir_all(place.path(".git/hooks")).expect("a folder");
    script(&hook, "#!/bin/sh\necho first >&2\nexit 3\n");
    let refused = place.hook(&["install"]);
    assert_eq!(refused.code, Some(2), "{}", refused.text());
    assert!(
        refused.text().contains("another hook is there") && refused.text().contains("--chain"),
        "{}",
        refused.text()
    );
    assert_eq!(place.hook(&["uninstall"]).code, Some(2));
    assert_eq!(place.hook(&["install", "--chain"]).code, Some(0));
    place.stub(0);
    let (passed, told) = place.commit(None);
    assert!(
        !passed && told.contains("first"),
        "the earlier hook stops the commit: {told}"
    );
    // A second installation keeps the chain.
    assert_eq!(place.hook(&["install"]).code, Some(0));
    assert!(place.hook(&["status"]).text().contains("runs first"));
    assert_eq!(place.hook(&["uninstall"]).code, Some(0));
    assert!(
        std::fs::read_to_string(&hook)
            .expect("the earlier hook")
            .contains("exit 3")
    );
    assert_eq!(place.hook(&["status"]).code, Some(3));
}

#[test]
fn the_folder_of_hooks_is_the_one_that_git_is_told() {
    let place = Place::new();
    git(
        place.folder.path(),
        &["config", "core.hooksPath", "my hooks"],
    );
    let installed = place.hook(&["install"]);
    assert!(
        installed.text().contains("my hooks/pre-commit"),
        "{}",
        installed.text()
    );
    assert!(
        place.path("my hooks/pre-commit").exists() && !place.path(".git/hooks/pre-commit").exists()
    );
    place.hook(&["uninstall"]);
    // A hook that all who work on the repository share is theirs to change.
    script(&place.path("my hooks/pre-commit"), "#!/bin/sh\nexit 0\n");
    git(place.folder.path(), &["add", "-A"]);
    let refused = place.hook(&["install", "--chain"]);
    assert!(
        refused.code == Some(2) && refused.text().contains("a file of the repository is there"),
        "{}",
        refused.text()
    );
}

#[test]
fn a_hook_that_git_cannot_run_is_told() {
    let place = Place::new();
    place.hook(&["install"]);
    std::fs::set_permissions(
        place.path(".git/hooks/pre-commit"),
        std::fs::Permissions::from_mode(0o644),
    )
    .expect("a mode");
    let status = place.hook(&["status"]);
    assert!(
        status.code == Some(3) && status.text().contains("cannot be run"),
        "{}",
        status.text()
    );
}

#[test]
fn outside_of_a_repository_the_place_is_told_as_missing() {
    let folder = tempfile::tempdir().expect("a folder");
    let told = run(grounds(folder.path())
        .current_dir(folder.path())
        .args(["hook", "install"]));
    assert!(
        told.code == Some(2) && told.text().contains("git repository"),
        "{}",
        told.text()
    );
}
