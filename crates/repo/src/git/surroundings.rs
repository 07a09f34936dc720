//! The environment of a call: which of this program's variables git sees.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::settings::GitSettings;
use crate::person;

/// The one variable of git that is kept: the folder of its own programs.
const VARIABLE_KEPT: &str = "GIT_EXEC_PATH";
/// Variables of others that name programs or settings.
const FOREIGN: &[&str] = &["PAGER", "EDITOR", "VISUAL", "SSH_ASKPASS", "LESS", "LV"];

/// Removes everything that could steer git, and sets what it must not do.
pub(super) fn clear(command: &mut Command, home: &Path) {
    for (name, _) in std::env::vars_os() {
        // Windows knows no letter case of these names.
        let shown = match cfg!(windows) {
            true => name.to_string_lossy().to_uppercase().into(),
            false => name.to_string_lossy(),
        };
        if shown.starts_with("GIT_") && shown != VARIABLE_KEPT || FOREIGN.contains(&shown.as_ref())
        {
            command.env_remove(&name);
        }
    }
    command.env("HOME", home).env("XDG_CONFIG_HOME", home);
    command.envs([
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_CONFIG_SYSTEM", "/dev/null"),
        ("GIT_ATTR_NOSYSTEM", "1"),
        // Git would write a refreshed index.
        ("GIT_OPTIONAL_LOCKS", "0"),
        ("GIT_TERMINAL_PROMPT", "0"),
        // In a partial clone git would fetch missing objects from the network.
        ("GIT_NO_LAZY_FETCH", "1"),
        ("GIT_ALLOW_PROTOCOL", ""),
        ("LC_ALL", "C"),
    ]);
    // A citation names a commit by its hash, so no replacement or graft may put another one in its
    // place.
    command.envs([
        ("GIT_NO_REPLACE_OBJECTS", "1"),
        ("GIT_GRAFT_FILE", "/dev/null"),
    ]);
}

/// Returns the list of patterns that the settings name for all repositories, or that git reads by
/// default.
pub(super) fn excludes_file(settings: &GitSettings) -> Option<PathBuf> {
    if let Some(path) = settings.value("core", "excludesfile") {
        return Some(expanded(path)).filter(|path| path.is_absolute());
    }
    let config = folder_of("XDG_CONFIG_HOME").or_else(|| Some(person::home()?.join(".config")));
    Some(config?.join("git/ignore"))
}

/// Expands a path of a setting: one that begins with `~/` is below the folder of the user.
pub(super) fn expanded(path: String) -> PathBuf {
    match (path.strip_prefix("~/"), person::home()) {
        (Some(below), Some(home)) => home.join(below),
        _ => path.into(),
    }
}

fn folder_of(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable)
        .filter(|folder| !folder.is_empty())
        .map(PathBuf::from)
}
