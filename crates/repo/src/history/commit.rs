//! A commit, as git prints it: fields that end with a NUL byte, which no name and no message can
//! contain.

/// The format in which git prints each commit. The first field begins with a mark with which no
/// line of numbers begins.
pub(super) const FORMAT: &str = "--format=%x01%H%x00%P%x00%aN%x00%aE%x00%aI%x00%ct%x00%s";
/// The same with the whole message.
pub(super) const FORMAT_WITH_MESSAGE: &str =
    "--format=%x01%H%x00%P%x00%aN%x00%aE%x00%aI%x00%ct%x00%s%x00%B";
/// The mark.
pub(super) const MARK: char = '\u{1}';
/// The number of fields.
const FIELDS: usize = 7;
/// Letters of a name or a subject that are kept.
const LETTERS_MAX: usize = 200;

/// One commit of the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// The full hash.
    pub hash: String,
    /// The hashes of its parents; empty at the beginning of the available history.
    pub parents: Vec<String>,
    /// The author's name, as `.mailmap` has it.
    pub author: String,
    /// The author's address.
    pub email: String,
    /// When it was written, ISO 8601.
    pub date: String,
    /// When it was committed, in seconds since 1970.
    pub committed_s: i64,
    /// The first line of its message.
    pub subject: String,
}

impl Commit {
    /// Returns the day on which it was written.
    pub fn day(&self) -> &str {
        self.date.split('T').next().unwrap_or_default()
    }

    /// Returns the hash in its short form.
    pub fn short(&self) -> &str {
        short(&self.hash)
    }
}

/// Returns the short form of a hash.
pub fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

/// Joins fields to commits.
#[derive(Debug)]
pub(super) struct CommitFields {
    number: usize,
    fields: Vec<String>,
}

/// A record that belongs to a commit, or to what follows it.
pub(super) enum Record {
    /// A field in the middle of a commit.
    Inside,
    /// The last field: the commit, and its message if that was requested.
    Commit(Commit, String),
    /// Not a part of a commit: what git lists after it.
    Other(String),
}

impl CommitFields {
    pub(super) fn plain() -> Self {
        Self {
            number: FIELDS,
            fields: Vec::new(),
        }
    }

    pub(super) fn with_message() -> Self {
        Self {
            number: FIELDS + 1,
            fields: Vec::new(),
        }
    }

    pub(super) fn take(&mut self, record: &str) -> Record {
        // With `--numstat`, git writes a newline between the last field of a commit and its first
        // file.
        let record = if self.fields.is_empty() {
            record.trim_start_matches('\n')
        } else {
            record
        };
        if self.fields.is_empty() && !record.starts_with(MARK) {
            return Record::Other(record.to_owned());
        }
        self.fields.push(record.to_owned());
        if self.fields.len() < self.number {
            return Record::Inside;
        }
        let message = if self.number > FIELDS {
            self.fields.pop().unwrap_or_default()
        } else {
            String::new()
        };
        Record::Commit(commit_of(&std::mem::take(&mut self.fields)), message)
    }
}

fn commit_of(fields: &[String]) -> Commit {
    let field = |number: usize| fields.get(number).map_or("", String::as_str);
    Commit {
        hash: field(0).trim_start_matches(MARK).to_owned(),
        parents: field(1).split_whitespace().map(str::to_owned).collect(),
        author: beginning(field(2)),
        email: beginning(field(3)),
        date: field(4).to_owned(),
        committed_s: field(5).parse().unwrap_or(0),
        subject: beginning(field(6)),
    }
}

/// Returns as much of a text as is shown.
fn beginning(text: &str) -> String {
    match text.char_indices().nth(LETTERS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
