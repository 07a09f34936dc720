//! A citation: a place that supports the answer, with its text word for word.

use std::time::SystemTime;

use grounds_evidence::EntryId;
use grounds_repo::checkout::Checkout;
use grounds_repo::excerpt::{self, Excerpt};

/// A place that supports the answer, with its text word for word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerCitation {
    /// The kind of the cited thing.
    pub resource: Resource,
    /// The file, the commit, or the name of another resource.
    pub path: String,
    /// The cited part of it.
    pub cited: CitedPart,
    /// The entries of the ledger that point here.
    pub evidence: Vec<EntryId>,
    /// What the place is: "struct", "method in `Planner`".
    pub what: String,
    /// The language of the file, for display.
    pub language: &'static str,
}

/// The cited part of a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CitedPart {
    /// The whole resource, without text.
    Whole,
    /// Lines of the resource, word for word.
    Lines(Excerpt),
    /// Lines that evidence points at and that could not be read any more. The check of citations
    /// rejects it.
    Lost,
}

/// The kind of a cited thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Resource {
    /// A file of the checkout.
    File,
    /// A commit of its history, by its hash.
    Commit,
    /// A build or a test run that was made for this answer, by its command.
    Run,
    /// A log of a service, by its address.
    Log,
}

impl Resource {
    /// Returns the word for the kind, as used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Commit => "commit",
            Self::Run => "run",
            Self::Log => "log",
        }
    }
}

impl AnswerCitation {
    /// Reports whether the text is still where it was read, byte for byte; `file` returns the bytes
    /// of its file. Commits do not change; runs and logs are quoted from what this run received.
    pub fn still_stands<'b>(&self, file: impl FnOnce() -> Option<&'b [u8]>) -> bool {
        match (self.resource, &self.cited) {
            (_, CitedPart::Lost) => false,
            (Resource::File, CitedPart::Lines(excerpt)) => {
                file().is_some_and(|bytes| excerpt::still_stands(excerpt, bytes))
            }
            (Resource::File, CitedPart::Whole)
            | (Resource::Commit | Resource::Run | Resource::Log, _) => true,
        }
    }

    /// Reports whether its file was written after a time: between the search and the citation its
    /// text may have been different.
    pub fn was_written_since(&self, checkout: &Checkout, time: SystemTime) -> bool {
        let is_of_lines = self.resource == Resource::File && self.excerpt().is_some();
        let written = || {
            checkout
                .root()
                .join(&self.path)
                .metadata()
                .and_then(|metadata| metadata.modified())
                .ok()
        };
        // A file time in the future does not say when the file was written.
        is_of_lines
            && written().is_some_and(|written| written > time && written <= SystemTime::now())
    }

    /// Returns the lines that are shown; `None` for a resource as a whole, and for lost lines.
    pub const fn excerpt(&self) -> Option<&Excerpt> {
        match &self.cited {
            CitedPart::Lines(excerpt) => Some(excerpt),
            CitedPart::Whole | CitedPart::Lost => None,
        }
    }

    /// Returns the first line; 0 if no lines are shown.
    pub fn line_start(&self) -> u32 {
        self.excerpt().map_or(0, |excerpt| excerpt.line_start)
    }

    /// Returns the last line; 0 if no lines are shown.
    pub fn line_end(&self) -> u32 {
        self.excerpt().map_or(0, |excerpt| excerpt.line_end)
    }

    /// Returns the citation as a line of a Markdown list.
    pub(crate) fn line(&self) -> String {
        let line = self
            .excerpt()
            .map_or_else(String::new, |excerpt| format!(":{}", excerpt.line_start));
        let what = if self.what.is_empty() {
            String::new()
        } else {
            format!(" — {}", on_one_line(&self.what))
        };
        format!("- `{}{line}`{what}", on_one_line(&self.path))
    }
}

/// Returns a text on one line: a line break in a name must not begin a line of the answer.
pub(crate) fn on_one_line(text: &str) -> String {
    text.replace('\n', "\\n")
}
