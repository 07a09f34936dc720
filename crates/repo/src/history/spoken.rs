//! What the documents of a revision speak of, for many words at once.
//!
//! Given words and the commit that removed each from the code, returns the names of the documents
//! that had them right before it: a text that names a thing while the code has it speaks of it.

use std::collections::{BTreeMap, BTreeSet};

use crate::git::GitError;

use super::repository::Repository;

/// Commits whose documents are looked at; words that went by others count as not spoken of.
const SPOKEN_COMMITS_MAX: usize = 400;

/// For words by the commit that removed them, the names of the documents without their folders that had them
/// before it, and whether all were looked for. `documents` are patterns of paths.
pub fn spoken_of(
    repository: &Repository,
    removed: &BTreeMap<String, BTreeSet<String>>,
    documents: &BTreeSet<String>,
) -> (BTreeMap<String, BTreeSet<String>>, bool) {
    let mut spoken: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut is_whole = removed.len() <= SPOKEN_COMMITS_MAX;
    for (commit, words) in removed.iter().take(SPOKEN_COMMITS_MAX) {
        match spoken_before(repository, commit, words, documents) {
            Ok(found) => {
                for (document, word) in found {
                    spoken.entry(word).or_default().insert(document);
                }
            }
            // A grep that finds nothing fails as a first commit does.
            Err(GitError::Failed { .. }) => {}
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
) -> Result<BTreeSet<(String, String)>, GitError> {
    let before = format!("{commit}^");
    let patterns = words.iter().flat_map(|word| ["-e", word.as_str()]);
    let arguments: Vec<&str> = ["grep", "-I", "-z", "-o", "-w", "-F"]
        .into_iter()
        .chain(patterns)
        .chain([before.as_str(), "--"])
        .chain(documents.iter().map(String::as_str))
        .collect();
    let text = repository.text(&arguments)?;
    let found = text.lines().filter_map(|line| line.split_once('\0'));
    let named = |(path, word): (&str, &str)| {
        let document = path.rsplit('/').next().unwrap_or(path);
        (document.to_owned(), word.to_owned())
    };
    Ok(found.map(named).collect())
}
