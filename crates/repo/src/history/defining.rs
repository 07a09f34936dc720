//! The files of a commit that define a name, by their syntax.

use std::ops::Range;

use grounds_evidence::{FileRole, MentionPlace, Relation};
use grounds_syntax::Label;
use grounds_syntax::languages;

use crate::git::GitError;
use crate::labels;
use crate::path::RepoPath;
use crate::role;

use super::pickaxe::files_with;
use super::repository::Repository;
use super::subject::{Enclosing, HistoryTerm};

/// Files of one commit that are parsed. With more, a file that has the name counts as one that
/// defines it. For a member nothing can be said then.
const PARSED_MAX: usize = 40;

/// Returns those of some files of a commit that define a name, if today's tree defines it, or else
/// all of them. `time.parse` has the name `parse`, and introduces nothing. A file that no grammar
/// reads may define it, unless it is prose. Of `Store.load` a file must define `load` in a `Store`.
pub(super) fn defining(
    repository: &Repository,
    revision: &str,
    term: &HistoryTerm,
    files: Vec<String>,
) -> Result<Vec<String>, GitError> {
    let is_defined = term.homes.iter().any(|home| home.is_definition);
    if !is_defined || !term.is_name {
        return Ok(files);
    }
    let Some(of) = &term.member_of else {
        if files.len() > PARSED_MAX {
            return Ok(files);
        }
        return those_that_define(repository, revision, &term.text, None, files);
    };
    let mut files = files;
    // Only files that name the owner can define its member, which leaves fewer to parse.
    if files.len() > PARSED_MAX && of.is_container {
        let owner = HistoryTerm {
            text: of.name.clone(),
            is_name: true,
            homes: Vec::new(),
            owner: None,
            member_of: None,
        };
        let naming = files_with(repository, revision, &owner)?;
        files.retain(|file| naming.contains(file));
    }
    if files.len() > PARSED_MAX {
        return Err(GitError::Unseen(format!(
            "{} files have `{}`, and {PARSED_MAX} are the most that are parsed",
            files.len(),
            term.text
        )));
    }
    those_that_define(repository, revision, &term.text, Some(of), files)
}

/// Returns those of some files of a commit that define a name, whether today's tree defines it or
/// not. `None` if they are too many to be parsed.
pub(super) fn defining_then(
    repository: &Repository,
    revision: &str,
    name: &str,
    files: Vec<String>,
) -> Result<Option<Vec<String>>, GitError> {
    let is_source = |path: &String| {
        let role = role::of_shown(path);
        let is_read = RepoPath::relative(std::path::Path::new(path))
            .is_some_and(|path| languages::of_name(path.file_name()).is_some());
        is_read && matches!(role, FileRole::Source | FileRole::Header)
    };
    let files: Vec<String> = files.into_iter().filter(is_source).collect();
    match files.len() {
        0..=PARSED_MAX => those_that_define(repository, revision, name, None, files).map(Some),
        _ => Ok(None),
    }
}

fn those_that_define(
    repository: &Repository,
    revision: &str,
    name: &str,
    of: Option<&Enclosing>,
    files: Vec<String>,
) -> Result<Vec<String>, GitError> {
    let mut found = Vec::new();
    for file in files {
        let source = repository.bytes(&["cat-file", "blob", &format!("{revision}:{file}")])?;
        if defines(&file, &source, name, of) {
            found.push(file);
        }
    }
    Ok(found)
}

fn defines(file: &str, source: &[u8], name: &str, of: Option<&Enclosing>) -> bool {
    let Some(path) = RepoPath::relative(std::path::Path::new(file)) else {
        return of.is_none();
    };
    let ranges = occurrences(source, name.as_bytes());
    let Some((labels, _)) = labels::label_ranges(&path, source, &ranges) else {
        return of.is_none() && role::of_shown(file) != FileRole::Documentation;
    };
    // `env::var("APP_PAGER")`: a variable of the environment is introduced by the string that names
    // it.
    let is_loud = name.contains('_') && !name.contains(|letter: char| letter.is_lowercase());
    let introduces = |relation| match relation {
        Relation::Defines | Relation::Declares => true,
        Relation::Mentions(place) => of.is_none() && is_loud && place == MentionPlace::String,
        _ => false,
    };
    let is_inside = |label: &Label| match of {
        None => true,
        Some(of) if of.is_container => label.containers.contains(&of.name),
        Some(of) => file.split(['/', '.']).any(|part| part == of.name),
    };
    labels
        .iter()
        .any(|label| introduces(label.relation) && is_inside(label))
}

/// Returns where a name occurs as a whole word.
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
