//! Which files of a commit define a name, as their syntax says.

use std::ops::Range;

use grounds_evidence::{FileRole, MentionPlace, Relation};

use crate::git::GitError;
use crate::labels;
use crate::path::RepoPath;
use crate::role;

use super::repository::Repository;
use super::subject::HistoryTerm;

/// Files of one commit that are parsed; past them, a file that has the name counts as one that defines it.
const PARSED_MAX: usize = 40;

/// Those of some files of a commit that define a name, where it is one that the tree of today defines; all of them
/// where it is not. `time.parse` has the name `parse`, and introduces nothing. A file that no grammar reads may define
/// it, unless it is prose.
pub(super) fn defining(
    repository: &Repository,
    revision: &str,
    term: &HistoryTerm,
    files: Vec<String>,
) -> Result<Vec<String>, GitError> {
    let is_defined = term.homes.iter().any(|home| home.is_definition);
    if !is_defined || !term.is_name || files.len() > PARSED_MAX {
        return Ok(files);
    }
    let mut found = Vec::new();
    for file in files {
        let source = repository.bytes(&["cat-file", "blob", &format!("{revision}:{file}")])?;
        if defines(&file, &source, &term.text) {
            found.push(file);
        }
    }
    Ok(found)
}

fn defines(file: &str, source: &[u8], name: &str) -> bool {
    let Some(path) = RepoPath::relative(std::path::Path::new(file)) else {
        return true;
    };
    let ranges = occurrences(source, name.as_bytes());
    let Some((labels, _)) = labels::label_ranges(&path, source, &ranges) else {
        return role::of_shown(file) != FileRole::Documentation;
    };
    // `env::var("APP_PAGER")`: a variable of the environment comes in with the string that names
    // it.
    let is_loud = name.contains('_') && !name.contains(|letter: char| letter.is_lowercase());
    let introduces = |relation| match relation {
        Relation::Defines | Relation::Declares => true,
        Relation::Mentions(place) => is_loud && place == MentionPlace::String,
        _ => false,
    };
    labels.iter().any(|label| introduces(label.relation))
}

/// Where a name stands as a whole word.
fn occurrences(source: &[u8], name: &[u8]) -> Vec<Range<usize>> {
    let is_word = |at: Option<usize>| {
        let byte = at.and_then(|at| source.get(at));
        byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    };
    let found = memchr::memmem::find_iter(source, name);
    let ranges = found.map(|start| start..start + name.len());
    ranges
        .filter(|range| !is_word(range.start.checked_sub(1)) && !is_word(Some(range.end)))
        .collect()
}
