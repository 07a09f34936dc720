//! The parts of a run that are kept. Nothing of the environment, and no key: only what was asked,
//! what was shown, and the state of the tree.

use crate::ended::JobKind;

/// A run without its report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunHead {
    /// Its name: 1 to 40 of a to z, 0 to 9 and `-`.
    pub id: String,
    /// The kind of the job.
    pub kind: JobKind,
    /// The question, the claim, or which change.
    pub words: String,
    /// The words of the command line, without the program.
    pub options: Vec<String>,
    /// When it began: milliseconds since 1970.
    pub started_ms: i64,
    /// Milliseconds that it took.
    pub took_ms: u64,
    /// The working directory of the person.
    pub folder: String,
    /// The folder that was read.
    pub repository: String,
    /// The commit that was checked out there; `None` without one.
    pub commit: Option<String>,
    /// Whether tracked files differed from it; `None` if that could not be asked safely.
    pub is_dirty: Option<bool>,
    /// The version of the program.
    pub version: String,
    /// The schema of the report.
    pub schema: String,
    /// The code that the program ended with.
    pub exit: u8,
    /// The outcome in one word.
    pub verdict: String,
    /// The folder of documents that a claim was checked against; `None` without one.
    pub documents: Option<String>,
    /// Bytes that it takes.
    pub bytes: u64,
}

/// A run with everything that was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The run without its report.
    pub head: RunHead,
    /// The report in JSON, as `--format json` prints it.
    pub report: String,
    /// The report for people, without colour.
    pub pretty: String,
    /// The report in Markdown.
    pub markdown: String,
    /// Data beside the report, as JSON: requirements, or changed lines around findings; empty
    /// without any.
    pub beside: String,
}

impl Run {
    /// Returns the bytes of its texts.
    pub fn bytes_of_texts(&self) -> u64 {
        let head = self.head.words.len() + self.head.options.iter().map(String::len).sum::<usize>();
        (head + self.report.len() + self.pretty.len() + self.markdown.len() + self.beside.len())
            as u64
    }
}

/// A query for runs.
#[derive(Clone, Debug, Default)]
pub struct RunQuery {
    /// Only of this job.
    pub kind: Option<JobKind>,
    /// Only those that have each of these words in the question, the folders, the verdict or the
    /// name.
    pub words: Vec<String>,
    /// Maximum number of runs, the newest first.
    pub runs_max: u64,
    /// Number of the newest that are skipped.
    pub skipped: u64,
}
