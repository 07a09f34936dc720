//! What a run asks of the tools: the targets of the question, the scope of the search, and the part
//! of the history.

use grounds_evidence::{Execution, QuestionTarget};

use crate::ci::CiQuestion;
use crate::frames::Frame;
use crate::history::HistoryQuestion;
use crate::within::Within;

/// What a run asks of the tools.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Enquiry {
    /// What the question is about; after that, what an answer to it tells beside.
    pub targets: Vec<QuestionTarget>,
    /// Where it looks.
    pub within: Within,
    /// What it wants to know of the history.
    pub history: HistoryQuestion,
    /// What it wants to know of the build and the tests.
    pub execution: Execution,
    /// Its words, for advice on how to ask again.
    pub question: String,
    /// What it wants to know of continuous integration.
    pub ci: CiQuestion,
    /// What of the project is to be built or tested; nothing where that is all of it.
    pub executed: Vec<QuestionTarget>,
    /// The places of a pasted trace, the deepest first.
    pub frames: Vec<Frame>,
}
