//! What makes a file likely, as numbers. Each feature is one way in which a text points at a file.
//!
//! Pure: takes the clues and the counts. A feature without a natural bound is divided by the
//! maximum of the candidates, so that texts are comparable.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use grounds_evidence::{FileRole, name};
use grounds_repo::catalogue::{Catalogue, FileCounts};
use grounds_repo::chunks::{Chunk, Chunks, DefinitionWithWords};
use grounds_repo::stem::stem_of;
use grounds_repo::vocabulary;

use super::clues::Clues;
use super::parts::PARTS;
use super::pointed::{self, Pointed};
use crate::words::is_in;

/// The number of features.
pub const FEATURES: usize = 44;

/// The names of the features, in the order of a row.
pub const NAMES: [&str; FEATURES] = [
    "body_title",
    "body_prose",
    "body_code",
    "body_output",
    "defined_title",
    "defined_prose",
    "defined_code",
    "defined_output",
    "path_title",
    "path_prose",
    "path_code",
    "path_output",
    "name_defined",
    "name_used",
    "plain_defined",
    "literal",
    "path_named",
    "path_named_title",
    "frame",
    "last_frame",
    "module_named",
    "attribute_named",
    "coverage",
    "stem_whole",
    "stem_part",
    "is_test",
    "is_documentation",
    "is_aside",
    "size",
    "is_index",
    "window_title",
    "window_all",
    "definition_title",
    "definition_all",
    "definition_name",
    "definition_doc",
    "name_parsed",
    "depth",
    "folder",
    "is_header",
    "bridge",
    "definition_cover",
    "window_cover",
    "head",
];

const WINDOW_TITLE: usize = 30;
const DEPTH: usize = 37;
const BRIDGE: usize = 40;
pub(super) const COVERAGE: usize = 22;
pub(super) const DEFINITION_COVER: usize = 41;
pub(super) const WINDOW_COVER: usize = 42;
const HEAD: usize = 43;

/// Features that are between 0 and 1 already.
const BOUNDED: [usize; 16] = [
    16,
    17,
    18,
    19,
    20,
    22,
    23,
    25,
    26,
    27,
    29,
    37,
    39,
    21,
    DEFINITION_COVER,
    WINDOW_COVER,
];

/// Parameters of BM25: how soon more occurrences of a word stop to count, and how much length
/// counts.
const SATURATION: f32 = 1.2;
const LENGTH: f32 = 0.6;

/// The features of a text over a tree.
pub(super) struct Features<'a> {
    clues: &'a Clues,
    tree: TreeFeatures,
    pointed: HashMap<usize, Pointed>,
    /// For each stem in a path the matching stem of the text, and how close it is.
    near: HashMap<String, (usize, f32)>,
    first: Vec<[f32; FEATURES]>,
}

/// Statistics about the words of the text in the whole tree.
struct TreeFeatures {
    /// The rarity of each stem.
    rarity: Vec<f32>,
    /// The rarity of each stem in paths.
    path_rarity: Vec<f32>,
    /// The rarity of a definition of each name.
    definition_rarity: Vec<f32>,
    name_rarity: Vec<f32>,
    literal_rarity: Vec<f32>,
    words: f32,
}

impl std::fmt::Debug for Features<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Features")
            .field("files", &self.first.len())
            .finish_non_exhaustive()
    }
}

impl<'a> Features<'a> {
    /// Computes the features of every file from the catalogue.
    pub(super) fn of(clues: &'a Clues, catalogue: &Catalogue) -> Self {
        let mut folders = FolderStems::new();
        let paths: Vec<PathWords> = catalogue
            .entries
            .iter()
            .map(|entry| PathWords::of(entry.path.as_str(), &mut folders))
            .collect();
        let tree = TreeFeatures::of(clues, catalogue, &paths);
        let pointed = pointed::resolve(clues, catalogue);
        let near = near_stems(clues, &paths);
        let mut all = Self {
            clues,
            tree,
            pointed,
            near,
            first: Vec::new(),
        };
        all.first = catalogue
            .entries
            .iter()
            .enumerate()
            .map(|(number, entry)| all.first_row(number, entry, &paths[number]))
            .collect();
        normalise(&mut all.first);
        all
    }

    /// Returns the features that are known about every file before any is parsed.
    pub(super) fn first_rows(&self) -> &[[f32; FEATURES]] {
        &self.first
    }

    /// Returns how the text names a file.
    pub(super) fn pointed(&self, number: usize) -> Option<&Pointed> {
        self.pointed.get(&number)
    }

    /// Reports whether more than its role and size points at a file.
    pub(super) fn is_pointed_at(&self, number: usize) -> bool {
        let row = &self.first[number];
        // Features from 25 on are the kind, size and depth of the file, words of its folders
        // that are counted above too, or known only after a parse.
        (0..25).any(|feature| row[feature] > 0.0)
    }

    /// Returns all features of the candidates.
    pub(super) fn rows(
        &self,
        candidates: &[usize],
        parsed: &[Option<Chunks>],
        bridges: &[f32],
    ) -> Vec<[f32; FEATURES]> {
        let mut rows: Vec<[f32; FEATURES]> = candidates
            .iter()
            .map(|&number| self.first[number])
            .collect();
        for (row, chunks) in rows.iter_mut().zip(parsed) {
            if let Some(chunks) = chunks {
                self.parsed_row(chunks, row);
            }
        }
        for (row, bridge) in rows.iter_mut().zip(bridges) {
            row[BRIDGE] = *bridge;
        }
        normalise(&mut rows);
        rows
    }

    fn first_row(&self, number: usize, entry: &FileCounts, path: &PathWords) -> [f32; FEATURES] {
        let mut row = [0.0; FEATURES];
        self.words_of(entry, &mut row);
        self.path_of(path, &mut row);
        self.names_of(entry, &mut row);
        let Some(pointed) = self.pointed.get(&number) else {
            return self.kind_of(entry, row);
        };
        row[16] = pointed.named;
        row[17] = pointed.named_title;
        row[18] = pointed.frame;
        row[19] = pointed.last_frame;
        row[20] = pointed.module;
        row[21] = pointed.attribute;
        self.kind_of(entry, row)
    }

    fn words_of(&self, entry: &FileCounts, row: &mut [f32; FEATURES]) {
        let mut covered = 0.0;
        for count in &entry.terms {
            let number = usize::from(count.number);
            let rarity = self.tree.rarity[number];
            let body = rarity * saturated(count.uses, entry.words as f32 / self.tree.words);
            let defined = rarity * saturated(count.defines, entry.words as f32 / self.tree.words);
            let weights = &self.clues.weights[number];
            for (part, weight) in weights.iter().enumerate() {
                row[part] += asked(*weight) * body;
                row[PARTS + part] += asked(*weight) * defined;
            }
            covered += if weights[0] > 0.0 {
                rarity * count.uses.min(1.0)
            } else {
                0.0
            };
        }
        // The share of the title's words in the file. Repetitions do not count, unlike above.
        row[22] = covered / self.title_rarity().max(f32::EPSILON);
    }

    fn title_rarity(&self) -> f32 {
        self.clues
            .weights
            .iter()
            .zip(&self.tree.rarity)
            .filter(|(weights, _)| weights[0] > 0.0)
            .map(|(_, rarity)| rarity)
            .sum()
    }

    fn path_of(&self, path: &PathWords, row: &mut [f32; FEATURES]) {
        let mut stem_covered = 0.0;
        // A word in the name of a file says more than one in a folder, which all files below share.
        for (stems, worth, is_file) in [
            (path.file.as_slice(), 1.0, true),
            (&path.folders, 0.4, false),
        ] {
            for stem in stems {
                let Some(&(number, near)) = self.near.get(stem) else {
                    continue;
                };
                let rarity = self.tree.path_rarity[number] * near;
                for (part, weight) in self.clues.weights[number].iter().enumerate() {
                    row[8 + part] += worth * asked(*weight) * rarity;
                }
                let in_title = self.clues.weights[number][0] > 0.0;
                stem_covered += if is_file && in_title { near } else { 0.0 };
                row[38] += if !is_file && in_title { rarity } else { 0.0 };
            }
        }
        // A file whose whole name is in the title is a stronger sign than one with a part of it.
        let of = path.file.len().max(1) as f32;
        row[23] = f32::from(u8::from(stem_covered >= of));
        row[24] = stem_covered / of;
        row[DEPTH] = 1.0 / (1.0 + path.depth as f32);
        row[29] = f32::from(u8::from(path.is_index));
    }

    fn names_of(&self, entry: &FileCounts, row: &mut [f32; FEATURES]) {
        for count in &entry.names {
            let number = usize::from(count.number);
            let name = &self.clues.names[number];
            let weight =
                // A name in the title counts most, and one in code or output least.
                2.0 * name.weights[0] + name.weights[1] + 0.5 * (name.weights[2] + name.weights[3]);
            let weight = asked(weight);
            let defined = if count.defines > 0.0 {
                weight * self.tree.definition_rarity[number]
            } else {
                0.0
            };
            // A name that may be an English word has a feature of its own, whose weight is fitted
            // apart.
            row[if name.is_code { 12 } else { 14 }] += defined;
            if name.is_code {
                row[13] += weight
                    * self.tree.name_rarity[number]
                    * saturated(count.uses, entry.words as f32 / self.tree.words);
            }
        }
        row[15] = entry
            .literals
            .iter()
            .map(|&literal| self.tree.literal_rarity[usize::from(literal)])
            .sum();
    }

    fn kind_of(&self, entry: &FileCounts, mut row: [f32; FEATURES]) -> [f32; FEATURES] {
        use FileRole as R;
        let of = |is: bool| f32::from(u8::from(is));
        row[25] = of(matches!(entry.role, R::Test | R::Fixture));
        row[26] = of(matches!(entry.role, R::Documentation | R::Data | R::Backup));
        row[27] = of(matches!(
            entry.role,
            R::Bench | R::Example | R::Generated | R::Vendored | R::Build
        ));
        row[28] = (1.0 + entry.words as f32).ln();
        row[39] = of(entry.role == R::Header);
        row
    }

    fn parsed_row(&self, chunks: &Chunks, row: &mut [f32; FEATURES]) {
        self.cover_row(chunks, row);
        let best = |values: &mut dyn Iterator<Item = f32>| values.fold(0.0_f32, f32::max);
        row[WINDOW_TITLE] = best(
            &mut chunks
                .windows
                .iter()
                .map(|window| self.chunk_worth(window, TITLE)),
        );
        row[31] = best(
            &mut chunks
                .windows
                .iter()
                .map(|window| self.chunk_worth(window, ALL)),
        );
        row[32] = best(
            &mut chunks
                .definitions
                .iter()
                .map(|definition| self.chunk_worth(&definition.chunk, TITLE)),
        );
        row[33] = best(
            &mut chunks
                .definitions
                .iter()
                .map(|definition| self.chunk_worth(&definition.chunk, ALL)),
        );
        row[34] = best(
            &mut chunks
                .definitions
                .iter()
                .map(|definition| self.name_worth(definition)),
        );
        row[35] = best(
            &mut chunks
                .definitions
                .iter()
                .map(|definition| self.doc_worth(definition)),
        );
        let names: HashMap<&str, usize> = self
            .clues
            .names
            .iter()
            .enumerate()
            .map(|(number, name)| (name.text.as_str(), number))
            .collect();
        let mut defined: Vec<usize> = chunks
            .definitions
            .iter()
            .filter_map(|definition| names.get(definition.name.as_str()).copied())
            .collect();
        defined.sort_unstable();
        defined.dedup();
        row[36] = defined
            .into_iter()
            .map(|number| {
                asked(self.clues.names[number].weights.iter().sum())
                    * self.tree.definition_rarity[number]
            })
            .sum();
    }

    /// Computes how much of the title one part of the file contains, and how well its head fits.
    fn cover_row(&self, chunks: &Chunks, row: &mut [f32; FEATURES]) {
        let of_windows = chunks.windows.iter().map(|window| self.cover(window));
        row[WINDOW_COVER] = of_windows.fold(0.0, f32::max);
        let definitions = chunks.definitions.iter();
        let of_definitions = definitions.map(|definition| self.cover(&definition.chunk));
        row[DEFINITION_COVER] = of_definitions.fold(0.0, f32::max);
        let head = chunks.windows.first();
        row[HEAD] = head.map_or(0.0, |window| self.chunk_worth(window, TITLE));
    }

    /// Returns the share of the title's words that a part of a file contains; rare words weigh
    /// more.
    fn cover(&self, chunk: &Chunk) -> f32 {
        let in_title = chunk
            .terms
            .iter()
            .filter(|(number, _)| self.clues.weights[usize::from(*number)][0] > 0.0);
        let sum: f32 = in_title
            .map(|(number, count)| self.tree.rarity[usize::from(*number)] * count.min(1.0))
            .sum();
        sum / self.title_rarity().max(f32::EPSILON)
    }

    /// Returns how well a part of a file fits the title.
    pub(super) fn title_worth(&self, chunk: &Chunk) -> f32 {
        self.chunk_worth(chunk, TITLE)
    }

    /// Returns how well a part of a file fits the words.
    pub(super) fn chunk_worth(&self, chunk: &Chunk, parts: [f32; PARTS]) -> f32 {
        let length = chunk.words as f32 / CHUNK_WORDS;
        let of = |(number, count): &(u16, f32)| {
            let weights = &self.clues.weights[usize::from(*number)];
            let weight: f32 = weights
                .iter()
                .zip(parts)
                .map(|(weight, part)| asked(*weight) * part)
                .sum();
            weight * self.tree.rarity[usize::from(*number)] * saturated(*count, length)
        };
        chunk.terms.iter().map(of).sum()
    }

    /// Returns how much of the title a name contains, combined with how much of the name is in the
    /// title.
    pub(super) fn name_worth(&self, definition: &DefinitionWithWords) -> f32 {
        let in_title = |(number, count): &(u16, f32)| {
            let asked = self.clues.weights[usize::from(*number)][0] > 0.0;
            if asked {
                (
                    self.tree.rarity[usize::from(*number)] * count.min(1.0),
                    count.min(1.0),
                )
            } else {
                (0.0, 0.0)
            }
        };
        let found = definition
            .name_terms
            .iter()
            .map(in_title)
            .fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        let of_title = found.0 / self.title_rarity().max(f32::EPSILON);
        let of_name = found.1 / (definition.name_words.max(1) as f32);
        of_title.sqrt() * of_name
    }

    fn doc_worth(&self, definition: &DefinitionWithWords) -> f32 {
        let both = definition.doc_terms.iter().chain(&definition.name_terms);
        let in_title = both.filter(|(number, _)| self.clues.weights[usize::from(*number)][0] > 0.0);
        in_title
            .map(|(number, count)| self.tree.rarity[usize::from(*number)] * count.min(1.0))
            .sum()
    }
}

/// Weights of the parts of a text if only the title counts.
const TITLE: [f32; PARTS] = [1.0, 0.0, 0.0, 0.0];
/// Weights of all parts, the title most.
pub(super) const ALL: [f32; PARTS] = [2.0, 1.0, 0.7, 0.3];
/// Number of words in a window of average length.
const CHUNK_WORDS: f32 = 200.0;

impl TreeFeatures {
    fn of(clues: &Clues, catalogue: &Catalogue, paths: &[PathWords]) -> Self {
        // Rarity is measured over code: a word that is common in documents can be rare there.
        let code: Vec<&FileCounts> = catalogue
            .entries
            .iter()
            .filter(|entry| entry.is_read && is_code(entry.role))
            .collect();
        // A tree of documents alone is measured over everything.
        let code = if code.is_empty() {
            catalogue.entries.iter().collect()
        } else {
            code
        };
        let files = code.len() as f32;
        let counted = |of: &dyn Fn(&FileCounts) -> Vec<u16>, numbers: usize| {
            let mut count = vec![0.0_f32; numbers];
            code.iter()
                .flat_map(|entry| of(entry))
                .for_each(|number| count[usize::from(number)] += 1.0);
            count
        };
        // The inverse document frequency of BM25.
        let rare = |count: &f32| (1.0 + (files - count + 0.5).max(0.5) / (count + 0.5)).ln();
        let terms = counted(
            &|entry| entry.terms.iter().map(|count| count.number).collect(),
            clues.stems.len(),
        );
        let names = counted(
            &|entry| entry.names.iter().map(|count| count.number).collect(),
            clues.names.len(),
        );
        let defined = |entry: &FileCounts| {
            entry
                .names
                .iter()
                .filter(|count| count.defines > 0.0)
                .map(|count| count.number)
                .collect()
        };
        let definitions = counted(&defined, clues.names.len());
        let literals = counted(&|entry| entry.literals.clone(), clues.literals.len());
        let mean = |of: &dyn Fn(&FileCounts) -> u32| {
            (code.iter().map(|entry| of(entry) as f32).sum::<f32>() / files.max(1.0)).max(1.0)
        };
        Self {
            rarity: terms.iter().map(rare).collect(),
            path_rarity: path_rarity(clues, paths),
            definition_rarity: definitions.iter().map(rare).collect(),
            name_rarity: names.iter().map(rare).collect(),
            literal_rarity: literals.iter().map(rare).collect(),
            words: mean(&|entry| entry.words),
        }
    }
}

fn path_rarity(clues: &Clues, paths: &[PathWords]) -> Vec<f32> {
    let mut count: HashMap<&str, f32> = HashMap::new();
    for path in paths {
        let mut stems: Vec<&str> = path
            .file
            .iter()
            .chain(path.folders.iter())
            .map(String::as_str)
            .collect();
        stems.sort_unstable();
        stems.dedup();
        stems
            .into_iter()
            .for_each(|stem| *count.entry(stem).or_default() += 1.0);
    }
    let files = paths.len() as f32;
    let rare = |stem: &String| {
        (1.0 + files / (1.0 + count.get(stem.as_str()).copied().unwrap_or(0.0))).ln()
    };
    clues.stems.iter().map(rare).collect()
}

/// Returns for each stem in a path the matching stem of the text, and how close it is.
fn near_stems(clues: &Clues, paths: &[PathWords]) -> HashMap<String, (usize, f32)> {
    let mut seen: HashSet<&str> = HashSet::new();
    let all = paths
        .iter()
        .flat_map(|path| path.file.iter().chain(path.folders.iter()));
    let different = all.filter(|stem| seen.insert(stem.as_str()));
    different
        .filter_map(|stem| nearest(clues, stem).map(|near| (stem.clone(), near)))
        .collect()
}

fn nearest(clues: &Clues, stem: &str) -> Option<(usize, f32)> {
    let of = |known: &str| match known == stem {
        true => 1.0,
        false if vocabulary::is_near(known, stem) => 0.5,
        false => 0.0_f32,
    };
    let stems = clues
        .stems
        .iter()
        .enumerate()
        .map(|(number, known)| (number, of(known)));
    stems
        .max_by(|one, other| one.1.total_cmp(&other.1).then(other.0.cmp(&one.0)))
        .filter(|(_, near)| *near > 0.0)
}

const fn is_code(role: FileRole) -> bool {
    matches!(role, FileRole::Source | FileRole::Header | FileRole::Build)
}

/// The stems of folders by their paths. Many files share a folder, so each is split once.
type FolderStems<'p> = HashMap<&'p str, Rc<[String]>>;

/// The stems of a path.
struct PathWords {
    file: Vec<String>,
    folders: Rc<[String]>,
    depth: usize,
    is_index: bool,
}

/// Names of files that represent their folder.
const INDEX_NAMES: &str = "__init__ index mod lib main init package __main__";

impl PathWords {
    fn of<'p>(path: &'p str, known: &mut FolderStems<'p>) -> Self {
        let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
        // `.gitignore` has no stem before its dot.
        let stem = file
            .split_once('.')
            .map_or(file, |(stem, _)| if stem.is_empty() { file } else { stem });
        let is_index = is_in(INDEX_NAMES, stem);
        // `net/index.js` is named by its folder, so that takes the place of the file name.
        let (folders, file) = match folders.rsplit_once('/') {
            Some((above, folder)) if is_index => (above, folder),
            None if is_index && !folders.is_empty() => ("", folders),
            Some(_) | None => (folders, stem),
        };
        let stems = |text: &str| -> Vec<String> {
            name::words(text).iter().map(|word| stem_of(word)).collect()
        };
        let of_folders = known.entry(folders);
        Self {
            file: stems(file),
            folders: Rc::clone(of_folders.or_insert_with(|| stems(folders).into())),
            depth: path.matches('/').count(),
            is_index,
        }
    }
}

/// Returns the term frequency of BM25: each further occurrence counts less, and so do those in a
/// long text.
fn saturated(count: f32, length: f32) -> f32 {
    count * (SATURATION + 1.0) / (count + SATURATION * (1.0 - LENGTH + LENGTH * length))
}

/// Returns the weight of a word that a text repeats. Each repetition counts less.
fn asked(weight: f32) -> f32 {
    if weight > 0.0 {
        weight * 3.0 / (weight + 2.0)
    } else {
        0.0
    }
}

/// Divides features without a bound by their largest value.
fn normalise(rows: &mut [[f32; FEATURES]]) {
    for feature in (0..FEATURES).filter(|feature| !BOUNDED.contains(feature)) {
        let most = rows.iter().map(|row| row[feature]).fold(0.0_f32, f32::max);
        if most > 0.0 {
            rows.iter_mut().for_each(|row| row[feature] /= most);
        }
    }
}
