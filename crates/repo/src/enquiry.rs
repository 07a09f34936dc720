//! The request of a run to the tools: the targets of the question, the scope of the search, and the
//! part of the history.

use grounds_evidence::{Execution, QuestionTarget};

use crate::ci::CiQuestion;
use crate::frames::Frame;
use crate::history::HistoryQuestion;
use crate::within::Within;

/// The request of a run to the tools.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Enquiry {
    /// The targets of the question, followed by those of what an answer reports in addition.
    pub targets: Vec<QuestionTarget>,
    /// The part of the tree that it is about.
    pub within: Within,
    /// What it asks about the history.
    pub history: HistoryQuestion,
    /// What it asks about the build and the tests.
    pub execution: Execution,
    /// Its text, for advice on how to ask again.
    pub question: String,
    /// What it asks about continuous integration.
    pub ci: CiQuestion,
    /// The parts of the project to build or test; empty for all of it.
    pub executed: Vec<QuestionTarget>,
    /// The places of a pasted trace, the deepest first.
    pub frames: Vec<Frame>,
}
