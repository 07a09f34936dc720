//! A job as data: one object of JSON on one line. From the bytes of a file, returns the jobs, and
//! for each wrong line what is wrong with it. The hash of a job is that of what it asks, so that
//! the same job submitted twice is one job.

use std::collections::HashMap;
use std::io::{BufRead, Read as _};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bounds::{JOBS_MAX, LINE_BYTES_MAX};

/// Hexadecimal digits of a hash that names something.
const HASH_DIGITS: usize = 40;

/// One job of a fleet: one object on one line of a file.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Job {
    /// A claim against the documents or the search engine of the workers, as `grounds verify`
    /// checks it.
    Claim(ClaimJob),
    /// A question about a repository, as `grounds ask` answers it.
    Ask(AskJob),
    /// Documents of a repository against its code, as `grounds check` compares them.
    Check(CheckJob),
    /// A change of a repository, as `grounds review` judges it.
    Review(ReviewJob),
    /// One labelled case, as `grounds eval` runs it.
    Eval(EvalJob),
}

/// A claim against sources.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct ClaimJob {
    /// A name for people; it is not part of what the job asks.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// One statement.
    pub claim: String,
    /// The first day or moment in which it must have happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The last day or moment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The moment for which it is decided; without one it is the moment when the job was submitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<String>,
    /// What a reader needs to know; for queries only, never evidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// The address that the claim comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// Its language, as in `en`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

/// A question about one commit of a repository.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct AskJob {
    /// A name for people; it is not part of what the job asks.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The repository: a folder below that of the workers' repositories.
    pub repository: String,
    /// The commit; without one it is what is checked out, and results of two workers may differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The question.
    pub question: String,
}

/// Documents of one commit of a repository.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct CheckJob {
    /// A name for people; it is not part of what the job asks.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The repository: a folder below that of the workers' repositories.
    pub repository: String,
    /// The commit; without one it is what is checked out, and results of two workers may differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The documents, by their paths in the repository.
    pub documents: Vec<String>,
}

/// A change of a repository.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct ReviewJob {
    /// A name for people; it is not part of what the job asks.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The repository: a folder below that of the workers' repositories.
    pub repository: String,
    /// The commit before the change.
    pub base: String,
    /// The commit with the change.
    pub head: String,
}

/// One labelled case.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct EvalJob {
    /// A name for people; it is not part of what the job asks.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The case, as SUITE/ID.
    pub case: String,
}

/// The reason why jobs cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JobError {
    /// One line is wrong.
    #[error("line {line}: {why}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// The file cannot be read on.
    #[error("{0}")]
    File(String),
}

/// The jobs of a file, and the errors of its other lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobFile {
    /// The jobs in the order of their lines.
    pub jobs: Vec<Job>,
    /// Lines that are not jobs.
    pub broken: Vec<JobError>,
}

impl Job {
    /// Returns the word for its kind.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Claim(_) => "claim",
            Self::Ask(_) => "ask",
            Self::Check(_) => "check",
            Self::Review(_) => "review",
            Self::Eval(_) => "eval",
        }
    }

    /// Returns its name for people, or an empty text.
    pub fn name(&self) -> &str {
        match self {
            Self::Claim(job) => &job.id,
            Self::Ask(job) => &job.id,
            Self::Check(job) => &job.id,
            Self::Review(job) => &job.id,
            Self::Eval(job) => &job.id,
        }
    }

    /// Returns its repository, or an empty text if it is about none.
    pub fn repository(&self) -> &str {
        match self {
            Self::Ask(job) => &job.repository,
            Self::Check(job) => &job.repository,
            Self::Review(job) => &job.repository,
            Self::Claim(_) | Self::Eval(_) => "",
        }
    }

    /// Returns what it asks, without repository and commit. Results of one topic can be compared
    /// over repositories and over time.
    pub fn topic(&self) -> String {
        match self {
            Self::Claim(job) => job.claim.clone(),
            Self::Ask(job) => job.question.clone(),
            Self::Check(job) => job.documents.join(" "),
            Self::Review(job) => format!("{}..{}", job.base, job.head),
            Self::Eval(job) => job.case.clone(),
        }
    }

    /// Returns the hash of what it asks, without its name.
    pub fn content(&self) -> String {
        let mut nameless = self.clone();
        nameless.id_mut().clear();
        hash(&[&nameless.line()])
    }

    /// Reports whether it asks about a commit alone, which never changes.
    pub const fn is_of_a_commit(&self) -> bool {
        match self {
            Self::Ask(job) => job.commit.is_some(),
            Self::Check(job) => job.commit.is_some(),
            Self::Review(_) => true,
            Self::Claim(_) | Self::Eval(_) => false,
        }
    }

    /// Returns the job on one line.
    pub fn line(&self) -> String {
        // Strings and lists of strings can always be written.
        serde_json::to_string(self).unwrap_or_default()
    }

    fn id_mut(&mut self) -> &mut String {
        match self {
            Self::Claim(job) => &mut job.id,
            Self::Ask(job) => &mut job.id,
            Self::Check(job) => &mut job.id,
            Self::Review(job) => &mut job.id,
            Self::Eval(job) => &mut job.id,
        }
    }

    /// Reads one line.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(line: &[u8]) -> Result<Self, String> {
        let job: Self = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        job.checked()
    }

    fn checked(self) -> Result<Self, String> {
        let empty = |name: &str, value: &str| {
            value
                .trim()
                .is_empty()
                .then(|| format!("`{name}` is empty"))
        };
        let wrong = match &self {
            Self::Claim(job) => empty("claim", &job.claim),
            Self::Ask(job) => empty("question", &job.question)
                .or_else(|| not_a_commit("commit", job.commit.as_deref())),
            Self::Check(job) => not_documents(&job.documents)
                .or_else(|| not_a_commit("commit", job.commit.as_deref())),
            Self::Review(job) => not_a_commit("base", Some(&job.base))
                .or_else(|| not_a_commit("head", Some(&job.head))),
            Self::Eval(job) => empty("case", &job.case),
        };
        // A claim and a case name no repository.
        let wrong = wrong.or_else(|| match self.kind() {
            "claim" | "eval" => None,
            _ => not_below("repository", self.repository()),
        });
        wrong.map_or(Ok(self), Err)
    }
}

/// Refuses anything but the full hash of a commit: a branch means something else tomorrow.
fn not_a_commit(key: &str, commit: Option<&str>) -> Option<String> {
    let is_commit = |commit: &str| {
        matches!(commit.len(), 40 | 64) && commit.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    commit
        .filter(|commit| !is_commit(commit))
        .map(|commit| format!("`{key}` is `{commit}`, which is not the full hash of a commit"))
}

fn not_documents(documents: &[String]) -> Option<String> {
    if documents.is_empty() {
        return Some("`documents` is empty".to_owned());
    }
    documents
        .iter()
        .find_map(|document| not_below("documents", document))
}

/// Refuses a path that leads out of its folder, or that a program could take for an option.
fn not_below(key: &str, path: &str) -> Option<String> {
    use std::path::{Component, Path};
    let is_below = !path.is_empty()
        && !path.starts_with('-')
        && !path.contains('\0')
        && Path::new(path)
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
    (!is_below).then(|| format!("`{key}` has `{path}`, which is not a path below its folder"))
}

/// Returns the hash of some texts. The length before each keeps their borders apart.
pub(crate) fn hash(texts: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for text in texts {
        // With its length before each, different lists never have the same bytes.
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    hasher.finalize().to_hex()[..HASH_DIGITS].to_owned()
}

/// Reads jobs, one object a line; empty lines are skipped.
///
/// # Errors
/// [`JobError::File`] when the file cannot be read, or has more than [`JOBS_MAX`] jobs.
pub fn read(mut file: impl BufRead) -> Result<JobFile, JobError> {
    let (mut jobs, mut seen) = (JobFile::default(), SeenLines::default());
    let mut number = 0;
    while let Some(line) =
        next_line(&mut file).map_err(|error| JobError::File(error.to_string()))?
    {
        number += 1;
        match line.and_then(|line| of_line(&line)) {
            Ok(None) => {}
            Ok(Some(job)) if jobs.jobs.len() < JOBS_MAX => match seen.add(&job, number) {
                Ok(()) => jobs.jobs.push(job),
                // Reading goes on after a broken line, so that several can be mended at once.
                Err(why) => jobs.broken.push(JobError::Line { line: number, why }),
            },
            Ok(Some(_)) => {
                return Err(JobError::File(format!("it has more than {JOBS_MAX} jobs")));
            }
            Err(why) => jobs.broken.push(JobError::Line { line: number, why }),
        }
    }
    Ok(jobs)
}

/// The lines on which contents and names were seen.
#[derive(Default)]
struct SeenLines {
    contents: HashMap<String, usize>,
    names: HashMap<String, usize>,
}

impl SeenLines {
    fn add(&mut self, job: &Job, line: usize) -> Result<(), String> {
        if let Some(earlier) = self.contents.get(&job.content()) {
            return Err(format!("it is the same job as line {earlier}"));
        }
        // An empty name is never inserted, so jobs without a name do not collide.
        if let Some(earlier) = self.names.get(job.name()) {
            return Err(format!(
                "the id `{}` was used on line {earlier}",
                job.name()
            ));
        }
        self.contents.insert(job.content(), line);
        if !job.name().is_empty() {
            self.names.insert(job.name().to_owned(), line);
        }
        Ok(())
    }
}

fn of_line(line: &[u8]) -> Result<Option<Job>, String> {
    if line.trim_ascii().is_empty() {
        Ok(None)
    } else {
        Job::parse(line).map(Some)
    }
}

/// Returns the next line. The rest of one that is too long is skipped without being kept.
fn next_line(file: &mut impl BufRead) -> std::io::Result<Option<Result<Vec<u8>, String>>> {
    let mut line = Vec::new();
    // One byte more than the limit tells a line that is too long from one that just fits.
    let bound = LINE_BYTES_MAX as u64 + 1;
    if file.by_ref().take(bound).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    // The line break is not counted, so that one byte more is allowed with it.
    if line.len() <= LINE_BYTES_MAX || line.last() == Some(&b'\n') {
        return Ok(Some(Ok(line)));
    }
    pass_line(file)?;
    Ok(Some(Err(format!(
        "it has more than {LINE_BYTES_MAX} bytes"
    ))))
}

fn pass_line(file: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let buffer = file.fill_buf()?;
        let (used, is_over) = match buffer.iter().position(|byte| *byte == b'\n') {
            Some(place) => (place + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        file.consume(used);
        if is_over {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests;
