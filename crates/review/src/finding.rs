//! What a review says about a change, and the evidence for it.

use std::ops::Range;

use grounds_evidence::Quality;
use serde::{Deserialize, Serialize};

/// One statement about the change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its name in this review: `R1` for the first of a rule, `M1` for the first of a model.
    pub id: String,
    /// The rule, where one found it.
    pub rule: Option<String>,
    /// The file, as in [`crate::ChangedFile::path`].
    pub path: String,
    /// Where it stands.
    pub anchor: Anchor,
    /// How much harm it does.
    pub severity: Severity,
    /// What is wrong, in one line.
    pub title: String,
    /// Why, and what to do.
    pub message: String,
    /// The words of the file that it is about, as given by its producer.
    pub quote: Option<String>,
    /// The names of the items around its place, outermost first and joined by dots; empty at the
    /// top of a file.
    pub symbol: String,
    /// Who found it. Rule and model together corroborate each other.
    pub producers: Vec<Producer>,
    /// What it stands on: set by the table of the review, nowhere else.
    pub quality: Quality,
    /// Where in its lines it stands, if its producer said so, and what would take its place.
    pub exact: Option<Exact>,
}

/// The columns of a finding, from 1 and in letters; the last one is the first behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exact {
    /// In its first line.
    pub column_start: u32,
    /// In its last line.
    pub column_end: u32,
    /// What the rule would write instead.
    pub fix: Option<Fix>,
}

/// An edit of a rule. It is for one text and no other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The hash of the text that was judged.
    pub judged: [u8; 32],
    /// The bytes that go.
    pub range: Range<usize>,
    /// What comes in their place.
    pub text: String,
    /// The first line of the bytes that go, from 1.
    pub line_start: u32,
    /// The first column, from 1 and in letters.
    pub column_start: u32,
    /// The last line.
    pub line_end: u32,
    /// The first column behind them.
    pub column_end: u32,
    /// These lines afterwards, as a whole.
    pub lines: String,
}

/// Where a finding stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
pub enum Anchor {
    /// Lines of the reviewed side, from 1, both included.
    Lines {
        /// The first.
        start: u32,
        /// The last.
        end: u32,
    },
    /// Somewhere in the file: its quote stands nowhere, or at several places.
    File,
}

/// Who found something.
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
    /// Whose voice it is: what the same program or model says twice is no second witness.
    pub fn family(&self) -> &str {
        match self {
            Self::Rule(_) => "rules",
            Self::Model(name) | Self::FollowUp(name) | Self::Tool(name) => name,
        }
    }
}

/// How much harm a finding does, the least first.
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
