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
    /// The name that its file gives it.
    fn name(&self) -> &'static str;

    /// The languages that it knows, as the list of rules shows them.
    fn languages(&self) -> &'static str {
        "Text"
    }

    /// The places of one side, on the lines that are asked for. What stands on both sides is not
    /// new, and is left out later.
    fn on_side(&self, side: &SideText, lines: &ScannedLines<'_>) -> Vec<RulePlace> {
        let _ = (side, lines);
        Vec::new()
    }

    /// Whether it says something about the change itself, and not about one side.
    fn is_about_changes(&self) -> bool {
        false
    }

    /// What the change itself did to a file. All of it is new.
    ///
    /// # Errors
    /// Why that cannot be told.
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
    /// Who calls what; `None` if nobody can say.
    pub(crate) callers: Option<&'a dyn Callers>,
    /// What documents state; `None` if nobody can say.
    pub(crate) stated: Option<&'a dyn Stated>,
    /// The files of the reviewed side; `None` if nobody can read them.
    pub(crate) world: Option<&'a dyn World>,
    /// Bytes of the tree that one rule may look through for names.
    pub(crate) mentions_bytes_max: usize,
    /// Folders and files of rules that the configuration names.
    pub(crate) packs: &'a [String],
}

/// A place of a change: at the reviewed side where the file still has one, else the whole file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChangePlace {
    /// The first and the last line of the reviewed side.
    pub(crate) lines: Option<(u32, u32)>,
    pub(crate) quote: String,
    pub(crate) message: String,
    pub(crate) symbol: String,
    /// How much it matters; `None` if as much as the rule says.
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

/// The rule in code of a name.
pub(crate) fn named(name: &str) -> Option<&'static dyn Native> {
    ALL.iter().find(|native| native.name() == name).copied()
}
