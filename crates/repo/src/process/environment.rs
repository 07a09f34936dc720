//! The environment of a run: rebuilt from a list of names that toolchains need, so that it has no
//! secret of the surroundings.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::person;
use crate::programs::{self, is_program};

/// Variables that are passed on. None of them contains a secret.
const PASSED: &[&str] = &[
    "TZ",
    "USER",
    "LOGNAME",
    "JAVA_HOME",
    "GOROOT",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "RBENV_ROOT",
    "ASDF_DIR",
    "ASDF_DATA_DIR",
    "MISE_DATA_DIR",
    "NVM_DIR",
    "VOLTA_HOME",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "RUSTUP_TOOLCHAIN",
    "RUSTUP_AUTO_INSTALL",
    "CC",
    "CXX",
    "AR",
    "LD_LIBRARY_PATH",
    "PKG_CONFIG_PATH",
    "CMAKE_PREFIX_PATH",
    "SDKROOT",
];

/// Names that no variable of a run may have, whoever sets it.
const SECRET_PARTS: &[&str] = &[
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "CREDENTIAL",
    "API_KEY",
    "AWS_",
    "GITHUB_",
    "SSH_",
];

/// The whole environment of a program.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    variables: BTreeMap<OsString, OsString>,
    /// The real home of the person, which is never passed on as HOME.
    home: Option<PathBuf>,
}

impl Environment {
    /// Returns the environment of a run with a private home and a private folder for temporary
    /// files. No program is searched in folders of the checkout.
    pub fn private(home: &Path, temporary: &Path, checkout: &Path) -> Self {
        let mut new = Self {
            variables: BTreeMap::new(),
            home: person::home(),
        };
        for name in PASSED {
            std::env::var_os(name)
                .into_iter()
                .for_each(|value| new.set(name, value));
        }
        let path =
            std::env::var_os("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into());
        // A relative folder would lead into the tree that is run.
        let folders = std::env::split_paths(&path)
            .filter(|folder| folder.is_absolute() && !folder.starts_with(checkout));
        new.set("PATH", std::env::join_paths(folders).unwrap_or_default());
        new.set("HOME", home);
        new.set("TMPDIR", temporary);
        for (name, value) in [
            // The messages of compilers are read in English: `: No such file or directory`.
            ("LC_ALL", "C.UTF-8"),
            ("LANG", "C.UTF-8"),
            ("TERM", "dumb"),
            ("NO_COLOR", "1"),
            ("SHELL", "/bin/sh"),
        ] {
            new.set(name, value);
        }
        new
    }

    /// Sets a variable, unless its name shows that it contains a secret.
    pub fn set(&mut self, name: &str, value: impl AsRef<OsStr>) {
        if !SECRET_PARTS.iter().any(|part| name.contains(part)) {
            self.variables
                .insert(name.into(), value.as_ref().to_owned());
        }
    }

    /// Returns the same environment for another person.
    #[cfg(all(test, target_os = "linux"))]
    pub(super) fn with_home(mut self, home: Option<PathBuf>) -> Self {
        self.home = home;
        self
    }

    /// Returns the real home of the person, or `None` if it is unknown.
    pub fn home(&self) -> Option<PathBuf> {
        self.home.clone()
    }

    /// Returns the value of a variable, or `None` if it is not set.
    pub fn variable(&self, name: &str) -> Option<OsString> {
        self.variables.get(OsStr::new(name)).cloned()
    }

    /// Returns all variables.
    pub fn variables(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.variables
            .iter()
            .map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }

    /// Returns the folder that a variable names, or else one in the person's real home. `None` if
    /// there is no such folder.
    pub fn real_folder(&self, variable: &str, in_home: &str) -> Option<PathBuf> {
        // `CARGO_HOME` and its kin are not passed on, so they are not among the variables of the
        // run.
        let named = std::env::var_os(variable)
            .map(PathBuf::from)
            .filter(|folder| folder.is_absolute());
        named
            .or_else(|| self.home.as_ref().map(|home| home.join(in_home)))
            .filter(|folder| folder.is_dir())
    }

    /// Returns the path of a program that these variables lead to.
    pub fn find(&self, program: &str) -> Option<PathBuf> {
        if program.contains('/') {
            return Some(PathBuf::from(program)).filter(|file| is_program(file));
        }
        programs::find(self.variables.get(OsStr::new("PATH"))?, program, &|_| true)
    }
}
