//! One pass over the visible tree that counts the words of a text in every file.
//!
//! Takes a vocabulary. Returns for each file how often each word occurs in its text and in the
//! names that its lines seem to define, which whole names it uses and defines, and which literals
//! it contains. Ranks nothing.

use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use grounds_evidence::FileRole;
use grounds_syntax::languages;

use crate::checkout::Checkout;
use crate::defining;
use crate::limits::Limits;
use crate::listing::{self, ListedFile};
use crate::path::RepoPath;
use crate::role;
use crate::scope::{SearchScope, SkipReason};
use crate::survey::Progress;
use crate::text;
use crate::vocabulary::{MarkKind, Vocabulary, VocabularyReader};

/// Bytes of a file of code whose words are counted; a larger one is data rather than code.
const CODE_BYTES_MAX: u64 = 4 << 20;
/// Bytes of a file of prose or data whose words are counted.
const PROSE_BYTES_MAX: u64 = 256 << 10;
/// Bytes of text that count as one word.
const WORD_BYTES: usize = 8;

/// How often something is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Count {
    /// The number of the word or name in the vocabulary.
    pub number: u16,
    /// How often it occurs in the text.
    pub uses: f32,
    /// How often it occurs in names that a line seems to define.
    pub defines: f32,
}

/// What was counted in one file.
#[derive(Clone, Debug)]
pub struct FileCounts {
    /// The file.
    pub path: RepoPath,
    /// Its role.
    pub role: FileRole,
    /// Whether its words were counted.
    pub is_read: bool,
    /// Its size.
    pub bytes: u64,
    /// Approximate number of words in it, by its bytes.
    pub words: u32,
    /// The words of the vocabulary in it, by number.
    pub terms: Vec<Count>,
    /// The whole names of the vocabulary in it, by number.
    pub names: Vec<Count>,
    /// The literals of the vocabulary in it, by number.
    pub literals: Vec<u16>,
}

/// What was counted in the tree.
#[derive(Debug, Default)]
pub struct Catalogue {
    /// Every file, by path.
    pub entries: Vec<FileCounts>,
    /// What was covered, and what was skipped.
    pub scope: SearchScope,
}

/// Counts the words of a vocabulary in every visible file.
pub fn catalogue(
    checkout: &Checkout,
    vocabulary: &Vocabulary,
    limits: &Limits,
    progress: &Progress,
) -> Catalogue {
    let deadline = Instant::now() + Duration::from_millis(limits.pass_ms_max);
    let listing = listing::of(checkout, limits);
    let is_ahead = listing
        .expected()
        .is_some_and(|expected| expected.is_same(vocabulary));
    let begin = || Visitor {
        root: checkout.root(),
        limits,
        part: Catalogue::default(),
        tally: Tally::new(vocabulary),
        is_ahead,
        source: Vec::new(),
    };
    let see = |visitor: &mut Visitor<'_>, entry: &ListedFile| {
        if Instant::now() > deadline {
            let scope = &mut visitor.part.scope;
            scope.skip(SkipReason::TimeUp, "the rest of the tree");
            return ControlFlow::Break(());
        }
        visitor.visit(entry);
        progress.files.fetch_add(1, Ordering::Relaxed);
        ControlFlow::Continue(())
    };
    let mut whole = Catalogue::default();
    for Visitor { part, .. } in listing.each(limits, begin, see) {
        whole.scope.merge(&part.scope);
        whole.entries.extend(part.entries);
    }
    listing.told(&mut whole.scope);
    // The threads take the files in any order.
    whole
        .entries
        .sort_by(|one, other| one.path.cmp(&other.path));
    whole
}

/// Announces the words that a ranking of this run may need: the next pass over the tree counts them
/// in the texts that it reads. Does nothing if no list of the tree is shared.
pub fn expect(checkout: &Checkout, vocabulary: Vocabulary, limits: &Limits) {
    if checkout.shared().is_some() {
        listing::of(checkout, limits).expect(vocabulary);
    }
}

/// Counts the words of the expected ranking in the texts that another pass reads.
pub(crate) struct CountAhead<'a> {
    root: &'a Path,
    limits: &'a Limits,
    tally: Tally<'a>,
}

impl<'a> CountAhead<'a> {
    pub(crate) fn new(root: &'a Path, limits: &'a Limits, vocabulary: &'a Vocabulary) -> Self {
        let tally = Tally::new(vocabulary);
        Self {
            root,
            limits,
            tally,
        }
    }

    /// Counts the words in a file, given its whole text.
    pub(crate) fn count(&mut self, entry: &ListedFile, text: &[u8]) {
        let Some(mut found) = FileCounts::of(self.root, entry) else {
            return;
        };
        let most = found.bytes_max().min(self.limits.file_bytes_max);
        if text.len() as u64 <= most && !text::is_binary(text) {
            found.bytes = text.len() as u64;
            self.tally.count(text, &mut found);
            entry.note_counts(found);
        }
    }
}

impl FileCounts {
    /// Returns a file of which nothing is counted yet, or `None` if it is no regular file.
    fn of(root: &Path, entry: &ListedFile) -> Option<Self> {
        let path = RepoPath::below(root, &entry.path).filter(|_| entry.is_file())?;
        Some(Self {
            role: role::of(&path),
            path,
            is_read: false,
            bytes: 0,
            words: 0,
            terms: Vec::new(),
            names: Vec::new(),
            literals: Vec::new(),
        })
    }

    /// Returns the bytes up to which it is worth reading for its words.
    fn bytes_max(&self) -> u64 {
        let is_code = role::is_code(self.role, &self.path)
            && languages::of_name(self.path.file_name()).is_some();
        if is_code {
            CODE_BYTES_MAX
        } else {
            PROSE_BYTES_MAX
        }
    }
}

/// The state of one thread.
struct Visitor<'a> {
    root: &'a Path,
    limits: &'a Limits,
    part: Catalogue,
    tally: Tally<'a>,
    /// Whether an earlier pass counted the same words.
    is_ahead: bool,
    /// The text of the current file, in a reused buffer.
    source: Vec<u8>,
}

impl Visitor<'_> {
    fn visit(&mut self, entry: &ListedFile) {
        if let Some(counts) = entry.counts().filter(|_| self.is_ahead) {
            self.part.scope.files_searched += 1;
            self.part.scope.bytes_searched += counts.bytes;
            self.part.entries.push(counts.clone());
            return;
        }
        let Some(mut found) = FileCounts::of(self.root, entry) else {
            return;
        };
        let most = found.bytes_max().min(self.limits.file_bytes_max);
        let mut source = std::mem::take(&mut self.source);
        match text::read_over(&entry.path, most, &mut source) {
            Ok(source) if !text::is_binary(source) => {
                found.bytes = source.len() as u64;
                self.part.scope.files_searched += 1;
                self.part.scope.bytes_searched += found.bytes;
                self.tally.count(source, &mut found);
            }
            read => {
                // An unread file stays in the list, because a text may name it by its path.
                let reason = read.err().unwrap_or(SkipReason::Binary);
                found.bytes = entry.path.symlink_metadata().map_or(0, |data| data.len());
                self.part.scope.skip(reason, found.path.as_str());
            }
        }
        self.source = source;
        self.part.entries.push(found);
    }
}

/// Counts of the current file.
struct Tally<'v> {
    reader: VocabularyReader<'v>,
    terms: Vec<(f32, f32)>,
    names: Vec<(f32, f32)>,
}

impl<'v> Tally<'v> {
    fn new(vocabulary: &'v Vocabulary) -> Self {
        Self {
            reader: VocabularyReader::new(vocabulary),
            terms: vec![(0.0, 0.0); vocabulary.stem_count()],
            names: vec![(0.0, 0.0); vocabulary.name_count()],
        }
    }

    fn count(&mut self, source: &[u8], entry: &mut FileCounts) {
        let Self {
            reader,
            terms,
            names,
        } = self;
        let mut line = DefiningLine::default();
        reader.for_each_mark(source, |mark| {
            let (count, worth) = match mark.kind {
                MarkKind::Word(stands) => (&mut terms[usize::from(stands.term)], stands.worth),
                MarkKind::Name(number) => (&mut names[usize::from(number)], 1.0),
            };
            // The marks come in the order of the text, on which `DefiningLine` relies.
            let defines = if line.defines(source, mark.at) {
                worth
            } else {
                0.0
            };
            *count = (count.0 + worth, count.1 + defines);
        });
        entry.is_read = true;
        entry.words = u32::try_from(source.len() / WORD_BYTES).unwrap_or(u32::MAX);
        entry.literals = self.reader.vocabulary.literals_in(source);
        entry.terms = drain(&mut self.terms);
        entry.names = drain(&mut self.names);
    }
}

/// The current line, and the name that it seems to define.
#[derive(Default)]
struct DefiningLine {
    end: usize,
    name: Option<Range<usize>>,
}

impl DefiningLine {
    /// Reports whether the name at a place is defined by its line. Places come in order.
    fn defines(&mut self, source: &[u8], at: usize) -> bool {
        // A line is judged once for all of its words.
        if at >= self.end {
            let start = memchr::memrchr(b'\n', &source[..at]).map_or(0, |newline| newline + 1);
            self.end = memchr::memchr(b'\n', &source[at..]).map_or(source.len(), |rest| at + rest);
            let name = defining::defined_on(&source[start..self.end]);
            self.name = name.map(|name| start + name.start..start + name.end);
        }
        self.name.as_ref().is_some_and(|name| name.contains(&at))
    }
}

/// Returns the counts by number, and resets them.
fn drain(counts: &mut [(f32, f32)]) -> Vec<Count> {
    let seen = counts
        .iter_mut()
        .enumerate()
        .filter(|(_, count)| count.0 > 0.0);
    seen.map(|(number, count)| {
        let (uses, defines) = std::mem::take(count);
        Count {
            number: u16::try_from(number).unwrap_or(u16::MAX),
            uses,
            defines,
        }
    })
    .collect()
}
