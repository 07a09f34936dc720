//! The few settings of a repository and of its user that change what git finds. None of them runs
//! anything.
//!
//! Given the bytes of configuration files, reads them in git's format and writes the needed ones,
//! checked and quoted anew, for the private folder. Follows no include. Settings that are not in
//! the lists below never reach git.

use std::path::{Path, PathBuf};

use super::layout::Layout;
use super::{GitError, door};
use crate::person;

/// Bytes of one configuration file.
const CONFIG_BYTES_MAX: u64 = 4 << 20;
/// Settings with free text that are passed on.
const TEXTS_MAX: usize = 10_000;

/// Settings that have a few words as values.
const WORDS: &[(&str, &str, &[&str])] = &[
    ("core", "filemode", FLAG),
    ("core", "ignorecase", FLAG),
    ("core", "symlinks", FLAG),
    ("core", "precomposeunicode", FLAG),
    ("core", "trustctime", FLAG),
    ("core", "checkstat", &["default", "minimal"]),
    (
        "core",
        "autocrlf",
        &["true", "false", "input", "yes", "no", "on", "off", "1", "0"],
    ),
    ("core", "eol", &["lf", "crlf", "native"]),
    ("core", "sparsecheckout", FLAG),
    ("core", "sparsecheckoutcone", FLAG),
];
const FLAG: &[&str] = &["true", "false", "yes", "no", "on", "off", "1", "0"];
/// Settings with free text: names, addresses that are only printed, and which branch follows which.
const TEXTS: &[(&str, &str)] = &[
    ("user", "name"),
    ("user", "email"),
    ("branch", "remote"),
    ("branch", "merge"),
    ("remote", "url"),
    ("remote", "fetch"),
    ("url", "insteadof"),
];
/// Extensions of a repository that change nothing for a reader, or that are supported here.
const EXTENSIONS: &[&str] = &[
    "noop",
    "noop-v1",
    "preciousobjects",
    "partialclone",
    "worktreeconfig",
    "relativeworktrees",
    "compatobjectformat",
    "objectformat",
    "refstorage",
];

/// One setting.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Setting {
    /// Its section in lower case.
    section: String,
    /// The part of the section in quotes, unchanged; `None` without one.
    part: Option<Vec<u8>>,
    /// Its key in lower case.
    key: String,
    /// Its value; `None` for a key alone, which means true.
    value: Option<Vec<u8>>,
}

/// Settings in the order of their priority, the last the highest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct GitSettings(Vec<Setting>);

impl GitSettings {
    /// Reads the settings of a repository alone.
    pub(crate) fn of_repository(layout: &Layout) -> Result<Self, GitError> {
        let mut settings = Self::default();
        settings.add(&layout.common.join("config"))?;
        if settings.flag("extensions", "worktreeconfig") {
            settings.add(&layout.own.join("config.worktree"))?;
        }
        Ok(settings)
    }

    /// Reads the settings of the machine and of its user; files that cannot be read do not count.
    pub(crate) fn of_user() -> Self {
        let mut settings = Self::default();
        for path in files_of_user() {
            let _ = settings.add(&path);
        }
        settings
    }

    /// Adds settings that have a higher priority.
    pub(crate) fn with(mut self, more: &Self) -> Self {
        self.0.extend(more.0.iter().cloned());
        self
    }

    fn add(&mut self, path: &Path) -> Result<(), GitError> {
        let Some(bytes) = door::read(path, CONFIG_BYTES_MAX)? else {
            return Ok(());
        };
        let read = GitSettingsReader::of(&bytes)
            .settings()
            .map_err(|line| door::unseen(path, &format!("line {line} is not a setting")))?;
        self.0.extend(read);
        Ok(())
    }

    /// Returns the last value of a setting without a part.
    pub(crate) fn value(&self, section: &str, key: &str) -> Option<String> {
        let setting = self.last(section, key)?;
        setting
            .value
            .as_ref()
            .map(|value| String::from_utf8_lossy(value).into_owned())
    }

    /// Reports whether a setting is on: `true`, `yes`, `on`, a number that is not zero, or the key
    /// alone.
    pub(crate) fn flag(&self, section: &str, key: &str) -> bool {
        self.last(section, key).is_some_and(|setting| {
            let Some(value) = &setting.value else {
                return true;
            };
            let value = String::from_utf8_lossy(value).to_ascii_lowercase();
            ["true", "yes", "on"].contains(&value.as_str())
                || value.parse::<i64>().is_ok_and(|number| number != 0)
        })
    }

    /// Reports whether there is a section of this name.
    pub(crate) fn has_section(&self, section: &str) -> bool {
        self.0.iter().any(|setting| setting.section == section)
    }

    /// Reports whether the clone left content out that it would fetch when it is needed.
    pub(crate) fn is_partial(&self) -> bool {
        let is = |setting: &Setting| {
            (setting.section.as_str(), setting.key.as_str()) == ("extensions", "partialclone")
                || setting.section == "remote" && setting.key == "promisor"
        };
        self.0.iter().any(is)
    }

    fn last(&self, section: &str, key: &str) -> Option<&Setting> {
        self.0.iter().rfind(|setting| {
            setting.part.is_none() && setting.section == section && setting.key == key
        })
    }

    /// Returns why a repository with these settings cannot be read; `None` if it can.
    pub(crate) fn unknown_format(&self) -> Option<String> {
        let version = self.value("core", "repositoryformatversion");
        let version = version.as_deref().unwrap_or("0").trim();
        if !["0", "1"].contains(&version) {
            return Some(format!("its format has the unknown version `{version}`"));
        }
        let is_unknown = |setting: &&Setting| {
            setting.section == "extensions" && !EXTENSIONS.contains(&setting.key.as_str())
        };
        // In version 0 git ignores extensions that it does not know.
        let unknown = self.0.iter().find(is_unknown).filter(|_| version == "1")?;
        Some(format!("it uses the unknown extension `{}`", unknown.key))
    }

    /// Returns the configuration for the private folder: only what the lists above name.
    pub(crate) fn written(&self) -> Vec<u8> {
        let mut text = Vec::new();
        for (section, key, words) in WORDS {
            let Some(setting) = self.last(section, key) else {
                continue;
            };
            let value = setting.value.as_deref().unwrap_or(b"true");
            let value = String::from_utf8_lossy(value).to_ascii_lowercase();
            if words.contains(&value.as_str()) {
                text.extend(format!("[{section}]\n\t{key} = {value}\n").bytes());
            }
        }
        let is_text =
            |setting: &&Setting| TEXTS.contains(&(setting.section.as_str(), setting.key.as_str()));
        // `remote.fetch` and `url.*.insteadOf` may have several values, so not only the last one is
        // written.
        for setting in self.0.iter().filter(is_text).take(TEXTS_MAX) {
            text.extend(setting.written().unwrap_or_default());
        }
        text
    }
}

impl Setting {
    /// Returns the setting as a section of its own; `None` for a key alone, or for one with control
    /// characters, which git could read as something else.
    fn written(&self) -> Option<Vec<u8>> {
        let is_plain = |bytes: &[u8]| bytes.iter().all(|byte| *byte >= b' ' && *byte != 0x7f);
        let value = self.value.as_deref().filter(|value| is_plain(value))?;
        let mut text = format!("[{}", self.section).into_bytes();
        if let Some(part) = &self.part {
            text.extend(quoted(Some(part).filter(|part| is_plain(part))?, b" \""));
        }
        text.extend(format!("]\n\t{} = ", self.key).bytes());
        text.extend(quoted(value, b"\""));
        text.push(b'\n');
        Some(text)
    }
}

/// Returns bytes in quotes, after the text that opens them.
pub(super) fn quoted(bytes: &[u8], open: &[u8]) -> Vec<u8> {
    let mut text = open.to_vec();
    for byte in bytes {
        if matches!(byte, b'"' | b'\\') {
            text.push(b'\\');
        }
        text.push(*byte);
    }
    text.push(b'"');
    text
}

/// Returns the files of the machine and of its user, in the places where git looks for them.
fn files_of_user() -> Vec<PathBuf> {
    let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let mut files = Vec::new();
    if named("GIT_CONFIG_NOSYSTEM").is_none() {
        match named("GIT_CONFIG_SYSTEM") {
            Some(system) => files.push(system.into()),
            None => files.extend(files_of_machine()),
        }
    }
    if let Some(global) = named("GIT_CONFIG_GLOBAL") {
        // `/dev/null` means that there is no global configuration.
        files.push(global.into());
        return files;
    }
    let home = person::home();
    let xdg = named("XDG_CONFIG_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(home.as_ref()?.join(".config")));
    // The later file has the higher priority, as in git.
    files.extend(xdg.map(|folder| folder.join("git/config")));
    files.extend(home.map(|folder| folder.join(".gitconfig")));
    files
}

#[cfg(unix)]
fn files_of_machine() -> Vec<PathBuf> {
    vec!["/etc/gitconfig".into()]
}

/// Returns files beside the git that is called, which is in `cmd`, `bin` or `mingw64/bin` of its
/// folder.
#[cfg(windows)]
fn files_of_machine() -> Vec<PathBuf> {
    let program = super::program().unwrap_or_default();
    let above = program.ancestors().skip(2).take(2);
    above.map(|folder| folder.join("etc/gitconfig")).collect()
}

mod reader;
use reader::GitSettingsReader;

#[cfg(test)]
mod tests;
