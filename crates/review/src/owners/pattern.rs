//! The paths that a rule of an owners file names: globs in the manner of GitHub and of GitLab, or a
//! regular expression in that of Gitea.

use globset::{Glob, GlobBuilder};
use regex::{Regex, RegexBuilder};

use super::OwnersDialect;

/// Bytes of a compiled regular expression.
const REGEX_BYTES_MAX: usize = 1 << 20;

/// The globs of a pattern; a file that one of them matches is named.
///
/// # Errors
/// What the service does not read as a pattern.
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

/// As in a `.gitignore`: a `/` within binds the pattern to the top, and a folder has all beneath it. Only
/// a last part `*` stops at the files of its own folder.
fn github(pattern: &str) -> Result<Vec<String>, String> {
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

/// Without a `/` before it a path is looked for in every folder; only a `/` behind it makes it a folder.
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

/// A pattern in which braces are letters, as the services have it.
fn escaped(pattern: &str) -> String {
    pattern.replace('{', "\\{").replace('}', "\\}")
}

/// The expression that has to match a whole path.
///
/// # Errors
/// What is wrong with it.
pub(super) fn regex(pattern: &str) -> Result<Regex, String> {
    RegexBuilder::new(&format!("^{pattern}$"))
        .size_limit(REGEX_BYTES_MAX)
        .build()
        .map_err(|error| error.to_string().replace('\n', " "))
}
