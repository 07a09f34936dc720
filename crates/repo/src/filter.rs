//! A filter that is kept from one run to the next: which files of a tree surely lack what is asked for.
//!
//! Given the list of a tree, says of each file that is as it was when it was read what its text has. It
//! excludes and never finds: what it leaves is read again, and what it does not know is read. Kept
//! in the person's cache folder, within bounds; what is broken in it counts as missing.

mod file;
mod signature;
mod stamp;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use grounds_shelf::{Bounds, Shelf, use_now};

use self::file::{Kept, Row};
pub(crate) use self::signature::{Asked, Recorder, Signature};
pub(crate) use self::stamp::Stamp;
use crate::checkout::Checkout;
use crate::limits::Limits;
use crate::listing::{self, Listed};

/// The folder of a filter below that of its tree.
const NAME: &str = "filter";
/// The file in it.
const FILE: &str = "signatures";
/// The empty file in it that says that the tree was asked about once.
const ASKED: &str = "asked";
/// A filter is written anew when a part of one in so many of its files was read.
const REWRITTEN_PART: usize = 50;
/// Bytes of a row beside its path and its signature, about.
const ROW_BYTES: usize = 80;

/// What was read of one file.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    /// Bytes of its text.
    pub(crate) bytes: u64,
    /// Whether the text has only letters of ASCII, none of them as an escape.
    pub(crate) is_plain: bool,
    /// Whether an earlier run has read it.
    pub(crate) is_kept: bool,
    /// What the text has.
    pub(crate) signature: Signature,
}

impl Facts {
    /// What was recorded of a text of so many bytes.
    pub(crate) fn of(recorder: &Recorder, bytes: u64) -> Self {
        Self {
            bytes,
            is_plain: recorder.is_plain(),
            is_kept: false,
            signature: recorder.signature(),
        }
    }
}

/// A filter of one tree.
#[derive(Debug, Default)]
pub(crate) struct Filter {
    /// Where it is kept; `None` if it is not.
    place: Option<PathBuf>,
    /// Its name, if something of it could be used.
    name: Option<String>,
    /// Files that it knew.
    known: usize,
    /// When the tree was listed.
    listed_at: Option<SystemTime>,
    shelf: Option<Shelf>,
}

impl Filter {
    /// Opens what is kept of a tree, and notes what it knows of each entry. A small tree is read as fast.
    pub(crate) fn open(checkout: &Checkout, entries: &mut [Listed], limits: &Limits) -> Self {
        let files = entries.iter().filter(|entry| entry.is_file()).count();
        let Some(folder) = checkout
            .filters()
            .filter(|_| files >= limits.filter_files_min)
        else {
            return Self::default();
        };
        let root = checkout.root();
        let opened = Shelf::open(folder, root, bounds(limits)).ok();
        let made = opened.and_then(|(shelf, _)| Some((shelf.make(NAME).ok()?, shelf)));
        let made = made.filter(|(place, _)| stamp::is_trusted(root) && was_asked(place));
        let Some((place, shelf)) = made else {
            return Self::default();
        };
        let listed_at = SystemTime::now();
        let kept = file::read(&place.join(FILE), limits.filter_bytes_max, limits.threads);
        let known = look(root, entries, kept.as_ref(), limits.threads);
        if known > 0 {
            use_now(&place);
        }
        Self {
            place: Some(place),
            name: kept.filter(|_| known > 0).map(|kept| kept.name),
            known,
            listed_at: Some(listed_at),
            shelf: Some(shelf),
        }
    }

    /// Its name, by which an answer tells what was excluded.
    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Whether what is read now will be of use later.
    pub(crate) const fn is_kept(&self) -> bool {
        self.place.is_some()
    }

    /// Writes it anew if enough was read that it did not know.
    pub(crate) fn keep(&self, root: &Path, entries: &[Listed], limits: &Limits) {
        let (Some(place), Some(shelf), Some(listed_at)) =
            (&self.place, &self.shelf, self.listed_at)
        else {
            return;
        };
        let wait = Duration::from_millis(limits.filter_settled_ms);
        let mut rows: Vec<Row> = entries
            .iter()
            .filter_map(|entry| row(root, entry, listed_at, wait))
            .collect();
        let fresh = rows.iter().filter(|row| !row.facts.is_kept).count();
        if fresh == 0 || fresh < self.known / REWRITTEN_PART {
            return;
        }
        rows.sort_unstable_by(|one, other| one.key.cmp(&other.key));
        rows.truncate(fitting(&rows, limits.filter_bytes_max));
        // What cannot be kept is read again: that is all.
        let written = shelf.staging().ok().and_then(|staging| {
            let made = staging.path().join(FILE);
            file::write(&made, &rows).ok()?;
            std::fs::rename(&made, place.join(FILE)).ok()
        });
        if written.is_some() {
            use_now(place);
            shelf.tidy(place);
        }
    }
}

/// Returns whether the tree was asked about before, and notes that it is now. A job that asks once in
/// a fresh clone does not pay for a filter that nobody uses.
fn was_asked(place: &Path) -> bool {
    let mark = place.join(ASKED);
    let was = mark.exists() || place.join(FILE).exists();
    // Where nothing can be noted, nothing could be kept either.
    was || std::fs::write(&mark, "").is_err()
}

/// How many of some rows fit into a file of so many bytes.
fn fitting(rows: &[Row], bytes_max: u64) -> usize {
    let mut left = usize::try_from(bytes_max).unwrap_or(usize::MAX);
    let mut fits = |row: &Row| {
        let bytes = ROW_BYTES + row.key.len() + row.facts.signature.bytes().len();
        left = left.saturating_sub(bytes);
        left > 0
    };
    rows.iter().take_while(|row| fits(row)).count()
}

const fn bounds(limits: &Limits) -> Bounds {
    Bounds {
        things_max: limits.filters_max,
        bytes_max: limits.filters_bytes_max,
        days_max: limits.filter_days_max,
    }
}

/// Looks at every file, and notes what is known of those that are as they were. Returns how many these are.
fn look(root: &Path, entries: &mut [Listed], kept: Option<&Kept>, threads: usize) -> usize {
    let rows = kept.iter().flat_map(|kept| &kept.rows);
    let rows: HashMap<&[u8], &Row> = rows.map(|row| (row.key.as_slice(), row)).collect();
    let one = |entry: &mut Listed| {
        entry.stamp = entry.is_file().then(|| Stamp::of(&entry.path)).flatten();
        let row = entry.stamp.and_then(|stamp| {
            let row = rows.get(listing::key(root, &entry.path)?)?;
            (row.stamp == stamp.to_bytes()).then_some(row)
        });
        if let Some(row) = row {
            entry.learn(row.facts.clone());
        }
        row.is_some()
    };
    let each = entries.len().div_ceil(threads.max(1)).max(1);
    std::thread::scope(|scope| {
        let parts: Vec<_> = entries
            .chunks_mut(each)
            .map(|part| {
                scope.spawn(|| {
                    part.iter_mut()
                        .filter_map(|entry| one(entry).then_some(()))
                        .count()
                })
            })
            .collect();
        let counts = parts
            .into_iter()
            .map(|part| part.join().unwrap_or_default());
        counts.sum()
    })
}

/// What is kept of an entry; `None` if it was not read, or if it changed too lately or since it was listed.
fn row(root: &Path, entry: &Listed, listed_at: SystemTime, wait: Duration) -> Option<Row> {
    let (stamp, facts) = (entry.stamp?, entry.known()?);
    let stands =
        facts.is_kept || stamp.is_settled(listed_at, wait) && Stamp::of(&entry.path) == Some(stamp);
    let key =
        listing::key(root, &entry.path).filter(|key| stands && key.len() <= u16::MAX.into())?;
    Some(Row {
        key: key.to_vec(),
        stamp: stamp.to_bytes(),
        facts: facts.clone(),
    })
}
