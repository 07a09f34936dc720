//! Rules in code, for what no pattern can express: one file and one line below for each. Their
//! documentation and cases are in files like those of all other rules.

use super::callers::Callers;
use super::changes::ChangedLines;
use super::report::Unread;
use super::side::{RulePlace, ScannedLines, SideText};
use super::stated::{Stated, World};
use crate::diff::{ChangedFile, Diff};
use crate::finding::Severity;

mod callers_not_updated;
mod changelog_not_updated;
mod check_removed;
mod comment_not_updated;
mod document_not_updated;
mod new_code_unused;
mod secret;
mod settings_changed;
mod test_deleted;
mod test_weakened;

/// A rule in code.
pub(crate) trait Native: Sync + std::fmt::Debug {
    /// Returns the name that its file gives it.
    fn name(&self) -> &'static str;

    /// Returns the languages that it knows, for the list of rules.
    fn languages(&self) -> &'static str {
        "Text"
    }

    /// Returns the places of one side, on the given lines. Places that are on both sides are not
    /// new, and are removed later.
    fn on_side(&self, side: &SideText, lines: &ScannedLines<'_>) -> Vec<RulePlace> {
        let _ = (side, lines);
        Vec::new()
    }

    /// Reports whether it judges the change itself, and not one side.
    fn is_about_changes(&self) -> bool {
        false
    }

    /// Returns the places of what the change itself did to a file. All of them are new.
    ///
    /// # Errors
    /// The reason that this is not known.
    fn on_change(&self, change: &ChangedSides<'_>) -> Result<Vec<ChangePlace>, Unread> {
        let _ = change;
        Ok(Vec::new())
    }
}

/// A changed file with both of its sides.
pub(crate) struct ChangedSides<'a> {
    pub(crate) diff: &'a Diff,
    /// The place of the file in the diff.
    pub(crate) number: usize,
    pub(crate) file: &'a ChangedFile,
    pub(crate) lines: &'a ChangedLines,
    pub(crate) base: Option<&'a SideText>,
    pub(crate) head: Option<&'a SideText>,
    /// The callers of the changed code; `None` without a repository.
    pub(crate) callers: Option<&'a dyn Callers>,
    /// The statements of documents; `None` without a repository.
    pub(crate) stated: Option<&'a dyn Stated>,
    /// The files of the reviewed side; `None` without a repository.
    pub(crate) world: Option<&'a dyn World>,
    /// Maximum number of bytes of the tree that one rule may search for names.
    pub(crate) mentions_bytes_max: usize,
    /// Folders and files of rules that the configuration names.
    pub(crate) packs: &'a [String],
}

/// A place of a change: at the reviewed side if the file still has one, otherwise the whole file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChangePlace {
    /// The first and the last line at the reviewed side; `None` for the whole file.
    pub(crate) lines: Option<(u32, u32)>,
    pub(crate) quote: String,
    pub(crate) message: String,
    pub(crate) symbol: String,
    /// Its severity; `None` for that of the rule.
    pub(crate) severity: Option<Severity>,
}

/// Every rule in code.
const ALL: &[&dyn Native] = &[
    &callers_not_updated::CallersNotUpdated,
    &changelog_not_updated::ChangelogNotUpdated,
    &check_removed::CheckRemoved,
    &comment_not_updated::CommentNotUpdated,
    &document_not_updated::DocumentNotUpdated,
    &new_code_unused::NewCodeUnused,
    &secret::SecretInText,
    &settings_changed::SettingsChanged,
    &test_deleted::TestDeleted,
    &test_weakened::TestWeakened,
];

/// Returns the rule in code with a name.
pub(crate) fn named(name: &str) -> Option<&'static dyn Native> {
    ALL.iter().find(|native| native.name() == name).copied()
}
