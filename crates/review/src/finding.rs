//! What a review says about a change, and the evidence for it.

use std::ops::Range;

use grounds_evidence::Quality;
use serde::{Deserialize, Serialize};

/// One statement about the change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its id in this review: `R1` for the first of a rule, `M1.1` for the first of the first call
    /// to a model.
    pub id: String,
    /// The rule that found it; `None` if no rule did.
    pub rule: Option<String>,
    /// The file, as in [`crate::ChangedFile::path`].
    pub path: String,
    /// Its place.
    pub anchor: Anchor,
    /// Its severity.
    pub severity: Severity,
    /// What is wrong, in one line.
    pub title: String,
    /// Why, and what to do.
    pub message: String,
    /// The words of the file that it is about, as given by its producer; `None` if it quotes
    /// nothing.
    pub quote: Option<String>,
    /// The names of the items around its place, outermost first and joined by dots; empty at the
    /// top of a file.
    pub symbol: String,
    /// Its producers. Rule and model together corroborate each other.
    pub producers: Vec<Producer>,
    /// The strength of its evidence, which only the table of the review sets.
    pub quality: Quality,
    /// Its columns and its fix; `None` if its producer gave no columns.
    pub exact: Option<Exact>,
}

/// The columns of a finding, counted in characters from 1; the end is the first column after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exact {
    /// The first column, in its first line.
    pub column_start: u32,
    /// The column after the end, in its last line.
    pub column_end: u32,
    /// The text that the rule would write instead; `None` if it offers no fix.
    pub fix: Option<Fix>,
}

/// An edit of a rule, which is valid for one text and no other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The hash of the text that was judged.
    pub judged: [u8; 32],
    /// The bytes to remove.
    pub range: Range<usize>,
    /// The text to insert in their place.
    pub text: String,
    /// The first line of the removed bytes, from 1.
    pub line_start: u32,
    /// The first column, counted in characters from 1.
    pub column_start: u32,
    /// The last line.
    pub line_end: u32,
    /// The first column after them.
    pub column_end: u32,
    /// These lines afterwards, as a whole.
    pub lines: String,
}

/// The place of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
pub enum Anchor {
    /// Lines of the reviewed side, from 1, both included.
    Lines {
        /// The first.
        start: u32,
        /// The last.
        end: u32,
    },
    /// Somewhere in the file: its quote occurs nowhere, or at several places.
    File,
}

/// The producer of a finding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
pub enum Producer {
    /// A deterministic rule.
    Rule(String),
    /// The first answer of a model.
    Model(String),
    /// The follow-up.
    FollowUp(String),
    /// Another tool, whose report was given.
    Tool(String),
}

impl Producer {
    /// Returns the name of the witness: the same program or model that says something twice is one
    /// witness.
    pub fn family(&self) -> &str {
        match self {
            Self::Rule(_) => "rules",
            Self::Model(name) | Self::FollowUp(name) | Self::Tool(name) => name,
        }
    }
}

/// The harm that a finding does, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Worth fixing.
    Minor,
    /// A defect.
    Major,
    /// A defect that loses data, money, or trust.
    Critical,
}
