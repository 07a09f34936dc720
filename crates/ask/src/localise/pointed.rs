//! Which files of the tree a text names: by path, by frame, by dotted module.
//!
//! A path of a text is compared with the paths of the tree from its end. It is never opened.

use std::collections::HashMap;

use grounds_repo::catalogue::Catalogue;

use super::clues::Clues;
use super::mentions::{FileMention, NamedBy};

/// Maximum number of files that one mention can refer to. A mention of more refers to none.
const FILES_MAX: usize = 12;
/// Maximum number of lines that are kept for one file.
const LINES_MAX: usize = 16;

/// How a text points at a file by its path.
#[derive(Clone, Debug, Default)]
pub(super) struct Pointed {
    /// Named by its path, outside of traces.
    pub(super) named: f32,
    /// Named by its path, in the first line.
    pub(super) named_title: f32,
    /// Named by a frame; deeper frames count more.
    pub(super) frame: f32,
    /// Named by the deepest frame that is in the tree.
    pub(super) last_frame: f32,
    /// Named as a module.
    pub(super) module: f32,
    /// Named as the module of a longer dotted name.
    pub(super) attribute: f32,
    /// The lines that the text gives for it.
    pub(super) lines: Vec<u32>,
}

/// Returns the files that the mentions of a text refer to, by their place in the catalogue.
pub(super) fn resolve(clues: &Clues, catalogue: &Catalogue) -> HashMap<usize, Pointed> {
    let index = PathIndex::of(catalogue);
    let mut found: HashMap<usize, Pointed> = HashMap::new();
    let mut frames: Vec<(usize, f32)> = Vec::new();
    for mention in &clues.mentions {
        for (file, worth, is_module) in index.files(&mention.name) {
            let pointed = found.entry(file).or_default();
            match (&mention.name, mention.is_frame) {
                (NamedBy::Path(_), true) => frames.push((file, worth)),
                (NamedBy::Path(_), false) => pointed.named = pointed.named.max(worth),
                (NamedBy::Dotted(_), _) if is_module => pointed.module = pointed.module.max(worth),
                (NamedBy::Dotted(_), _) => pointed.attribute = pointed.attribute.max(worth),
            }
            if mention.is_in_title {
                pointed.named_title = pointed.named_title.max(worth);
            }
            note_line(mention, pointed);
        }
    }
    // A traceback of Python ends with the deepest frame. Other traces begin with it.
    let is_deepest_last = clues
        .mentions
        .iter()
        .any(|mention| mention.is_frame && mention.function.is_some() && is_python(mention));
    if is_deepest_last {
        frames.reverse();
    }
    for (rank, (file, worth)) in frames.into_iter().enumerate() {
        let pointed = found.entry(file).or_default();
        pointed.frame = pointed.frame.max(worth / (1.0 + 0.25 * rank as f32));
        pointed.last_frame = if rank == 0 { worth } else { pointed.last_frame };
    }
    found
}

fn is_python(mention: &FileMention) -> bool {
    matches!(&mention.name, NamedBy::Path(parts) if parts.last().is_some_and(|file| file.ends_with(".py")))
}

fn note_line(mention: &FileMention, pointed: &mut Pointed) {
    if let Some(line) = mention.line
        && pointed.lines.len() < LINES_MAX
        && !pointed.lines.contains(&line)
    {
        pointed.lines.push(line);
    }
}

/// Numbers of files by a name.
type Numbers<'a> = HashMap<&'a str, Vec<usize>>;

/// The paths of the tree by file name and by stem.
struct PathIndex<'a> {
    by_file: Numbers<'a>,
    by_stem: Numbers<'a>,
    paths: Vec<Vec<&'a str>>,
}

impl<'a> PathIndex<'a> {
    fn of(catalogue: &'a Catalogue) -> Self {
        let paths: Vec<Vec<&str>> = catalogue
            .entries
            .iter()
            .map(|entry| entry.path.as_str().split('/').collect())
            .collect();
        let (mut by_file, mut by_stem) = (Numbers::new(), Numbers::new());
        for (number, parts) in paths.iter().enumerate() {
            let Some(file) = parts.last() else { continue };
            by_file.entry(file).or_default().push(number);
            let stem = stem(file);
            // `pkg/__init__.py` is the module `pkg`.
            let stem = if is_index(stem) && parts.len() > 1 {
                parts[parts.len() - 2]
            } else {
                stem
            };
            by_stem.entry(stem).or_default().push(number);
        }
        Self {
            by_file,
            by_stem,
            paths,
        }
    }

    fn files(&self, named: &NamedBy) -> Vec<(usize, f32, bool)> {
        match named {
            NamedBy::Path(parts) => self.by_path(parts),
            NamedBy::Dotted(segments) => self.by_module(segments),
        }
    }

    /// Returns the files that share the longest end with a path.
    fn by_path(&self, parts: &[String]) -> Vec<(usize, f32, bool)> {
        let Some(file) = parts.last() else {
            return Vec::new();
        };
        let known = self
            .by_file
            .get(file.as_str())
            .map_or(&[][..], Vec::as_slice);
        let shared = |number: usize| {
            self.paths[number]
                .iter()
                .rev()
                .zip(parts.iter().rev())
                .take_while(|(one, other)| *one == other)
                .count()
        };
        let most = known
            .iter()
            .map(|&number| shared(number))
            .max()
            .unwrap_or(0);
        let best: Vec<usize> = known
            .iter()
            .copied()
            .filter(|&number| shared(number) == most)
            .collect();
        // `index.js` alone is in most folders, so a path of another folder with it refers to none.
        if best.len() > FILES_MAX || (most == 1 && is_index(stem(file)) && parts.len() > 1) {
            return Vec::new();
        }
        let worth = 1.0 / best.len() as f32;
        // A path of another machine has folders that the tree lacks, so two shared parts are
        // enough. A single shared file name may be a coincidence.
        let is_whole =
            |number: usize| most == parts.len() || most == self.paths[number].len() || most >= 2;
        best.into_iter()
            .map(|number| {
                (
                    number,
                    if is_whole(number) { worth } else { 0.4 * worth },
                    false,
                )
            })
            .collect()
    }

    /// Returns the files whose path ends with the longest start of a dotted name.
    fn by_module(&self, segments: &[String]) -> Vec<(usize, f32, bool)> {
        // In `pkg.module.Class.method` only the first parts are a path, so shorter starts are
        // tried.
        for length in (1..=segments.len()).rev() {
            let known = self
                .by_stem
                .get(segments[length - 1].as_str())
                .map_or(&[][..], Vec::as_slice);
            let fits = |number: &usize| self.ends_with(*number, &segments[..length]);
            let best: Vec<usize> = known.iter().copied().filter(fits).collect();
            if !best.is_empty() && best.len() <= FILES_MAX && (length > 1 || segments.len() > 1) {
                let worth = (if length == 1 { 0.5 } else { 1.0 }) / best.len() as f32;
                return best
                    .into_iter()
                    .map(|number| (number, worth, length == segments.len()))
                    .collect();
            }
        }
        Vec::new()
    }

    fn ends_with(&self, number: usize, segments: &[String]) -> bool {
        let parts = &self.paths[number];
        let Some((file, folders)) = parts.split_last() else {
            return false;
        };
        let own = if is_index(stem(file)) {
            None
        } else {
            Some(stem(file))
        };
        let path: Vec<&str> = folders.iter().copied().chain(own).collect();
        path.len() >= segments.len()
            && path[path.len() - segments.len()..]
                .iter()
                .zip(segments)
                .all(|(part, segment)| part == segment)
    }
}

fn stem(file: &str) -> &str {
    file.split_once('.').map_or(file, |(stem, _)| stem)
}

fn is_index(stem: &str) -> bool {
    matches!(stem, "__init__" | "index" | "mod")
}
