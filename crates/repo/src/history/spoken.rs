//! What the documents of a revision mention, for many words at once.
//!
//! Takes words and the commit that removed each from the code, and returns those that documents had
//! right before it: a text that names a thing while the code has it is about that thing.

use std::collections::{BTreeMap, BTreeSet};

use crate::git::{self, GitError};

use super::repository::Repository;

/// Commits whose documents are searched; words that others removed count as not mentioned.
const SPOKEN_COMMITS_MAX: usize = 400;

/// Patterns of records of older versions, which name what every version had.
const RECORDS: [&str; 5] = [
    ":(exclude,icase)*change*",
    ":(exclude,icase)*history*",
    ":(exclude,icase)*news*",
    ":(exclude,icase)*release*",
    ":(exclude,icase)*upgrad*",
];

/// Returns, of words by the commit that removed them, those that documents had before it, and
/// whether all were searched. `documents` are patterns of paths.
pub fn spoken_of(
    repository: &Repository,
    removed: &BTreeMap<String, BTreeSet<String>>,
    documents: &BTreeSet<String>,
) -> (BTreeSet<String>, bool) {
    let mut spoken = BTreeSet::new();
    let mut is_whole = removed.len() <= SPOKEN_COMMITS_MAX;
    for (commit, words) in removed.iter().take(SPOKEN_COMMITS_MAX) {
        match spoken_before(repository, commit, words, documents) {
            Ok(found) => spoken.extend(words.intersection(&found).cloned()),
            Err(GitError::Failed { message, .. }) if message == git::SILENT => {}
            // A failure or absent history shows nothing for this commit; the next one may be
            // readable.
            Err(GitError::Failed { .. } | GitError::Unseen(_)) => is_whole = false,
            Err(_) => {
                is_whole = false;
                break;
            }
        }
    }
    (spoken, is_whole)
}

fn spoken_before(
    repository: &Repository,
    commit: &str,
    words: &BTreeSet<String>,
    documents: &BTreeSet<String>,
) -> Result<BTreeSet<String>, GitError> {
    let before = format!("{commit}^");
    let patterns = words.iter().flat_map(|word| ["-e", word.as_str()]);
    let arguments: Vec<&str> = ["grep", "-I", "-h", "-o", "-w", "-F"]
        .into_iter()
        .chain(patterns)
        .chain([before.as_str(), "--"])
        .chain(documents.iter().map(String::as_str))
        .chain(RECORDS)
        .collect();
    let text = repository.text(&arguments)?;
    Ok(text.lines().map(str::to_owned).collect())
}
