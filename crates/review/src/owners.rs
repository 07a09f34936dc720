//! Who owns the files of findings, by the `CODEOWNERS` of the base of a change. A change does not
//! name its own reviewers. The output says when a file cannot be read: that is never "no owners".

mod file;
mod pattern;

use std::collections::BTreeSet;

use crate::diff::{Change, DiffLimits};
use crate::finding::Finding;
use crate::settings::{SettingsFile, SettingsSide};
use crate::tree::Content;

pub use file::OwnersFile;

/// The paths where the services search for the file; the first that exists counts. The order among
/// the paths of one service is its own.
pub const PLACES: [&str; 6] = [
    ".github/CODEOWNERS",
    "CODEOWNERS",
    "docs/CODEOWNERS",
    ".gitlab/CODEOWNERS",
    ".gitea/CODEOWNERS",
    ".forgejo/CODEOWNERS",
];

/// Limits for an owners file. A larger one is not read at all, since a part of it would name wrong
/// owners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnersLimits {
    /// Maximum number of bytes of the file.
    pub owners_bytes_max: u64,
    /// Maximum number of rules of the file.
    pub owners_rules_max: usize,
}

impl Default for OwnersLimits {
    fn default() -> Self {
        Self {
            // The limit of GitHub.
            owners_bytes_max: 3 << 20,
            owners_rules_max: 20_000,
        }
    }
}

/// The service whose rules an owners file follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnersDialect {
    /// Patterns as in a `.gitignore`; the last that matches counts.
    GitHub,
    /// The same in sections; in each the last that matches counts.
    GitLab,
    /// Regular expressions; all that match count.
    Gitea,
}

impl OwnersDialect {
    /// Returns its word in reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::GitHub => "github",
            Self::GitLab => "gitlab",
            Self::Gitea => "gitea",
        }
    }
}

/// The owners of the files of a review's findings.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Owners {
    /// They were not looked up: there is no finding.
    #[default]
    NotAsked,
    /// The base has no owners file.
    Absent,
    /// Unknown: there is no base, or its owners file cannot be read.
    Unknown {
        /// The file; `None` if there is no base to read one from.
        path: Option<String>,
        /// Why.
        why: String,
    },
    /// The owners file was read.
    Known(KnownOwners),
}

/// The owners of the files of findings, by an owners file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownOwners {
    /// The owners file.
    pub path: String,
    /// The service whose rules it follows.
    pub dialect: OwnersDialect,
    /// Whether the change edits it; that counts once it is merged.
    pub is_changed: bool,
    /// Each file with a finding, in the order of paths.
    pub files: Vec<FileOwners>,
    /// Lines that cannot be read: files that they name may have other owners.
    pub unread: Vec<UnreadLine>,
    /// Other owners files of the base, which do not count.
    pub passed_over: Vec<String>,
}

/// The owners of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileOwners {
    /// The file.
    pub path: String,
    /// Its owners; empty if no rule names one.
    pub owners: Vec<String>,
    /// The lines of the rules that decide; empty if no rule matches the file.
    pub lines: Vec<u32>,
}

/// A line of an owners file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadLine {
    /// Its number, from 1.
    pub line: u32,
    /// What is wrong with it.
    pub why: String,
}

/// Returns the owners of the files of findings, by the owners file of the base.
pub fn of<'f>(
    change: &Change,
    findings: impl Iterator<Item = &'f Finding>,
    diff: &DiffLimits,
    limits: OwnersLimits,
) -> Owners {
    let paths: BTreeSet<&str> = findings.map(|finding| finding.path.as_str()).collect();
    if paths.is_empty() {
        return Owners::NotAsked;
    }
    let settings = SettingsSide::of(change, diff);
    let unknown = |path: Option<&str>, why: String| Owners::Unknown {
        path: path.map(str::to_owned),
        why,
    };
    // Without a base nothing says that nobody owns the files.
    if !settings.has_side() {
        return unknown(None, "there is no base to read them from".to_owned());
    }
    let files = match settings.files(&PLACES) {
        Ok(files) => files,
        Err(error) => return unknown(None, format!("git cannot {error}")),
    };
    let found = PLACES.iter().filter_map(|place| {
        let is_it = |file: &&SettingsFile| file.path == *place;
        files.iter().find(is_it)
    });
    let found: Vec<&SettingsFile> = found.collect();
    let Some((first, others)) = found.split_first() else {
        return Owners::Absent;
    };
    match read(first, limits) {
        Ok(read) => known(&settings, &paths, &read, (first, others)),
        Err(why) => unknown(Some(&first.path), why),
    }
}

/// Returns the owners of files by an owners file that was read.
fn known(
    settings: &SettingsSide<'_>,
    paths: &BTreeSet<&str>,
    read: &OwnersFile,
    (first, others): (&SettingsFile, &[&SettingsFile]),
) -> Owners {
    Owners::Known(KnownOwners {
        path: first.path.clone(),
        dialect: read.dialect(),
        is_changed: settings.is_changed(&first.path),
        files: paths.iter().map(|path| read.owners(path)).collect(),
        unread: read.unread().to_vec(),
        passed_over: others.iter().map(|file| file.path.clone()).collect(),
    })
}

fn read(file: &SettingsFile, limits: OwnersLimits) -> Result<OwnersFile, String> {
    let most = limits.owners_bytes_max;
    let too_large = |bytes: u64| {
        format!("it has {bytes} bytes, of which {most} may be (review.owners_bytes_max)")
    };
    let bytes = match &file.content {
        Content::Bytes(bytes) => bytes,
        Content::TooLarge(bytes) => return Err(too_large(*bytes)),
        Content::Missing => return Err("it is not a regular file".to_owned()),
    };
    if bytes.len() as u64 > most {
        return Err(too_large(bytes.len() as u64));
    }
    let text = str::from_utf8(bytes).map_err(|error| error.to_string())?;
    OwnersFile::read(&file.path, text, limits.owners_rules_max)
}

#[cfg(test)]
mod tests;
