//! Which files lie near a changed file: those in its folder, and those that it brings in.
//!
//! Found by the ends and the beginnings of paths, each import once, however many files
//! write it, so that not every file is held against every import. What is found is what
//! [`Import::is_in`] says of each path.

use std::collections::{BTreeMap, HashMap};

use super::imports::Import;
use super::seen::Seen;
use crate::tree::{Tree, TreeFile};

/// What lies near each changed file, by its place in the diff.
#[derive(Clone, Debug, Default)]
pub(super) struct Near {
    /// The files that it brings in, in order.
    brought: BTreeMap<usize, Vec<u32>>,
    /// The number of its folder.
    own_folders: BTreeMap<usize, u32>,
    /// The number of the folder of each file of the tree.
    folders: Vec<u32>,
}

impl Near {
    /// Looks once for every import of the changed files.
    pub(super) fn of(tree: &Tree, seen: &[Seen]) -> Self {
        let ends = Ends::of(tree.files());
        let mut known: HashMap<&Import, Vec<u32>> = HashMap::new();
        let mut brought = BTreeMap::new();
        for one in seen {
            let mut files: Vec<u32> = Vec::new();
            for import in &one.imports {
                files.extend(known.entry(import).or_insert_with(|| ends.brought_by(import)).iter());
            }
            files.sort_unstable();
            files.dedup();
            brought.insert(one.file, files);
        }
        let mut numbers: HashMap<&str, u32> = HashMap::new();
        let mut number_of = |path| {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            *numbers.entry(folder(path)).or_insert(next)
        };
        let folders = tree.files().iter().map(|file| number_of(&file.path)).collect();
        let own_folders = seen.iter().map(|one| (one.file, number_of(&one.path))).collect();
        Self { brought, own_folders, folders }
    }

    /// Whether a changed file brings in a file of the tree.
    pub(super) fn brings_in(&self, user: &Seen, file: u32) -> bool {
        self.brought.get(&user.file).is_some_and(|files| files.binary_search(&file).is_ok())
    }

    /// Whether a file of the tree is the changed one, lies beside it or is brought in by it.
    pub(super) fn has(&self, user: &Seen, file: u32) -> bool {
        let folder = self.folders.get(file as usize);
        (folder.is_some() && folder == self.own_folders.get(&user.file)) || self.brings_in(user, file)
    }

    /// How far a file is from one that uses its names: 0 itself, 1 brought in or in the same folder, then by folders between them.
    pub(super) fn distance(&self, user: &Seen, file: u32, path: &str) -> u32 {
        if user.path == path {
            return 0;
        }
        if self.has(user, file) {
            return 1;
        }
        let (own, other) = (folder(&user.path), folder(path));
        let shared = own.split('/').zip(other.split('/')).take_while(|(one, other)| one == other).count();
        u32::try_from(2 + own.split('/').count() + other.split('/').count() - 2 * shared).unwrap_or(u32::MAX)
    }
}

pub(super) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Files by the parts that imports end with.
struct Ends<'t> {
    files: &'t [TreeFile],
    by_part: HashMap<&'t str, Vec<u32>>,
}

impl<'t> Ends<'t> {
    fn of(files: &'t [TreeFile]) -> Self {
        let mut by_part: HashMap<&str, Vec<u32>> = HashMap::new();
        for (index, file) in files.iter().enumerate() {
            let index = u32::try_from(index).unwrap_or(u32::MAX);
            let parts = Import::parts_of_file(&file.path);
            parts.iter().rev().take(2).for_each(|part| by_part.entry(part).or_default().push(index));
        }
        Self { files, by_part }
    }

    fn brought_by(&self, import: &Import) -> Vec<u32> {
        let is_in = |file: &u32| import.is_in(&self.files[*file as usize].path);
        match import.beginning() {
            Some(beginning) => {
                let first = self.files.partition_point(|file| file.path.as_str() < beginning.as_str());
                let begin = self.files[first..].iter().take_while(|file| file.path.starts_with(&beginning)).count();
                (first..first + begin).filter_map(|file| u32::try_from(file).ok()).filter(is_in).collect()
            }
            None => import.ends().filter_map(|end| self.by_part.get(end)).flatten().copied().filter(is_in).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
