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

/// Bytes of a file of code whose words are counted; a larger one is data in the clothes of code.
const CODE_BYTES_MAX: u64 = 4 << 20;
/// Bytes of a file of prose or data whose words are counted.
const PROSE_BYTES_MAX: u64 = 256 << 10;
/// Bytes of text for each of its words.
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
    /// The part that it plays.
    pub role: FileRole,
    /// Whether its words were counted.
    pub is_read: bool,
    /// Its size.
    pub bytes: u64,
    /// About how many words are in it, by its bytes.
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
    /// What was covered.
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
    let begin = || Visitor {
        root: checkout.root(),
        limits,
        part: Catalogue::default(),
        tally: Tally::new(vocabulary),
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
    let listing = listing::of(checkout, limits);
    let mut whole = Catalogue::default();
    for Visitor { part, .. } in listing.each(limits, begin, see) {
        whole.scope.merge(&part.scope);
        whole.entries.extend(part.entries);
    }
    listing.told(&mut whole.scope);
    whole
        .entries
        .sort_by(|one, other| one.path.cmp(&other.path));
    whole
}

/// What one thread does.
struct Visitor<'a> {
    root: &'a Path,
    limits: &'a Limits,
    part: Catalogue,
    tally: Tally<'a>,
    /// The text of the file at hand, in memory that is used again.
    source: Vec<u8>,
}

impl Visitor<'_> {
    fn visit(&mut self, entry: &ListedFile) {
        let path = RepoPath::below(self.root, &entry.path);
        let Some(path) = path.filter(|_| entry.is_file()) else {
            return;
        };
        let role = role::of(&path);
        let most = bytes_max(role, &path).min(self.limits.file_bytes_max);
        let mut found = FileCounts {
            path,
            role,
            is_read: false,
            bytes: 0,
            words: 0,
            terms: Vec::new(),
            names: Vec::new(),
            literals: Vec::new(),
        };
        let mut source = std::mem::take(&mut self.source);
        match text::read_over(&entry.path, most, &mut source) {
            Ok(source) if !text::is_binary(source) => {
                found.bytes = source.len() as u64;
                self.part.scope.files_searched += 1;
                self.part.scope.bytes_searched += found.bytes;
                self.tally.count(source, &mut found);
            }
            read => {
                let reason = read.err().unwrap_or(SkipReason::Binary);
                found.bytes = entry.path.symlink_metadata().map_or(0, |data| data.len());
                self.part.scope.skip(reason, found.path.as_str());
            }
        }
        self.source = source;
        self.part.entries.push(found);
    }
}

/// Bytes of a file that are worth reading for its words.
fn bytes_max(role: FileRole, path: &RepoPath) -> u64 {
    if role::is_code(role, path) && languages::of_name(path.file_name()).is_some() {
        CODE_BYTES_MAX
    } else {
        PROSE_BYTES_MAX
    }
}

/// Counts of the file at hand.
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

/// The line at hand, and the name that it seems to define.
#[derive(Default)]
struct DefiningLine {
    end: usize,
    name: Option<Range<usize>>,
}

impl DefiningLine {
    /// Whether the name at a place is what its line defines. Places come in order.
    fn defines(&mut self, source: &[u8], at: usize) -> bool {
        if at >= self.end {
            let start = memchr::memrchr(b'\n', &source[..at]).map_or(0, |newline| newline + 1);
            self.end = memchr::memchr(b'\n', &source[at..]).map_or(source.len(), |rest| at + rest);
            let name = defining::defined_on(&source[start..self.end]);
            self.name = name.map(|name| start + name.start..start + name.end);
        }
        self.name.as_ref().is_some_and(|name| name.contains(&at))
    }
}

/// What was counted, by number; the counts are set back.
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
