//! The owners of files in the result of `grounds review --format json`.

use grounds_review::owners;
use schemars::JsonSchema;
use serde::Serialize;

/// Who owns the files of the findings, by the owners file at the base.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Owners {
    /// `known`, `absent` (the base has no owners file), `unknown` (it cannot be read, or there is no base) or
    /// `not_asked` (there is no finding).
    state: &'static str,
    /// The owners file, or null if none was found.
    path: Option<String>,
    /// By whose rules it was read: `github`, `gitlab` or `gitea`; null if it was not read.
    dialect: Option<&'static str>,
    /// Why the owners are unknown, or null.
    why: Option<String>,
    /// Whether the change edits the owners file; that counts once it is merged.
    is_changed: bool,
    /// The files with findings.
    files: Vec<FileOwners>,
    /// Lines of the owners file that cannot be read: files that they name may have other owners.
    unread_lines: Vec<UnreadLine>,
    /// Other owners files of the base, which do not count.
    passed_over: Vec<String>,
}

/// The owners of one file.
#[derive(Debug, Serialize, JsonSchema)]
struct FileOwners {
    /// The file.
    path: String,
    /// Its owners; empty if no rule names one.
    owners: Vec<String>,
    /// The lines of the rules that decide; empty if no rule matches.
    lines: Vec<u32>,
}

/// A line that cannot be read.
#[derive(Debug, Serialize, JsonSchema)]
struct UnreadLine {
    /// Its number, from 1.
    line: u32,
    /// What is wrong with it.
    why: String,
}

/// Returns the form of owners that leaves the program.
pub(super) fn of(owners: &owners::Owners) -> Owners {
    match owners {
        owners::Owners::NotAsked => Owners {
            state: "not_asked",
            ..Owners::default()
        },
        owners::Owners::Absent => Owners {
            state: "absent",
            ..Owners::default()
        },
        owners::Owners::Unknown { path, why } => Owners {
            state: "unknown",
            path: path.clone(),
            why: Some(why.clone()),
            ..Owners::default()
        },
        owners::Owners::Known(known) => self::known(known),
    }
}

fn known(known: &owners::KnownOwners) -> Owners {
    let file = |file: &owners::FileOwners| FileOwners {
        path: file.path.clone(),
        owners: file.owners.clone(),
        lines: file.lines.clone(),
    };
    let unread = |unread: &owners::UnreadLine| UnreadLine {
        line: unread.line,
        why: unread.why.clone(),
    };
    Owners {
        state: "known",
        path: Some(known.path.clone()),
        dialect: Some(known.dialect.word()),
        why: None,
        is_changed: known.is_changed,
        files: known.files.iter().map(file).collect(),
        unread_lines: known.unread.iter().map(unread).collect(),
        passed_over: known.passed_over.clone(),
    }
}
