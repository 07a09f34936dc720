//! Which files of a folder are documents: walked in the order of their names,
//! hidden and ignored ones left out, links not followed, within bounds. What is
//! left out is counted by reason, with the first few by name.

use std::path::Path;

use ignore::{DirEntry, WalkBuilder};
use serde::{Deserialize, Serialize};

use super::CorpusBounds;
use crate::read::Medium;

/// Files that are named for each reason.
const EXAMPLES_MAX: usize = 5;
/// Reasons that are kept apart: those of broken documents name what broke.
const REASONS_MAX: usize = 50;

/// What was read of a folder, and what was left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    /// Documents that were read.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
    /// What was left out, and why.
    pub skipped: Vec<Skipped>,
}

/// Files that were left out for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// The reason.
    pub why: String,
    /// How many.
    pub count: usize,
    /// The first of them.
    pub examples: Vec<String>,
}

impl Scope {
    /// Counts a file that is left out.
    pub(super) fn skip(&mut self, why: &str, path: &str) {
        let is_full = self.skipped.len() >= REASONS_MAX && !self.skipped.iter().any(|known| known.why == why);
        let why = if is_full { "other reasons" } else { why };
        let place = self.skipped.iter().position(|known| known.why == why).unwrap_or_else(|| {
            self.skipped.push(Skipped { why: why.to_owned(), count: 0, examples: Vec::new() });
            self.skipped.len() - 1
        });
        let known = &mut self.skipped[place];
        known.count += 1;
        if known.examples.len() < EXAMPLES_MAX {
            known.examples.push(path.to_owned());
        }
    }
}

/// A file that is a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct File {
    /// Its path in the folder, with `/`.
    pub(super) path: String,
    pub(super) medium: Medium,
    pub(super) bytes: u64,
}

/// The documents of a folder, in the order of their paths.
pub(super) fn survey(root: &Path, bounds: &CorpusBounds) -> (Vec<File>, Scope) {
    let mut scope = Scope::default();
    let mut files = Vec::new();
    for entry in walker(root, bounds).build() {
        match entry {
            Ok(entry) => look(root, &entry, bounds, &mut scope).into_iter().for_each(|file| files.push(file)),
            Err(error) => scope.skip("cannot be read", &error.to_string()),
        }
        if scope.files >= bounds.corpus_files_max {
            scope.skip(&format!("after `corpus_files_max` ({}) was reached, the rest was not looked at", bounds.corpus_files_max), "");
            break;
        }
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    (files, scope)
}

fn walker(root: &Path, bounds: &CorpusBounds) -> WalkBuilder {
    let mut walker = WalkBuilder::new(root);
    walker.follow_links(false).hidden(true).parents(false).git_global(false).git_exclude(false).require_git(false);
    walker.max_depth(Some(bounds.corpus_depth_max)).sort_by_file_name(std::ffi::OsStr::cmp);
    walker
}

/// The document that an entry is; what is none is counted.
fn look(root: &Path, entry: &DirEntry, bounds: &CorpusBounds, scope: &mut Scope) -> Option<File> {
    let kind = entry.file_type()?;
    let inner = entry.path().strip_prefix(root).ok()?;
    let shown = inner.display().to_string();
    if kind.is_dir() {
        if entry.depth() >= bounds.corpus_depth_max {
            scope.skip(&format!("folders deeper than `corpus_depth_max` ({})", bounds.corpus_depth_max), &shown);
        }
        return None;
    }
    let length = entry.metadata().map_or(0, |metadata| metadata.len());
    match named(inner, kind).and_then(|file| fitting(file, length, scope.bytes, bounds)) {
        Ok(file) => {
            scope.files += 1;
            scope.bytes += length;
            Some(file)
        }
        Err(why) => {
            scope.skip(&why, &shown);
            None
        }
    }
}

fn named(inner: &Path, kind: std::fs::FileType) -> Result<(String, Medium), String> {
    if kind.is_symlink() {
        return Err("links are not followed".to_owned());
    }
    if !kind.is_file() {
        return Err("no file".to_owned());
    }
    let path =
        inner.to_str().filter(|path| !path.contains(char::is_control)).ok_or_else(|| "a name that cannot be an address".to_owned())?;
    let path = path.replace(std::path::MAIN_SEPARATOR, "/");
    let medium = Medium::of_path(&path).ok_or_else(|| "no text, Markdown, HTML or PDF by its name".to_owned())?;
    Ok((path, medium))
}

fn fitting((path, medium): (String, Medium), bytes: u64, taken: u64, bounds: &CorpusBounds) -> Result<File, String> {
    if bytes > bounds.corpus_file_bytes_max {
        return Err(format!("larger than `corpus_file_bytes_max` ({} bytes)", bounds.corpus_file_bytes_max));
    }
    if taken + bytes > bounds.corpus_bytes_max {
        return Err(format!("beyond `corpus_bytes_max` ({} bytes) together with those before it", bounds.corpus_bytes_max));
    }
    Ok(File { path, medium, bytes })
}
