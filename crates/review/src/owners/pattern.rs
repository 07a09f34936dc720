//! The paths that a rule of an owners file names: globs in the manner of GitHub and of GitLab, or a
//! regular expression in that of Gitea.

use globset::{Glob, GlobBuilder};
use regex::{Regex, RegexBuilder};

use super::OwnersDialect;

/// Maximum number of bytes of a compiled regular expression.
const REGEX_BYTES_MAX: usize = 1 << 20;

/// Returns the globs of a pattern, which names a file that one of them matches.
///
/// # Errors
/// A pattern that the service does not accept.
pub(super) fn globs(pattern: &str, dialect: OwnersDialect) -> Result<Vec<Glob>, String> {
    let texts = match dialect {
        OwnersDialect::GitLab => vec![gitlab(pattern)],
        OwnersDialect::GitHub | OwnersDialect::Gitea => github(pattern)?,
    };
    texts.iter().map(|text| glob(text)).collect()
}

fn glob(text: &str) -> Result<Glob, String> {
    GlobBuilder::new(text)
        .literal_separator(true)
        .backslash_escape(true)
        .build()
        .map_err(|error| error.to_string())
}

/// Returns the globs of GitHub. As in a `.gitignore`, a `/` in the middle binds the pattern to the
/// top, and a folder includes everything below it. Only a last part `*` stops at the files of its
/// own folder.
fn github(pattern: &str) -> Result<Vec<String>, String> {
    // GitHub ignores a line with such a pattern, so it must not match anything here.
    if pattern.starts_with('!') {
        return Err("GitHub knows no `!` before a pattern".to_owned());
    }
    if pattern.contains('[') {
        return Err("GitHub knows no `[…]` in a pattern".to_owned());
    }
    if pattern.starts_with("\\#") {
        return Err("GitHub knows no `\\#` at the start of a pattern".to_owned());
    }
    let core = pattern.trim_start_matches('/').trim_end_matches('/');
    if core.is_empty() {
        return Err("the pattern names no path".to_owned());
    }
    let is_folder = pattern.ends_with('/');
    let is_bound = pattern.starts_with('/') || core.contains('/');
    let core = escaped(core);
    let from_top = match is_bound {
        true => core,
        // A lone `*` names every file of every folder.
        false if core == "*" => return Ok(vec!["**".to_owned()]),
        false => format!("**/{core}"),
    };
    let beneath = format!("{from_top}/**");
    let last = from_top.rsplit('/').next().unwrap_or_default();
    Ok(match (is_folder, last) {
        (true, _) => vec![beneath],
        (false, "*" | "**") => vec![from_top],
        (false, _) => vec![from_top, beneath],
    })
}

/// Returns the glob of GitLab. Without a `/` at the start, a path is searched in every folder; only
/// a `/` at the end makes it a folder.
fn gitlab(pattern: &str) -> String {
    let pattern = escaped(pattern);
    let from_top = match pattern.strip_prefix('/') {
        Some(from_top) => from_top.to_owned(),
        None if pattern == "*" => "**".to_owned(),
        None => format!("**/{pattern}"),
    };
    match from_top.ends_with('/') || from_top.is_empty() {
        true => format!("{from_top}**"),
        false => from_top,
    }
}

/// Escapes braces, which the services treat as plain characters.
fn escaped(pattern: &str) -> String {
    pattern.replace('{', "\\{").replace('}', "\\}")
}

/// Returns the expression that has to match a whole path.
///
/// # Errors
/// What is wrong with it.
pub(super) fn regex(pattern: &str) -> Result<Regex, String> {
    RegexBuilder::new(&format!("^{pattern}$"))
        .size_limit(REGEX_BYTES_MAX)
        .build()
        .map_err(|error| error.to_string().replace('\n', " "))
}
