//! The part of the tree that a question is about: "in the tests", "under src/net".

use std::path::Path;

use grounds_evidence::FileRole;

use crate::checkout::Checkout;
use crate::limits::Limits;
use crate::listing;
use crate::path::{RepoPath, is_spelled};
use crate::survey;

/// The part of the tree that the words of a question name. Empty lists leave everything in.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Within {
    /// Folders or files, as written in the question.
    pub folders: Vec<String>,
    /// Roles of files.
    pub roles: Vec<FileRole>,
}

impl Within {
    /// Reports whether the whole tree is meant.
    pub fn is_everything(&self) -> bool {
        self.folders.is_empty() && self.roles.is_empty()
    }

    /// Returns its folders and files that are nowhere in the checkout, hidden and ignored ones
    /// included.
    pub fn missing(&self, checkout: &Checkout, limits: &Limits) -> Vec<&str> {
        let is_at_top = |folder: &str| match RepoPath::relative(Path::new(folder)) {
            // `.` is the tree itself, and `..` leaves it.
            None => lies_under("", folder),
            Some(path) => {
                let place = checkout.root().join(path.as_path());
                place.symlink_metadata().is_ok() && is_spelled(checkout.root(), path.as_path())
            }
        };
        let is_under = |path: &Path, folder: &str| {
            let path = RepoPath::below(checkout.root(), path);
            path.is_some_and(|path| lies_under(path.as_str(), folder))
        };
        let is_visible = |folder: &str| {
            let listing = listing::of(checkout, limits);
            let mut entries = listing.entries.iter();
            entries.any(|entry| is_under(&entry.path, folder))
        };
        let is_there = |folder: &str| {
            let mut walker = survey::walker(checkout, limits);
            walker.standard_filters(false);
            let mut entries = walker.build().flatten();
            entries.any(|entry| is_under(entry.path(), folder))
        };
        // The cheapest check comes first: the last one walks over everything on the disk.
        let folders = self.folders.iter().map(String::as_str);
        folders
            .filter(|folder| !is_at_top(folder) && !is_visible(folder) && !is_there(folder))
            .collect()
    }

    /// Reports whether a file lies in the part.
    pub fn holds(&self, path: &RepoPath, role: FileRole) -> bool {
        let in_folder = self.folders.is_empty()
            || self
                .folders
                .iter()
                .any(|folder| lies_under(path.as_str(), folder));
        in_folder && (self.roles.is_empty() || self.roles.contains(&role))
    }
}

/// Reports whether the parts of a folder's path follow each other in the path of a file.
pub fn lies_under(path: &str, folder: &str) -> bool {
    let folder: Vec<&str> = folder
        .split('/')
        .filter(|part| !part.is_empty() && *part != ".")
        .collect();
    let parts: Vec<&str> = path.split('/').collect();
    folder.is_empty() || parts.windows(folder.len()).any(|window| window == folder)
}
