//! What is kept of a run. Nothing of the environment, and no key: only what was
//! asked, what was shown, and what the tree was.

use crate::ended::JobKind;

/// What is known of a run without its report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunHead {
    /// Its name: 1 to 40 of a to z, 0 to 9 and `-`.
    pub id: String,
    /// Which job it was.
    pub kind: JobKind,
    /// The question, the claim, or which change.
    pub words: String,
    /// The words of the command line, without the program.
    pub options: Vec<String>,
    /// When it began: milliseconds since 1970.
    pub started_ms: i64,
    /// Milliseconds that it took.
    pub took_ms: u64,
    /// The folder that the person stood in.
    pub folder: String,
    /// The folder that was looked at.
    pub repository: String,
    /// The commit that was checked out there, where git knows one.
    pub commit: Option<String>,
    /// Whether tracked files differed from it; `None` if that could not be asked safely.
    pub is_dirty: Option<bool>,
    /// The version of the program.
    pub version: String,
    /// The schema of the report.
    pub schema: String,
    /// The code that the program ended with.
    pub exit: u8,
    /// How it ended, in one word.
    pub verdict: String,
    /// The folder of documents that a claim was checked against, where there was one.
    pub documents: Option<String>,
    /// Bytes that it takes.
    pub bytes: u64,
}

/// A run with everything that was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// What is known of it without its report.
    pub head: RunHead,
    /// The report in JSON, as `--format json` prints it.
    pub report: String,
    /// The report for people, without colour.
    pub pretty: String,
    /// The report in Markdown.
    pub markdown: String,
    /// What stands beside the report, as JSON: requirements, or changed lines around findings; empty if nothing does.
    pub beside: String,
}

impl Run {
    /// The bytes of its texts.
    pub fn bytes_of_texts(&self) -> u64 {
        let head = self.head.words.len() + self.head.options.iter().map(String::len).sum::<usize>();
        (head + self.report.len() + self.pretty.len() + self.markdown.len() + self.beside.len())
            as u64
    }
}

/// Which runs are meant.
#[derive(Clone, Debug, Default)]
pub struct RunQuery {
    /// Only of this job.
    pub kind: Option<JobKind>,
    /// Only those that have each of these words in what was asked, the folders, the verdict or the name.
    pub words: Vec<String>,
    /// At most so many, the newest first.
    pub runs_max: u64,
    /// So many of the newest are passed over.
    pub skipped: u64,
}
