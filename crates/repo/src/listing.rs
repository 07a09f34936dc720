//! The visible entries of a tree, listed once for all passes of one run.
//!
//! Takes a checkout and returns its entries. The walk is ripgrep's own, and an entry is listed
//! before any file is read. Reads no file itself.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use ignore::{DirEntry, WalkState};

use crate::catalogue::FileCounts;
use crate::checkout::Checkout;
use crate::kept::{self, WalkNotes};
use crate::limits::Limits;
use crate::needles::Needles;
use crate::path::RepoPath;
use crate::scope::{SearchScope, SkipReason};
use crate::survey;
use crate::vocabulary::Vocabulary;

/// Entries that a thread takes at once.
const TAKEN: usize = 32;

/// The kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link, which is never followed.
    Link,
    /// A pipe, a socket or a device.
    Special,
}

/// One entry of a tree.
#[derive(Debug)]
pub struct ListedFile {
    /// Its path, which begins with that of the checkout.
    pub path: PathBuf,
    /// What it is.
    pub kind: EntryKind,
    /// How many folders below the checkout it is; the checkout itself is 0.
    pub depth: usize,
    /// Bytes of its text; unset until a pass has read it.
    read: OnceLock<u64>,
    /// A bit for each pass that found none of its needles in it.
    lacks: AtomicU32,
    /// The counts of the expected ranking; unset until a pass that had its text counted them.
    counts: OnceLock<FileCounts>,
}

/// One pass among those of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pass {
    /// Its own bit; 0 if nothing more can be noted.
    own: u32,
    /// The bits of earlier passes that searched for all of its needles.
    known: u32,
}

/// The needles that a pass of this run has searched for.
#[derive(Debug)]
struct LookedFor {
    file_bytes_max: u64,
    needles: BTreeSet<String>,
}

/// The entries of a tree.
#[derive(Debug, Default)]
pub struct Listing {
    /// Without order, because several threads list them.
    pub entries: Vec<ListedFile>,
    /// Paths of folders that could not be listed.
    unreadable: Vec<String>,
    /// Whether the time was up before the end.
    is_cut: bool,
    passes: Mutex<Vec<LookedFor>>,
    /// The words of a ranking that this run may need: a pass that reads a file counts them too.
    expected: OnceLock<Vocabulary>,
}

/// The listing that the passes of one run share.
#[derive(Debug, Default)]
pub(crate) struct SharedListing(OnceLock<Arc<Listing>>);

/// Returns the visible part of a checkout: as the run has listed it already, as it is kept and
/// still true, or listed now.
pub fn of(checkout: &Checkout, limits: &Limits) -> Arc<Listing> {
    let tree = (checkout.root(), checkout.is_guarded());
    let list = || kept::listing(tree, limits, |notes| Listing::new(checkout, limits, notes));
    match checkout.shared() {
        Some(shared) => Arc::clone(shared.0.get_or_init(list)),
        None => list(),
    }
}

impl ListedFile {
    pub(crate) fn of(entry: DirEntry) -> Option<Self> {
        let kind = entry.file_type()?;
        let kind = match () {
            () if kind.is_file() => EntryKind::File,
            () if kind.is_dir() => EntryKind::Folder,
            () if kind.is_symlink() => EntryKind::Link,
            () => EntryKind::Special,
        };
        Some(Self {
            depth: entry.depth(),
            path: entry.into_path(),
            kind,
            read: OnceLock::new(),
            lacks: AtomicU32::new(0),
            counts: OnceLock::new(),
        })
    }

    /// Returns the counts of the expected ranking, if a pass made them.
    pub(crate) fn counts(&self) -> Option<&FileCounts> {
        self.counts.get()
    }

    /// Notes the counts of the expected ranking.
    pub(crate) fn note_counts(&self, counts: FileCounts) {
        let _ = self.counts.set(counts);
    }

    /// Returns the size of a file that an earlier pass has shown to contain none of the needles of
    /// this pass.
    pub(crate) fn lacking(&self, pass: Pass) -> Option<u64> {
        // `note_lacking` sets the size before the bit, so with the bit the size is known.
        let is_shown = self.lacks.load(Ordering::Acquire) & pass.known != 0;
        self.read.get().copied().filter(|_| is_shown)
    }

    /// Notes that a pass has read it and found nothing.
    pub(crate) fn note_lacking(&self, pass: Pass, bytes: u64) {
        let _ = self.read.set(bytes);
        self.lacks.fetch_or(pass.own, Ordering::Release);
    }

    /// Reports whether it is a regular file.
    pub fn is_file(&self) -> bool {
        self.kind == EntryKind::File
    }
}

impl Listing {
    pub(crate) fn new(checkout: &Checkout, limits: &Limits, notes: Option<Arc<WalkNotes>>) -> Self {
        let deadline = Instant::now() + Duration::from_millis(limits.pass_ms_max);
        let done: Mutex<Self> = Mutex::default();
        let walker = survey::noted_walker(checkout, limits, notes);
        walker.build_parallel().run(|| {
            // The walker returns nothing, so a thread hands over its part when it drops its
            // closure.
            let mut mine = OnDrop(Self::default(), &done);
            Box::new(move |entry| {
                if Instant::now() > deadline {
                    mine.0.is_cut = true;
                    return WalkState::Quit;
                }
                match entry {
                    Ok(entry) => mine.0.entries.extend(ListedFile::of(entry)),
                    Err(error) => {
                        let path = survey::path_of_error(checkout.root(), &error);
                        mine.0.unreadable.push(path);
                    }
                }
                WalkState::Continue
            })
        });
        done.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reports whether nothing of the tree is missing in it.
    pub(crate) fn is_whole(&self) -> bool {
        !self.is_cut && self.unreadable.is_empty()
    }

    /// Forgets what the passes of a run have noted.
    pub(crate) fn forget_passes(&mut self) {
        for entry in &mut self.entries {
            entry.read = OnceLock::new();
            entry.lacks = AtomicU32::new(0);
            entry.counts = OnceLock::new();
        }
        self.passes = Mutex::default();
        self.expected = OnceLock::new();
    }

    /// Returns the same list without the notes of any pass.
    pub(crate) fn anew(&self) -> Self {
        let entry = |entry: &ListedFile| ListedFile {
            path: entry.path.clone(),
            kind: entry.kind,
            depth: entry.depth,
            read: OnceLock::new(),
            lacks: AtomicU32::new(0),
            counts: OnceLock::new(),
        };
        Self {
            entries: self.entries.iter().map(entry).collect(),
            unreadable: self.unreadable.clone(),
            is_cut: self.is_cut,
            passes: Mutex::default(),
            expected: OnceLock::new(),
        }
    }

    /// Makes the next pass count the words of a ranking that this run may need.
    pub(crate) fn expect(&self, vocabulary: Vocabulary) {
        let _ = self.expected.set(vocabulary);
    }

    /// Returns the words of the expected ranking.
    pub(crate) fn expected(&self) -> Option<&Vocabulary> {
        self.expected.get()
    }

    /// Begins a pass. What an earlier one did not find need not be searched again in the same run.
    pub(crate) fn begin_pass(&self, needles: &Needles, limits: &Limits) -> Pass {
        let texts = needles.all().iter().map(|needle| needle.text.clone());
        let looked = LookedFor {
            file_bytes_max: limits.file_bytes_max,
            needles: texts.collect(),
        };
        let mut passes = self.passes.lock().unwrap_or_else(PoisonError::into_inner);
        let covers = |earlier: &LookedFor| {
            // With another bound, an earlier pass skipped other files.
            earlier.file_bytes_max == looked.file_bytes_max
                && looked.needles.is_subset(&earlier.needles)
        };
        // After 32 passes there is no bit left, and nothing more is noted.
        let bit = |number: usize| {
            u32::try_from(number)
                .ok()
                .and_then(|at| 1_u32.checked_shl(at))
        };
        let known = (passes.iter().enumerate())
            .filter(|(_, earlier)| covers(earlier))
            .filter_map(|(number, _)| bit(number));
        let pass = Pass {
            known: known.fold(0, |all, bit| all | bit),
            own: bit(passes.len()).unwrap_or(0),
        };
        passes.push(looked);
        pass
    }

    /// Adds what is missing in the list itself to the scope of a pass.
    pub(crate) fn told(&self, scope: &mut SearchScope) {
        for path in &self.unreadable {
            scope.skip(SkipReason::Unreadable, path);
        }
        if self.is_cut {
            scope.skip(SkipReason::TimeUp, "the rest of the tree");
        }
    }

    /// Returns the regular files, as paths of the checkout.
    pub fn files<'l>(
        &'l self,
        checkout: &'l Checkout,
    ) -> impl Iterator<Item = (RepoPath, &'l ListedFile)> {
        let files = self.entries.iter().filter(|entry| entry.is_file());
        files.filter_map(|entry| Some((RepoPath::below(checkout.root(), &entry.path)?, entry)))
    }

    /// Shows every entry to one of several threads and returns the results of the threads, each of
    /// which begins with a value of its own. A thread that breaks off ends all.
    pub fn each<T: Send>(
        &self,
        limits: &Limits,
        begin: impl Fn() -> T + Sync,
        see: impl Fn(&mut T, &ListedFile) -> ControlFlow<()> + Sync,
    ) -> Vec<T> {
        let (next, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
        let work = || {
            let mut mine = begin();
            while !is_over.load(Ordering::Relaxed) {
                let at = next
                    .fetch_add(TAKEN, Ordering::Relaxed)
                    .min(self.entries.len());
                let taken = &self.entries[at..self.entries.len().min(at + TAKEN)];
                if taken.is_empty() {
                    break;
                }
                if taken.iter().any(|entry| see(&mut mine, entry).is_break()) {
                    is_over.store(true, Ordering::Relaxed);
                }
            }
            mine
        };
        let threads = limits.threads.clamp(1, self.entries.len() / TAKEN + 1);
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            // This thread works too: a short list starts no other.
            let mut all = vec![work()];
            for other in others {
                match other.join() {
                    Ok(one) => all.push(one),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            all
        })
    }
}

/// Hands over what a thread has listed when it ends.
struct OnDrop<'d>(Listing, &'d Mutex<Listing>);

impl Drop for OnDrop<'_> {
    fn drop(&mut self) {
        let mut all = self.1.lock().unwrap_or_else(PoisonError::into_inner);
        all.entries.append(&mut self.0.entries);
        all.unreadable.append(&mut self.0.unreadable);
        all.is_cut |= self.0.is_cut;
    }
}
