//! The folders of the person who runs this: by the rules of XDG, and on Windows in the profile if
//! those rules name no folder.

use std::path::PathBuf;

/// Returns the home of the person: `HOME`, or on Windows else the profile.
pub fn home() -> Option<PathBuf> {
    named("HOME").or_else(|| of_profile("USERPROFILE"))
}

/// Returns the folder for configurations.
pub fn configuration() -> Option<PathBuf> {
    folder("XDG_CONFIG_HOME", "APPDATA", ".config")
}

/// Returns the folder for what is kept of runs.
pub fn state() -> Option<PathBuf> {
    folder("XDG_STATE_HOME", "LOCALAPPDATA", ".local/state")
}

/// Returns the folder for what can be made again.
pub fn cache() -> Option<PathBuf> {
    folder("XDG_CACHE_HOME", "LOCALAPPDATA", ".cache")
}

fn folder(by_rule: &str, on_windows: &str, in_home: &str) -> Option<PathBuf> {
    absolute(by_rule)
        .or_else(|| of_profile(on_windows))
        .or_else(|| Some(absolute("HOME")?.join(in_home)))
}

fn named(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable)
        .filter(|folder| !folder.is_empty())
        .map(PathBuf::from)
}

fn absolute(variable: &str) -> Option<PathBuf> {
    // XDG ignores a relative path. The same rule is applied to the other variables.
    named(variable).filter(|folder| folder.is_absolute())
}

/// Returns a folder that only Windows names.
fn of_profile(variable: &str) -> Option<PathBuf> {
    absolute(variable).filter(|_| cfg!(windows))
}
