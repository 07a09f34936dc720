//! Which files are near a changed file: those in its folder, and those that it imports.
//!
//! Found by the ends and the beginnings of paths, each import once for all files, so that not every
//! file is compared with every import. The result is what [`Import::is_in`] says for each path.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::imports::Import;
use super::seen::SeenFile;
use crate::tree::{Tree, TreeFile};

/// The files near each changed file, by its place in the diff.
#[derive(Clone, Debug, Default)]
pub(super) struct Near {
    /// The files that it imports, in order.
    brought: BTreeMap<usize, Vec<u32>>,
    /// The number of its folder.
    own_folders: BTreeMap<usize, u32>,
    /// The number of the folder of each file of the tree.
    folders: Vec<u32>,
}

impl Near {
    /// Searches once for every import of the changed files.
    pub(super) fn of(tree: &Tree, seen: &[SeenFile]) -> Self {
        let ends = Ends::of(tree.files(), seen.iter().flat_map(|one| &one.imports));
        let mut known: HashMap<&Import, Vec<u32>> = HashMap::new();
        let mut brought = BTreeMap::new();
        for one in seen {
            let mut files: Vec<u32> = Vec::new();
            for import in &one.imports {
                files.extend(
                    known
                        .entry(import)
                        .or_insert_with(|| ends.brought_by(import))
                        .iter(),
                );
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
        let folders = tree
            .files()
            .iter()
            .map(|file| number_of(&file.path))
            .collect();
        let own_folders = seen
            .iter()
            .map(|one| (one.file, number_of(&one.path)))
            .collect();
        Self {
            brought,
            own_folders,
            folders,
        }
    }

    /// Reports whether a changed file imports a file of the tree.
    pub(super) fn brings_in(&self, user: &SeenFile, file: u32) -> bool {
        self.brought
            .get(&user.file)
            .is_some_and(|files| files.binary_search(&file).is_ok())
    }

    /// Reports whether a file of the tree is the changed one, is in the same folder, or is imported
    /// by it.
    pub(super) fn has(&self, user: &SeenFile, file: u32) -> bool {
        let folder = self.folders.get(file as usize);
        (folder.is_some() && folder == self.own_folders.get(&user.file))
            || self.brings_in(user, file)
    }

    /// Returns the distance of a file from one that uses its names: 0 for the file itself, 1 if it
    /// is imported or in the same folder, and otherwise by the folders between them.
    pub(super) fn distance(&self, user: &SeenFile, file: u32, path: &str) -> u32 {
        if user.path == path {
            return 0;
        }
        if self.has(user, file) {
            return 1;
        }
        let (own, other) = (folder(&user.path), folder(path));
        let shared = own
            .split('/')
            .zip(other.split('/'))
            .take_while(|(one, other)| one == other)
            .count();
        u32::try_from(2 + own.split('/').count() + other.split('/').count() - 2 * shared)
            .unwrap_or(u32::MAX)
    }
}

pub(super) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Files by the last two parts of their paths, as far as imports name these.
struct Ends<'t> {
    files: &'t [TreeFile],
    /// By the last part.
    named: HashMap<&'t str, Vec<u32>>,
    /// By the part before it: the folder.
    held: HashMap<&'t str, Vec<u32>>,
}

impl<'t> Ends<'t> {
    fn of<'i>(files: &'t [TreeFile], imports: impl Iterator<Item = &'i Import>) -> Self {
        // Only parts that some import ends with are indexed: of the other files no import can mean
        // any.
        let sought: HashSet<&str> = imports.flat_map(Import::ends).collect();
        let mut ends = Self {
            files,
            named: HashMap::new(),
            held: HashMap::new(),
        };
        for (index, file) in (0..).zip(files) {
            let mut parts = Import::ends_of_file(&file.path);
            for by_part in [&mut ends.named, &mut ends.held] {
                if let Some(part) = parts.next().filter(|part| sought.contains(part)) {
                    by_part.entry(part).or_default().push(index);
                }
            }
        }
        ends
    }

    fn brought_by(&self, import: &Import) -> Vec<u32> {
        let is_in = |file: &u32| import.is_in(&self.files[*file as usize].path);
        if let Some(beginning) = import.beginning() {
            // The paths are sorted, so all that begin alike are next to each other.
            let first = self
                .files
                .partition_point(|file| file.path.as_str() < beginning.as_str());
            let begin = self.files[first..]
                .iter()
                .take_while(|file| file.path.starts_with(&beginning))
                .count();
            return (first..first + begin)
                .filter_map(|file| u32::try_from(file).ok())
                .filter(is_in)
                .collect();
        }
        let named = import.ends().filter_map(|end| self.named.get(end));
        let held = import.ends().take(1).filter_map(|end| self.held.get(end));
        named.chain(held).flatten().copied().filter(is_in).collect()
    }
}

#[cfg(test)]
mod tests;
