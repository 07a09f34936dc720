//! Which repository of which host the checkout is a clone of, from git's configuration. A remote is
//! text of others: anything that is not plainly a host and a path is refused.

use std::path::Path;

use super::address::is_host;
use super::error::CiError;
use crate::git;

/// Parts of a repository's path: a GitLab group may have groups in it.
const PARTS_MAX: usize = 22;
/// Bytes of one part.
const PART_BYTES_MAX: usize = 255;
/// Remotes that a clone may have before none of them is "the only one".
const ONLY_ONE: usize = 1;

/// A repository of a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remote {
    /// The host in lower case, without a port.
    pub host: String,
    /// The parts of the path: owner and name, or groups and name.
    pub parts: Vec<String>,
}

/// The checked-out commit, as git reports it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Position {
    /// Its hash; `None` before the first commit.
    pub commit: Option<String>,
    /// The branch; `None` if a commit is checked out without a branch.
    pub branch: Option<String>,
}

impl Remote {
    /// Returns the path as people write it: `owner/name`.
    pub fn path(&self) -> String {
        self.parts.join("/")
    }

    /// Returns the last part of the path.
    pub fn name(&self) -> &str {
        self.parts.last().map_or("", String::as_str)
    }

    /// Reads a remote in any form that git knows for a host: `https://`, `ssh://`, `git@host:path`.
    pub fn parse(text: &str) -> Option<Self> {
        let (authority, path) = match text.split_once("://") {
            Some((scheme, rest))
                if ["https", "http", "ssh", "git", "git+ssh", "ssh+git"].contains(&scheme) =>
            {
                rest.split_once('/')?
            }
            Some(_) => return None,
            // `./a:b` and `/srv/a:b` are local paths to git, because a slash precedes the colon.
            None => text
                .split_once(':')
                .filter(|(authority, _)| !authority.contains('/'))?,
        };
        // A user name or token before the host is dropped: `https://user:secret@host/…`.
        let host = authority.rsplit('@').next()?;
        let host = host
            // The port is that of ssh or git, and says nothing about the API.
            .split_once(':')
            .map_or(host, |(host, _)| host)
            .to_ascii_lowercase();
        let path = path.trim_matches('/');
        let parts: Vec<String> = path
            .strip_suffix(".git")
            .unwrap_or(path)
            .split('/')
            .map(str::to_owned)
            .collect();
        // `C:/work/name` and an alias of `~/.ssh/config` look like a host with a path, so a host
        // needs a dot.
        let is_plain = is_host(&host) && host.contains('.') || host == "localhost";
        (is_plain
            && (2..=PARTS_MAX).contains(&parts.len())
            && parts.iter().all(|part| is_part(part)))
        .then(|| Self {
            host: well_known(host),
            parts,
        })
    }
}

/// Returns the usual name of a host that has several.
fn well_known(host: String) -> String {
    match host.as_str() {
        "www.github.com" | "ssh.github.com" => "github.com".to_owned(),
        "www.gitlab.com" | "altssh.gitlab.com" => "gitlab.com".to_owned(),
        _ => host,
    }
}

fn is_part(part: &str) -> bool {
    let is_plain = part
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte));
    is_plain && (1..=PART_BYTES_MAX).contains(&part.len()) && part != "." && part != ".."
}

/// Returns the remote that the branch follows, else `origin`, else the only one.
///
/// # Errors
/// Returns [`CiError`] if there is no remote, or it names no repository on a host.
pub fn of_checkout(top: &Path, branch: Option<&str>) -> Result<Remote, CiError> {
    let followed = branch.and_then(|branch| {
        line(
            top,
            &["config", "--get", &format!("branch.{branch}.remote")],
        )
    });
    let only = || {
        line_of_one(&String::from_utf8_lossy(
            &git::call(top, &["remote"]).unwrap_or_default(),
        ))
    };
    let names = [followed, Some("origin".to_owned())]
        .into_iter()
        .flatten()
        // Git writes `.` for a branch that follows another branch of the same clone.
        .filter(|name| name != "." && !name.starts_with('-'));
    // `get-url` applies `url.*.insteadOf`, which the setting itself does not show.
    let address = |name: String| line(top, &["remote", "get-url", &name]);
    let found = names
        .into_iter()
        .find_map(address)
        .or_else(|| only().and_then(address))
        .ok_or(CiError::NoRemote)?;
    Remote::parse(&found).ok_or(CiError::StrangeRemote)
}

fn line_of_one(text: &str) -> Option<String> {
    let names: Vec<&str> = text.lines().collect();
    (names.len() == ONLY_ONE && !names[0].starts_with('-')).then(|| names[0].to_owned())
}

/// Returns the commit and the branch that are checked out.
pub fn position(top: &Path) -> Position {
    Position {
        commit: commit_of(top, "HEAD"),
        branch: line(top, &["symbolic-ref", "--short", "-q", "HEAD"]),
    }
}

/// Returns the full hash of a commit of this clone.
pub fn commit_of(top: &Path, name: &str) -> Option<String> {
    line(
        top,
        &[
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            &format!("{name}^{{commit}}"),
        ],
    )
}

/// Returns the first line of git's output, or `None` if git fails or prints nothing.
fn line(top: &Path, words: &[&str]) -> Option<String> {
    let output = git::call(top, words).ok()?;
    String::from_utf8_lossy(&output)
        .lines()
        .next()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
}
