//! Ranks the files, functions and spans of a tree that a text points at, each with the reasons. The
//! text may have three words or many pages.
//!
//! Takes a checkout and the text. Returns leads: a ranking is not a proof, so none of it is
//! evidence. Clues are read from the text, one pass counts them in every file, the files with the
//! best lines are parsed, and a fitted sum of features orders them.

mod bridge;
pub mod clues;
pub mod features;
mod investigation;
pub(crate) mod jargon;
pub mod mentions;
pub mod parts;
mod places;
mod pointed;
mod reasons;
mod share;
mod weights;

use grounds_evidence::FileRole;
use grounds_repo::catalogue::{self, Catalogue};
use grounds_repo::checkout::Checkout;
use grounds_repo::chunks::{self, Chunks};
use grounds_repo::limits::Limits;
use grounds_repo::path::RepoPath;
use grounds_repo::scope::{SearchScope, SkipReason};
use grounds_repo::survey::Progress;
use grounds_repo::vocabulary::Vocabulary;

pub(crate) use investigation::{TOOL, leads_with_lines};
pub use investigation::{Text, investigate_text, leads_of};

use clues::Clues;
use features::{FEATURES, Features};

/// Maximum number of files whose lines are read and ranked.
pub const CANDIDATES_MAX: usize = 100;
/// Maximum number of candidates of a short text whose definitions are read: the first ones of the
/// ranking by their lines.
const PARSED_FILES_MAX: usize = 24;
/// Maximum number of files in a ranking.
pub const FILES_MAX: usize = 50;
/// Maximum number of spans of one file in a ranking.
pub const SPANS_MAX: usize = 3;

/// The files of a tree in the order in which a text points at them.
#[derive(Clone, Debug, Default)]
pub struct FileRanking {
    /// The files, best first.
    pub files: Vec<RankedFile>,
    /// What was read.
    pub scope: SearchScope,
    /// The bounds that were reached, by name.
    pub bounds: Vec<&'static str>,
    /// The share of such rankings with a right file among the first three; `None` for a report.
    pub right_share: Option<f64>,
}

/// A file with its places.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedFile {
    /// The file.
    pub path: RepoPath,
    /// Its role in the tree.
    pub role: FileRole,
    /// Its score; comparable within one ranking only.
    pub worth: f64,
    /// Whether the text points at it by path, trace, definition or message, and not by words alone.
    pub is_named: bool,
    /// Number of different words of the text that it contains.
    pub words: usize,
    /// The reasons, the weightiest first.
    pub why: Vec<String>,
    /// Its functions and lines, best first.
    pub spans: Vec<RankedSpan>,
}

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedSpan {
    /// The name of the definition with its containers; empty for lines.
    pub name: String,
    /// The first line, counted from 1.
    pub line_start: u32,
    /// The last line.
    pub line_end: u32,
}

/// Ranks the files of a checkout for a text.
pub fn rank(checkout: &Checkout, text: &str, limits: &Limits) -> FileRanking {
    rank_clues(checkout, &clues::read(text), limits, &Progress::default())
}

/// Makes the next pass over a checkout count the words of a text that may be ranked after it.
pub(crate) fn expect(checkout: &Checkout, text: &str, limits: &Limits) {
    catalogue::expect(checkout, vocabulary_of(&clues::read(text)), limits);
}

fn vocabulary_of(clues: &Clues) -> Vocabulary {
    let names: Vec<String> = clues.names.iter().map(|name| name.text.clone()).collect();
    Vocabulary::new(clues.stems.clone(), &names, &clues.literals)
}

/// Ranks the files of a checkout for the clues of a text.
fn rank_clues(
    checkout: &Checkout,
    clues: &Clues,
    limits: &Limits,
    progress: &Progress,
) -> FileRanking {
    let ranked = rank_with(checkout, clues, limits, progress);
    let files = ranked.order().into_iter().take(FILES_MAX);
    let files = files.map(|number| ranked.file(clues, number)).collect();
    let right_share = clues.is_short.then(|| ranked.right_share(clues));
    let mut bounds = clues.bounds.clone();
    bounds.extend(ranked.bounds());
    FileRanking {
        files,
        scope: ranked.catalogue.scope,
        bounds,
        right_share,
    }
}

impl FileRanking {
    /// Returns the first files, whose places are shown. Their places are parsed, also if lines
    /// ordered them.
    pub(crate) fn shown(&self, checkout: &Checkout, limits: &Limits, most: usize) -> Self {
        let files = self.files.iter().take(most);
        let is_by_lines = self.right_share.is_some();
        let parsed = |file: &RankedFile| match is_by_lines {
            true => file.parsed(checkout, limits),
            false => file.clone(),
        };
        Self {
            files: files.map(parsed).collect(),
            ..self.clone()
        }
    }
}

impl RankedFile {
    /// Returns the file with its places as a parse has them. A name that the parse does not have is
    /// removed.
    fn parsed(&self, checkout: &Checkout, limits: &Limits) -> Self {
        let mut parsed = self.clone();
        let last = |name: &str| name.rsplit("::").next().unwrap_or_default().to_owned();
        let wanted = self.spans.iter();
        let wanted: Vec<(u32, String)> = wanted
            .map(|span| (span.line_start, last(&span.name)))
            .collect();
        if wanted.iter().all(|(_, name)| name.is_empty()) {
            return parsed;
        }
        let found = chunks::definitions_at(checkout, &self.path, &wanted, limits);
        for ((span, (_, name)), found) in parsed.spans.iter_mut().zip(wanted).zip(found) {
            let Some(mut found) = found else {
                span.name.clear();
                continue;
            };
            found.containers.push(name);
            *span = RankedSpan {
                name: found.containers.join("::"),
                line_start: found.line_start,
                line_end: found.line_end,
            };
        }
        parsed
    }
}

/// Everything known about the candidates.
pub struct Ranked {
    catalogue: Catalogue,
    candidates: Vec<usize>,
    /// The features of the candidates.
    pub features: Vec<[f32; FEATURES]>,
    spans: Vec<Vec<RankedSpan>>,
    worths: Vec<f64>,
    left_out: usize,
}

impl std::fmt::Debug for Ranked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ranked")
            .field("candidates", &self.candidates.len())
            .finish_non_exhaustive()
    }
}

/// Ranks with everything known about the candidates, for measurements.
pub fn rank_with(
    checkout: &Checkout,
    clues: &Clues,
    limits: &Limits,
    progress: &Progress,
) -> Ranked {
    let vocabulary = vocabulary_of(clues);
    let mut catalogue = catalogue::catalogue(checkout, &vocabulary, limits, progress);
    catalogue
        .entries
        // The text contains all of its own words, so its file would come first.
        .retain(|entry| clues.own_file.as_ref() != Some(&entry.path));
    let (candidates, rows, spans, scope, left_out) = {
        let features = Features::of(clues, &catalogue);
        let (candidates, left_out) = candidates(&features);
        let of = |&number: &usize| {
            (
                &catalogue.entries[number].path,
                catalogue.entries[number].bytes,
            )
        };
        let paths: Vec<(&RepoPath, u64)> = candidates.iter().map(of).collect();
        let (mut parsed, mut scope) = chunks::windows(checkout, &paths, &vocabulary, limits);
        let likely = likely(&features, clues, &candidates, &parsed);
        // A parse of every candidate is too slow for a question, so lines and margins show the
        // definitions. Only the places that are shown are parsed later.
        let add = if clues.is_short {
            chunks::outline
        } else {
            chunks::define
        };
        let read = add(checkout, &paths, &likely, &vocabulary, limits, &mut parsed);
        scope.merge(&read);
        let bridges = if clues.is_short {
            let files: Vec<&RepoPath> = paths.iter().map(|(path, _)| *path).collect();
            bridge::of(checkout, &features, &files, &parsed, limits)
        } else {
            Vec::new()
        };
        let rows = features.rows(&candidates, &parsed, &bridges);
        let spans = |(&number, parsed): (&usize, &Option<Chunks>)| {
            places::of_file(clues, &features, number, parsed.as_ref())
        };
        let spans: Vec<Vec<RankedSpan>> = candidates.iter().zip(&parsed).map(spans).collect();
        (candidates, rows, spans, scope, left_out)
    };
    catalogue.scope.merge(&scope);
    let weights = weights::last(clues.is_short, clues.is_question);
    let worths = rows
        .iter()
        .map(|row| weights::worth(weights, row))
        .collect();
    Ranked {
        candidates,
        features: rows,
        spans,
        worths,
        catalogue,
        left_out,
    }
}

/// Returns the files that are worth reading, best first, and the number of those that were left
/// out.
fn candidates(features: &Features<'_>) -> (Vec<usize>, usize) {
    let rows = features
        .first_rows()
        .iter()
        .enumerate()
        .filter(|(number, _)| features.is_pointed_at(*number));
    let mut worths: Vec<(f64, usize)> = rows
        .map(|(number, row)| (weights::worth(&weights::FIRST, row), number))
        .collect();
    // Files of the same worth keep the order of the tree, so that a ranking is reproducible.
    worths.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    let left_out = worths.len().saturating_sub(CANDIDATES_MAX);
    (
        worths
            .into_iter()
            .take(CANDIDATES_MAX)
            .map(|(_, number)| number)
            .collect(),
        left_out,
    )
}

/// Returns the candidates whose definitions are read: for a short text those that its words put
/// first, for a report all.
fn likely(
    features: &Features<'_>,
    clues: &Clues,
    candidates: &[usize],
    windows: &[Option<Chunks>],
) -> Vec<usize> {
    let mut likely: Vec<usize> = (0..candidates.len()).collect();
    if clues.is_short {
        let weights = weights::last(clues.is_short, clues.is_question);
        let rows = features.rows(candidates, windows, &[]);
        let worths: Vec<f64> = rows
            .iter()
            .map(|row| weights::worth(weights, row))
            .collect();
        likely.sort_by(|&one, &other| worths[other].total_cmp(&worths[one]));
        likely.truncate(PARSED_FILES_MAX);
    }
    likely
}

impl Ranked {
    /// Returns the numbers of the candidates, best first.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.candidates.len()).collect();
        order.sort_by(|&one, &other| {
            self.worths[other]
                .total_cmp(&self.worths[one])
                .then(self.path(one).cmp(self.path(other)))
        });
        order
    }

    /// Returns the path of a candidate.
    pub fn path(&self, number: usize) -> &RepoPath {
        &self.catalogue.entries[self.candidates[number]].path
    }

    /// Returns the share of such rankings with a right file among the first three.
    pub fn right_share(&self, clues: &Clues) -> f64 {
        let order = self.order();
        let worths: Vec<f64> = order.iter().map(|&number| self.worths[number]).collect();
        let rows: Vec<&[f32; FEATURES]> =
            order.iter().map(|&number| &self.features[number]).collect();
        share::of(&worths, &rows, clues.words())
    }

    fn file(&self, clues: &Clues, number: usize) -> RankedFile {
        let entry = &self.catalogue.entries[self.candidates[number]];
        RankedFile {
            path: entry.path.clone(),
            role: entry.role,
            worth: self.worths[number],
            is_named: reasons::is_named(&self.features[number]),
            words: clues.own(&entry.terms),
            why: reasons::of(clues, entry, &self.features[number]),
            spans: self.spans[number].clone(),
        }
    }

    fn bounds(&self) -> Vec<&'static str> {
        let skipped = |reason: SkipReason| self.catalogue.scope.skipped.contains_key(&reason);
        let reached = [
            (self.left_out > 0, "candidate_files_max"),
            (skipped(SkipReason::ParseBytes), "parse_bytes_max"),
            (skipped(SkipReason::TimeUp), "pass_ms_max"),
        ];
        reached
            .into_iter()
            .filter(|(is_reached, _)| *is_reached)
            .map(|(_, name)| name)
            .collect()
    }
}

#[cfg(test)]
mod tests;
