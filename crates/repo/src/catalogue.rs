//! One pass over the visible tree that counts the words of a text in every file.
//!
//! Takes a vocabulary. Returns for each file how often each word occurs in its text and in the
//! names that its lines seem to define, which whole names it uses and defines, and which literals
//! it contains. Ranks nothing.

use std::ops::ControlFlow;
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
use crate::vocabulary::{Vocabulary, VocabularyReader, for_each_name, for_each_part};

/// Bytes of a file of code whose words are counted; a larger one is data in the clothes of code.
const CODE_BYTES_MAX: u64 = 4 << 20;
/// Bytes of a file of prose or data whose words are counted.
const PROSE_BYTES_MAX: u64 = 256 << 10;

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
    /// Words in it.
    pub words: u32,
    /// Words of the names that its lines seem to define.
    pub defined_words: u32,
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
            bytes: entry.path.symlink_metadata().map_or(0, |data| data.len()),
            words: 0,
            defined_words: 0,
            terms: Vec::new(),
            names: Vec::new(),
            literals: Vec::new(),
        };
        match text::read_whole(&entry.path, most) {
            Ok(source)
                if memchr::memchr(0, &source[..source.len().min(text::WINDOW_BYTES)]).is_none() =>
            {
                self.part.scope.files_searched += 1;
                self.part.scope.bytes_searched += source.len() as u64;
                self.tally.count(&source, &mut found);
            }
            Ok(_) => self
                .part
                .scope
                .skip(SkipReason::Binary, found.path.as_str()),
            Err(reason) => self.part.scope.skip(reason, found.path.as_str()),
        }
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
        let mut start = 0;
        while start < source.len() {
            let end = memchr::memchr(b'\n', &source[start..])
                .map_or(source.len(), |length| start + length);
            self.count_line(&source[start..end], entry);
            start = end + 1;
        }
        entry.is_read = true;
        entry.literals = self.reader.vocabulary.literals_in(source);
        entry.terms = drain(&mut self.terms);
        entry.names = drain(&mut self.names);
    }

    fn count_line(&mut self, line: &[u8], entry: &mut FileCounts) {
        let defined = defining::defined_on(line);
        for_each_name(line, |at, name| {
            let defines = defined.as_ref().is_some_and(|range| range.start == at);
            let add = f32::from(u8::from(defines));
            if let Some(number) = self.reader.vocabulary.name(name) {
                let count = &mut self.names[usize::from(number)];
                *count = (count.0 + 1.0, count.1 + add);
            }
            let mut words = 0;
            for_each_part(name, |part| {
                words += 1;
                if let Some(stands) = self.reader.term(part) {
                    let count = &mut self.terms[usize::from(stands.term)];
                    *count = (count.0 + stands.worth, count.1 + add * stands.worth);
                }
            });
            entry.words += words;
            entry.defined_words += if defines { words } else { 0 };
        });
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
