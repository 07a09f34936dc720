//! The definitions and windows of some files, with the words of a vocabulary in each.
//!
//! Takes files in the order of their importance, and parses them up to a limit of bytes. Ranks
//! nothing.

mod at;
mod by_lines;

use std::ops::Range;
use std::time::{Duration, Instant};

use grounds_evidence::SymbolKind;
use grounds_syntax::{Label, Parser, doc_line, languages};

use crate::checkout::Checkout;
use crate::limits::Limits;
use crate::path::RepoPath;
use crate::scope::{SearchScope, SkipReason};
use crate::vocabulary::{MarkKind, Vocabulary, VocabularyReader, count_words};
use crate::{text, threads};
pub use at::{ParsedDefinition, definitions_at};
use by_lines::FoundDefinition;

/// Lines of a window.
const WINDOW_LINES: usize = 40;
/// Lines from the start of a window to the start of the next.
const WINDOW_STEP_LINES: usize = 20;
/// Definitions of one file that are read.
const DEFINITIONS_MAX: usize = 5_000;
/// Windows of one file that are read.
const WINDOWS_MAX: usize = 5_000;
/// Bytes of a text that is kept until its definitions are searched.
const KEPT_BYTES_MAX: usize = 256 << 10;
/// Milliseconds that one parse may take.
const PARSE_MS_MAX: u64 = 2_000;

/// A part of a file with the words in it.
#[derive(Clone, Debug, Default)]
pub struct Chunk {
    /// The first line, counted from 1.
    pub line_start: u32,
    /// The last line.
    pub line_end: u32,
    /// The words of the vocabulary in it, by number, with their counts.
    pub terms: Vec<(u16, f32)>,
    /// Words in it; 0 if no word of the vocabulary is among them.
    pub words: u32,
}

/// A definition with the words in it.
#[derive(Clone, Debug)]
pub struct DefinitionWithWords {
    /// Its text.
    pub chunk: Chunk,
    /// Its name.
    pub name: String,
    /// The names of what encloses it, outermost first.
    pub containers: Vec<String>,
    /// Its kind; `None` if the syntax does not say.
    pub kind: Option<SymbolKind>,
    /// The words of the vocabulary in its name.
    pub name_terms: Vec<(u16, f32)>,
    /// Words in its name.
    pub name_words: u32,
    /// The words of the vocabulary in its line of documentation.
    pub doc_terms: Vec<(u16, f32)>,
}

/// The parts of one file.
#[derive(Clone, Debug, Default)]
pub struct Chunks {
    /// What it defines, in order.
    pub definitions: Vec<DefinitionWithWords>,
    /// Overlapping windows over its lines.
    pub windows: Vec<Chunk>,
    /// Its text; `None` if it was too long to be kept.
    text: Option<SplitText>,
}

impl Chunks {
    /// Returns its text, if it was short enough to be kept.
    pub fn source(&self) -> Option<&[u8]> {
        self.text.as_ref().map(|text| text.source.as_slice())
    }
}

/// The text of a file with its words and lines.
#[derive(Clone, Debug)]
struct SplitText {
    source: Vec<u8>,
    words: WordPlaces,
    /// Where its lines start.
    lines: Vec<usize>,
}

/// Returns the windows of files, in the order given; `None` for a file past a limit or without
/// text.
pub fn windows(
    checkout: &Checkout,
    paths: &[(&RepoPath, u64)],
    vocabulary: &Vocabulary,
    limits: &Limits,
) -> (Vec<Option<Chunks>>, SearchScope) {
    let mut scope = SearchScope::default();
    let mut bytes = 0;
    // The files are in the order of their importance, so the first one past the limit ends the
    // list.
    let within = paths.iter().take_while(|(_, size)| {
        bytes += size;
        bytes <= limits.parse_bytes_max
    });
    let within = within.count();
    paths[within..]
        .iter()
        .for_each(|(path, _)| scope.skip(SkipReason::ParseBytes, path.as_str()));
    let wanted: Vec<usize> = (0..within).collect();
    let mut found: Vec<Option<Chunks>> = vec![None; paths.len()];
    let read = |splitter: &mut Splitter<'_>, number: usize| {
        let text = splitter.split(text_of(checkout, paths[number].0, limits)?);
        Some(Chunks {
            definitions: Vec::new(),
            windows: windows_in(&text),
            // A short text is kept, because `outline` searches it for definitions afterwards.
            text: (text.source.len() <= KEPT_BYTES_MAX).then_some(text),
        })
    };
    for (number, chunks) in over_files(&wanted, vocabulary, limits, &mut scope, &read) {
        found[number] = chunks;
    }
    (found, scope)
}

/// Adds the definitions of some files that their lines seem to contain, without a parse.
pub fn outline(
    checkout: &Checkout,
    paths: &[(&RepoPath, u64)],
    chosen: &[usize],
    vocabulary: &Vocabulary,
    limits: &Limits,
    found: &mut [Option<Chunks>],
) -> SearchScope {
    let read = |splitter: &mut Splitter<'_>, number: usize| {
        let path = paths[number].0;
        // Prose and data have lines that look like definitions.
        languages::of_name(path.file_name())?;
        let known = found[number].as_ref()?.text.as_ref();
        if let Some(text) = known {
            return Some(splitter.definitions_by_lines(text));
        }
        let text = splitter.split(text_of(checkout, path, limits)?);
        Some(splitter.definitions_by_lines(&text))
    };
    let mut scope = SearchScope::default();
    let read = over_files(chosen, vocabulary, limits, &mut scope, &read);
    add(read, found);
    scope
}

/// Adds the definitions that contain words of the vocabulary to what is known of some files.
pub fn define(
    checkout: &Checkout,
    paths: &[(&RepoPath, u64)],
    chosen: &[usize],
    vocabulary: &Vocabulary,
    limits: &Limits,
    found: &mut [Option<Chunks>],
) -> SearchScope {
    let read = |splitter: &mut Splitter<'_>, number: usize| {
        let path = paths[number].0;
        Some(splitter.definitions(&text_of(checkout, path, limits)?, path))
    };
    let mut scope = SearchScope::default();
    add(
        over_files(chosen, vocabulary, limits, &mut scope, &read),
        found,
    );
    scope
}

/// Adds what was read of some files to what is known of them.
fn add(read: Vec<(usize, Option<Vec<DefinitionWithWords>>)>, found: &mut [Option<Chunks>]) {
    for (number, definitions) in read {
        if let (Some(chunks), Some(definitions)) = (&mut found[number], definitions) {
            chunks.definitions = definitions;
        }
    }
}

/// Reads one file, by its number.
type ChunkFile<'r, T> = &'r (dyn Fn(&mut Splitter<'_>, usize) -> Option<T> + Sync);

/// Reads some files with several threads, up to the time limit.
fn over_files<T: Send>(
    numbers: &[usize],
    vocabulary: &Vocabulary,
    limits: &Limits,
    scope: &mut SearchScope,
    read: ChunkFile<'_, T>,
) -> Vec<(usize, Option<T>)> {
    let deadline = Instant::now() + Duration::from_millis(limits.pass_ms_max);
    let splitter = || Splitter {
        parser: Parser::default(),
        reader: VocabularyReader::new(vocabulary),
    };
    let in_time = |splitter: &mut Splitter<'_>, &number: &usize| {
        (Instant::now() < deadline).then(|| (number, read(splitter, number)))
    };
    let done = threads::each(numbers, limits.threads, splitter, in_time);
    let done: Vec<(usize, Option<T>)> = done.into_iter().flatten().collect();
    if done.len() < numbers.len() {
        scope.skip(
            SkipReason::TimeUp,
            "the rest of the files that were to be parsed",
        );
    }
    done
}

fn text_of(checkout: &Checkout, path: &RepoPath, limits: &Limits) -> Option<Vec<u8>> {
    let path = checkout.root().join(path.as_path());
    text::read_whole(&path, limits.parse_file_bytes_max).ok()
}

struct Splitter<'v> {
    parser: Parser,
    reader: VocabularyReader<'v>,
}

/// The words of a vocabulary in a file: the byte, the number of the stem, and its weight.
type WordPlaces = Vec<(usize, u16, f32)>;

impl Splitter<'_> {
    fn split(&mut self, source: Vec<u8>) -> SplitText {
        SplitText {
            words: self.words(&source),
            lines: lines_of(&source),
            source,
        }
    }

    fn words(&mut self, source: &[u8]) -> WordPlaces {
        let mut words = WordPlaces::new();
        self.reader.for_each_mark(source, |mark| {
            if let MarkKind::Word(stands) = mark.kind {
                words.push((mark.at, stands.term, stands.worth));
            }
        });
        words
    }

    /// Returns the definitions that the lines seem to contain.
    fn definitions_by_lines(&mut self, text: &SplitText) -> Vec<DefinitionWithWords> {
        let SplitText {
            source,
            words,
            lines,
        } = text;
        let found = by_lines::definitions(source, lines, DEFINITIONS_MAX);
        let definition = |found| self.definition(source, found, words, lines);
        found.into_iter().map(definition).collect()
    }

    /// Returns the definitions that contain words. Only the items around these are parsed.
    fn definitions(&mut self, source: &[u8], path: &RepoPath) -> Vec<DefinitionWithWords> {
        let Some(language) = languages::of_file(path.file_name(), source) else {
            return Vec::new();
        };
        let (words, lines) = (self.words(source), lines_of(source));
        let mut places: Vec<Range<usize>> = words.iter().map(|(at, ..)| *at..*at + 1).collect();
        places.dedup();
        let deadline = Instant::now() + Duration::from_millis(PARSE_MS_MAX);
        let is_late = || Instant::now() > deadline;
        let Ok(parse) = self
            .parser
            .parse_around(language, source, &places, &is_late)
        else {
            return Vec::new();
        };
        let found = parse.definitions(DEFINITIONS_MAX);
        let definition = |(name, label): (Range<usize>, Label)| {
            let found = FoundDefinition {
                name,
                item: label.item,
                containers: label.containers,
                kind: label.kind,
            };
            self.definition(source, found, &words, &lines)
        };
        found.into_iter().map(definition).collect()
    }

    fn definition(
        &mut self,
        source: &[u8],
        found: FoundDefinition,
        words: &WordPlaces,
        lines: &[usize],
    ) -> DefinitionWithWords {
        let name = source.get(found.name).unwrap_or_default();
        let doc = doc_line(source, &found.item).unwrap_or_default();
        let text = source.get(found.item.clone()).unwrap_or_default();
        DefinitionWithWords {
            chunk: chunk(words, lines, found.item, || count_words(text)),
            name: String::from_utf8_lossy(name).into_owned(),
            containers: found.containers,
            kind: found.kind,
            name_terms: self.terms_of(name),
            name_words: count_words(name),
            doc_terms: self.terms_of(doc.as_bytes()),
        }
    }

    fn terms_of(&mut self, text: &[u8]) -> Vec<(u16, f32)> {
        let words = self.words(text);
        summed(words.iter().map(|(_, term, worth)| (*term, *worth)))
    }
}

/// Returns how many bytes precede the first letter of a line.
fn margin(line: &[u8]) -> usize {
    line.iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count()
}

/// Returns where the lines start.
fn lines_of(source: &[u8]) -> Vec<usize> {
    std::iter::once(0)
        .chain(memchr::memchr_iter(b'\n', source).map(|newline| newline + 1))
        .collect()
}

fn windows_in(text: &SplitText) -> Vec<Chunk> {
    let SplitText {
        source,
        words,
        lines,
    } = text;
    let start = |line: usize| lines.get(line).copied().unwrap_or(source.len());
    let steps = lines.len().div_ceil(WINDOW_STEP_LINES);
    // Windows overlap, and the words of each step are counted once.
    let mut counts: Vec<Option<u32>> = vec![None; steps + 1];
    let mut count = |step: usize| {
        let first = step * WINDOW_STEP_LINES;
        let range = start(first)..start(first + WINDOW_STEP_LINES);
        *counts[step].get_or_insert_with(|| count_words(&source[range]))
    };
    let is_last = |step: usize| (step + 1) * WINDOW_STEP_LINES >= lines.len();
    let window = |step: usize| {
        let first = step * WINDOW_STEP_LINES;
        let range = start(first)..start(first + WINDOW_LINES);
        chunk(words, lines, range, || count(step) + count(step + 1))
    };
    // The last step alone is the second half of the window before it.
    let steps = (0..steps.min(WINDOWS_MAX)).filter(|&step| step == 0 || !is_last(step));
    steps.map(window).collect()
}

/// Returns a part of a text. Its words are counted only if some are of the vocabulary.
fn chunk(
    words: &WordPlaces,
    lines: &[usize],
    range: Range<usize>,
    count: impl FnOnce() -> u32,
) -> Chunk {
    let line_of = |offset: usize| {
        u32::try_from(lines.partition_point(|&start| start <= offset)).unwrap_or(u32::MAX)
    };
    let first = words.partition_point(|(at, _, _)| *at < range.start);
    let last = words.partition_point(|(at, _, _)| *at < range.end);
    let terms = words[first..last].iter();
    Chunk {
        line_start: line_of(range.start),
        line_end: line_of(range.end.max(range.start + 1) - 1),
        terms: summed(terms.map(|(_, term, worth)| (*term, *worth))),
        words: if first < last { count() } else { 0 },
    }
}

/// Returns the sum for each number, in the order of the numbers.
fn summed(counts: impl Iterator<Item = (u16, f32)>) -> Vec<(u16, f32)> {
    let mut all: Vec<(u16, f32)> = counts.collect();
    all.sort_by_key(|one| one.0);
    all.dedup_by(|later, kept| {
        let same = later.0 == kept.0;
        kept.1 += if same { later.1 } else { 0.0 };
        same
    });
    all
}
