//! The sentences about who owns the files of findings.

use std::collections::BTreeSet;

use crate::owners::{FileOwners, KnownOwners, Owners};
use crate::report::{GateStanding, Report};

/// Maximum number of files whose owners are named; the JSON has all.
const FILES_MAX: usize = 20;
/// Maximum number of unreadable lines that are named.
const LINES_MAX: usize = 5;

/// Returns the owners of the files with shown findings, in one line each, and what is not known
/// about them.
pub fn owners(report: &Report) -> Vec<String> {
    match &report.owners {
        Owners::NotAsked | Owners::Absent => Vec::new(),
        Owners::Unknown { path, why } => {
            let path = (path.as_ref()).map_or_else(String::new, |path| format!(" `{path}`:"));
            vec![format!("Owners unknown:{path} {why}")]
        }
        Owners::Known(known) => known_owners(known, report),
    }
}

fn known_owners(known: &KnownOwners, report: &Report) -> Vec<String> {
    let shown = (report.findings.iter())
        .filter(|finding| matches!(finding.standing, GateStanding::Blocks | GateStanding::Known));
    let shown: BTreeSet<&str> = shown.map(|shown| shown.finding.path.as_str()).collect();
    let is_shown = |file: &&FileOwners| shown.contains(file.path.as_str());
    let files: Vec<&FileOwners> = known.files.iter().filter(is_shown).collect();
    let told = files.iter().take(FILES_MAX);
    let mut lines: Vec<String> = told.map(|file| of_file(file, known)).collect();
    if let Some(more) = files.len().checked_sub(FILES_MAX).filter(|more| *more > 0) {
        lines.push(format!(
            "Owners of {more} more files are in `--format json`."
        ));
    }
    lines.extend(unread(known));
    if !known.passed_over.is_empty() {
        let others = known.passed_over.join("`, `");
        lines.push(format!(
            "Owners are read from `{}` alone, not from `{others}`.",
            known.path
        ));
    }
    if known.is_changed {
        lines.push(format!(
            "This change edits `{}`: owners are those of the base until it is merged.",
            known.path
        ));
    }
    lines
}

fn of_file(file: &FileOwners, known: &KnownOwners) -> String {
    let lines: Vec<String> = file.lines.iter().map(u32::to_string).collect();
    let by = match lines.as_slice() {
        [] => {
            return format!(
                "Owners of `{}`: no rule of `{}` names it",
                file.path, known.path
            );
        }
        [line] => format!("{}, line {line}", known.path),
        lines => format!("{}, lines {}", known.path, lines.join(", ")),
    };
    match file.owners.is_empty() {
        true => format!("Owners of `{}`: nobody ({by})", file.path),
        false => format!(
            "Owners of `{}`: {} ({by})",
            file.path,
            file.owners.join(", ")
        ),
    }
}

fn unread(known: &KnownOwners) -> Option<String> {
    let told = known.unread.iter().take(LINES_MAX);
    let told: Vec<String> = told
        .map(|unread| format!("line {}: {}", unread.line, unread.why))
        .collect();
    let more = match known.unread.len().checked_sub(LINES_MAX) {
        None | Some(0) => String::new(),
        Some(more) => format!("; and {more} more"),
    };
    (!told.is_empty()).then(|| {
        format!(
            "Owners may be others: `{}` cannot be read in full ({}{more})",
            known.path,
            told.join("; ")
        )
    })
}
