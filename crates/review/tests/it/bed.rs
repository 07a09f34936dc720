//! A repository for one test.

use std::path::Path;
use std::process::Command;

use grounds_review::diff::load;
use grounds_review::{Change, DiffError, DiffLimits, DiffScope};

/// A repository in a folder of its own, which goes with it.
pub(crate) struct Bed {
    folder: tempfile::TempDir,
}

impl Bed {
    /// A new repository without a commit.
    pub(crate) fn new() -> Self {
        let bed = Self {
            folder: tempfile::tempdir().expect("a folder"),
        };
        bed.git(&["init", "--quiet", "--initial-branch=main"]);
        bed.git(&["config", "user.name", "Tester"]);
        bed.git(&["config", "user.email", "tester@localhost"]);
        bed
    }

    /// A repository whose first commit has these files.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let bed = Self::new();
        files.iter().for_each(|(path, text)| bed.write(path, text));
        bed.commit("first");
        bed
    }

    /// Where it lies.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file.
    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        self.write_bytes(path.as_bytes(), text.as_ref());
    }

    /// Writes a file whose name may be no UTF-8.
    pub(crate) fn write_bytes(&self, path: &[u8], text: &[u8]) {
        #[cfg(unix)]
        let path: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(path);
        #[cfg(windows)]
        let path = std::str::from_utf8(path).expect("a name of this system");
        let path = self.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    /// Calls git, which must succeed, and gives what it said.
    pub(crate) fn git(&self, words: &[&str]) -> String {
        let output = self.git_may_fail(words);
        assert!(
            output.status.success(),
            "git {words:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Calls git.
    pub(crate) fn git_may_fail(&self, words: &[&str]) -> std::process::Output {
        let mut command = Command::new("git");
        command
            .args(words)
            .current_dir(self.path())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null");
        command.output().expect("git")
    }

    /// Commits everything, and gives the name of the commit.
    pub(crate) fn commit(&self, message: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Takes a change.
    pub(crate) fn load(&self, scope: &DiffScope) -> Result<Change, DiffError> {
        load(
            self.path(),
            scope,
            &DiffLimits {
                index_wait_ms_max: 100,
                ..DiffLimits::default()
            },
        )
    }

    /// Takes a change that is there.
    pub(crate) fn change(&self, scope: &DiffScope) -> Change {
        self.load(scope).unwrap_or_else(|error| panic!("{error}"))
    }
}
