//! What a process that answers several calls about a tree keeps from one to the next: the list of
//! the tree, and texts.
//!
//! Nothing of it is trusted by its age. In each call everything is looked at again before it is
//! used: each folder of the list, each file of rules, and the file of each text. If it is another
//! file, or its size or the time of a change differs, it is read again. So is what was changed so
//! shortly before the reading that a later change could look the same. A process that answers one
//! call keeps nothing. Nothing is kept where the system does not tell changes (Windows).

mod rules;
mod stamp;

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant, SystemTime};

use crate::beneath;
use crate::limits::Limits;
use crate::listing::Listing;
use crate::text;

use rules::Rules;
pub(crate) use rules::WalkNotes;
use stamp::Stamp;

/// Bytes of one text that is kept.
const TEXT_BYTES_MAX: u64 = 4 << 20;
/// Bytes that a text costs in addition to its own.
const ENTRY_BYTES: u64 = 256;
/// Folders that a thread takes at a time.
const TAKEN: usize = 16;

static KEPT: OnceLock<Kept> = OnceLock::new();

/// What this process keeps, if anything.
#[derive(Debug)]
struct Kept {
    bytes_max: u64,
    bytes: AtomicU64,
    /// The number of the current call.
    call: AtomicU64,
    is_full: AtomicBool,
    listing: Mutex<Option<KeptListing>>,
    folders: RwLock<HashMap<PathBuf, Mutex<KeptFolder>>>,
}

#[derive(Debug)]
struct KeptListing {
    root: PathBuf,
    depth_max: usize,
    is_guarded: bool,
    rules: Rules,
    listing: Arc<Listing>,
    /// The call in which it was made or checked.
    call: u64,
}

/// A folder of the list, or one of which a text is kept.
#[derive(Debug, Default)]
struct KeptFolder {
    /// Its stamp before it was listed; `None` if no list is kept.
    stamp: Option<Stamp>,
    texts: HashMap<OsString, KeptText>,
}

#[derive(Debug)]
struct KeptText {
    stamp: Stamp,
    text: Arc<[u8]>,
    /// The call in which it was read or checked.
    call: u64,
}

impl KeptText {
    fn bytes(name: &OsStr, text: &[u8]) -> u64 {
        (name.len() + text.len()) as u64 + ENTRY_BYTES
    }
}

/// Makes this process keep up to so many bytes of texts from now on.
pub fn keep(bytes_max: u64) {
    if stamp::TELLS_CHANGES && bytes_max > 0 {
        let _ = KEPT.set(Kept::new(bytes_max));
    }
}

/// Begins a call: nothing that is kept counts before it is checked again.
pub fn begin_call() {
    if let Some(kept) = KEPT.get() {
        kept.call.fetch_add(1, Ordering::Relaxed);
    }
}

/// Reports whether texts were left out because the bound was reached, since the last call of this
/// function.
pub fn was_full() -> bool {
    KEPT.get()
        .is_some_and(|kept| kept.is_full.swap(false, Ordering::Relaxed))
}

/// Returns the list of a tree: the kept one if it is still true, else the one that `list` makes.
pub(crate) fn listing(
    (root, is_guarded): (&Path, bool),
    limits: &Limits,
    list: impl FnOnce(Option<Arc<WalkNotes>>) -> Listing,
) -> Arc<Listing> {
    match KEPT.get() {
        Some(kept) => kept.listing((root, is_guarded), limits, list),
        None => Arc::new(list(None)),
    }
}

/// Returns the text of a listed file of at most so many bytes, if it is kept or can be. A kept text
/// was checked in this call.
pub(crate) fn text(path: &Path, bytes_max: u64) -> Option<Arc<[u8]>> {
    let kept = KEPT.get()?;
    let text = kept.known(path).or_else(|| kept.read(path))?;
    (text.len() as u64 <= bytes_max).then_some(text)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Kept {
    fn new(bytes_max: u64) -> Self {
        Self {
            bytes_max,
            bytes: AtomicU64::new(0),
            call: AtomicU64::new(0),
            is_full: AtomicBool::new(false),
            listing: Mutex::default(),
            folders: RwLock::default(),
        }
    }

    fn call(&self) -> u64 {
        self.call.load(Ordering::Relaxed)
    }

    fn listing(
        &self,
        (root, is_guarded): (&Path, bool),
        limits: &Limits,
        list: impl FnOnce(Option<Arc<WalkNotes>>) -> Listing,
    ) -> Arc<Listing> {
        let mut held = locked(&self.listing);
        let call = self.call();
        if let Some(kept) = held.as_mut() {
            let is_same = kept.root == root
                && kept.depth_max == limits.depth_max
                && kept.is_guarded == is_guarded;
            // Within one call the list was checked already.
            if is_same && (kept.call == call || self.holds(kept, limits)) {
                return kept.again(call);
            }
            if kept.root != root {
                self.forget();
            }
        } else {
            // Texts are kept without a list too, and must be checked before they are used.
            self.look_again(limits);
        }
        *held = None;
        let (began, notes) = (Instant::now(), Arc::new(WalkNotes::begin(root)));
        let listing = Arc::new(list(Some(Arc::clone(&notes))));
        let grounds = Arc::into_inner(notes).and_then(WalkNotes::end);
        // A walk that runs out of time leaves out folders.
        let is_in_time = began.elapsed() < Duration::from_millis(limits.pass_ms_max);
        let Some(grounds) = grounds.filter(|_| listing.is_whole() && is_in_time) else {
            self.note_folders(Vec::new());
            return listing;
        };
        self.note_folders(grounds.folders);
        *held = Some(KeptListing {
            root: root.to_owned(),
            depth_max: limits.depth_max,
            is_guarded,
            rules: grounds.rules,
            listing: Arc::clone(&listing),
            call,
        });
        listing
    }

    /// Reports whether a list is still true. Checks all texts too.
    fn holds(&self, kept: &KeptListing, limits: &Limits) -> bool {
        let are_same = self.look_again(limits);
        are_same && kept.rules.hold()
    }

    /// Checks all folders and texts, drops the texts that changed, and reports whether all folders
    /// are unchanged.
    fn look_again(&self, limits: &Limits) -> bool {
        let folders = self.folders.read().unwrap_or_else(PoisonError::into_inner);
        let all: Vec<(&PathBuf, &Mutex<KeptFolder>)> = folders.iter().collect();
        let (next, are_same, call) = (AtomicUsize::new(0), AtomicBool::new(true), self.call());
        let work = || {
            loop {
                let at = next.fetch_add(TAKEN, Ordering::Relaxed).min(all.len());
                let taken = &all[at..all.len().min(at + TAKEN)];
                if taken.is_empty() {
                    return;
                }
                for (path, folder) in taken {
                    // The check goes on after a difference, because it also marks each text as
                    // checked in this call.
                    if !self.is_same(path, &mut locked(folder), call) {
                        are_same.store(false, Ordering::Relaxed);
                    }
                }
            }
        };
        let threads = limits.threads.clamp(1, all.len() / TAKEN + 1);
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(work);
            }
            work();
        });
        are_same.into_inner()
    }

    /// Checks a folder and its texts.
    fn is_same(&self, path: &Path, folder: &mut KeptFolder, call: u64) -> bool {
        let open = beneath::open_folder(path).ok();
        folder.texts.retain(|name, kept| {
            let now = open.as_ref().and_then(|open| Stamp::of_file_in(open, name));
            kept.call = call;
            let is_same = now == Some(kept.stamp);
            if !is_same {
                let bytes = KeptText::bytes(name, &kept.text);
                self.bytes.fetch_sub(bytes, Ordering::Relaxed);
            }
            is_same
        });
        let Some(stamp) = folder.stamp else {
            return true;
        };
        open.and_then(|open| Stamp::of_folder(&open)) == Some(stamp)
    }

    /// Notes the folders of a new list.
    fn note_folders(&self, noted: Vec<(PathBuf, Stamp)>) {
        let mut folders = self.folders.write().unwrap_or_else(PoisonError::into_inner);
        folders.retain(|_, folder| {
            let folder = folder.get_mut().unwrap_or_else(PoisonError::into_inner);
            folder.stamp = None;
            !folder.texts.is_empty()
        });
        for (path, stamp) in noted {
            let folder = folders.entry(path).or_default();
            let folder = folder.get_mut().unwrap_or_else(PoisonError::into_inner);
            folder.stamp = Some(stamp);
        }
    }

    fn forget(&self) {
        let mut folders = self.folders.write().unwrap_or_else(PoisonError::into_inner);
        folders.clear();
        self.bytes.store(0, Ordering::Relaxed);
    }

    /// Returns the text of a file that was checked or read in this call.
    fn known(&self, path: &Path) -> Option<Arc<[u8]>> {
        let folders = self.folders.read().unwrap_or_else(PoisonError::into_inner);
        let folder = locked(folders.get(path.parent()?)?);
        let kept = folder.texts.get(path.file_name()?)?;
        (kept.call == self.call()).then(|| Arc::clone(&kept.text))
    }

    /// Reads a text and keeps it, if its file stays the same meanwhile and there is room.
    fn read(&self, path: &Path) -> Option<Arc<[u8]>> {
        let (began, name) = (SystemTime::now(), path.file_name()?);
        let file = text::open_regular(path).ok()?;
        // A file that was written just now may change again without another time of change.
        let stamp = Stamp::of_file(&file)
            .filter(|stamp| stamp.bytes() <= TEXT_BYTES_MAX && stamp.is_settled(began))?;
        let bytes = stamp.bytes() + name.len() as u64 + ENTRY_BYTES;
        if self.bytes.load(Ordering::Relaxed) + bytes > self.bytes_max {
            self.is_full.store(true, Ordering::Relaxed);
            return None;
        }
        let text = text::rest_of(&file, stamp.bytes()).ok()?;
        // The file may have changed while it was read.
        let is_same = text.len() as u64 == stamp.bytes() && Stamp::of_file(&file) == Some(stamp);
        if !is_same || text::is_skipped(&text) {
            return None;
        }
        let text: Arc<[u8]> = text.into();
        self.put(path, stamp, Arc::clone(&text));
        Some(text)
    }

    fn put(&self, path: &Path, stamp: Stamp, text: Arc<[u8]>) {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return;
        };
        let bytes = KeptText::bytes(name, &text);
        let kept = KeptText {
            stamp,
            text,
            call: self.call(),
        };
        let put = |folder: &mut KeptFolder| {
            self.bytes.fetch_add(bytes, Ordering::Relaxed);
            if let Some(earlier) = folder.texts.insert(name.to_owned(), kept) {
                let bytes = KeptText::bytes(name, &earlier.text);
                self.bytes.fetch_sub(bytes, Ordering::Relaxed);
            }
        };
        {
            // Most texts are in a listed folder, for which a shared lock is enough.
            let folders = self.folders.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(folder) = folders.get(parent) {
                return put(&mut locked(folder));
            }
        }
        let mut folders = self.folders.write().unwrap_or_else(PoisonError::into_inner);
        let folder = folders.entry(parent.to_owned()).or_default();
        put(folder.get_mut().unwrap_or_else(PoisonError::into_inner));
    }
}

impl KeptListing {
    /// Returns the list for another call. The notes of passes belong to their own call.
    fn again(&mut self, call: u64) -> Arc<Listing> {
        if self.call != call {
            self.call = call;
            match Arc::get_mut(&mut self.listing) {
                Some(listing) => listing.forget_passes(),
                // A run that still uses the list keeps its own notes.
                None => self.listing = Arc::new(self.listing.anew()),
            }
        }
        Arc::clone(&self.listing)
    }
}

#[cfg(all(test, unix))]
mod tests;
