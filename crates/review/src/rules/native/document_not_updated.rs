//! A line of a document that was true before the change and is false after it. Documents are read
//! and decided as in `grounds check`; this rule only asks.

use super::{ChangePlace, ChangedSides, Native};
use crate::finding::Severity;
use crate::rules::report::Unread;

/// See `built_in/document-not-updated.yml`.
#[derive(Debug)]
pub(super) struct DocumentNotUpdated;

impl Native for DocumentNotUpdated {
    fn name(&self) -> &'static str {
        "document-not-updated"
    }

    fn languages(&self) -> &'static str {
        "all"
    }

    fn is_about_changes(&self) -> bool {
        true
    }

    fn on_change(&self, change: &ChangedSides<'_>) -> Result<Vec<ChangePlace>, Unread> {
        let stale = change.stated.map(|stated| stated.of(change.number));
        let stale = stale.transpose()?.unwrap_or_default();
        let places = stale.into_iter().map(|stale| ChangePlace {
            lines: stale.line.map(|line| (line, line)),
            quote: stale.quote,
            message: stale.message,
            symbol: stale.name,
            severity: stale.is_note.then_some(Severity::Info),
        });
        Ok(places.collect())
    }
}
