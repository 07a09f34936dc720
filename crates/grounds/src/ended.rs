//! One type for a job that has ended, whichever of the three it was: how it ended, what was asked,
//! and a report that can be written in every format. Takes a finished job and returns text. It
//! decides nothing and does not know where the text goes.

use std::io::{self, Write};
use std::path::PathBuf;

use grounds_repo::git::TreeState;

use crate::cli::Format;
use crate::config::StoreConfig;
use crate::exit::Exit;

/// A job of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JobKind {
    /// A question about a codebase.
    Ask,
    /// A claim against sources.
    Verify,
    /// A change against rules.
    Review,
}

impl JobKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Ask, Self::Verify, Self::Review];

    /// Returns the command that runs it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Verify => "verify",
            Self::Review => "review",
        }
    }

    /// Returns the name and version of the schema of its report.
    pub const fn schema(self) -> &'static str {
        match self {
            Self::Ask => "grounds.ask/1",
            Self::Verify => "grounds.verify/1",
            Self::Review => "grounds.review/1",
        }
    }

    /// Returns the job with this word.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// A job that has ended.
pub struct Ended {
    /// The exit code of the program.
    pub exit: Exit,
    /// The kind of the job.
    pub kind: JobKind,
    /// The question, the claim, or the name of the change.
    pub words: String,
    /// The outcome in one word.
    pub verdict: &'static str,
    /// The folder that was read.
    pub root: PathBuf,
    /// The commit of that folder, and whether the tree differs from it; `None` if the job did not ask.
    pub tree: Option<TreeState>,
    /// The folder of documents that was searched; `None` without one.
    pub documents: Option<PathBuf>,
    /// Data for the page of the run that its report does not have.
    pub beside: Beside,
    /// Whether runs are kept, as the configuration of this job says.
    pub store: StoreConfig,
    /// Its report.
    pub report: Box<dyn Report>,
}

/// A requirement with what there was for it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Need {
    /// The class of evidence.
    pub class: String,
    /// The target; empty for the project as a whole.
    pub target: String,
    /// The quality that there was.
    pub have: String,
    /// The quality that is enough.
    pub need: String,
    /// Whether it was enough.
    pub is_met: bool,
}

/// Data that is kept beside a report, for its page.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(untagged)]
pub enum Beside {
    /// The requirements of a question or a claim, with what there was for each.
    Needs(Vec<Need>),
    /// The requirements of each of several, in their order.
    Each(Vec<Vec<Need>>),
    /// The changed lines around the findings of a review.
    Hunks(Vec<FindingHunk>),
}

/// The changed lines around a finding.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct FindingHunk {
    /// The name of the finding in its review.
    pub finding: String,
    /// The lines, in the order of the diff.
    pub lines: Vec<HunkLine>,
}

/// A line of a diff.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct HunkLine {
    /// Its number at the base; `None` if it is new.
    pub old: Option<u32>,
    /// Its number at the reviewed side; `None` if it is gone.
    pub new: Option<u32>,
    /// Its text without its end.
    pub text: String,
}

/// The look of a form for people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageLook {
    /// Whether colour may be used.
    pub colour: bool,
    /// Whether every step and every piece of evidence is shown.
    pub verbose: bool,
}

/// The result of a job, which can be written in every format.
pub trait Report {
    /// Writes it in a format.
    ///
    /// # Errors
    /// What the writer says.
    fn write(&self, format: Format, look: PageLook, out: &mut dyn Write) -> io::Result<()>;
}

impl Ended {
    /// Returns the report as text, exactly as it is printed in this format without colour.
    ///
    /// # Errors
    /// When it cannot be written in that format.
    pub fn text(&self, format: Format) -> io::Result<String> {
        let mut bytes = Vec::new();
        self.report.write(format, PageLook::default(), &mut bytes)?;
        String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }
}
